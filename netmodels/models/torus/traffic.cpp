#include "netmodels/models/torus/traffic.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <span>

#include "topology/base/huge_pages.hpp"

namespace vtopo::detail {

namespace {

/// A sum of flows, or its change from one coordinate of a line to the next: units of volume and
/// flows in one word, as memory is what the sums wait for. Unsigned, so that changes may be
/// negative and a sum that nobody reads may overflow.
class PackedSum {
 public:
  static constexpr int flow_bits = 26;
  static constexpr std::int64_t max_units = std::int64_t{1} << 37;
  static constexpr std::int64_t max_flows = (std::int64_t{1} << flow_bits) - 1;
  static constexpr bool picks_unit = true;

  PackedSum() = default;
  explicit PackedSum(std::int64_t units)
      : value_((static_cast<std::uint64_t>(units) << flow_bits) + 1) {}
  PackedSum& operator+=(const PackedSum& other) {
    value_ += other.value_;
    return *this;
  }
  PackedSum& operator-=(const PackedSum& other) {
    value_ -= other.value_;
    return *this;
  }
  std::int64_t units() const { return static_cast<std::int64_t>(value_ >> flow_bits); }
  std::int32_t flows() const {
    return static_cast<std::int32_t>(value_ & std::uint64_t{max_flows});
  }

 private:
  std::uint64_t value_ = 0;
};

/// The same in two words, with the unit of one byte.
class WideSum {
 public:
  static constexpr std::int64_t max_units = std::int64_t{1} << 62;
  static constexpr std::int64_t max_flows = max_id;
  static constexpr bool picks_unit = false;

  WideSum() = default;
  explicit WideSum(std::int64_t units) : units_(static_cast<std::uint64_t>(units)), flows_(1) {}
  WideSum& operator+=(const WideSum& other) {
    units_ += other.units_;
    flows_ += other.flows_;
    return *this;
  }
  WideSum& operator-=(const WideSum& other) {
    units_ -= other.units_;
    flows_ -= other.flows_;
    return *this;
  }
  std::int64_t units() const { return static_cast<std::int64_t>(units_); }
  std::int32_t flows() const { return static_cast<std::int32_t>(flows_); }

 private:
  std::uint64_t units_ = 0;
  std::uint32_t flows_ = 0;
};

/// Largest power of two that divides a whole volume; 1 for a fractional one.
double largest_unit(double volume) {
  int exponent = 0;
  const auto mantissa = static_cast<std::int64_t>(std::ldexp(std::frexp(volume, &exponent), 53));
  const int zeros = std::countr_zero(static_cast<std::uint64_t>(mantissa));
  return std::ldexp(1, std::max(0, exponent - 53 + zeros));
}

/// Cables that a flow takes on one line in one direction: a difference where they begin, the
/// opposite one where they end, and one for the whole line if they go over its wrap.
template <class Sum>
struct Mark {
  Sum* begin = nullptr;
  Sum* end = nullptr;
  Sum* wrap = nullptr;
  Sum change;
};

/// Differences of the lines of one dimension, in the order of its links: those of routers one after
/// the other, the positive direction first. So flows from hosts that are near each other change
/// cells that are near each other, but for the end in the last dimension. `wraps` has what passes
/// over the wrap of each line, the positive direction first, and as many sums more: what passes
/// over no wrap, which nobody reads.
template <class Sum>
struct Lanes {
  Sum* cells = nullptr;
  Sum* wraps = nullptr;
  std::size_t no_wrap = 0;  ///< entry of `wraps`
  std::ptrdiff_t step = 0;  ///< cells from one coordinate to the next
  std::size_t first_step = 0;
};

/// Which cells a stretch changes, on the line of its axis.
struct LaneStep {
  std::int32_t begin;
  std::int32_t end;
  std::int32_t wrap;  ///< or its copy that nobody reads
};

/// The source of the flows that are being added, as one axis sees it.
template <class Sum>
struct LaneOrigin {
  int coordinate;
  Sum* cells;  ///< of its line, low = 0, from coordinate 0 on
  Sum* wraps;
  Sum* no_wraps;
  const LaneStep* steps;  ///< by the coordinate of the destination
};

/// What does not fit goes on to the next way of summing.
template <class Sum, bool splits>
class RingTraffic final : public LinkTraffic {
 public:
  RingTraffic(const Network& network, const TorusGrid& grid, const TorusHosts& hosts, RingTies ties)
      : network_(network), grid_(grid), hosts_(hosts), ties_(ties) {
    lay_lanes();
    origin_.resize(grid.axes().size());
    marks_.resize(flows_at_once * marks_per_flow());
    next_mark_ = marks_.data();
    last_mark_ = next_mark_ + (flows_at_once - 1) * marks_per_flow();
    if (!splits && is_small()) lay_steps();
    if (hosts.have_cables())
      cables_.resize(static_cast<std::size_t>(network.num_links() - hosts.first_link));
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    const OutFlow flow{destination, volume};
    add_from(source, {&flow, 1});
  }

