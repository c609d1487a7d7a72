#pragma once

#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/line_file.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

/// What a recording says: its edges and how many ranks it names (the largest id + 1).
struct Recording {
  int num_ranks = 0;
  std::vector<DirectedEdge> edges;
  std::vector<std::string> remarks = {};  ///< of RecordedTraffic, without the file in front

  /// Lets `rank` count as named.
  void name(Rank rank) {
    if (number(rank) >= num_ranks) num_ranks = number(rank) + 1;
  }
};

/// Volume of an entry of a matrix or list. With `WeightRule::abs` and `pattern` it may be negative.
/// @throws InputError unless it is a finite number, by `WeightRule::value` not below 0.
Bytes read_volume(const LineFile& file, const Token& token, WeightRule rule);

/// Reads an edge list: a header `src,dst,bytes[,messages]`, then one line per directed edge.
/// Columns in any order and by the other names that people give them (`from`, `target`, `weight`);
/// columns that are none of them are left out. Lines whose `Type` is `Undirected` (Gephi) are edges
/// both ways, with half of the volume each. Edges in file order, parallel edges kept. Remarks say
/// what was taken for the volume, and what was left out.
/// @throws InputError with file, line and column.
Recording read_edge_list_csv(const std::string& path, WeightRule rule = WeightRule::value);

/// Reads N lines of N volumes in bytes, line s column d from rank s to rank d. Numbers stand
/// between commas, or between blanks and tabs where the first line has no comma (TreeMatch `.mat`).
/// @param named whether somebody said that the file is a matrix: one of two to four lines may as
/// well be a list of edges.
/// @throws InputError with file, line and column; for a file that may be either.
Recording read_dense_csv(const std::string& path, bool named, WeightRule rule = WeightRule::value);

/// Line kinds of Open MPI's `.prof` that hold traffic: user point-to-point, point-to-point inside
/// the library, one-sided writes and reads, collectives.
inline constexpr std::array<std::string_view, 5> prof_traffic_kinds{"E", "I", "S", "R", "C"};

/// Reads a recording of Open MPI's monitoring: one `.prof` file, or a folder with
/// `NAME.<rank>.prof` of every rank (`NAME_<phase>_<rank>.prof` of older versions, whose phases are
/// added up). Lines of `kinds` are added up to one edge per ordered pair of ranks; edges by
/// source, then destination; a remark says what lines of other kinds have. `R` lines (one-sided
/// reads) count from the target to the reader, as the data flows. Files without a `#` heading are
/// of Open MPI before 3.0, where `I` and `E` stand for each other.
/// @throws InputError with file, line and column; for a rank without a file or with two of them.
Recording read_openmpi_prof(const std::string& path, std::span<const std::string> kinds);

/// Whether the file starts as a recording of `vtopo_record`.
/// @throws InputError if it cannot be read.
bool is_vtopo_record(const std::string& path);

/// Reads a recording of `vtopo_record` (sim/record): as many ranks as it says, edges in file order.
/// @throws InputError with file, line and column, also if the file does not end with `# end N`.
Recording read_vtopo_record(const std::string& path, RecordKinds kinds);

/// Reads a time-independent trace of SMPI: the list of files that `smpirun -trace-ti` writes, then
/// one file per rank. Sends are added up to one edge per ordered pair of ranks. Collectives count
/// as each rank's data sent straight to its receivers (see README.md of this folder).
/// @throws InputError with file, line and column, also for a send of a derived datatype, whose size
/// is not in the trace.
Recording read_smpi_trace(const std::string& path, RecordKinds kinds);

/// Whether the file looks like the list of a time-independent trace: its first line is the path of
/// a file whose first line is an action.
/// @throws InputError if it cannot be read.
bool is_smpi_trace(const std::string& path);

/// Reads METIS's graph format: undirected, vertices from 1; the weight of an edge (1 without
/// weights) is what flows between its ends, half of it each way. Vertex weights are skipped.
/// Weights that are not whole numbers, which METIS does not have, are rounded with a remark.
/// @throws InputError with file, line and column.
Recording read_metis_graph(const std::string& path, WeightRule rule = WeightRule::value);

/// Reads Scotch's graph format: undirected, vertices from the base value or by label (labels are
/// ranks as `ranks_of_numbers` has it); loads of edges as the weights of METIS. Vertex loads are
/// skipped.
/// @throws InputError with file, line and column.
Recording read_scotch_graph(const std::string& path);

