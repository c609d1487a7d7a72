#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/research/bench/instance.hpp"

namespace vtopo::detail {

/// A quadratic assignment problem as QAPLIB writes it: n and two matrices, one of distances and one
/// of flows. Which is which the file does not say.
struct QapFile {
  int size = 0;                ///< n
  std::vector<double> first;   ///< size * size, rows
  std::vector<double> second;  ///< size * size, rows
};

/// Reads a `.dat` file of QAPLIB (Burkard, Karisch, Rendl 1997).
/// @throws InputError with file, line and column.
QapFile read_qap(const std::string& path);

/// Instance `qap:FILE` on a mesh whose distances are those of the file.
/// @param network specification, `mesh:ROWSxCOLUMNS` or, as networks count, `mesh:COLUMNSxROWS`:
/// the one whose hops are a matrix of the file. Empty: the mesh that the row of the file in the
/// `MANIFEST.tsv` beside it names (`mesh ROWSxCOLUMNS`), which also gives the best known value.
/// @throws InputError or UsageError if neither names a mesh.
Instance qap_instance(const std::string& path, const std::string& network);

/// All rows of the `MANIFEST.tsv` of a folder.
/// @throws InputError for a folder without one, or a row without its file.
std::vector<Instance> qap_folder(const std::string& folder);

/// Flows of the file as a guest: rank i sends flow (i, j) bytes to rank j. Distances are the first
/// matrix that is the hops of the network between all hosts, flows the other.
/// @throws InputError if neither matrix is; it names a distance of the first that is not.
CommGraph qap_guest(const std::string& path, const Network& network);

}  // namespace vtopo::detail
