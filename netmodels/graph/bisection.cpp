#include "netmodels/graph/bisection.hpp"

#include <limits>

#include "netmodels/graph/bisection_search.hpp"

namespace vtopo {

Bisection estimate_bisection(const LinkGraph& graph, const Network& network) {
  const std::vector<char> side = smallest_cut_found(graph, network);
  Bisection ways[2];
  std::vector<Arc> arcs;
  for (int v = 0; v < graph.num_vertices(); ++v) {
    arcs.clear();
    graph.append_arcs(v, arcs);
    for (const Arc& arc : arcs) {
      const char from = side[static_cast<std::size_t>(arc.from)];
      if (from == side[static_cast<std::size_t>(arc.to)]) continue;
      Bisection& way = ways[static_cast<std::size_t>(from)];
      const LinkProperties link = network.link(arc.link);
      way.bandwidth += link.sharing == LinkSharing::fatpipe
                           ? BytesPerSecond{std::numeric_limits<double>::infinity()}
                           : link.bandwidth;
      ++way.links;
    }
  }
  Bisection result = ways[1].bandwidth < ways[0].bandwidth ? ways[1] : ways[0];
  result.method = "estimate from above: Fiduccia-Mattheyses passes from several starts";
  return result;
}

}  // namespace vtopo
