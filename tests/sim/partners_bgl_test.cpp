#include "sim/evaluation/partners_bgl.hpp"

#include <boost/graph/connected_components.hpp>
#include <boost/graph/graph_concepts.hpp>
#include <boost/graph/prim_minimum_spanning_tree.hpp>
#include <catch2/catch.hpp>

#include <vector>

using namespace vtopo;
using namespace vtopo::detail;

BOOST_CONCEPT_ASSERT((boost::VertexListGraphConcept<Partners>));
BOOST_CONCEPT_ASSERT((boost::IncidenceGraphConcept<Partners>));
BOOST_CONCEPT_ASSERT((boost::AdjacencyGraphConcept<Partners>));
BOOST_CONCEPT_ASSERT((boost::ReadablePropertyGraphConcept<Partners, Rank, boost::vertex_index_t>));
BOOST_CONCEPT_ASSERT(
    (boost::ReadablePropertyGraphConcept<Partners, bgl::PartnerEdge, boost::edge_weight_t>));

TEST_CASE("Boost's connected components of partners ignore directions and edges without volume") {
  const std::vector<DirectedEdge> edges{
      {Rank{1}, Rank{0}, Bytes{1}}, {Rank{1}, Rank{2}, Bytes{1}}, {Rank{2}, Rank{3}, Bytes{0}}};
  const Partners partners(CommGraph(4, edges));
  std::vector<int> component(4);
  const int count = boost::connected_components(
      partners,
      boost::make_iterator_property_map(component.begin(), get(boost::vertex_index, partners)));
  CHECK(count == 2);
  CHECK(component == std::vector<int>{0, 0, 0, 1});
}

TEST_CASE("Boost's minimum spanning tree of partners weighs what flows both ways") {
  // Triangle: 0-1 carries 1 + 4, 1-2 carries 2, 0-2 carries 3: the tree is without 0-1.
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, Bytes{1}},
                                        {Rank{1}, Rank{0}, Bytes{4}},
                                        {Rank{1}, Rank{2}, Bytes{2}},
                                        {Rank{2}, Rank{0}, Bytes{3}}};
  const Partners partners(CommGraph(3, edges));
  std::vector<Rank> parent(3);
  boost::prim_minimum_spanning_tree(
      partners,
      boost::make_iterator_property_map(parent.begin(), get(boost::vertex_index, partners)),
      boost::root_vertex(Rank{0}));
  CHECK(parent == std::vector<Rank>{Rank{0}, Rank{2}, Rank{0}});
}
