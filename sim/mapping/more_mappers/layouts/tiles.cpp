#include "sim/mapping/more_mappers/layouts/tiles.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <map>
#include <utility>

#include "topology/mpi/divisors.hpp"

namespace vtopo::detail {

HostFill::HostFill(const Allocation& allocation, int num_ranks) {
  host_of_position_.reserve(static_cast<std::size_t>(num_ranks));
  std::optional<int> first;
  bool equal = true;
  for (int host = 0, left = num_ranks; left > 0; ++host) {
    const int slots = allocation.slots[static_cast<std::size_t>(host)];
    const int taken = std::min(slots, left);
    host_of_position_.insert(host_of_position_.end(), static_cast<std::size_t>(taken), host);
    left -= taken;
    if (!first) first = taken;
    // The last host may take less than the others, never more.
    equal = equal && (left > 0 ? taken == *first : taken <= *first);
  }
  if (equal) uniform_ = first.value_or(1);
}

int HostFill::typical_ranks() const {
  if (uniform_) return *uniform_;
  return num_ranks() / (host_of_position_.back() + 1);  // hosts differ: there are ranks
}

Embedding fill_hosts(const FillOrder& order, const Allocation& allocation) {
  const HostFill fill(allocation, static_cast<int>(order.size()));
  std::vector<HostId> hosts(order.size());
  for (int position = 0; position < fill.num_ranks(); ++position)
    hosts[index(order[static_cast<std::size_t>(position)])] =
        allocation.hosts[static_cast<std::size_t>(fill.host_at(position))];
  return {std::move(hosts), allocation};
}

LeavingEdges leaving_edges(const CommGraph& guest, const FillOrder& order, const HostFill& fill) {
  std::vector<int> host_of(order.size());
  for (int position = 0; position < fill.num_ranks(); ++position)
    host_of[index(order[static_cast<std::size_t>(position)])] = fill.host_at(position);
  std::vector<std::int64_t> leaving(static_cast<std::size_t>(fill.num_hosts()), 0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const int host = host_of[index(source)];
    if (host != host_of[index(edge.destination)]) ++leaving[static_cast<std::size_t>(host)];
  });
  LeavingEdges result;
  for (const std::int64_t edges : leaving) {
    result.sum += edges;
    result.most = std::max(result.most, edges);
  }
  return result;
}

FillOrder best_order(const CommGraph& guest, const HostFill& fill, std::vector<FillOrder> orders) {
  assert(!orders.empty());
  if (orders.size() == 1) return std::move(orders.front());
  std::size_t best = 0;
  LeavingEdges least = leaving_edges(guest, orders[0], fill);
  for (std::size_t i = 1; i < orders.size(); ++i) {
    const LeavingEdges edges = leaving_edges(guest, orders[i], fill);
    if (edges < least) {
      least = edges;
      best = i;
    }
  }
  return std::move(orders[best]);
}

std::optional<std::string> grid_missing(const MappingProblem& problem) {
  if (problem.grid) return std::nullopt;
  return "needs a Cartesian grid, such as --topology cart:8x8";
}

namespace {

class BoxWalk {
 public:
  BoxWalk(const Cartesian& grid, std::span<const BoxCuts> cuts,
          std::span<const std::size_t> slow_to_fast, CellOrder cells)
      : strides_(grid.strides()),
        cuts_(cuts),
        dimensions_(slow_to_fast),
        snake_(cells == CellOrder::snake),
        box_(cuts.size(), 0),
        backwards_(cuts.size(), false) {
    order_.reserve(static_cast<std::size_t>(grid.num_ranks()));
  }

  FillOrder run() {
    walk(0, false);
    return std::move(order_);
  }

 private:
  /// All boxes that share their place in the first `level` dimensions.
  void walk(std::size_t level, bool backwards) {
    if (level == dimensions_.size()) return walk_cells(0, 0, false);
    const std::size_t d = dimensions_[level];
    const std::size_t boxes = cuts_[d].size() - 1;
    backwards_[d] = backwards;
    for (std::size_t i = 0; i < boxes; ++i) {
      box_[d] = backwards ? boxes - 1 - i : i;
      walk(level + 1, backwards != (box_[d] % 2 == 1));
    }
  }

  void walk_cells(std::size_t level, int rank, bool turned) {
    if (level == dimensions_.size()) return order_.push_back(Rank{rank});
    const std::size_t d = dimensions_[level];
    const int low = cuts_[d][box_[d]], high = cuts_[d][box_[d] + 1];
    const bool backwards = backwards_[d] != turned;
    for (int i = 0; i < high - low; ++i) {
      const int c = backwards ? high - 1 - i : low + i;
      walk_cells(level + 1, rank + c * strides_[d], snake_ && turned != (i % 2 == 1));
    }
  }

  std::span<const int> strides_;
  std::span<const BoxCuts> cuts_;
  std::span<const std::size_t> dimensions_;
  bool snake_;
  std::vector<std::size_t> box_;  ///< the one being walked, per dimension
  std::vector<bool> backwards_;
  FillOrder order_;
};

}  // namespace

BoxCuts cuts_every(int side, int size) {
  BoxCuts cuts;
  for (std::int64_t c = 0; c < size; c += side) cuts.push_back(static_cast<int>(c));
  cuts.push_back(size);
  return cuts;
}

BoxCuts even_cuts(int parts, int size) {
  BoxCuts cuts{0};
  for (int i = 0; i < parts; ++i)
    cuts.push_back(cuts.back() + size / parts + (i < size % parts ? 1 : 0));
  return cuts;
}