  void add_from(HostId source, std::span<const OutFlow> flows) override {
    const int router = hosts_.router(source);
    if (router != last_router_) set_origin(router);
    last_router_ = router;
    for (const OutFlow& flow : flows) {
      if (Sum::picks_unit && num_flows_ == 0) per_unit_ = 1 / largest_unit(flow.volume.value);
      const double scaled = flow.volume.value * per_unit_;
      const auto whole = static_cast<std::int64_t>(scaled < max_whole ? scaled : 0);
      const std::int64_t units = whole * units_per_whole;
      if (static_cast<double>(whole) != scaled || total_ + units > Sum::max_units ||
          num_flows_ == Sum::max_flows) {
        pass_on(source, flow.destination, flow.volume);
        continue;
      }
      total_ += units;
      ++num_flows_;
      if (hosts_.have_cables()) {
        cables_[index(hosts_.up(source)) - first_cable()] += Sum(units);
        cables_[index(hosts_.down(flow.destination)) - first_cable()] += Sum(units);
      }
      if (!splits && !steps_.empty())
        add_looked_up(hosts_.router(flow.destination), units);
      else
        add_route(hosts_.router(flow.destination), units);
    }
  }

  LinkTotals totals() override {
    apply_marks();
    LinkTotals totals = passed_on_ ? passed_on_->totals() : zeros();
    for (std::size_t a = 0; a < lanes_.size(); ++a) add_lines(grid_.axes()[a], lanes_[a], totals);
    for (std::size_t i = 0; i < cables_.size(); ++i)
      put(cables_[i], bytes_per_unit(), first_cable() + i, totals);
    return totals;
  }

 private:
  static constexpr int units_per_whole = splits ? 2 : 1;
  static constexpr auto whole_units = Sum::max_units / units_per_whole;
  static constexpr auto max_whole = static_cast<double>(whole_units);  // a power of two: exact

  /// Flows whose differences are fetched from memory before they are changed.
  static constexpr std::size_t flows_at_once = 48;

  /// Cells of a stretch are looked up where all cells stay in the cache: calculating them takes
  /// longer.
  static constexpr std::size_t max_cells_looked_up = std::size_t{1} << 16;
  static constexpr int max_size_looked_up = 64;

  bool is_small() const {
    const auto& axes = grid_.axes();
    return cells_.size() <= max_cells_looked_up &&
           std::all_of(axes.begin(), axes.end(),
                       [](const TorusAxis& axis) { return axis.size <= max_size_looked_up; });
  }

  void lay_steps() {
    const DimensionOrder rule{ties_, false};
    for (std::size_t a = 0; a < lanes_.size(); ++a) {
      const TorusAxis& axis = grid_.axes()[a];
      const auto step = static_cast<std::int32_t>(lanes_[a].step);
      const auto unread = static_cast<std::int32_t>(lanes_[a].no_wrap);
      lanes_[a].first_step = steps_.size();
      for (int from = 0; from < axis.size; ++from)
        for (int to = 0; to < axis.size; ++to)
          rule.for_each_way(axis, from, to, [&](bool positive, double) {
            const int begin = positive ? from : to, end = positive ? to : from;
            const int back = positive ? 0 : 1;
            steps_.push_back(
                {begin * step + back, end * step + back, (end < begin ? 0 : unread) + back});
          });
    }
  }

