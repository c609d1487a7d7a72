#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/host_hierarchy.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Points with whole coordinates that are cut again and again, and what each weighs.
struct PointSet {
  std::vector<std::vector<int>> coordinates;  ///< one row per dimension, one entry per point
  std::vector<int> order;                     ///< of the points, sorted further by each cut

  /// Sorts a range of points along its longest dimension, the first at a tie.
  void sort(std::size_t first, std::size_t last) {
    const std::vector<int>* longest = nullptr;
    int longest_extent = 0;
    for (const auto& row : coordinates) {
      int low = row[at(first)];
      int high = low;
      for (std::size_t i = first; i < last; ++i) {
        low = std::min(low, row[at(i)]);
        high = std::max(high, row[at(i)]);
      }
      if (high - low > longest_extent) longest = &row, longest_extent = high - low;
    }
    if (!longest) return;
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(first),
                     order.begin() + static_cast<std::ptrdiff_t>(last), [&](int a, int b) {
                       return (*longest)[static_cast<std::size_t>(a)] <
                              (*longest)[static_cast<std::size_t>(b)];
                     });
  }

 private:
  std::size_t at(std::size_t position) const { return static_cast<std::size_t>(order[position]); }
};

PointSet points(std::vector<std::vector<int>> coordinates, std::size_t count) {
  std::vector<int> order(count);
  std::iota(order.begin(), order.end(), 0);
  return {std::move(coordinates), std::move(order)};
}

PointSet rank_points(const Cartesian& grid) {
  std::vector<std::vector<int>> rows(grid.dimensions().size());
  std::vector<int> coords(rows.size());
  for (int r = 0; r < grid.num_ranks(); ++r) {
    grid.coords(Rank{r}, coords);
    for (std::size_t d = 0; d < rows.size(); ++d) rows[d].push_back(coords[d]);
  }
  return points(std::move(rows), static_cast<std::size_t>(grid.num_ranks()));
}

/// Cuts ranks and the slots of hosts together, ranks into exactly as many as a half has slots.
class CoordinateBisection {
 public:
  CoordinateBisection(PointSet ranks, PointSet hosts, const Allocation& allocation)
      : ranks_(std::move(ranks)),
        hosts_(std::move(hosts)),
        allocation_(allocation),
        result_(ranks_.order.size()) {
    cut(0, ranks_.order.size(), 0, hosts_.order.size());
  }

  std::vector<HostId> hosts() && { return std::move(result_); }

 private:
  std::size_t slots(std::size_t position) const {
    const int slots = allocation_.slots[static_cast<std::size_t>(hosts_.order[position])];
    return std::min(static_cast<std::size_t>(slots), result_.size());
  }

  void cut(std::size_t first, std::size_t last, std::size_t first_host, std::size_t last_host) {
    if (first == last) return;
    if (last_host - first_host == 1) {
      const auto place = static_cast<std::size_t>(hosts_.order[first_host]);
      for (std::size_t i = first; i < last; ++i)
        result_[static_cast<std::size_t>(ranks_.order[i])] = allocation_.hosts[place];
      return;
    }
    hosts_.sort(first_host, last_host);
    ranks_.sort(first, last);
    std::size_t all = 0;
    for (std::size_t i = first_host; i < last_host; ++i) all += slots(i);
    const std::size_t middle = first_host + (last_host - first_host) / 2;
    std::size_t before = 0;
    for (std::size_t i = first_host; i < middle; ++i) before += slots(i);
    // Free slots are shared in proportion, as far as both halves have room.
    const std::size_t count = last - first;
    std::size_t share = narrow<std::size_t>(static_cast<std::int64_t>(
        static_cast<double>(count) * static_cast<double>(before) / static_cast<double>(all)));
    share = std::min({share, before, count});
    share = std::max(share, count > all - before ? count - (all - before) : 0);
    cut(first, first + share, first_host, middle);
    cut(first + share, last, middle, last_host);
  }

  PointSet ranks_;
  PointSet hosts_;
  const Allocation& allocation_;
  std::vector<HostId> result_;
};

std::optional<std::string> geometric_unsupported_reason(const MappingProblem& problem) {
  if (!problem.grid) return "needs a Cartesian grid as virtual topology";
  if (!problem.network.coordinates()) return "needs a torus or mesh network";
  return std::nullopt;
}

Embedding map_geometric(const MappingProblem& problem, const SearchControl&) {
  if (problem.guest.num_ranks() == 0) return {{}, problem.allocation};
  const HopTable table(problem.network, problem.allocation);
  HostLevels levels = host_levels(problem.network, problem.allocation, table);
  PointSet hosts = points(std::move(levels.keys), problem.allocation.hosts.size());
  return {
      CoordinateBisection(rank_points(*problem.grid), std::move(hosts), problem.allocation).hosts(),
      problem.allocation};
}

}  // namespace

/// Recursive coordinate bisection of the grid and of the hosts' coordinates, each along its longest
/// dimension. M. Deveci, S. Rajamanickam, V. J. Leung et al., "Exploiting Geometric Partitioning in
/// Task Mapping for Parallel Computers" (IPDPS 2014).
MapperInfo geometric() {
  return {.name = "geometric",
          .summary = "halves the grid and the torus along their longest dimensions",
          .reference = "Deveci et al., IPDPS 2014",
          .needs = "a Cartesian guest on a torus or mesh",
          .unsupported_reason = geometric_unsupported_reason,
          .map = map_geometric,
          .work = {.microseconds_per_rank = 5, .microseconds_per_edge = 0}};
}

}  // namespace vtopo::detail::mappers
