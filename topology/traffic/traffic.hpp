#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/comm_graph.hpp"

namespace vtopo {

/// Format of a recorded communication matrix; README.md of this folder describes them.
enum class TrafficFormat {
  edge_list_csv,
  dense_csv,
  treematch,
  openmpi_prof,
  vtopo_record,
  smpi_trace,
  metis_graph,
  scotch_graph,
  matrix_market,
  graphml,
  dot
};

/// What counts in a `vtopo_record` recording (its columns) and in a time-independent trace.
enum class RecordKinds { point_to_point, collective, all };

/// Which numbers of a matrix are volumes.
enum class WeightRule {
  value,   ///< the entry in bytes; negative ones are refused
  abs,     ///< its absolute value
  pattern  ///< a byte for each entry that the file has
};

/// How to read a recorded communication matrix; the defaults read what the file itself says.
struct TrafficOptions {
  std::optional<TrafficFormat> format;       ///< by extension and first line when absent
  std::optional<int> num_ranks;              ///< max id + 1 when absent
  std::vector<std::string> prof_kinds{"E"};  ///< line kinds of Open MPI `.prof` that are added up
  RecordKinds record_kinds = RecordKinds::all;  ///< of recordings and traces
  WeightRule weights = WeightRule::value;       ///< what an entry of a matrix counts
};

/// Names of all formats, as `parse_traffic_format` takes them.
std::vector<std::string> traffic_format_names();

/// Format named `edges`, `dense`, `mat`, `prof`, `record`, `smpi`, `metis`, `scotch`, `mtx`,
/// `graphml` or `dot`.
/// @throws UsageError for any other name.
TrafficFormat parse_traffic_format(std::string_view name);

/// Kinds of a comma list such as `E` or `E,I`.
/// @throws UsageError for an unknown kind, or for I together with C (both count collectives).
std::vector<std::string> parse_prof_kinds(std::string_view list);

/// Kinds named `p2p`, `collective` or `all`.
/// @throws UsageError for any other name.
RecordKinds parse_record_kinds(std::string_view name);

/// Rule named `value`, `abs` or `pattern`.
/// @throws UsageError for any other name.
WeightRule parse_weights(std::string_view name);

/// A recording as a graph, and what a reader should know of how it was read.
struct RecordedTraffic {
  CommGraph graph;                   ///< as `read_traffic` returns it
  std::vector<std::string> remarks;  ///< sentences with the file in front; may be none
};

/// Communication graph of a file, or of a folder of Open MPI `.prof` files (one per rank). Rows are
/// senders; directions are kept apart, entries of volume 0 and no message are left out, parallel
/// edges of an edge list stay. Ids are at most 16777215 (see `max_ranks_in_file`).
/// @throws InputError with file, line and column for anything malformed or truncated, UsageError if
/// the format is not known or `num_ranks` is less than the recording names.
RecordedTraffic read_recorded_traffic(const std::string& path, const TrafficOptions& options);

/// The graph alone.
CommGraph read_traffic(const std::string& path, const TrafficOptions& options);

}  // namespace vtopo
