#pragma once

#include "sim/evaluation/partners.hpp"
#include "topology/comm_graph_bgl.hpp"

/// Partners as an undirected graph of the Boost Graph Library, without a copy. Models
/// VertexListGraph, IncidenceGraph and AdjacencyGraph; `get(vertex_index, graph)` numbers the ranks
/// and `get(edge_weight, graph)` is what flows both ways in bytes.
namespace vtopo::bgl {

template <>
inline constexpr bool is_own_graph<detail::Partners> = true;

/// Edge descriptor as seen from one end: equal for both.
struct PartnerEdge {
  Rank source{};
  detail::Partner partner;

  friend bool operator==(const PartnerEdge& a, const PartnerEdge& b) {
    return (a.source == b.source && a.partner.rank == b.partner.rank) ||
           (a.source == b.partner.rank && a.partner.rank == b.source);
  }
};

struct PartnerOf {
  Rank source{};
  PartnerEdge operator()(const detail::Partner& partner) const { return {source, partner}; }
};
struct RankOf {
  Rank operator()(const detail::Partner& partner) const { return partner.rank; }
};
struct BothVolumes {
  double operator()(const PartnerEdge& edge) const { return edge.partner.both().value; }
};

using PartnerEdgeIterator = boost::transform_iterator<PartnerOf, const detail::Partner*>;
using PartnerRankIterator = boost::transform_iterator<RankOf, const detail::Partner*>;
using BothVolumesMap = boost::function_property_map<BothVolumes, PartnerEdge, double>;

}  // namespace vtopo::bgl

template <>
struct boost::graph_traits<vtopo::detail::Partners> {
  struct traversal_category : incidence_graph_tag, adjacency_graph_tag, vertex_list_graph_tag {};
  using directed_category = undirected_tag;
  using edge_parallel_category = disallow_parallel_edge_tag;
  using vertex_descriptor = vtopo::Rank;
  using edge_descriptor = vtopo::bgl::PartnerEdge;
  using vertex_iterator = vtopo::bgl::RankIterator;
  using out_edge_iterator = vtopo::bgl::PartnerEdgeIterator;
  using adjacency_iterator = vtopo::bgl::PartnerRankIterator;
  using vertices_size_type = std::size_t;
  using degree_size_type = std::size_t;
  static vertex_descriptor null_vertex() { return vtopo::Rank{-1}; }
};

template <>
struct boost::property_map<vtopo::detail::Partners, boost::vertex_index_t>
    : vtopo::bgl::OneMap<vtopo::bgl::RankIndexMap> {};

template <>
struct boost::property_map<vtopo::detail::Partners, boost::edge_weight_t>
    : vtopo::bgl::OneMap<vtopo::bgl::BothVolumesMap> {};

namespace vtopo::detail {

using vtopo::get;

inline std::size_t num_vertices(const Partners& graph) {
  return index(graph.num_ranks());
}
inline auto vertices(const Partners& graph) {
  return bgl::rank_range(graph.num_ranks());
}
inline std::size_t out_degree(Rank rank, const Partners& graph) {
  return graph.of(rank).size();
}
inline auto out_edges(Rank rank, const Partners& graph) {
  const auto row = graph.of(rank);
  const bgl::PartnerOf partner_of{rank};
  return std::pair(bgl::PartnerEdgeIterator(row.data(), partner_of),
                   bgl::PartnerEdgeIterator(row.data() + row.size(), partner_of));
}
inline auto adjacent_vertices(Rank rank, const Partners& graph) {
  const auto row = graph.of(rank);
  return std::pair(bgl::PartnerRankIterator(row.data()),
                   bgl::PartnerRankIterator(row.data() + row.size()));
}
inline Rank source(const bgl::PartnerEdge& edge, const Partners&) {
  return edge.source;
}
inline Rank target(const bgl::PartnerEdge& edge, const Partners&) {
  return edge.partner.rank;
}

}  // namespace vtopo::detail
