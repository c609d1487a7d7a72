#pragma once

#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Whether anything is sent over an edge. Messages without a volume are sent: they take their
/// latency and load nothing. An edge with neither volume nor messages is only a neighbour.
constexpr bool is_sent(const CommEdge& edge) {
  return edge.volume.value > 0 || edge.messages > 0;
}

}  // namespace vtopo::detail
