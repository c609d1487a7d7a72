#pragma once

#include <fmt/format.h>

#include <string>
#include <tuple>
#include <vector>

#include "topology/comm_graph.hpp"

namespace vtopo::tests {

/// Edges as (source, destination, bytes), sources ascending, those of a source in their order.
inline std::vector<std::tuple<int, int, double>> edges_of(const CommGraph& graph) {
  std::vector<std::tuple<int, int, double>> edges;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.emplace_back(number(source), number(edge.destination), edge.volume.value);
  });
  return edges;
}

/// Edges in the same order as `source>destination:bytes/messages`, with a blank between them.
inline std::string edges_as_text(const CommGraph& graph) {
  std::string text;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    text += fmt::format("{}{}>{}:{}/{}", text.empty() ? "" : " ", number(source),
                        number(edge.destination), edge.volume.value, edge.messages);
  });
  return text;
}

}  // namespace vtopo::tests
