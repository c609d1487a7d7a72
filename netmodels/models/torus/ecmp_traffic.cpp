#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "netmodels/models/torus/ecmp.hpp"
#include "topology/base/huge_pages.hpp"

namespace vtopo::detail {

namespace {

/// One axis of the box of all shortest routes between two routers: coordinates `begin` to
/// `begin + places - 1`, by the wrap if need be. At half a ring the whole ring, the source in its
/// middle and the destination at its end.
struct EcmpSide {
  int begin;
  int places;
  bool positive;  ///< from the source at `begin` on; else from the source at the end on
  bool tied;      ///< at half a ring

  static EcmpSide between(const TorusAxis& axis, int from, int to);
};

/// What each router of a box sends over each of its links onwards, as a share of the flow: an even
/// split at every router.
class EcmpTable {
 public:
  explicit EcmpTable(const TorusGrid& grid)
      : walks_(grid.axes().size()), turns_(grid.axes().size()) {}

  /// Shares of the routers of a box, those of the first axis side by side in order of coordinates;
  /// those of every other axis from the source on, or at half a ring in order of coordinates. Valid
  /// up to the next call.
  const double* shares(std::span<const EcmpSide> sides);

 private:
  /// A side in the order in which flows reach its places.
  struct Walk {
    std::vector<int> place;  ///< by turn
    std::vector<int> next;   ///< place after the turn; none at the last one
    int other_next = -1;     ///< of the first turn, at half a ring
    std::ptrdiff_t stride = 1;
  };

  void lay_walks(std::span<const EcmpSide> sides);
  void fill();
  double* enter_line();
  bool next_line();
  void fill_line(double* line);

  std::vector<double> shares_;
  std::vector<Walk> walks_;
  std::vector<std::size_t> turns_;       ///< of the line in hand, on every axis but the first
  std::vector<std::ptrdiff_t> onwards_;  ///< from it to the next routers on those axes
};

EcmpSide EcmpSide::between(const TorusAxis& axis, int from, int to) {
  if (axis.is_tie(from, to)) {
    const int before_destination = from - axis.size / 2 + 1;
    return {before_destination + (before_destination < 0 ? axis.size : 0), axis.size, true, true};
  }
  const bool positive = from == to || axis.goes_positive(from, to, RingTies::positive);
  return {positive ? from : to, axis.distance(from, to) + 1, positive, false};
}

const double* EcmpTable::shares(std::span<const EcmpSide> sides) {
  std::size_t size = 1;
  for (const EcmpSide& side : sides) size *= static_cast<std::size_t>(side.places);
  shares_.assign(size, 0);
  lay_walks(sides);
  fill();
  return shares_.data();
}

void EcmpTable::lay_walks(std::span<const EcmpSide> sides) {
  std::ptrdiff_t stride = 1;
  for (std::size_t a = 0; a < sides.size(); ++a) {
    const EcmpSide& side = sides[a];
    Walk& walk = walks_[a];
    walk.place.clear();
    walk.other_next = -1;
    walk.stride = stride;
    const int last = side.places - 1;
    if (side.tied) {
      const int source = last / 2;
      for (int p = source; p < last; ++p) walk.place.push_back(p);
      for (int p = source - 1; p >= 0; --p) walk.place.push_back(p);
      walk.place.push_back(last);
      walk.other_next = source > 0 ? source - 1 : last;
    } else {
      const bool back = a == 0 && !side.positive;
      for (int p = 0; p <= last; ++p) walk.place.push_back(back ? last - p : p);
    }
    walk.next.assign(walk.place.begin() + 1, walk.place.end());
    if (side.tied && last > 1) walk.next[static_cast<std::size_t>(last / 2)] = last;
    stride *= side.places;
  }
}

/// Routers in the order in which flows reach them, the first axis fastest.
void EcmpTable::fill() {
  std::fill(turns_.begin(), turns_.end(), 0);
  enter_line()[walks_.front().place.front()] = 1;
  do fill_line(enter_line());
  while (next_line());
}

double* EcmpTable::enter_line() {
  double* line = shares_.data();
  onwards_.clear();
  for (std::size_t a = 1; a < walks_.size(); ++a) {
    const Walk& walk = walks_[a];
    const std::size_t turn = turns_[a];
    line += walk.place[turn] * walk.stride;
    if (turn == walk.next.size()) continue;
    onwards_.push_back((walk.next[turn] - walk.place[turn]) * walk.stride);
    if (turn == 0 && walk.other_next >= 0)
      onwards_.push_back((walk.other_next - walk.place[turn]) * walk.stride);
  }
  return line;
}

bool EcmpTable::next_line() {
  for (std::size_t a = 1; a < walks_.size(); ++a) {
    if (turns_[a] < walks_[a].next.size()) {
      ++turns_[a];
      return true;
    }
    turns_[a] = 0;
  }
  return false;
}

void EcmpTable::fill_line(double* line) {
  const Walk& walk = walks_.front();
  for (std::size_t turn = 0; turn < walk.place.size(); ++turn) {
    double& here = line[walk.place[turn]];
    const bool moves = turn < walk.next.size(), both = turn == 0 && walk.other_next >= 0;
    const std::size_t choices = onwards_.size() + (moves ? 1 : 0) + (both ? 1 : 0);
    here /= static_cast<double>(choices);  // of the destination nobody reads it
    if (moves) line[walk.next[turn]] += here;
    if (both) line[walk.other_next] += here;
    for (const std::ptrdiff_t step : onwards_) *(&here + step) += here;
  }
}

/// Coordinates of an axis that follow each other without the wrap.
struct EcmpPiece {
  int first;
  int count;
  std::ptrdiff_t share;  ///< of the first one, on this axis
  std::ptrdiff_t step;   ///< to the share of the next one
};

/// Coordinates of one axis, up to the wrap and on from 0; and where counts of flows change on it.
/// Filled in place: values that were written in parts are slow to copy.
struct EcmpRange {  // NOLINT(cppcoreguidelines-pro-type-member-init): for each flow and axis
  std::array<EcmpPiece, 2> pieces;
  int size = 0;
  int num_marks = 0;
  std::array<std::ptrdiff_t, 4> cells;
  std::array<std::int32_t, 4> changes;