/// Reads a MatrixMarket coordinate file, indices from 1, entry (i, j) from rank i-1 to rank j-1:
/// `real` and `integer` volumes, `pattern` of one byte each; `symmetric` means each entry in both
/// directions, whichever half of the matrix the file has; of one with both halves each entry is one
/// direction. Entries of a pair are kept apart, those of value 0 left out but by
/// `WeightRule::pattern`. With that rule and `abs` also `complex`, `skew-symmetric` and
/// `hermitian`.
/// @throws InputError with file, line and column.
Recording read_matrix_market(const std::string& path, WeightRule rule = WeightRule::value);

/// Reads GraphML: nodes are ranks as `ranks_of_names` has it, `weight` and `messages` (1) of edges.
/// Without `weight` the only attribute that can be meant counts, else 1. The weight of an edge
/// without direction flows half each way.
/// @throws InputError with the file, and the line where the XML is malformed.
Recording read_graphml(const std::string& path, WeightRule rule = WeightRule::value);

/// Reads Graphviz's DOT through Boost.Graph, as GraphML.
/// @throws InputError with the file.
Recording read_dot(const std::string& path, WeightRule rule = WeightRule::value);

/// Writers: the text of a graph that holds no more than the format can (see fit_traffic).
/// @throws UsageError if a dense matrix would be larger than files that are read.
std::string write_edge_list_csv(const CommGraph& graph);
std::string write_dense_csv(const CommGraph& graph);
std::string write_treematch(const CommGraph& graph);
std::string write_vtopo_record(const CommGraph& graph);
std::string write_metis_graph(const CommGraph& graph);
std::string write_scotch_graph(const CommGraph& graph);
std::string write_matrix_market(const CommGraph& graph);
std::string write_graphml(const CommGraph& graph);
std::string write_dot(const CommGraph& graph);

struct Recording;

/// What a format can hold beside who sends how many bytes to whom.
struct TrafficAbilities {
  bool directions = true;      ///< else one volume for both directions of a pair together
  bool parallel_edges = true;  ///< several edges of an ordered pair of ranks, in their order
  bool self_loops = true;
  bool messages = true;        ///< how many, and with it edges of messages without a byte
  double largest_integer = 0;  ///< volumes are whole numbers from 1 to this; 0: any number
};

/// A file format of recorded communication.
struct TrafficFormatInfo {
  TrafficFormat format{};
  std::string name;       ///< of `--traffic-format`
  std::string extension;  ///< with its dot; empty: known by the content
  std::string summary;    ///< human-readable
  TrafficAbilities holds;
  Recording (*read)(const std::string& path, const TrafficOptions& options) = nullptr;
  /// Text of a graph that holds no more than the format can; absent: the format is only read.
  std::string (*write)(const CommGraph& graph) = nullptr;
};

/// All formats, those of vtopo first.
const std::vector<TrafficFormatInfo>& traffic_formats();

/// What is known of a format.
const TrafficFormatInfo& traffic_format_info(TrafficFormat format);

/// Format in which a file called `path` is written: by extension, `.csv` is an edge list.
/// @throws UsageError for an unknown extension.
TrafficFormat traffic_format_to_write(const std::string& path);

/// A graph that a format can hold, and one sentence for each kind of thing that it could not.
struct FittedTraffic {
  CommGraph graph;
  std::vector<std::string> losses;
};

/// Changes what a format cannot hold: parallel edges and, without directions, the two directions of
/// a pair are summed (each direction then has half of the sum), self loops and edges without a byte
/// left out, volumes divided by `unit` and rounded to a whole number of at least 1.
/// @throws UsageError if a volume is above the largest integer of the format.
FittedTraffic fit_traffic(const CommGraph& graph, const TrafficFormatInfo& format,
                          Bytes unit = {1});

/// Text of a file that `read_traffic` reads back as the same graph.
struct TrafficText {
  std::string text;
  std::vector<std::string> losses;  ///< see fit_traffic
};

/// @throws UsageError if the format is only read, a volume is above its largest integer, or the
/// file would be larger than files that are read.
TrafficText write_traffic(const CommGraph& graph, TrafficFormat format, Bytes unit = {1});

/// Of a METIS graph, the first of several; 1 without weights. @throws InputError.
std::vector<double> read_metis_vertex_weights(const std::string& path);

/// What each rank weighs where a file says so: vertex weights of METIS, the first of several. Empty
/// where the format has none or all are equal.
/// @throws InputError as `read_traffic`.
std::vector<double> read_rank_weights(const std::string& path, const TrafficOptions& options);

}  // namespace vtopo::detail
