#include "netmodels/graph/link_graph_bgl.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/strong_components.hpp>
#include <catch2/catch.hpp>
// Its boost::detail::get hides boost::get from what is included after it.
#include <boost/graph/reverse_graph.hpp>

#include <algorithm>
#include <cstdint>
#include <vector>

#include "netmodels/graph/distances.hpp"
#include "netmodels/network_spec.hpp"

using namespace vtopo;

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<LinkGraph>));
BOOST_CONCEPT_ASSERT((boost::BidirectionalGraphConcept<LinkGraph>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<LinkGraph>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<LinkGraph>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<LinkGraph, int, boost::vertex_index_t>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<LinkGraph, Arc, boost::edge_index_t>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyMapConcept<decltype(bgl::latency_map(std::declval<Network>())), Arc>));

namespace {

/// Fewest edges from `start` by Boost's breadth-first search.
template <class Graph>
std::vector<int> boost_distances(const Graph& graph, int start, int num_vertices) {
  std::vector<int> distances(static_cast<std::size_t>(num_vertices), LinkGraph::unreachable);
  distances[static_cast<std::size_t>(start)] = 0;
  boost::breadth_first_search(graph, start,
                              boost::visitor(boost::make_bfs_visitor(boost::record_distances(
                                  distances.data(), boost::on_tree_edge()))));
  return distances;
}

}  // namespace

TEST_CASE("Distances of the link graph are those of Boost's search, also past failed links") {
  // Hosts of tori pass traffic on, those of fat trees and dragonflies do not.
  for (const char* spec :
       {"torus:4x3", "mesh:3x4", "fat-tree:2;3,2;2,2;1,2", "dragonfly:3,1;2,1;2,1;2"})
    for (const std::size_t every : {2U, 3U, 1000U}) {
      INFO(spec << " without every " << every);
      const auto network = make_network(spec, {});
      std::vector<bool> failed(static_cast<std::size_t>(network->num_links()));
      for (std::size_t l = 1; l < failed.size(); l += every) failed[l] = every < 1000;
      const auto graph = LinkGraph::of(*network, failed);
      int wrong = 0;
      for (int v = 0; v < graph->num_vertices(); ++v) {
        const auto towards = bgl::paths_to(*graph, v);
        wrong += graph->distances_from(v) !=
                 boost_distances(bgl::paths_from(*graph, v), v, graph->num_vertices());
        wrong += graph->distances_to(v) !=
                 boost_distances(boost::make_reverse_graph(towards), v, graph->num_vertices());
      }
      CHECK(wrong == 0);
    }
}

namespace {

/// Weight of a link: 1 if it counts as a hop, else 0.
struct HopsOf {
  const Network* network = nullptr;
  int operator()(const Arc& arc) const { return network->link(arc.link).hops > 0 ? 1 : 0; }
};

}  // namespace

TEST_CASE("Distances past links that are no hops are those of Boost's Dijkstra") {
  for (const char* spec :
       {"torus:4x3,injection=1GBps", "fat-tree:2;3,2;2,2;1,2,nics=2,injection=1GBps",
        "dragonfly:3,1;2,1;2,1;2,node=2,injection=1GBps"}) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto graph = LinkGraph::of(*network);
    const boost::function_property_map<HopsOf, Arc, int> hops({network.get()});
    int diameter = 0;
    std::int64_t sum = 0;
    for (int h = 0; h < network->num_hosts(); ++h) {
      std::vector<int> distances(static_cast<std::size_t>(graph->num_vertices()));
      boost::dijkstra_shortest_paths(bgl::paths_from(*graph, h), h,
                                     boost::distance_map(distances.data()).weight_map(hops));
      distances.resize(static_cast<std::size_t>(network->num_hosts()));
      for (const int distance : distances) {
        diameter = std::max(diameter, distance);
        sum += distance;
      }
    }
    const detail::DistanceSummary found = detail::link_distances(*graph, *network);
    CHECK(found.diameter == diameter);
    CHECK(found.mean == Approx(static_cast<double>(sum) / static_cast<double>(found.pairs)));
  }
}

TEST_CASE("Every link is an edge, an out-edge of its source and an in-edge of its target") {
  const auto network = make_network("fat-tree:2;4,4;1,2;1,2", {});
  const auto graph = LinkGraph::of(*network);
  CHECK(num_edges(*graph) == static_cast<std::size_t>(network->num_links()));
  const auto has = [](auto range, const Arc& arc) {
    return std::count(range.first, range.second, arc) == 1;
  };
  std::size_t out = 0, in = 0;
  for (auto [vertex, end] = vertices(*graph); vertex != end; ++vertex) {
    out += out_degree(*vertex, *graph);
    in += in_degree(*vertex, *graph);
  }
  CHECK(out == num_edges(*graph));
  CHECK(in == num_edges(*graph));
  for (auto [arc, end] = edges(*graph); arc != end; ++arc) {
    const auto ends = *network->link_ends(arc->link);
    CHECK(source(*arc, *graph) == ends.from);
    CHECK(target(*arc, *graph) == ends.to);
    CHECK(has(out_edges(ends.from, *graph), *arc));
    CHECK(has(in_edges(ends.to, *graph), *arc));
  }
}

TEST_CASE("Boost's Dijkstra sums the latencies of links") {
  // A ring of six hosts, 50 ns per link, the other dimension 10 ns: (0,0) to (3,1) is 3 and 1.
  const auto network = make_network("torus:6x4,latency=50ns/10ns", {});
  const auto graph = LinkGraph::of(*network);
  std::vector<double> latency(num_vertices(*graph));
  boost::dijkstra_shortest_paths(bgl::paths_from(*graph, 0), 0,
                                 boost::weight_map(bgl::latency_map(*network))
                                     .distance_map(boost::make_iterator_property_map(
                                         latency.begin(), get(boost::vertex_index, *graph))));
  CHECK(latency[9] == Approx(160e-9));
}

TEST_CASE("A host that passes nothing on joins no components") {
  // Each host of the fat tree is joined both ways to its leaf: with hosts passing on all is one.
  const auto network = make_network("fat-tree:2;2,2;1,1;1,1", {});
  const auto graph = LinkGraph::of(*network);
  std::vector<int> component(num_vertices(*graph));
  const auto components = [&](const auto& part) {
    return boost::strong_components(part, boost::make_iterator_property_map(
                                              component.begin(), get(boost::vertex_index, *graph)));
  };
  CHECK(components(*graph) == 1);
  // From host 0 on, the other three hosts only end paths: each is a component of its own.
  CHECK(components(bgl::paths_from(*graph, 0)) == 4);
}