  void mark(std::ptrdiff_t cell, std::int32_t change) {
    const auto at = static_cast<std::size_t>(num_marks++);
    cells[at] = cell;
    changes[at] = change;
  }
};

std::uint64_t num_distances(const TorusAxis& axis) {
  return static_cast<std::uint64_t>(axis.wraps ? axis.size / 2 + 1 : axis.size);
}

/// Loads of links by the router that they leave: of each axis the positive direction, then the
/// negative one. Rows of routers along the first axis take a flow at once; flows are counted by
/// differences at the corners of their boxes.
class EcmpTraffic final : public LinkTraffic {
 public:
  EcmpTraffic(const TorusGrid& grid, const TorusHosts& hosts, int num_links)
      : grid_(grid),
        hosts_(hosts),
        num_links_(static_cast<std::size_t>(num_links)),
        table_(grid),
        num_routers_(static_cast<std::size_t>(grid.num_routers())),
        sides_(grid.axes().size()),
        strides_(grid.axes().size()),
        before_source_(grid.axes().size()),
        places_(grid.axes().size()),
        whole_(std::max(grid.axes().size(), num_differences)),
        box_(whole_.size()) {
    for (std::size_t a = 0; a < whole_.size(); ++a) box_[a] = &whole_[a];
    for (std::size_t a = sides_.size(); a < num_differences; ++a) whole_[a].mark(0, 1);
    std::uint64_t shapes = 1;
    for (const TorusAxis& axis : grid.axes())
      shapes = std::min(2 * shapes * num_distances(axis), max_shapes);
    batch_ = shapes < max_shapes ? std::size_t{1} << batch_bits : 1;
    resize_on_huge_pages(traffic_, 2 * grid.axes().size() * num_routers_);
    lay_cells();
    cables_.traffic.resize(num_links_ - static_cast<std::size_t>(hosts.first_link));
    cables_.flows.resize(cables_.traffic.size());
  }

  void add(HostId source, HostId destination, Bytes volume) override {
    if (hosts_.have_cables()) {
      add_cable(hosts_.up(source), volume);
      add_cable(hosts_.down(destination), volume);
    }
    const int from = hosts_.router(source), to = hosts_.router(destination);
    if (from == to) return;
    order_.push_back(shape_of(from, to) << batch_bits | pending_.size());
    pending_.push_back({from, to, volume.value});
    if (pending_.size() == batch_) add_pending();
  }

