#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/cuthill_mckee_ordering.hpp>

#include <algorithm>
#include <numeric>
#include <utility>

#include "sim/evaluation/partners_bgl.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::mappers {

namespace {

using Neighbours = std::vector<std::vector<std::uint32_t>>;
using HostGraph =
    boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, boost::no_property,
                                       boost::no_property, std::uint32_t, std::uint32_t>;

/// Above this number of hosts they are filled in the order of the allocation.
constexpr int max_ordered_hosts = 4096;

/// Reverse Cuthill-McKee order of the vertices of an undirected graph.
template <class Graph>
auto reverse_order(const Graph& graph) {
  using Vertex = typename boost::graph_traits<Graph>::vertex_descriptor;
  const std::size_t size = num_vertices(graph);
  const auto positions = get(boost::vertex_index, graph);
  // Vertices of equal degree by their number: with ties, the order would be that of std::sort.
  const auto priority = [&](Vertex v) { return out_degree(v, graph) * size + index(v); };
  std::vector<boost::default_color_type> colours(size);
  std::vector<Vertex> order(size);
  boost::cuthill_mckee_ordering(graph, order.rbegin(),
                                boost::make_iterator_property_map(colours.begin(), positions),
                                boost::make_function_property_map<Vertex, std::size_t>(priority));
  return order;
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

/// The closest hosts of each, ascending.
Neighbours closest_hosts(const MappingProblem& problem) {
  const int num_hosts = problem.allocation.num_hosts();
  const HopTable table(problem.host, problem.allocation);
  Neighbours closest(index(num_hosts));
  for (int a = 0; a < num_hosts; ++a) {
    auto& row_of_a = closest[index(a)];
    const std::uint16_t* const row = table.kept_row(Place{a});
    int fewest = 0;
    for (int b = 0; b < num_hosts; ++b) {
      if (a == b) continue;
      const int hops = row != nullptr ? row[b] : table.hops(Place{a}, Place{b});
      if (row_of_a.empty() || hops < fewest) row_of_a.clear(), fewest = hops;
      if (hops == fewest) row_of_a.push_back(static_cast<std::uint32_t>(b));
    }
  }
  return closest;
}

/// Each edge in both directions: a host may be closest to one that has closer ones.
HostGraph both_ways(const Neighbours& closest) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (std::uint32_t a = 0; a < closest.size(); ++a)
    for (const std::uint32_t b : closest[a]) {
      edges.emplace_back(a, b);
      if (!std::binary_search(closest[b].begin(), closest[b].end(), a)) edges.emplace_back(b, a);
    }
  return {boost::edges_are_unsorted_multi_pass, edges.begin(), edges.end(),
          narrow<std::uint32_t>(closest.size())};
}

/// Order of the places in the graph that joins each to the closest ones.
std::vector<std::uint32_t> host_order(const MappingProblem& problem) {
  const bool ordered = option_value(rcm(), problem, "hosts") == "rcm";
  if (ordered && problem.allocation.num_hosts() <= max_ordered_hosts)
    return reverse_order(both_ways(closest_hosts(problem)));
  std::vector<std::uint32_t> order(problem.allocation.hosts.size());
  std::iota(order.begin(), order.end(), 0U);
  return order;
}

Embedding map_rcm(const MappingProblem& problem, const SearchControl&) {
  const std::vector<Rank> ranks = reverse_order(Partners(problem.guest));
  std::vector<HostId> hosts(ranks.size());
  std::size_t next = 0;
  for (const std::uint32_t p : host_order(problem))
    for (int slot = 0; slot < problem.allocation.slots[p] && next < ranks.size(); ++slot)
      hosts[index(ranks[next++])] = problem.allocation.hosts[p];
  return {std::move(hosts), problem.allocation};
}

}  // namespace

}  // namespace vtopo::mappers
