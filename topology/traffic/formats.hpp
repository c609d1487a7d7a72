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

/// Which ranks the nodes of a file are, whatever its format.
struct NodeRanks {
  std::vector<Rank> ranks = {};  ///< of each node, all of 0..N-1
  std::string remark = {};       ///< what to say where the names do not say the ranks; else empty
};

/// Names that are exactly the numbers 0 to N-1, bare or all behind one prefix (`7`, `n7`,
/// `rank-07`), are the ranks; any other names are ranks in the order given.
/// @param names different ones, in the order in which the file names them first.
NodeRanks ranks_of_names(std::span<const std::string> names);

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

/// Whether a first line says what is in which column of an edge list.
/// @throws InputError for a file without a line.
bool is_edge_header(const std::string& path);

/// Gives the ends of all edges, numbers of names so far, their ranks.
void number_ends(Recording& recording, std::span<const Rank> senders, NodeRanks receivers);

/// Line kinds of Open MPI's `.prof` that hold traffic: user point-to-point, point-to-point inside
/// the library, one-sided writes and reads, collectives.
inline constexpr std::array<std::string_view, 5> prof_traffic_kinds{"E", "I", "S", "R", "C"};

/// Whether the file starts as a recording of `vtopo_record`.
/// @throws InputError if it cannot be read.
bool is_vtopo_record(const std::string& path);

/// Reads a recording of `vtopo_record` (sim/record): as many ranks as it says, edges in file order.
/// @throws InputError with file, line and column, also if the file does not end with `# end N`.
Recording read_vtopo_record(const std::string& path, RecordKinds kinds);

/// Writers: the text of a graph that holds no more than the format can.
std::string write_edge_list_csv(const CommGraph& graph);
std::string write_vtopo_record(const CommGraph& graph);

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
  /// Whether a file without a known extension is one; absent: it has to be named.
  bool (*recognizes)(const std::string& path) = nullptr;
  /// What the ranks of a file weigh; absent: the format has no such weights.
  std::vector<double> (*rank_weights)(const std::string& path) = nullptr;
};

/// Row of a format whose reader needs no option but what its weights count.
template <Recording (*read)(const std::string&, WeightRule)>
Recording weighted(const std::string& path, const TrafficOptions& options) {
  return read(path, options.weights);
}

/// Up to here every whole number is a double: 2^53.
inline constexpr double largest_exact = 9007199254740992;

/// All formats, those of vtopo first.
const std::vector<TrafficFormatInfo>& traffic_formats();

/// What is known of a format.
/// @throws UsageError for one of the library vtopo::formats in a program without it.
const TrafficFormatInfo& traffic_format_info(TrafficFormat format);

/// What each rank weighs where a file says so. Empty where the format has no such weights or all
/// are equal.
/// @throws InputError as `read_traffic`.
std::vector<double> read_rank_weights(const std::string& path, const TrafficOptions& options);

}  // namespace vtopo::detail
