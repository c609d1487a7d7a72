#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/bench/instance.hpp"

namespace vtopo::detail {

/// A quadratic assignment problem as QAPLIB writes it: n, a distance matrix, a flow matrix.
struct QapFile {
  int size = 0;
  std::vector<double> distances;  ///< size * size, rows
  std::vector<double> flows;      ///< size * size, rows
};

/// Reads a `.dat` file of QAPLIB (Burkard, Karisch, Rendl 1997).
/// @throws InputError with file, line and column.
QapFile read_qap(const std::string& path);

/// Instance `qap:FILE` on a mesh whose distances are those of the file.
/// @param network specification; empty: the mesh that the row of the file in the `MANIFEST.tsv`
/// beside it names (`mesh ROWSxCOLUMNS`), which also gives the best known value.
/// @throws InputError or UsageError if neither names a mesh.
Instance qap_instance(const std::string& path, const std::string& network);

/// Flows of the file as a guest: rank i sends flow (i, j) bytes to rank j.
/// @throws InputError if a distance of the file is not the hops of the network between those hosts.
CommGraph qap_guest(const std::string& path, const Network& network);

}  // namespace vtopo::detail
