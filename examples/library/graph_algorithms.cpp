// Algorithms of the Boost Graph Library on a guest and on a network, without a copy of either.
// Uses the installed library; tests/install/graph_algorithms.expected.txt has the output.
#include <vtopo/netmodels/graph/link_graph_bgl.hpp>
#include <vtopo/netmodels/network_spec.hpp>
#include <vtopo/topology/comm_graph_bgl.hpp>

#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/strong_components.hpp>

#include <algorithm>
#include <cstdio>
#include <vector>

using namespace vtopo;

/// Twelve ranks that send to the third after them: which of them reach each other?
void rings_of_a_shift() {
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 12; ++r) edges.push_back({Rank{r}, Rank{(r + 3) % 12}, Bytes{1024}});
  const CommGraph guest(12, edges);
  std::vector<int> ring(num_vertices(guest));
  const int rings = boost::strong_components(
      guest, boost::make_iterator_property_map(ring.begin(), get(boost::vertex_index, guest)));
  std::printf("a shift by 3 of 12 ranks: %d rings\n", rings);
}

/// The least latency from host 0 to each host, over any links, though no host passes traffic on.
void least_latencies() {
  const auto network = make_network("fat-tree:2;4,4;1,2;1,1,latency=100ns/250ns", {});
  const auto links = LinkGraph::of(*network);
  std::vector<double> latency(num_vertices(*links));
  boost::dijkstra_shortest_paths(bgl::paths_from(*links, 0), 0,
                                 boost::weight_map(bgl::latency_map(*network))
                                     .distance_map(boost::make_iterator_property_map(
                                         latency.begin(), get(boost::vertex_index, *links))));
  const auto farthest = *std::max_element(latency.begin(), latency.begin() + network->num_hosts());
  std::printf("fat tree: %.0f ns below a switch, at most %.0f ns\n", 1e9 * latency[1],
              1e9 * farthest);
}

int main() {
  rings_of_a_shift();
  least_latencies();
}