FillOrder walk_boxes(const Cartesian& grid, std::span<const BoxCuts> cuts,
                     std::span<const std::size_t> slow_to_fast, CellOrder cells) {
  return BoxWalk(grid, cuts, slow_to_fast, cells).run();
}

std::optional<std::vector<int>> cheapest_box(int cells, std::size_t dimensions,
                                             const std::function<double(std::size_t, int)>& cost) {
  constexpr double impossible = std::numeric_limits<double>::infinity();
  const std::vector<int> products = divisors(cells);
  // best[d][p]: least cost of sides in dimensions d and later whose product is products[p].
  std::vector<std::vector<double>> best(dimensions + 1,
                                        std::vector<double>(products.size(), impossible));
  std::vector<std::vector<int>> side(dimensions, std::vector<int>(products.size(), 0));
  best[dimensions][0] = 0;
  const auto position = [&](int product) {
    return static_cast<std::size_t>(std::lower_bound(products.begin(), products.end(), product) -
                                    products.begin());
  };
  for (std::size_t d = dimensions; d-- > 0;)
    for (std::size_t p = 0; p < products.size(); ++p)
      for (const int s : products) {
        if (s > products[p]) break;
        if (products[p] % s != 0) continue;
        const double rest = best[d + 1][position(products[p] / s)];
        if (rest == impossible) continue;
        const double sum = cost(d, s) + rest;
        if (sum >= best[d][p]) continue;
        best[d][p] = sum;
        side[d][p] = s;
      }
  if (best[0].back() == impossible) return std::nullopt;
  std::vector<int> sides;
  for (std::size_t d = 0, p = products.size() - 1; d < dimensions; ++d) {
    sides.push_back(side[d][p]);
    p = position(products[p] / side[d][p]);
  }
  return sides;
}

namespace {

using Offsets = std::vector<std::vector<int>>;

/// Collects distinct offsets. Ranks of a stencil send in the same order, so that the next offset is
/// mostly the one behind the last one.
class OffsetSet {
 public:
  void add(const std::vector<int>& offset) {
    if (++last_ >= offsets_.size()) last_ = 0;
    if (last_ < offsets_.size() && offsets_[last_] == offset) return;
    const auto [found, is_new] = position_.try_emplace(offset, offsets_.size());
    if (is_new) offsets_.push_back(offset);
    last_ = found->second;
  }

  Offsets take() { return std::move(offsets_); }

 private:
  Offsets offsets_;
  std::map<std::vector<int>, std::size_t> position_;
  std::size_t last_ = 0;
};

/// The shorter way around a periodic dimension.
int short_way(int offset, const Dimension& dimension) {
  if (!dimension.periodic()) return offset;
  if (2 * std::int64_t{offset} > dimension.size) return offset - dimension.size;
  if (2 * std::int64_t{offset} <= -std::int64_t{dimension.size}) return offset + dimension.size;
  return offset;
}

Offsets distinct_offsets(const CommGraph& guest, const Cartesian& grid) {
  const auto dimensions = grid.dimensions();
  std::vector<int> from(dimensions.size()), to(dimensions.size());
  OffsetSet found;
  for (int r = 0; r < guest.num_ranks(); ++r) {
    grid.coords(Rank{r}, from);
    for (const CommEdge& edge : guest.out_edges(Rank{r})) {
      if (edge.destination == Rank{r}) continue;
      grid.coords(edge.destination, to);
      for (std::size_t d = 0; d < to.size(); ++d) to[d] = short_way(to[d] - from[d], dimensions[d]);
      found.add(to);
    }
  }
  return found.take();
}

Offsets nearest_neighbours(std::size_t dimensions) {
  Offsets offsets;
  for (std::size_t d = 0; d < dimensions; ++d)
    for (const int step : {-1, 1}) {
      offsets.emplace_back(dimensions, 0);
      offsets.back()[d] = step;
    }
  return offsets;
}

}  // namespace

GuestStencil::GuestStencil(const CommGraph& guest, const Cartesian& grid)
    : num_dimensions_(grid.dimensions().size()), offsets_(distinct_offsets(guest, grid)) {
  if (offsets_.empty()) offsets_ = nearest_neighbours(num_dimensions_);
}

int GuestStencil::num_crossing(std::size_t d) const {
  int count = 0;
  for (const auto& offset : offsets_) count += offset[d] != 0;
  return count;
}

int GuestStencil::cut_edges(std::size_t d) const {
  int sum = 0;
  for (const auto& offset : offsets_) sum += std::abs(offset[d]);
  return sum;
}

double GuestStencil::parallelism(std::size_t d) const {
  double sum = 0;
  for (const auto& offset : offsets_) {
    double length = 0;
    for (const int o : offset) length += static_cast<double>(o) * o;
    sum += static_cast<double>(offset[d]) * offset[d] / length;
  }
  return sum;
}

std::vector<double> GuestStencil::distortion() const {
  std::vector<double> sides(num_dimensions_, 0);
  double log_volume = 0;
  int spread = 0;
  for (std::size_t d = 0; d < num_dimensions_; ++d) {
    int low = 0, high = 0;
    for (const auto& offset : offsets_) {
      low = std::min(low, offset[d]);
      high = std::max(high, offset[d]);
    }
    sides[d] = high - low;
    if (sides[d] == 0) continue;
    log_volume += std::log(sides[d]);
    ++spread;
  }
  for (double& side : sides)
    if (side > 0) side = side * std::exp(-log_volume / spread);
  return sides;
}

}  // namespace vtopo::detail
