#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/comm_graph.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo {

/// What a recording says: its edges and how many ranks it names (the largest id + 1).
struct Recording {
  int num_ranks = 0;
  std::vector<DirectedEdge> edges;

  /// Lets `rank` count as named.
  void name(Rank rank) {
    if (number(rank) >= num_ranks) num_ranks = number(rank) + 1;
  }
};

/// Reads vtopo's own edge list: a header `src,dst,bytes[,messages]`, then one line per directed
/// edge. Edges in file order, parallel edges kept.
/// @throws InputError with file, line and column.
Recording read_edge_list_csv(const std::string& path);

/// Reads N lines of N volumes in bytes, line s column d from rank s to rank d. Numbers stand
/// between commas, or between blanks and tabs where the first line has no comma (TreeMatch `.mat`).
/// @throws InputError with file, line and column.
Recording read_dense_csv(const std::string& path);

/// Line kinds of Open MPI's `.prof` that hold traffic: user point-to-point, point-to-point inside
/// the library, one-sided writes and reads, collectives.
inline constexpr std::array<std::string_view, 5> prof_traffic_kinds{"E", "I", "S", "R", "C"};

/// Reads a recording of Open MPI's monitoring: one `.prof` file, or a folder with
/// `NAME.<rank>.prof` of every rank. Lines of `kinds` are added up to one edge per ordered pair of
/// ranks; edges by source, then destination. `R` lines (one-sided reads) count from the target to
/// the reader, as the data flows.
/// @throws InputError with file, line and column; for a rank without a file or with two of them.
Recording read_openmpi_prof(const std::string& path, std::span<const std::string> kinds);

/// Whether the file starts as a recording of `vtopo_record`.
/// @throws InputError if it cannot be read.
bool is_vtopo_record(const std::string& path);

/// Reads a recording of `vtopo_record` (sim/record): as many ranks as it says, edges in file order.
/// @throws InputError with file, line and column, also if the file does not end with `# end N`.
Recording read_vtopo_record(const std::string& path, RecordKinds kinds);

}  // namespace vtopo
