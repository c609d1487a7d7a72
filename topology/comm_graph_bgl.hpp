#pragma once

#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/iterator_facade.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/function_property_map.hpp>

#include <cstddef>
#include <utility>

#include "topology/comm_graph.hpp"

/// A CommGraph as a graph of the Boost Graph Library, without a copy: vertices are ranks, edges are
/// directed, out-edges come in the order given. Models VertexListGraph, IncidenceGraph,
/// AdjacencyGraph and EdgeListGraph; `get(vertex_index, graph)` numbers the ranks and
/// `get(edge_weight, graph)` is the volume of an edge in bytes.
namespace vtopo::bgl {

/// Whether `get(property, graph)` makes its maps as below.
template <class Graph>
inline constexpr bool is_own_graph = false;
template <>
inline constexpr bool is_own_graph<CommGraph> = true;

/// Types of a property that nobody changes.
template <class Map>
struct OneMap {
  using type = Map;
  using const_type = Map;
};

/// Edge descriptor: valid as long as the graph lives.
struct GuestEdge {
  Rank source{};
  const CommEdge* edge = nullptr;

  friend bool operator==(const GuestEdge& a, const GuestEdge& b) { return a.edge == b.edge; }
};

/// The function objects that iterators and property maps are made of.
struct IdOf {
  Rank operator()(int number) const { return Rank{number}; }
};
struct WithSource {
  Rank source{};
  GuestEdge operator()(const CommEdge& edge) const { return {source, &edge}; }
};
struct DestinationOf {
  Rank operator()(const CommEdge& edge) const { return edge.destination; }
};
struct IndexOf {
  std::size_t operator()(Rank rank) const { return index(rank); }
};
struct VolumeOf {
  double operator()(const GuestEdge& edge) const { return edge.edge->volume.value; }
};

/// Ranks, ascending.
using RankIterator = boost::transform_iterator<IdOf, boost::counting_iterator<int>>;
/// Edges of one rank with their source.
using OutEdgeIterator = boost::transform_iterator<WithSource, const CommEdge*>;
/// Ranks that one rank sends to, once per edge.
using PartnerIterator = boost::transform_iterator<DestinationOf, const CommEdge*>;
/// Number of each rank.
using RankIndexMap = boost::function_property_map<IndexOf, Rank, std::size_t>;
/// Volume of each edge in bytes.
using VolumeMap = boost::function_property_map<VolumeOf, GuestEdge, double>;

/// Ranks 0..num_ranks-1.
inline std::pair<RankIterator, RankIterator> rank_range(int num_ranks) {
  return {RankIterator(boost::counting_iterator<int>(0)),
          RankIterator(boost::counting_iterator<int>(num_ranks))};
}

/// All edges, sources ascending.
class EdgeIterator : public boost::iterator_facade<EdgeIterator, GuestEdge,
                                                   boost::forward_traversal_tag, GuestEdge> {
 public:
  EdgeIterator() = default;
  /// The first edge of `source` or of a later rank.
  EdgeIterator(const CommGraph& graph, Rank source) : graph_(&graph), source_(source) { settle(); }

 private:
  friend class boost::iterator_core_access;

  void settle() {
    while (number(source_) < graph_->num_ranks() && next_ == graph_->out_edges(source_).size()) {
      source_ = Rank{number(source_) + 1};
      next_ = 0;
    }
  }
  void increment() {
    ++next_;
    settle();
  }
  bool equal(const EdgeIterator& other) const {
    return source_ == other.source_ && next_ == other.next_;
  }
  GuestEdge dereference() const { return {source_, &graph_->out_edges(source_)[next_]}; }

  const CommGraph* graph_ = nullptr;
  Rank source_{};
  std::size_t next_ = 0;  ///< among the edges of the source
};

}  // namespace vtopo::bgl

template <>
struct boost::graph_traits<vtopo::CommGraph> {
  struct traversal_category : incidence_graph_tag,
                              adjacency_graph_tag,
                              vertex_list_graph_tag,
                              edge_list_graph_tag {};
  using directed_category = directed_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using vertex_descriptor = vtopo::Rank;
  using edge_descriptor = vtopo::bgl::GuestEdge;
  using vertex_iterator = vtopo::bgl::RankIterator;
  using out_edge_iterator = vtopo::bgl::OutEdgeIterator;
  using adjacency_iterator = vtopo::bgl::PartnerIterator;
  using edge_iterator = vtopo::bgl::EdgeIterator;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return vtopo::Rank{-1}; }
};

template <>
struct boost::property_map<vtopo::CommGraph, boost::vertex_index_t>
    : vtopo::bgl::OneMap<vtopo::bgl::RankIndexMap> {};

template <>
struct boost::property_map<vtopo::CommGraph, boost::edge_weight_t>
    : vtopo::bgl::OneMap<vtopo::bgl::VolumeMap> {};

namespace vtopo {

inline std::size_t num_vertices(const CommGraph& graph) {
  return index(graph.num_ranks());
}
inline auto vertices(const CommGraph& graph) {
  return bgl::rank_range(graph.num_ranks());
}
inline std::size_t num_edges(const CommGraph& graph) {
  return graph.num_edges();
}
inline std::pair<bgl::EdgeIterator, bgl::EdgeIterator> edges(const CommGraph& graph) {
  return {{graph, Rank{0}}, {graph, Rank{graph.num_ranks()}}};
}
inline std::size_t out_degree(Rank rank, const CommGraph& graph) {
  return graph.out_edges(rank).size();
}
inline std::pair<bgl::OutEdgeIterator, bgl::OutEdgeIterator> out_edges(Rank rank,
                                                                       const CommGraph& graph) {
  const auto row = graph.out_edges(rank);
  const bgl::WithSource with_source{rank};
  return {{row.data(), with_source}, {row.data() + row.size(), with_source}};
}
inline std::pair<bgl::PartnerIterator, bgl::PartnerIterator> adjacent_vertices(
    Rank rank, const CommGraph& graph) {
  const auto row = graph.out_edges(rank);
  return {bgl::PartnerIterator(row.data()), bgl::PartnerIterator(row.data() + row.size())};
}
inline Rank source(const bgl::GuestEdge& edge, const CommGraph&) {
  return edge.source;
}
inline Rank target(const bgl::GuestEdge& edge, const CommGraph&) {
  return edge.edge->destination;
}

/// The map of a property of one of vtopo's graphs.
template <class Tag, class Graph>
requires bgl::is_own_graph<Graph>
inline auto get(Tag, const Graph&) {
  return typename boost::property_map<Graph, Tag>::const_type();
}
/// The property of one vertex or edge.
template <class Tag, class Graph, class Key>
requires bgl::is_own_graph<Graph>
inline auto get(Tag tag, const Graph& graph, const Key& key) {
  return get(tag, graph)[key];
}

}  // namespace vtopo
