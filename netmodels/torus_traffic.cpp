#include "netmodels/torus_traffic.hpp"

#include <algorithm>
#include <array>

namespace vtopo {

namespace {

/// A change of what links carry from one coordinate of a line on.
struct Difference {
  std::int64_t units = 0;  ///< bytes, or halves of bytes where flows split
  std::int32_t flows = 0;

  Difference& operator+=(const Difference& other) {
    units += other.units;
    flows += other.flows;
    return *this;
  }
  Difference& operator-=(const Difference& other) {
    units -= other.units;
    flows -= other.flows;
    return *this;
  }
};

/// Cables that a flow takes on one line in one direction: a difference where they begin, the
/// opposite one where they end, and one for the whole line if they go over its wrap.
struct Mark {
  Difference* begin;
  Difference* end;
  Difference* wrap;
  std::int64_t units;
};

/// Differences of the lines of one dimension. Each line has a lane of `size` of them for either
/// direction, the negative one first, and in `wraps` what passes over its wrap.
struct Lanes {
  Difference* cells;
  Difference* wraps;
};

template <bool splits>
class RingTraffic final : public LinkTraffic {
 public:
  RingTraffic(const Network& network, const TorusGrid& grid, const TorusHosts& hosts, RingTies ties)
      : network_(network), grid_(grid), hosts_(hosts), ties_(ties) {
    lay_lanes();
    marks_.resize(flows_at_once * marks_per_flow());
    if (hosts.have_cables())
      cables_.resize(static_cast<std::size_t>(network.num_links() - hosts.first_link));
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    const auto bytes = static_cast<std::int64_t>(volume.value < most_bytes ? volume.value : 0);
    const std::int64_t units = bytes * units_per_byte;
    if (static_cast<double>(bytes) != volume.value || total_ + units > limit) {
      walk(source, destination, volume);
      return;
    }
    total_ += units;
    if (hosts_.have_cables()) {
      cables_[index(hosts_.up(source)) - first_cable()] += {units, 1};
      cables_[index(hosts_.down(destination)) - first_cable()] += {units, 1};
    }
    const Lanes* lanes = lanes_.data();
    grid_.for_each_stretch(hosts_.router(source), hosts_.router(destination),
                           [&](const TorusAxis& axis, const TorusStretch& stretch) {
                             add_stretch(axis, *lanes++, stretch, units);
                           });
    if (pending_ + marks_per_flow() > marks_.size()) apply_marks();
  }

  LinkTotals totals() override {
    apply_marks();
    LinkTotals totals = walked_ ? walked_->totals() : zeros();
    for (std::size_t a = 0; a < lanes_.size(); ++a) add_lines(grid_.axes()[a], lanes_[a], totals);
    for (std::size_t i = 0; i < cables_.size(); ++i) put(cables_[i], first_cable() + i, totals);
    return totals;
  }

 private:
  static constexpr int units_per_byte = splits ? 2 : 1;
  static constexpr std::int64_t limit = std::int64_t{1} << 62;
  static constexpr double most_bytes = 2305843009213693952.0;  // 2^61, with halves the limit

  /// Flows whose differences are fetched from memory before they are changed.
  static constexpr std::size_t flows_at_once = 48;

  std::size_t marks_per_flow() const { return grid_.axes().size() * (splits ? 2 : 1); }
  std::size_t first_cable() const { return static_cast<std::size_t>(hosts_.first_link); }

  void lay_lanes() {
    std::size_t num_cells = 0, num_lanes = 0;
    for (const TorusAxis& axis : grid_.axes()) {
      num_lanes += 2 * static_cast<std::size_t>(axis.num_lines());
      num_cells += 2 * static_cast<std::size_t>(grid_.num_routers());
    }
    cells_.resize(num_cells);
    wraps_.resize(num_lanes);
    lanes_.reserve(grid_.axes().size());
    Lanes next{cells_.data(), wraps_.data()};
    for (const TorusAxis& axis : grid_.axes()) {
      lanes_.push_back(next);
      next.cells += 2 * static_cast<std::size_t>(grid_.num_routers());
      next.wraps += 2 * static_cast<std::size_t>(axis.num_lines());
    }
  }

  LinkTotals zeros() const {
    const auto num_links = static_cast<std::size_t>(network_.num_links());
    return {std::vector<double>(num_links), std::vector<std::int32_t>(num_links)};
  }

