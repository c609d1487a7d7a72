#include <algorithm>
#include <utility>

#include "sim/mapping/fold_search.hpp"
#include "sim/mapping/folded_slots.hpp"
#include "sim/mapping/grid_problem.hpp"
#include "topology/narrow.hpp"
#include "topology/random.hpp"

namespace vtopo::mappers {

namespace {

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

/// Ranks whose edges stand for all: every rank of a small guest, some drawn ones of a large guest.
std::vector<Rank> sampled_ranks(const CommGraph& guest) {
  std::vector<Rank> ranks;
  const auto all = static_cast<std::uint64_t>(guest.num_ranks());
  if (guest.num_edges() <= max_exact_edges) {
    for (int r = 0; r < guest.num_ranks(); ++r) ranks.push_back(Rank{r});
    return ranks;
  }
  Random random(1);
  for (std::size_t edges = 0; edges < max_exact_edges;
       edges += 1 + guest.out_edges(ranks.back()).size())
    ranks.push_back(Rank{static_cast<int>(random.below(all))});
  return ranks;
}

/// Dimensions of size > 1 with the volume of the edges that step along them.
std::vector<FoldDimension> fold_dimensions(const MappingProblem& problem,
                                           const std::vector<Rank>& ranks) {
  std::vector<FoldDimension> dimensions;
  for (std::size_t d = 0; d < problem.grid->dimensions().size(); ++d) {
    const auto [size, periodicity] = problem.grid->dimensions()[d];
    if (size == 1) continue;
    const int stride = problem.grid->strides()[d];
    double volume = 0;
    bool closed = false;
    for (const Rank rank : ranks)
      for (const CommEdge& edge : problem.guest.out_edges(rank)) {
        const int from = number(rank) / stride % size;
        const int to = number(edge.destination) / stride % size;
        if (from != to) volume += edge.volume.value;
        closed |= std::abs(from - to) == size - 1 && size > 2;
      }
    closed |= periodicity == Periodicity::periodic && size > 2;
    dimensions.push_back({size, closed, volume > 0 ? volume : 1});
  }
  return dimensions;
}

/// Hop-bytes of the edges of some ranks.
template <class HostOf>
double hop_bytes(const MappingProblem& problem, const std::vector<Rank>& ranks, HostOf&& host_of) {
  double sum = 0;
  for (const Rank rank : ranks)
    for (const CommEdge& edge : problem.guest.out_edges(rank)) {
      const HostId from = host_of(rank), to = host_of(edge.destination);
      if (from != to) sum += edge.volume.value * problem.host.hops(from, to);
    }
  return sum;
}

/// The cheapest foldings, each also with its host axes refined.
std::vector<Folding> foldings_to_try(const std::vector<FoldDimension>& dimensions,
                                     const std::vector<FoldAxis>& axes) {
  std::vector<Folding> foldings = find_foldings(dimensions, axes, num_candidates);
  for (std::size_t f = 0, found = foldings.size(); f < found; ++f) {
    Folding refined = foldings[f];
    refine(refined, dimensions, axes);
    foldings.push_back(std::move(refined));
  }
  return foldings;
}

Embedding map_fold(const MappingProblem& problem) {
  const GridProblem grids = grid_problem(problem);
  const HostGrid& host = grids.host;
  if (matching_host_axes(*problem.grid, host)) return map_along(problem, grids, row_major_order);
  const std::vector<Rank> ranks = sampled_ranks(problem.guest);
  const auto dimensions = fold_dimensions(problem, ranks);
  const auto axes = fold_axes(host);
  const std::vector<Folding> foldings = foldings_to_try(dimensions, axes);
  Embedding snake = map_along(problem, grids, snake_order);
  double least = hop_bytes(problem, ranks, [&](Rank r) { return snake.host_of(r); });
  const Folding* best = nullptr;
  for (const Folding& folding : foldings) {
    const FoldedSlots slots(*problem.grid, axes, folding);
    const double sum =
        hop_bytes(problem, ranks, [&](Rank r) { return host.slot_hosts[slots.of(r)]; });
    if (sum >= least) continue;
    least = sum;
    best = &folding;
  }
  if (!best) return snake;
  std::vector<HostId> hosts;
  hosts.reserve(static_cast<std::size_t>(problem.guest.num_ranks()));
  FoldedSlots(*problem.grid, axes, *best).for_each([&](std::size_t slot) {
    hosts.push_back(host.slot_hosts[slot]);
  });
  return {std::move(hosts), problem.allocation};
}

}  // namespace

/// Folds of one grid into another: each guest dimension runs like a snake, or in a closed walk if
/// it is periodic, over parts of several host dimensions, and host dimensions shared by several
/// guest dimensions nest their parts, or arrange them freely where that is shorter. Of many ways to
/// factor the sizes the one with the least hop-bytes is taken (estimated in closed form, the best
/// few measured on the edges, on 100,000 of them if there are more). Never worse than `snake` on
/// the edges measured. R. Aleliunas and A. L. Rosenberg, "On embedding rectangular grids in square
/// grids" (IEEE Transactions on Computers 1982); H. Yu, I-H. Chung and J. Moreira, "Topology
/// Mapping for Blue Gene/L Supercomputer" (SC06).
MapperInfo fold() {
  return {"fold",
          "folds guest dimensions over several host dimensions, best of many factorings",
          "Aleliunas and Rosenberg, IEEE Trans. Computers 1982; Yu, Chung and Moreira, SC06",
          map_fold,
          {},
          grid_obstacle};
}

}  // namespace vtopo::mappers