  LinkTotals totals() override {
    add_pending();
    LinkTotals totals;
    resize_on_huge_pages(totals.traffic, num_links_);
    resize_on_huge_pages(totals.flows, num_links_);
    for (std::size_t a = 0; a < std::min(num_differences, sides_.size()); ++a) sum_differences(a);
    for (std::size_t a = 0; a < grid_.axes().size(); ++a)
      for (const bool positive : {true, false}) put_links(a, positive, totals);
    const auto first = static_cast<std::ptrdiff_t>(hosts_.first_link);
    std::copy(cables_.traffic.begin(), cables_.traffic.end(), totals.traffic.begin() + first);
    std::copy(cables_.flows.begin(), cables_.flows.end(), totals.flows.begin() + first);
    return totals;
  }

 private:
  /// Axes along which flows are counted by differences.
  static constexpr std::size_t num_differences = 3;
  /// Flows of boxes of equal shape are added one after the other, out of so many.
  static constexpr int batch_bits = 16;
  static constexpr std::uint64_t max_shapes = std::uint64_t{1} << 32;

  struct Pending {
    int source;
    int destination;
    double volume;
  };

  /// Differences end one place beyond the last coordinate.
  void lay_cells() {
    std::ptrdiff_t stride = 1;
    for (const TorusAxis& axis : grid_.axes()) {
      const bool by_difference = cell_strides_.size() < num_differences;
      cell_strides_.push_back(stride);
      stride *= axis.size + (by_difference ? 1 : 0);
    }
    cells_per_direction_ = static_cast<std::size_t>(stride);
    resize_on_huge_pages(flows_, 2 * cell_strides_.size() * cells_per_direction_);
  }

  /// Differences of an axis become sums.
  void sum_differences(std::size_t a) {
    const auto stride = static_cast<std::size_t>(cell_strides_[a]);
    const std::size_t line = stride * static_cast<std::size_t>(grid_.axes()[a].size + 1);
    for (std::size_t first = 0; first < flows_.size(); first += line)
      for (std::size_t i = first + stride; i < first + line; ++i) flows_[i] += flows_[i - stride];
  }

  void add_cable(LinkId link, Bytes volume) {
    const std::size_t cable = index(link) - static_cast<std::size_t>(hosts_.first_link);
    cables_.traffic[cable] += volume.value;
    ++cables_.flows[cable];
  }

  /// Equal for flows that go the same way on every axis: how far, then the directions, the first
  /// axis first.
  std::uint64_t shape_of(int source, int destination) const {
    std::uint64_t distances = 0, directions = 0;
    grid_.for_each_stretch(
        source, destination, [&](const TorusAxis& axis, const TorusStretch& stretch) {
          const int distance = axis.distance(stretch.from, stretch.to);
          const bool back =
              distance > 0 && !axis.goes_positive(stretch.from, stretch.to, RingTies::positive);
          distances = distances * num_distances(axis) + static_cast<std::uint64_t>(distance);
          directions = 2 * directions + (back ? 1 : 0);
        });
    return distances << sides_.size() | directions;
  }

  void add_pending() {
    std::sort(order_.begin(), order_.end());
    std::uint64_t shape = 0;
    for (const std::uint64_t entry : order_) {
      const Pending& flow = pending_[entry & ((std::uint64_t{1} << batch_bits) - 1)];
      const std::uint64_t next = entry >> batch_bits, others = sides_.size() - 1;
      const bool first = &entry == order_.data();
      if (first || next != shape) lay_sides(flow);
      if (first || next >> others != shape >> others) shares_ = table_.shares(sides_);
      shape = next;
      volume_ = flow.volume;
      lay_box(flow.source);
      for (std::size_t a = 0; a < sides_.size(); ++a) add_axis(a);
    }
    order_.clear();
    pending_.clear();
  }

  void lay_sides(const Pending& flow) {
    std::size_t a = 0;
    std::ptrdiff_t stride = 1;
    grid_.for_each_stretch(flow.source, flow.destination,
                           [&](const TorusAxis& axis, const TorusStretch& stretch) {
                             sides_[a] = EcmpSide::between(axis, stretch.from, stretch.to);
                             before_source_[a] = stretch.from - sides_[a].begin;
                             strides_[a++] = stride;
                             stride *= sides_[a - 1].places;
                           });
  }

  void lay_box(int source) {
    grid_.split(source, places_);
    for (std::size_t a = 0; a < sides_.size(); ++a) {
      const int size = grid_.axes()[a].size;
      int begin = places_[a].coordinate - before_source_[a];
      if (begin < 0) begin += size;
      if (begin >= size) begin -= size;
      sides_[a].begin = begin;
      cut(a, 0, sides_[a].places, whole_[a]);
    }
  }