  void add_looked_up(int destination, std::int64_t units) {
    const Sum change(units);
    std::ptrdiff_t low = 0;
    for (std::size_t a = 0; a < lanes_.size(); ++a) {
      const TorusAxis& axis = grid_.axes()[a];
      const int above = axis.reciprocal.quotient(destination);
      const int to = destination - above * axis.size;
      const LaneOrigin<Sum>& origin = origin_[a];
      const LaneStep& step = origin.steps[to];
      Sum* const line = origin.cells + low;
      line[step.begin] += change;
      line[step.end] -= change;
      origin.wraps[low + step.wrap] += change;
      low += to * lanes_[a].step;
      destination = above;
    }
  }

  double bytes_per_unit() const { return 1 / per_unit_ / units_per_whole; }
  std::size_t marks_per_flow() const { return grid_.axes().size() * (splits ? 2 : 1); }
  std::size_t first_cable() const { return static_cast<std::size_t>(hosts_.first_link); }

  void lay_lanes() {
    std::size_t num_cells = 0, num_wraps = 0;
    for (const TorusAxis& axis : grid_.axes()) {
      num_cells += 2 * static_cast<std::size_t>(grid_.num_routers());
      num_wraps += 4 * static_cast<std::size_t>(axis.num_lines());
    }
    resize_on_huge_pages(cells_, num_cells);
    resize_on_huge_pages(wraps_, num_wraps);
    lanes_.reserve(grid_.axes().size());
    Sum *cells = cells_.data(), *wraps = wraps_.data();
    for (const TorusAxis& axis : grid_.axes()) {
      const std::size_t no_wrap = 2 * static_cast<std::size_t>(axis.num_lines());
      lanes_.push_back({cells, wraps, no_wrap, 2 * std::ptrdiff_t{axis.stride}});
      cells += 2 * static_cast<std::size_t>(grid_.num_routers());
      wraps += 2 * no_wrap;
    }
  }

  LinkTotals zeros() const {
    const auto num_links = static_cast<std::size_t>(network_.num_links());
    LinkTotals totals;
    resize_on_huge_pages(totals.traffic, num_links);
    resize_on_huge_pages(totals.flows, num_links);
    return totals;
  }

  void pass_on(HostId source, HostId destination, Bytes volume) {
    if (!passed_on_) passed_on_ = next_way();
    passed_on_->add(source, destination, volume);
  }

  std::unique_ptr<LinkTraffic> next_way() const {
    if constexpr (Sum::picks_unit)
      return std::make_unique<RingTraffic<WideSum, splits>>(network_, grid_, hosts_, ties_);
    else
      return network_.Network::make_link_traffic();
  }

  void set_origin(int router) {
    // NOLINTNEXTLINE(cppcoreguidelines-pro-type-member-init): filled before it is read, in a hot loop
    std::array<TorusPlace, TorusGrid::max_axes> places;
    grid_.split(router, places);
    for (std::size_t a = 0; a < origin_.size(); ++a) {
      const std::ptrdiff_t lines = lanes_[a].step * places[a].above;
      const int coordinate = places[a].coordinate, size = grid_.axes()[a].size;
      Sum* const wraps = lanes_[a].wraps + lines;
      const LaneStep* steps =
          steps_.empty() ? nullptr : steps_.data() + lanes_[a].first_step + coordinate * size;
      origin_[a] = {coordinate, lanes_[a].cells + lines * size, wraps, wraps + lanes_[a].no_wrap,
                    steps};
    }
  }

  /// The route from `origin_`.
  void add_route(int destination, std::int64_t units) {
    Mark<Sum>* next = next_mark_;
    std::ptrdiff_t low = 0;
    for (std::size_t a = 0; a < lanes_.size(); ++a) {
      const TorusAxis& axis = grid_.axes()[a];
      const int above = axis.reciprocal.quotient(destination);
      const int to = destination - above * axis.size;
      add_stretch(axis, a, to, low, units, next);
      low += to * lanes_[a].step;
      destination = above;
    }
    next_mark_ = next;
    if (next_mark_ > last_mark_) apply_marks();
  }

