#pragma once

#include <cstdlib>
#include <fstream>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/folders.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// A QAPLIB file beside the sources or in the folder of the environment's VTOPO_QAPLIB.
inline std::string qaplib_path(const std::string& name) {
  const char* folder = std::getenv("VTOPO_QAPLIB");
  const std::string beside = tests::source_path("../shared/data/qaplib");
  return (folder != nullptr ? folder : beside) + "/" + name + ".dat";
}
inline std::ifstream qaplib_file(const std::string& name) {
  return std::ifstream(qaplib_path(name));
}

/// Flow matrix of a QAPLIB instance: n, the distances, the flows.
inline std::optional<CommGraph> qaplib_flows(const std::string& name) {
  std::ifstream file = qaplib_file(name);
  int n = 0;
  if (!(file >> n)) return std::nullopt;
  std::vector<DirectedEdge> edges;
  double value = 0;
  for (int skipped = 0; skipped < n * n; ++skipped) file >> value;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (file >> value && value > 0) edges.push_back({Rank{i}, Rank{j}, {value}});
  return CommGraph(n, edges);
}

}  // namespace vtopo