  /// Places `first` to `first + count - 1` of a side, in order of coordinates.
  void cut(std::size_t a, int first, int count, EcmpRange& range) const {
    const EcmpSide& side = sides_[a];
    const int size = grid_.axes()[a].size;
    const bool back = a > 0 && !side.positive;
    const std::ptrdiff_t step = back ? -strides_[a] : strides_[a];
    const std::ptrdiff_t share = (back ? side.places - 1 - first : first) * strides_[a];
    int begin = side.begin + first;
    if (begin >= size) begin -= size;
    const int up_to_wrap = std::min(count, size - begin);
    range.size = range.num_marks = 0;
    add_piece({begin, up_to_wrap, share, step}, a, range);
    if (up_to_wrap < count)
      add_piece({0, count - up_to_wrap, share + up_to_wrap * step, step}, a, range);
  }

  /// What would end beyond the last coordinate has no mark.
  void add_piece(const EcmpPiece& piece, std::size_t a, EcmpRange& range) const {
    range.pieces[static_cast<std::size_t>(range.size++)] = piece;
    const int end = piece.first + piece.count;
    range.mark(piece.first * cell_strides_[a], 1);
    if (end < grid_.axes()[a].size) range.mark(end * cell_strides_[a], -1);
  }

  /// Every router of the box but those that are at the destination on this axis sends along it.
  void add_axis(std::size_t a) {
    const EcmpSide& side = sides_[a];
    if (side.places == 1) return;
    const int half = side.places / 2;
    if (side.tied) {
      add_places(a, 2 * a, half - 1, half);
      add_places(a, 2 * a + 1, 0, half);
    } else {
      add_places(a, side.positive ? 2 * a : 2 * a + 1, side.positive ? 0 : 1, side.places - 1);
    }
  }

  void add_places(std::size_t a, std::size_t direction, int first, int count) {
    cut(a, first, count, part_);
    box_[a] = &part_;
    add_box(direction);
    box_[a] = &whole_[a];
  }

  void add_box(std::size_t direction) {
    loads_ = traffic_.data() + direction * num_routers_;
    count_corners(sides_.size() - 1, flows_.data() + direction * cells_per_direction_);
    for (int p = 0; p < box_[0]->size; ++p) {
      const EcmpPiece& row = box_[0]->pieces[static_cast<std::size_t>(p)];
      add_lines(sides_.size() - 1, row.first, shares_ + row.share, row.count);
    }
  }

  /// Counts a flow at the corners of the box on the first axes, for every place on the others.
  void count_corners(std::size_t a, std::int32_t* cells) {
    if (a < num_differences) return count_corners(cells);
    for (int p = 0; p < box_[a]->size; ++p) {
      const EcmpPiece& piece = box_[a]->pieces[static_cast<std::size_t>(p)];
      std::int32_t* at = cells + piece.first * cell_strides_[a];
      for (int i = 0; i < piece.count; ++i, at += cell_strides_[a]) count_corners(a - 1, at);
    }
  }

  void count_corners(std::int32_t* cells) const {
    const EcmpRange &x = *box_[0], &y = *box_[1], &z = *box_[2];
    for (std::size_t k = 0; k < static_cast<std::size_t>(z.num_marks); ++k)
      for (std::size_t j = 0; j < static_cast<std::size_t>(y.num_marks); ++j) {
        std::int32_t* const line = cells + z.cells[k] + y.cells[j];
        const std::int32_t change = z.changes[k] * y.changes[j];
        for (std::size_t i = 0; i < static_cast<std::size_t>(x.num_marks); ++i)
          line[x.cells[i]] += change * x.changes[i];
      }
  }

  /// Rows of `count` routers from one on, of all coordinates of the axes 1 to `a`.
  void add_lines(std::size_t a, std::ptrdiff_t router, const double* shares, int count) {
    if (a == 0) return add_rows({0, 1, 0, 0}, 0, router, shares, count);
    const std::ptrdiff_t stride = grid_.axes()[a].stride;
    for (int p = 0; p < box_[a]->size; ++p) {
      const EcmpPiece& piece = box_[a]->pieces[static_cast<std::size_t>(p)];
      const std::ptrdiff_t first = router + piece.first * stride;
      const double* const share = shares + piece.share;
      if (a == 1)
        add_rows(piece, stride, first, share, count);
      else
        for (int i = 0; i < piece.count; ++i)
          add_lines(a - 1, first + i * stride, share + i * piece.step, count);
    }
  }

