#include "topology/comm_graph_bgl.hpp"

#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/strong_components.hpp>
#include <catch2/catch.hpp>

#include <tuple>
#include <vector>

using namespace vtopo;

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<CommGraph>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<CommGraph>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<CommGraph>));
BOOST_CONCEPT_ASSERT((boost::EdgeListGraphConcept<CommGraph>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<CommGraph, Rank, boost::vertex_index_t>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyGraphConcept<CommGraph, bgl::GuestEdge, boost::edge_weight_t>));

namespace {

/// Two edges 0 -> 1, a circle 0 -> 1 -> 2 -> 0, and 2 -> 4 -> 4; rank 3 has none.
CommGraph circle_with_tail() {
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, Bytes{3}}, {Rank{0}, Rank{1}, Bytes{1}},
                                        {Rank{1}, Rank{2}, Bytes{2}}, {Rank{2}, Rank{0}, Bytes{9}},
                                        {Rank{2}, Rank{4}, Bytes{5}}, {Rank{4}, Rank{4}, Bytes{7}}};
  return {5, edges};
}

}  // namespace

TEST_CASE("The edge list of the Boost graph has every edge of the guest in its order") {
  const CommGraph guest = circle_with_tail();
  std::vector<std::tuple<Rank, Rank, double>> expected, listed, by_rank;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    expected.emplace_back(source, edge.destination, edge.volume.value);
  });
  const auto volumes = get(boost::edge_weight, guest);
  const auto append = [&](auto range, auto& list) {
    for (auto [edge, end] = range; edge != end; ++edge)
      list.emplace_back(source(*edge, guest), target(*edge, guest), get(volumes, *edge));
  };
  append(edges(guest), listed);
  for (auto [rank, end] = vertices(guest); rank != end; ++rank) {
    append(out_edges(*rank, guest), by_rank);
    CHECK(out_degree(*rank, guest) == guest.out_edges(*rank).size());
  }
  CHECK(listed == expected);
  CHECK(by_rank == expected);
  CHECK(num_edges(guest) == expected.size());
  CHECK(num_vertices(guest) == 5);
}

TEST_CASE("Guests without ranks or without edges are Boost graphs without them") {
  for (const int ranks : {0, 3}) {
    const CommGraph guest(ranks);
    const auto [first, last] = edges(guest);
    CHECK(first == last);
    CHECK(num_vertices(guest) == static_cast<std::size_t>(ranks));
  }
}

TEST_CASE("Boost's strong components of a guest are the ranks that reach each other") {
  const CommGraph guest = circle_with_tail();
  std::vector<int> component(5);
  const int count = boost::strong_components(
      guest, boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, guest)));
  CHECK(count == 3);  // the circle, rank 3, rank 4
  CHECK(component[0] == component[1]);
  CHECK(component[0] == component[2]);
  CHECK(component[3] != component[4]);
}

TEST_CASE("Boost's Dijkstra takes the volumes of a guest as lengths, the least of parallel ones") {
  const CommGraph guest = circle_with_tail();
  std::vector<double> length(5);
  boost::dijkstra_shortest_paths(guest, Rank{0},
                                 boost::distance_map(boost::make_iterator_property_map(
                                     length.begin(), get(boost::vertex_index, guest))));
  // By hand: 0 -> 1 by the edge of 1 byte, on by 2, and by 5 to rank 4; none to rank 3.
  CHECK(length[2] == 3);
  CHECK(length[4] == 8);
  CHECK(length[3] == std::numeric_limits<double>::max());
}
