#pragma once

#include <span>
#include <string>
#include <vector>

#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

/// Reads N lines of N volumes in bytes, line s column d from rank s to rank d. Numbers stand
/// between commas, semicolons or bars (one may end each line), or between blanks and tabs where the
/// first line has none of them (TreeMatch `.mat`). Empty cells count as 0; rows and a last column
/// that are called `total` or `sum` are left out; remarks say so. Columns may be named in a first
/// line and rows in front of their numbers; names are ranks as `ranks_of_names` has it, rows with
/// the names of the columns come in any order.
/// @param named whether somebody said that the file is a matrix: one of two to four lines may as
/// well be a list of edges.
/// @throws InputError with file, line and column; for a file that may be either.
Recording read_dense_csv(const std::string& path, bool named, WeightRule rule = WeightRule::value);

/// Whether a `.csv` file is a matrix and not an edge list: its first line starts with a number, or
/// names the columns, or its rows are named.
/// @throws InputError for a file without a line.
bool is_dense_csv(const std::string& path);

/// Reads a recording of Open MPI's monitoring: one `.prof` file, or a folder with
/// `NAME.<rank>.prof` of every rank (`NAME_<phase>_<rank>.prof` of older versions, whose phases are
/// added up). Lines of `kinds` are added up to one edge per ordered pair of ranks; edges by
/// source, then destination; a remark says what lines of other kinds have. `R` lines (one-sided
/// reads) count from the target to the reader, as the data flows. Files without a `#` heading are
/// of Open MPI before 3.0, where `I` and `E` stand for each other.
/// @throws InputError with file, line and column; for a rank without a file or with two of them.
Recording read_openmpi_prof(const std::string& path, std::span<const std::string> kinds);

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
/// ranks as `ranks_of_names` has it); loads of edges as the weights of METIS. Vertex loads are
/// skipped.
/// @throws InputError with file, line and column.
Recording read_scotch_graph(const std::string& path);

/// Reads a MatrixMarket file, `coordinate` or `array`, indices from 1, entry (i, j) from rank i-1
/// to rank j-1: `real` and `integer` volumes, `pattern` of one byte each; `symmetric` means each
/// entry in both directions, whichever half of the matrix the file has; of one with both halves
/// each entry is one direction. Entries of a pair are kept apart, those of value 0 left out but by
/// `WeightRule::pattern`. With that rule and `abs` also `complex`, `skew-symmetric` and
/// `hermitian`. A file that begins with its sizes is `coordinate real general`, with a remark.
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

/// Of a METIS graph, the first of several; 1 without weights. @throws InputError.
std::vector<double> read_metis_vertex_weights(const std::string& path);

/// Writers, see formats.hpp of topology/traffic.
std::string write_dense_csv(const CommGraph& graph);
std::string write_treematch(const CommGraph& graph);
std::string write_metis_graph(const CommGraph& graph);
std::string write_scotch_graph(const CommGraph& graph);
std::string write_matrix_market(const CommGraph& graph);
std::string write_graphml(const CommGraph& graph);
std::string write_dot(const CommGraph& graph);

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

}  // namespace vtopo::detail