  void walk(HostId source, HostId destination, Bytes volume) {
    if (!walked_) walked_ = network_.Network::make_link_traffic();
    walked_->add(source, destination, volume);
  }

  /// A route that does not move here adds what it takes away.
  void add_stretch(const TorusAxis& axis, const Lanes& lanes, const TorusStretch& stretch,
                   std::int64_t units) {
    if (splits && axis.is_tie(stretch.from, stretch.to)) {
      mark(axis, lanes, stretch, true, units / 2);
      mark(axis, lanes, stretch, false, units / 2);
    } else {
      mark(axis, lanes, stretch, axis.goes_positive(stretch.from, stretch.to, ties_), units);
    }
  }

  /// In negative direction the cables are those from the destination on.
  void mark(const TorusAxis& axis, const Lanes& lanes, const TorusStretch& stretch, bool positive,
            std::int64_t units) {
    const auto line = static_cast<std::size_t>(stretch.high * axis.stride + stretch.low);
    const std::size_t lane = 2 * line + (positive ? 1U : 0U);
    const int begin = positive ? stretch.from : stretch.to;
    const int end = positive ? stretch.to : stretch.from;
    Difference* const cells = lanes.cells + lane * static_cast<std::size_t>(axis.size);
    marks_[pending_++] = {cells + begin, cells + end, end < begin ? lanes.wraps + lane : &no_wrap_,
                          units};
    __builtin_prefetch(cells + begin, 1);
    __builtin_prefetch(cells + end, 1);
  }

  void apply_marks() {
    for (std::size_t i = 0; i < pending_; ++i) {
      const Difference change{marks_[i].units, 1};
      *marks_[i].begin += change;
      *marks_[i].end -= change;
      *marks_[i].wrap += change;
    }
    pending_ = 0;
  }

  /// Sums the lanes of a dimension. Neighbouring lines side by side, as their links are neighbours.
  void add_lines(const TorusAxis& axis, const Lanes& lanes, LinkTotals& totals) const {
    for (int high = 0; high < axis.lines_above; ++high)
      for (int low = 0; low < axis.stride; low += abreast)
        add_abreast(axis, lanes, high, low, std::min(abreast, axis.stride - low), totals);
  }

  static void add_abreast(const TorusAxis& axis, const Lanes& lanes, int high, int low, int lines,
                          LinkTotals& totals) {
    const auto size = static_cast<std::size_t>(axis.size);
    const std::size_t first = 2 * static_cast<std::size_t>(high * axis.stride + low);
    const std::size_t count = 2 * static_cast<std::size_t>(lines);
    std::array<Difference, std::size_t{2} * abreast> sums;
    std::copy_n(lanes.wraps + first, count, sums.begin());
    for (std::size_t c = 0; c < static_cast<std::size_t>(axis.cables); ++c) {
      const auto link = 2 * static_cast<std::size_t>(axis.cable(high, low, static_cast<int>(c)));
      for (std::size_t l = 0; l < count; ++l) {
        sums[l] += lanes.cells[(first + l) * size + c];
        put(sums[l], link + (l ^ 1), totals);
      }
    }
  }

  static void put(const Difference& sum, std::size_t link, LinkTotals& totals) {
    totals.traffic[link] += static_cast<double>(sum.units) / units_per_byte;
    totals.flows[link] += sum.flows;
  }

  static constexpr int abreast = 8;

  const Network& network_;
  const TorusGrid& grid_;
  const TorusHosts& hosts_;
  RingTies ties_;
  std::int64_t total_ = 0;
  std::vector<Lanes> lanes_;  ///< of each axis
  std::vector<Difference> cells_;
  std::vector<Difference> wraps_;
  Difference no_wrap_;
  std::vector<Mark> marks_;
  std::size_t pending_ = 0;         ///< marks not yet applied
  std::vector<Difference> cables_;  ///< sums, of the hosts' cables
  std::unique_ptr<LinkTraffic> walked_;
};

}  // namespace

std::unique_ptr<LinkTraffic> make_ring_traffic(const Network& network, const TorusGrid& grid,
                                               const TorusHosts& hosts, RingTies ties,
                                               bool splits) {
  if (splits) return std::make_unique<RingTraffic<true>>(network, grid, hosts, ties);
  return std::make_unique<RingTraffic<false>>(network, grid, hosts, ties);
}

}  // namespace vtopo
