#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <utility>
#include <vector>

#include "sim/mapping/grids/folding.hpp"
#include "sim/mapping/grids/grid_problem.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Slots of ranks in a folding, from a table of digits per guest dimension.
class FoldedSlots {
 public:
  /// @param axes must outlive the object, and so must `folding`; both without entries of size 1.
  FoldedSlots(const Cartesian& grid, const std::vector<FoldAxis>& axes, const Folding& folding);

  /// Slot of one rank.
  std::size_t of(Rank rank) const;

  /// Calls `visit(slot)` for all ranks in order.
  template <class Visitor>
  void for_each(Visitor&& visit) const {
    std::vector<int> combinations((dimensions_.size() + 1) * axes_->size(), 0);
    walk(0, combinations.data(), visit);
  }

 private:
  struct Folded {
    int size;
    int stride;
    std::vector<int> shares;  ///< per coordinate and host axis: what it adds to the combination
  };

  std::vector<int> shares(const Folding& folding, std::size_t i, int size) const;
  std::size_t slot(const int* combinations) const;

  /// @param combinations one entry per host axis, of the dimensions before `d`; room follows.
  template <class Visitor>
  void walk(std::size_t d, int* combinations, Visitor& visit) const {
    if (d == dimensions_.size()) {
      visit(slot(combinations));
      return;
    }
    int* const next = combinations + axes_->size();
    const int* share = dimensions_[d].shares.data();
    for (int c = 0; c < dimensions_[d].size; ++c) {
      for (std::size_t j = 0; j < axes_->size(); ++j) next[j] = combinations[j] + *share++;
      walk(d + 1, next, visit);
    }
  }

  const std::vector<FoldAxis>* axes_;
  const std::vector<FoldLayout>* layouts_;
  std::vector<Folded> dimensions_;
};

FoldedSlots::FoldedSlots(const Cartesian& grid, const std::vector<FoldAxis>& axes,
                         const Folding& folding)
    : axes_(&axes), layouts_(&folding.layouts) {
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
    const int size = grid.dimensions()[d].size;
    if (size > 1)
      dimensions_.push_back({size, grid.strides()[d], shares(folding, dimensions_.size(), size)});
  }
}

std::size_t FoldedSlots::of(Rank rank) const {
  std::vector<int> combinations(axes_->size(), 0);
  for (const Folded& dimension : dimensions_) {
    const auto c = static_cast<std::size_t>(number(rank) / dimension.stride % dimension.size);
    for (std::size_t j = 0; j < axes_->size(); ++j)
      combinations[j] += dimension.shares[c * axes_->size() + j];
  }
  return slot(combinations.data());
}

std::size_t FoldedSlots::slot(const int* combinations) const {
  int slot = 0;
  for (std::size_t j = 0; j < axes_->size(); ++j)
    slot +=
        (*layouts_)[j].positions[static_cast<std::size_t>(combinations[j])] * (*axes_)[j].stride;
  return static_cast<std::size_t>(slot);
}

std::vector<int> FoldedSlots::shares(const Folding& folding, std::size_t i, int size) const {
  const FoldPath& path = folding.paths[i];
  std::vector<int> factors;
  for (const std::size_t axis : path.digits) factors.push_back((*layouts_)[axis].factors[i]);
  const std::vector<int> values = path.values(factors, size);
  std::vector<int> result(axes_->size() * static_cast<std::size_t>(size), 0);
  for (std::size_t v = 0; v < values.size(); ++v) {
    const std::size_t axis = path.digits[v % path.digits.size()];
    result[v / path.digits.size() * axes_->size() + axis] =
        values[v] * (*layouts_)[axis].weights[i];
  }
  return result;
}

constexpr int num_candidates = 6;
constexpr std::size_t max_exact_edges = 100'000;

std::vector<FoldAxis> fold_axes(const HostGrid& host) {
  std::vector<FoldAxis> axes{{host.capacity, 1, false, true}};
  int stride = host.capacity;
  for (const HostDimension& dimension : host.dimensions) {
    axes.push_back({dimension.size, stride, dimension.wraps, false});
    stride *= dimension.size;
  }
  std::erase_if(axes, [](const FoldAxis& axis) { return axis.size == 1; });
  return axes;
}

