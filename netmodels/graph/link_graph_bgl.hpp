#pragma once

#include <boost/graph/filtered_graph.hpp>
#include <boost/graph/graph_traits.hpp>
#include <boost/graph/properties.hpp>
#include <boost/iterator/counting_iterator.hpp>
#include <boost/iterator/transform_iterator.hpp>
#include <boost/property_map/function_property_map.hpp>
#include <boost/property_map/property_map.hpp>

#include <cstddef>
#include <span>
#include <utility>

#include "netmodels/graph/link_graph.hpp"
#include "topology/comm_graph_bgl.hpp"

/// A LinkGraph as a graph of the Boost Graph Library, without a copy: vertices are numbers from 0,
/// hosts first; edges are Arcs. Models VertexListGraph, BidirectionalGraph, AdjacencyGraph and
/// EdgeListGraph. `get(vertex_index, graph)` is the vertex itself, `get(edge_index, graph)` the
/// number of the link. Where hosts pass nothing on, search `paths_from` or `paths_to` instead.
namespace vtopo::bgl {

template <>
inline constexpr bool is_own_graph<LinkGraph> = true;

/// The function objects that iterators and property maps are made of.
struct EndOf {
  int operator()(const Arc& arc) const { return arc.to; }
};
struct LinkIndexOf {
  std::size_t operator()(const Arc& arc) const { return index(arc.link); }
};

/// Links of a vertex or of the graph: first and behind the last.
using ArcRange = std::pair<const Arc*, const Arc*>;
/// Vertices that links lead to.
using EndIterator = boost::transform_iterator<EndOf, const Arc*>;
/// Number of each link.
using LinkIndexMap = boost::function_property_map<LinkIndexOf, Arc, std::size_t>;

inline ArcRange range(std::span<const Arc> arcs) {
  return {arcs.data(), arcs.data() + arcs.size()};
}

/// Latency of each link in seconds, as a readable property map.
inline auto latency_map(const Network& network) {
  return boost::make_function_property_map<Arc>(
      [&network](const Arc& arc) { return network.link(arc.link).latency.value; });
}

/// Links that paths from `start` may take: hosts that pass nothing on only end them.
struct LeadsFrom {
  const LinkGraph* graph = nullptr;
  int start = 0;
  bool operator()(const Arc& arc) const { return arc.from == start || graph->passes_on(arc.from); }
};

/// Links that paths to `end` may take.
struct LeadsTo {
  const LinkGraph* graph = nullptr;
  int end = 0;
  bool operator()(const Arc& arc) const { return arc.to == end || graph->passes_on(arc.to); }
};

}  // namespace vtopo::bgl

template <>
struct boost::graph_traits<vtopo::LinkGraph> {
  struct traversal_category : bidirectional_graph_tag,
                              adjacency_graph_tag,
                              vertex_list_graph_tag,
                              edge_list_graph_tag {};
  using directed_category = directed_tag;
  using edge_parallel_category = allow_parallel_edge_tag;
  using vertex_descriptor = int;
  using edge_descriptor = vtopo::Arc;
  using vertex_iterator = counting_iterator<int>;
  using out_edge_iterator = const vtopo::Arc*;
  using in_edge_iterator = const vtopo::Arc*;
  using edge_iterator = const vtopo::Arc*;
  using adjacency_iterator = vtopo::bgl::EndIterator;
  using vertices_size_type = std::size_t;
  using edges_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return -1; }
};

template <>
struct boost::property_map<vtopo::LinkGraph, boost::vertex_index_t>
    : vtopo::bgl::OneMap<typed_identity_property_map<int>> {};

template <>
struct boost::property_map<vtopo::LinkGraph, boost::edge_index_t>
    : vtopo::bgl::OneMap<vtopo::bgl::LinkIndexMap> {};

namespace vtopo {

inline std::size_t num_vertices(const LinkGraph& graph) {
  return index(graph.num_vertices());
}
inline auto vertices(const LinkGraph& graph) {
  using Vertex = boost::counting_iterator<int>;
  return std::pair(Vertex(0), Vertex(graph.num_vertices()));
}
inline std::size_t num_edges(const LinkGraph& graph) {
  return graph.num_arcs();
}
inline bgl::ArcRange edges(const LinkGraph& graph) {
  return bgl::range(graph.arcs());
}
inline bgl::ArcRange out_edges(int vertex, const LinkGraph& graph) {
  return bgl::range(graph.out_arcs(vertex));
}
inline bgl::ArcRange in_edges(int vertex, const LinkGraph& graph) {
  return bgl::range(graph.in_arcs(vertex));
}
inline std::size_t out_degree(int vertex, const LinkGraph& graph) {
  return graph.out_arcs(vertex).size();
}
inline std::size_t in_degree(int vertex, const LinkGraph& graph) {
  return graph.in_arcs(vertex).size();
}
inline std::size_t degree(int vertex, const LinkGraph& graph) {
  return out_degree(vertex, graph) + in_degree(vertex, graph);
}
inline auto adjacent_vertices(int vertex, const LinkGraph& graph) {
  const auto [first, last] = out_edges(vertex, graph);
  return std::pair(bgl::EndIterator(first), bgl::EndIterator(last));
}
inline int source(const Arc& arc, const LinkGraph&) {
  return arc.from;
}
inline int target(const Arc& arc, const LinkGraph&) {
  return arc.to;
}

namespace bgl {

/// What of the graph paths from `start` may use, for any algorithm that starts there.
inline auto paths_from(const LinkGraph& graph, int start) {
  return boost::filtered_graph<LinkGraph, LeadsFrom>(graph, {&graph, start});
}

/// What of the graph paths to `end` may use; `boost::make_reverse_graph` of it starts at `end`.
inline auto paths_to(const LinkGraph& graph, int end) {
  return boost::filtered_graph<LinkGraph, LeadsTo>(graph, {&graph, end});
}

}  // namespace bgl

}  // namespace vtopo