  void add_rows(const EcmpPiece& piece, std::ptrdiff_t stride, std::ptrdiff_t router,
                const double* shares, int count) {
    double* const loads = loads_ + router;
    switch (count) {
      case 1:
        return add_short_rows<1>(piece, stride, loads, shares);
      case 2:
        return add_short_rows<2>(piece, stride, loads, shares);
      case 3:
        return add_short_rows<3>(piece, stride, loads, shares);
      case 4:
        return add_short_rows<4>(piece, stride, loads, shares);
      case 5:
        return add_short_rows<5>(piece, stride, loads, shares);
      case 6:
        return add_short_rows<6>(piece, stride, loads, shares);
      case 7:
        return add_short_rows<7>(piece, stride, loads, shares);
      case 8:
        return add_short_rows<8>(piece, stride, loads, shares);
      default:
        break;
    }
    add_short_rows<8>(piece, stride, loads, shares);
    add_rows_from(8, piece, stride, loads, shares, count);
  }

  void add_rows_from(int first, const EcmpPiece& piece, std::ptrdiff_t stride, double* loads,
                     const double* shares, int count) const {
    const double volume = volume_;
    for (int i = 0; i < piece.count; ++i, loads += stride, shares += piece.step)
      for (int c = first; c < count; ++c) loads[c] += volume * shares[c];
  }

  /// The count is known to the compiler: most rows are short.
  template <std::size_t count>
  void add_short_rows(const EcmpPiece& piece, std::ptrdiff_t stride, double* loads,
                      const double* shares) const {
    const double volume = volume_;
    const std::ptrdiff_t step = piece.step;
    for (int i = piece.count; i > 0; --i, loads += stride, shares += step) {
      std::array<double, count> sums{};
      for (std::size_t c = 0; c < count; ++c) sums[c] = loads[c] + volume * shares[c];
      for (std::size_t c = 0; c < count; ++c) loads[c] = sums[c];
    }
  }

  void put_links(std::size_t a, bool positive, LinkTotals& totals) const {
    const TorusAxis& axis = grid_.axes()[a];
    const std::size_t direction = 2 * a + (positive ? 0 : 1);
    std::vector<TorusPlace> places(sides_.size());
    for (int router = 0; router < grid_.num_routers(); ++router) {
      grid_.split(router, places);
      const int here = places[a].coordinate;
      const int lower = positive ? here : here == 0 ? axis.size - 1 : here - 1;
      if (lower >= axis.cables) continue;  // of a mesh
      std::size_t cell = direction * cells_per_direction_;
      for (std::size_t b = 0; b < places.size(); ++b)
        cell += static_cast<std::size_t>(places[b].coordinate * cell_strides_[b]);
      const int cable = axis.cable(places[a].above, router % axis.stride, lower);
      const std::size_t link = 2 * static_cast<std::size_t>(cable) + (positive ? 0 : 1);
      totals.traffic[link] = traffic_[direction * num_routers_ + static_cast<std::size_t>(router)];
      totals.flows[link] = flows_[cell];
    }
  }

  const TorusGrid& grid_;
  const TorusHosts& hosts_;
  std::size_t num_links_;
  EcmpTable table_;
  std::size_t num_routers_;
  std::size_t batch_ = 1;
  std::vector<Pending> pending_;
  std::vector<std::uint64_t> order_;  ///< shape of the box of each, and its place
  std::vector<EcmpSide> sides_;       ///< of the flow in hand, as all below
  std::vector<std::ptrdiff_t> strides_;
  std::vector<int> before_source_;  ///< coordinates of the box
  std::vector<TorusPlace> places_;
  std::vector<EcmpRange> whole_;
  EcmpRange part_;
  std::vector<const EcmpRange*> box_;  ///< by axis: of `whole_`, or `part_`
  const double* shares_ = nullptr;
  double volume_ = 0;
  double* loads_ = nullptr;
  std::vector<double> traffic_;
  std::vector<std::int32_t> flows_;  ///< differences, by direction as the traffic
  std::vector<std::ptrdiff_t> cell_strides_;
  std::size_t cells_per_direction_ = 0;
  LinkTotals cables_;  ///< of the hosts
};

}  // namespace

std::unique_ptr<LinkTraffic> make_ecmp_traffic(const TorusGrid& grid, const TorusHosts& hosts,
                                               int num_links) {
  return std::make_unique<EcmpTraffic>(grid, hosts, num_links);
}

}  // namespace vtopo::detail
