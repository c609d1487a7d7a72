#include "netmodels/graph/bisection.hpp"

#include <limits>

#include "netmodels/graph/bisection_search.hpp"

namespace vtopo::detail {

Bisection estimate_bisection(const LinkGraph& graph, const Network& network) {
  const std::vector<char> side = smallest_cut_found(graph, network);
  Bisection ways[2];
  for (const Arc& arc : graph.arcs()) {
    const char from = side[index(arc.from)];
    if (from == side[index(arc.to)]) continue;
    Bisection& way = ways[index(from)];
    const LinkProperties link = network.link(arc.link);
    way.bandwidth += link.sharing == LinkSharing::fatpipe
                         ? BytesPerSecond{std::numeric_limits<double>::infinity()}
                         : link.bandwidth;
    ++way.links;
  }
  Bisection result = ways[1].bandwidth < ways[0].bandwidth ? ways[1] : ways[0];
  result.method =
      "estimate from above, no closed form is known: Fiduccia-Mattheyses passes from several "
      "starts";
  return result;
}

}  // namespace vtopo::detail