/// Edges that stand for all: those of every rank of a small guest, of random ranks of a large one.
std::vector<DirectedEdge> sampled_edges(const CommGraph& guest) {
  std::vector<DirectedEdge> edges;
  const auto add = [&](Rank rank) {
    for (const CommEdge& edge : guest.out_edges(rank))
      if (edge.volume.value > 0) edges.push_back({rank, edge.destination, edge.volume});
  };
  if (guest.num_edges() <= max_exact_edges) {
    for (int r = 0; r < guest.num_ranks(); ++r) add(Rank{r});
    return edges;
  }
  const auto all = static_cast<std::uint64_t>(guest.num_ranks());
  const std::size_t draws = 1 + all * max_exact_edges / guest.num_edges();
  Random random(1);
  std::vector<Rank> ranks;
  while (ranks.size() < draws) ranks.push_back(Rank{static_cast<int>(random.below(all))});
  std::sort(ranks.begin(), ranks.end());
  for (const Rank rank : ranks) add(rank);
  return edges;
}

/// Dimensions of size > 1 with the volume of the edges that step along them.
std::vector<FoldDimension> fold_dimensions(const Cartesian& grid,
                                           const std::vector<DirectedEdge>& edges) {
  std::vector<FoldDimension> dimensions;
  for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
    const auto [size, periodicity] = grid.dimensions()[d];
    if (size == 1) continue;
    const int stride = grid.strides()[d];
    double volume = 0;
    for (const DirectedEdge& edge : edges) {
      const int from = number(edge.source) / stride % size;
      const int to = number(edge.destination) / stride % size;
      if (from != to) volume += edge.volume.value;
    }
    const bool closed = periodicity == Periodicity::periodic && size > 2;
    dimensions.push_back({size, closed, volume > 0 ? volume : 1});
  }
  return dimensions;
}

template <class HostOf>
double hop_bytes(const Network& network, const std::vector<DirectedEdge>& edges, HostOf&& host_of) {
  double sum = 0;
  for (const DirectedEdge& edge : edges) {
    const HostId from = host_of(edge.source), to = host_of(edge.destination);
    if (from != to) sum += edge.volume.value * network.hops(from, to);
  }
  return sum;
}

/// Whether both differ at most in where the digits of a host axis have their places.
bool have_same_digits(const Folding& a, const Folding& b) {
  const auto same_factors = [](const FoldLayout& x, const FoldLayout& y) {
    return x.factors == y.factors;
  };
  return a.paths == b.paths &&
         std::equal(a.layouts.begin(), a.layouts.end(), b.layouts.begin(), same_factors);
}

/// The cheapest foldings; those whose digits differ also with their host axes refined for each of
/// the goals.
std::vector<Folding> foldings_to_try(const std::vector<FoldDimension>& dimensions,
                                     const std::vector<FoldAxis>& axes, int count,
                                     std::initializer_list<FoldGoal> goals) {
  std::vector<Folding> foldings = find_foldings(dimensions, axes, count);
  const auto found = foldings;
  for (auto folding = found.begin(); folding != found.end(); ++folding) {
    const auto is_alike = [&](const Folding& other) { return have_same_digits(*folding, other); };
    if (std::any_of(found.begin(), folding, is_alike)) continue;
    for (const FoldGoal goal : goals) {
      foldings.push_back(*folding);
      refine(foldings.back(), dimensions, axes, goal);
    }
  }
  return foldings;
}

Embedding embedding_of(const MappingProblem& problem, const HostGrid& host,
                       const std::vector<FoldAxis>& axes, const Folding& folding) {
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(problem.guest.num_ranks()));
  FoldedSlots(*problem.grid, axes, folding).for_each([&](std::size_t slot) {
    hosts.push_back(host.slot_hosts[slot]);
  });
  return {std::move(hosts), problem.allocation};
}

/// Each periodic dimension bent in half, so that its ends meet: coordinates 0, 1, 2, ... go to
/// 0, 2, 4, ... and come back over 5, 3, 1. On a path of hosts no step is longer than two.
Embedding with_rings_bent(const MappingProblem& problem, const Embedding& embedding) {
  const Cartesian& grid = *problem.grid;
  std::vector<HostId> hosts;
  for (int r = 0; r < grid.num_ranks(); ++r) {
    int bent = 0;
    for (std::size_t d = 0; d < grid.dimensions().size(); ++d) {
      const auto [size, periodicity] = grid.dimensions()[d];
      const int at = r / grid.strides()[d] % size;
      const bool bends = periodicity == Periodicity::periodic && size > 2;
      const int to = !bends ? at : 2 * at < size ? 2 * at : 2 * (size - at) - 1;
      bent += to * grid.strides()[d];
    }
    hosts.push_back(embedding.host_of(Rank{bent}));
  }
  return {std::move(hosts), problem.allocation};
}

