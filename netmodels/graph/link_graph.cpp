#include "netmodels/graph/link_graph.hpp"

#include <boost/graph/compressed_sparse_row_graph.hpp>

#include <algorithm>
#include <utility>

namespace vtopo {

namespace link_graph {

struct Carried {
  LinkId link{};
};
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Carried>;

}  // namespace link_graph

struct LinkGraph::Storage {
  link_graph::Graph forth;
  link_graph::Graph back;
};

namespace {

using link_graph::Carried;
using link_graph::Graph;

std::size_t position(int vertex) {
  return static_cast<std::size_t>(vertex);
}

/// Graph of the arcs, or of the arcs turned round.
Graph make_graph(const std::vector<Arc>& arcs, int num_vertices, bool turned) {
  std::vector<std::pair<std::size_t, std::size_t>> ends;
  std::vector<Carried> carried;
  ends.reserve(arcs.size());
  carried.reserve(arcs.size());
  for (const Arc& arc : arcs) {
    ends.emplace_back(position(turned ? arc.to : arc.from), position(turned ? arc.from : arc.to));
    carried.push_back({arc.link});
  }
  return {boost::edges_are_unsorted_multi_pass, ends.begin(), ends.end(), carried.begin(),
          position(num_vertices)};
}

/// Breadth-first search that does not lead on through vertices that pass nothing on. Written out
/// because a filtered graph would also hide the last link to such a vertex.
template <class PassesOn>
std::vector<int> search(const Graph& graph, int start, PassesOn passes_on) {
  std::vector<int> distances(boost::num_vertices(graph), LinkGraph::unreachable);
  std::vector<int> queue{start};
  distances[position(start)] = 0;
  for (std::size_t next = 0; next < queue.size(); ++next) {
    const int here = queue[next];
    if (here != start && !passes_on(here)) continue;
    const auto [first, last] = boost::out_edges(position(here), graph);
    for (auto edge = first; edge != last; ++edge) {
      const std::size_t there = boost::target(*edge, graph);
      if (distances[there] != LinkGraph::unreachable) continue;
      distances[there] = distances[position(here)] + 1;
      queue.push_back(static_cast<int>(there));
    }
  }
  return distances;
}

}  // namespace

std::shared_ptr<const LinkGraph> LinkGraph::of(const Network& network,
                                               const std::vector<bool>& without) {
  std::vector<Arc> arcs;
  int num_vertices = network.num_hosts();
  bool hosts_pass_on = false;
  for (int l = 0; l < network.num_links(); ++l) {
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return nullptr;
    num_vertices = std::max({num_vertices, ends->from + 1, ends->to + 1});
    if (ends->from == ends->to) continue;
    if (std::max(ends->from, ends->to) < network.num_hosts()) hosts_pass_on = true;
    if (without.empty() || !without[position(l)]) arcs.push_back({LinkId{l}, ends->from, ends->to});
  }
  std::shared_ptr<LinkGraph> graph(new LinkGraph(network.num_hosts(), num_vertices, arcs));
  graph->hosts_pass_on_ = hosts_pass_on;
  return graph;
}

LinkGraph::LinkGraph(int num_hosts, int num_vertices, const std::vector<Arc>& arcs)
    : num_hosts_(num_hosts),
      num_vertices_(num_vertices),
      storage_(new Storage{make_graph(arcs, num_vertices, false),
                           make_graph(arcs, num_vertices, true)}) {}

LinkGraph::~LinkGraph() = default;

void LinkGraph::append_arcs(int vertex, std::vector<Arc>& arcs) const {
  const link_graph::Graph& graph = storage_->forth;
  const auto [first, last] = boost::out_edges(position(vertex), graph);
  const std::size_t begin = arcs.size();
  for (auto edge = first; edge != last; ++edge)
    arcs.push_back({graph[*edge].link, vertex, static_cast<int>(boost::target(*edge, graph))});
  std::sort(arcs.begin() + static_cast<std::ptrdiff_t>(begin), arcs.end(),
            [](const Arc& a, const Arc& b) { return a.link < b.link; });
}

std::vector<int> LinkGraph::distances_from(int vertex) const {
  return search(storage_->forth, vertex, [this](int v) { return passes_on(v); });
}

std::vector<int> LinkGraph::distances_to(int vertex) const {
  return search(storage_->back, vertex, [this](int v) { return passes_on(v); });
}

}  // namespace vtopo
