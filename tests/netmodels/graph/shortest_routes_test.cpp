#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"

using namespace vtopo;

namespace {

using BoostGraph = boost::adjacency_list<boost::vecS, boost::vecS, boost::directedS>;

BoostGraph link_graph(const Network& network) {
  BoostGraph graph(static_cast<std::size_t>(network.num_hosts()));
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    boost::add_edge(static_cast<std::size_t>(ends->from), static_cast<std::size_t>(ends->to),
                    graph);
  }
  return graph;
}

/// Fewest links from `source` to every vertex.
std::vector<int> distances(const BoostGraph& graph, int source) {
  std::vector<int> result(boost::num_vertices(graph), 0);
  const auto recorder = boost::record_distances(result.data(), boost::on_tree_edge());
  boost::breadth_first_search(graph, static_cast<std::size_t>(source),
                              boost::visitor(boost::make_bfs_visitor(recorder)));
  return result;
}

/// Most links that a route has beyond the fewest possible.
int largest_detour(const std::string& spec) {
  const auto network = make_network(spec, {});
  const BoostGraph graph = link_graph(*network);
  int detour = 0;
  for (int a = 0; a < network->num_hosts(); ++a) {
    const auto fewest = distances(graph, a);
    for (int b = 0; b < network->num_hosts(); ++b)
      detour = std::max(detour,
                        network->hops(HostId{a}, HostId{b}) - fewest[static_cast<std::size_t>(b)]);
  }
  return detour;
}

}  // namespace

// The oracle is breadth-first search over the links.

TEST_CASE("Torus, mesh and fat-tree routes have the fewest links possible") {
  for (const char* spec : {"torus:4x4x4", "torus:5x2x3m", "mesh:3x7", "torus:2x2",
                           "fat-tree:2;4,4;1,2;1,2", "fat-tree:3;3,4,2;1,2,3;1,2,2"}) {
    INFO(spec);
    CHECK(largest_detour(spec) == 0);
  }
}

TEST_CASE(
    "Dragonfly routes inside a group have the fewest links, and between groups they pay at most "
    "what the direct global link costs") {
  CHECK(largest_detour("dragonfly:1,1;4,3;5,1;2") == 0);
  // A way over a third group costs a second global link; the direct route at most 4 local links.
  CHECK(largest_detour("dragonfly:7,1;2,1;4,1;1") <= 2);
}