/// The best of foldings under an objective that is more than hop-bytes: of the grid as it is, with
/// all dimensions closed, and with none; each also with its rings bent.
Embedding best_under_objective(const MappingProblem& problem, const HostGrid& host,
                               const std::vector<DirectedEdge>& edges, Embedding best) {
  Cost least = cost_of(problem.objective, problem.guest, problem.network, best);
  const auto offer = [&](Embedding embedding) {
    Cost cost = cost_of(problem.objective, problem.guest, problem.network, embedding);
    if (!(cost < least)) return;
    least = std::move(cost);
    best = std::move(embedding);
  };
  const auto dimensions = problem.grid->dimensions();
  const bool has_rings = std::any_of(dimensions.begin(), dimensions.end(), [](const auto& d) {
    return d.periodicity == Periodicity::periodic && d.size > 2;
  });
  const auto offer_bent = [&](const Embedding& embedding) {
    if (has_rings) offer(with_rings_bent(problem, embedding));
  };
  offer_bent(best);
  const auto axes = fold_axes(host);
  std::vector<std::vector<FoldDimension>> variants{fold_dimensions(*problem.grid, edges)};
  for (const bool closed : {true, false}) {
    std::vector<FoldDimension> variant = variants.front();
    for (FoldDimension& dimension : variant) dimension.closed = closed && dimension.size > 2;
    if (std::find(variants.begin(), variants.end(), variant) == variants.end())
      variants.push_back(std::move(variant));
  }
  for (const auto& variant : variants)
    for (const Folding& folding : foldings_to_try(variant, axes, num_candidates / 2,
                                                  {FoldGoal::hop_bytes, FoldGoal::loads})) {
      Embedding embedding = embedding_of(problem, host, axes, folding);
      offer_bent(embedding);
      offer(std::move(embedding));
    }
  return best;
}

Embedding fold_for_hops(const MappingProblem& problem, const GridProblem& grids,
                        const std::vector<DirectedEdge>& edges) {
  const HostGrid& host = grids.host;
  if (matching_host_axes(*problem.grid, host)) return map_along(problem, grids, row_major_order);
  const auto dimensions = fold_dimensions(*problem.grid, edges);
  const auto axes = fold_axes(host);
  const std::vector<Folding> foldings =
      foldings_to_try(dimensions, axes, num_candidates, {FoldGoal::hop_bytes});
  Embedding snake = map_along(problem, grids, snake_order);
  double least = hop_bytes(problem.network, edges, [&](Rank r) { return snake.host_of(r); });
  const Folding* best = nullptr;
  for (const Folding& folding : foldings) {
    const FoldedSlots slots(*problem.grid, axes, folding);
    const double sum =
        hop_bytes(problem.network, edges, [&](Rank r) { return host.slot_hosts[slots.of(r)]; });
    if (sum >= least) continue;
    least = sum;
    best = &folding;
  }
  return best ? embedding_of(problem, host, axes, *best) : snake;
}

Embedding map_fold(const MappingProblem& problem, const SearchControl&) {
  const GridProblem grids = grid_problem(problem);
  const std::vector<DirectedEdge> edges = sampled_edges(problem.guest);
  Embedding folded = fold_for_hops(problem, grids, edges);
  if (is_hop_bytes(problem.objective) || problem.guest.num_edges() > max_exact_edges) return folded;
  return best_under_objective(problem, grids.host, edges, std::move(folded));
}

}  // namespace

/// Folds of one grid into another: each guest dimension runs like a snake, or in a closed walk if
/// it is periodic, over parts of several host dimensions, and host dimensions shared by several
/// guest dimensions nest their parts, or arrange them freely where that is shorter. Of many ways to
/// factor the sizes the one with the least hop-bytes is taken (estimated in closed form, the best
/// few measured on the edges, on 100,000 of them if there are more). Never worse than `snake` on
/// the edges measured. Under other objectives also foldings as if every dimension were periodic, or
/// none, with shared host dimensions arranged so that their links carry little, and with rings bent
/// in half are tried, and the objective chooses. R. Aleliunas and A. L.
/// Rosenberg, "On embedding rectangular grids in square grids" (IEEE Transactions on Computers
/// 1982); H. Yu, I-H. Chung and J. Moreira, "Topology Mapping for Blue Gene/L Supercomputer"
/// (SC06).
MapperInfo fold() {
  return {.name = "fold",
          .summary = "folds guest dimensions over several host dimensions, best of many factorings",
          .reference =
              "Aleliunas and Rosenberg, IEEE Trans. Computers 1982; Yu, Chung and Moreira, SC06",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = grid_unsupported_reason,
          .map = map_fold,
          .role = MapperRole::grid_layout,
          .work = {.microseconds_per_rank = 2, .microseconds_per_edge = 0}};
}

}  // namespace vtopo::detail::mappers
