#include <algorithm>
#include <utility>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::mappers {

namespace {

using Neighbours = std::vector<std::vector<int>>;

/// Above this number of hosts they are filled in the order of the allocation.
constexpr int max_ordered_hosts = 4096;

/// Vertices in the order of a breadth-first search, neighbours with few neighbours first.
class BandwidthOrder {
 public:
  explicit BandwidthOrder(const Neighbours& graph) : graph_(graph), marks_(graph.size(), 0) {}

  /// Reverse Cuthill-McKee order of all vertices, component after component.
  std::vector<int> reversed() {
    std::vector<int> order;
    std::vector<bool> done(graph_.size(), false);
    for (int v = 0; v < int_size(graph_); ++v) {
      if (done[static_cast<std::size_t>(v)]) continue;
      const auto component = search(far_vertex(v));
      for (const int member : component) done[static_cast<std::size_t>(member)] = true;
      order.insert(order.end(), component.rbegin(), component.rend());
    }
    return order;
  }

 private:
  std::size_t degree(int vertex) const { return graph_[static_cast<std::size_t>(vertex)].size(); }

  bool mark(int vertex) {
    return std::exchange(marks_[static_cast<std::size_t>(vertex)], mark_) != mark_;
  }

  std::vector<int> search(int start) {
    ++mark_;
    mark(start);
    std::vector<int> order{start};
    for (std::size_t i = 0; i < order.size(); ++i) {
      const auto first = static_cast<std::ptrdiff_t>(order.size());
      for (const int next : graph_[static_cast<std::size_t>(order[i])])
        if (mark(next)) order.push_back(next);
      std::stable_sort(order.begin() + first, order.end(),
                       [&](int a, int b) { return degree(a) < degree(b); });
    }
    return order;
  }

  /// A vertex at the rim of the component of `vertex`, by two searches.
  int far_vertex(int vertex) { return search(search(vertex).back()).back(); }

  const Neighbours& graph_;
  std::vector<int> marks_;
  int mark_ = 0;
};

std::vector<int> guest_order(const CommGraph& guest) {
  const Partners partners(guest);
  Neighbours graph(static_cast<std::size_t>(guest.num_ranks()));
  for (int r = 0; r < guest.num_ranks(); ++r)
    for (const Partner& partner : partners.of(Rank{r}))
      graph[index(Rank{r})].push_back(number(partner.rank));
  return BandwidthOrder(graph).reversed();
}

Embedding map_rcm(const MappingProblem& problem, const SearchControl&);

}  // namespace

/// The reverse Cuthill-McKee order of the ranks onto that of the hosts, joined to the closest ones
/// (above 4,096 hosts: onto the order of the allocation). E. Cuthill and J. McKee, "Reducing the
/// bandwidth of sparse symmetric matrices" (ACM 1969), for mapping Hoefler and Snir (ICS 2011).
MapperInfo rcm() {
  return {.name = "rcm",
          .summary = "ranks and hosts each in reverse Cuthill-McKee order",
          .reference = "Cuthill and McKee 1969; Hoefler and Snir, ICS 2011",
          .options = {{"hosts", "order of the hosts: rcm, or allocation", "rcm"}},
          .map = map_rcm,
          .work = {.microseconds_per_rank = 1.6, .microseconds_per_edge = 0.02}};
}

namespace {

/// Each neighbour in both directions: a host may be closest to one that has closer ones.
Neighbours symmetric(const Neighbours& graph) {
  Neighbours both = graph;
  for (std::size_t v = 0; v < graph.size(); ++v)
    for (const int next : graph[v])
      both[static_cast<std::size_t>(next)].push_back(static_cast<int>(v));
  for (auto& row : both) {
    std::sort(row.begin(), row.end());
    row.erase(std::unique(row.begin(), row.end()), row.end());
  }
  return both;
}

/// Order of the places in the graph that joins each to the closest ones.
std::vector<int> host_order(const MappingProblem& problem) {
  const int num_hosts = problem.allocation.num_hosts();
  const bool ordered = option_value(rcm(), problem, "hosts") == "rcm";
  Neighbours graph(static_cast<std::size_t>(num_hosts));
  if (ordered && num_hosts <= max_ordered_hosts) {
    const HopTable table(problem.network, problem.allocation);
    for (int a = 0; a < num_hosts; ++a) {
      auto& closest = graph[static_cast<std::size_t>(a)];
      const std::uint16_t* const row = table.kept_row(Place{a});
      int fewest = 0;
      for (int b = 0; b < num_hosts; ++b) {
        if (a == b) continue;
        const int hops = row != nullptr ? row[b] : table.hops(Place{a}, Place{b});
        if (closest.empty() || hops < fewest) closest.clear(), fewest = hops;
        if (hops == fewest) closest.push_back(b);
      }
    }
    const Neighbours joined = symmetric(graph);
    return BandwidthOrder(joined).reversed();
  }
  std::vector<int> order;
  order.reserve(static_cast<std::size_t>(num_hosts));
  for (int p = 0; p < num_hosts; ++p) order.push_back(p);
  return order;
}

Embedding map_rcm(const MappingProblem& problem, const SearchControl&) {
  const std::vector<int> ranks = guest_order(problem.guest);
  std::vector<HostId> hosts(ranks.size());
  std::size_t next = 0;
  for (const int place : host_order(problem)) {
    const auto p = static_cast<std::size_t>(place);
    for (int slot = 0; slot < problem.allocation.slots[p] && next < ranks.size(); ++slot)
      hosts[static_cast<std::size_t>(ranks[next++])] = problem.allocation.hosts[p];
  }
  return {std::move(hosts), problem.allocation};
}

}  // namespace

}  // namespace vtopo::detail::mappers