  /// Nothing where a route does not move: between neighbours that is most often, and foretold.
  void add_stretch(const TorusAxis& axis, std::size_t a, int to, std::ptrdiff_t low,
                   std::int64_t units, Mark<Sum>*& next) {
    if (to == origin_[a].coordinate) return;
    const DimensionOrder rule{ties_, splits};
    rule.for_each_way(axis, origin_[a].coordinate, to, [&](bool positive, double share) {
      *next++ = mark(a, to, low, positive ? 0 : 1, share < 1 ? units / 2 : units);
    });
  }

  /// Without branches: nothing predicts the route of a flow. In negative direction the cables are
  /// those from the destination on.
  /// @param back 0 or 1
  Mark<Sum> mark(std::size_t a, int to, std::ptrdiff_t low, int back, std::int64_t units) {
    const Lanes<Sum>& lanes = lanes_[a];
    const LaneOrigin<Sum>& origin = origin_[a];
    const int swap = (origin.coordinate ^ to) & -back;
    const int begin = origin.coordinate ^ swap, end = to ^ swap;
    Sum* const line = origin.cells + low + back;
    Sum* const wraps = (end < begin ? origin.wraps : origin.no_wraps) + low + back;
    const Mark<Sum> mark{line + begin * lanes.step, line + end * lanes.step, wraps, Sum(units)};
    __builtin_prefetch(mark.begin, 1);
    __builtin_prefetch(mark.end, 1);
    return mark;
  }

  void apply_marks() {
    for (const Mark<Sum>* mark = marks_.data(); mark != next_mark_; ++mark) {
      *mark->begin += mark->change;
      *mark->end -= mark->change;
      *mark->wrap += mark->change;
    }
    next_mark_ = marks_.data();
  }

  /// Sums the lines of a dimension, neighbouring lines side by side, in their cells.
  void add_lines(const TorusAxis& axis, const Lanes<Sum>& lanes, LinkTotals& totals) const {
    const std::size_t width = 2 * static_cast<std::size_t>(axis.stride);
    const double bytes = bytes_per_unit();
    for (int high = 0; high < axis.lines_above; ++high) {
      const Sum* before = lanes.wraps + width * static_cast<std::size_t>(high);
      for (int c = 0; c < axis.cables; ++c) {
        Sum* const here = lanes.cells + width * static_cast<std::size_t>(high * axis.size + c);
        const std::size_t link = 2 * static_cast<std::size_t>(axis.cable(high, 0, c));
        for (std::size_t l = 0; l < width; ++l) {
          here[l] += before[l];
          put(here[l], bytes, link + l, totals);
        }
        before = here;
      }
    }
  }

  static void put(const Sum& sum, double bytes, std::size_t link, LinkTotals& totals) {
    totals.traffic[link] += static_cast<double>(sum.units()) * bytes;
    totals.flows[link] += sum.flows();
  }

  const Network& network_;
  const TorusGrid& grid_;
  const TorusHosts& hosts_;
  RingTies ties_;
  double per_unit_ = 1;     ///< units are powers of two of bytes
  std::int64_t total_ = 0;  ///< units of all flows
  std::int64_t num_flows_ = 0;
  std::vector<Lanes<Sum>> lanes_;  ///< of each axis
  std::vector<Sum> cells_;
  std::vector<Sum> wraps_;
  std::vector<LaneOrigin<Sum>> origin_;  ///< of the flows that are being added, for each axis
  int last_router_ = -1;                 ///< which they leave
  std::vector<LaneStep> steps_;          ///< of each axis; none: they are calculated
  std::vector<Sum> cables_;              ///< of the hosts
  std::vector<Mark<Sum>> marks_;
  Mark<Sum>* next_mark_ = nullptr;  ///< those before it are not yet applied
  Mark<Sum>* last_mark_ = nullptr;  ///< up to it there is room for one flow more
  std::unique_ptr<LinkTraffic> passed_on_;
};

}  // namespace

std::unique_ptr<LinkTraffic> make_ring_traffic(const Network& network, const TorusGrid& grid,
                                               const TorusHosts& hosts,
                                               const DimensionOrder& rule) {
  if (rule.splits)
    return std::make_unique<RingTraffic<PackedSum, true>>(network, grid, hosts, rule.ties);
  return std::make_unique<RingTraffic<PackedSum, false>>(network, grid, hosts, rule.ties);
}

}  // namespace vtopo::detail
