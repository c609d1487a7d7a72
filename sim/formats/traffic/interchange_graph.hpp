#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

/// Graph of an interchange format while its file is read: nodes by name, edges with attributes as
/// text.
class InterchangeGraph {
 public:
  /// @param file for messages.
  explicit InterchangeGraph(std::string file) : file_(std::move(file)) {}

  /// Number of the node with this name, in the order in which they are named first.
  /// @throws InputError for more nodes than a file may name.
  std::size_t node(const std::string& name);

  /// Adds an edge between two nodes; returns its number.
  std::size_t add_edge(std::size_t source, std::size_t destination, bool directed);

  /// Takes an attribute of an edge; the last one of a name counts. Those that only say how to draw
  /// the edge are forgotten.
  void set_attribute(std::size_t edge, const std::string& name, const std::string& value);

  /// Numbers the nodes anew, those with a smaller `place` first.
  void sort_nodes(const std::function<std::size_t(const std::string&)>& place);

  /// The recording: nodes are ranks as `ranks_of_names` has it, volumes are the attribute `weight`,
  /// else the only one that can be meant, else 1. What is not on all edges is not the volume where
  /// another attribute is. Half of a volume without direction flows each way.
  /// @throws InputError if several attributes could be the volume, for edges without one that
  /// others have, and for an attribute that is not a number.
  Recording recording(WeightRule rule) &&;

 private:
  struct Edge {
    std::size_t source = 0;
    std::size_t destination = 0;
    bool directed = true;
    std::string weight = "1";
    std::string messages = "1";
  };
  /// An attribute: number of an edge and value, in the order given.
  using Values = std::vector<std::pair<std::size_t, std::string>>;
  using Attribute = std::map<std::string, Values, std::less<>>::value_type;

  const Attribute* find_volume();
  std::size_t num_without(const Attribute& attribute) const;
  void take_weights();
  DirectedEdge value_of(const Edge& edge, const std::vector<Rank>& ranks, WeightRule rule) const;

  std::string file_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, std::size_t> numbers_;  ///< of nodes, by name
  std::vector<Edge> edges_;
  std::map<std::string, Values, std::less<>> attributes_;  ///< by name, without `messages`
  Recording recording_;
};

/// Text of a file for a reader that is not ours.
/// @throws InputError as LineFile does, and above 16 MiB: those readers take memory a hundred times
/// that of the file.
std::string read_interchange_text(const std::string& path);

/// Edges of a file that names each undirected edge at both of its ends.
class UndirectedEdges {
 public:
  /// @param file names the file, see LineFile::path.
  explicit UndirectedEdges(std::string file) : file_(std::move(file)) {}

  /// Starts the next vertex, in rank order from 0.
  void begin_vertex(int line) { lines_.push_back(line); }
  int num_vertices() const { return static_cast<int>(lines_.size()); }
  std::size_t num_ends() const { return edges_.size(); }

  /// Edge from the vertex begun last.
  void add(Rank neighbour, double weight);

  /// The recording: half of the weight in each direction, edges of a rank in the order given.
  /// @throws InputError with the line of the vertex for a loop, an edge named twice at one end, and
  /// ends that do not agree.
  Recording recording() &&;

 private:
  void check_ends() const;

  std::string file_;
  std::vector<int> lines_;           ///< one entry per vertex
  std::vector<DirectedEdge> edges_;  ///< volume: the whole weight
};

/// Integer of `what` in `token`.
/// @throws InputError unless it is in smallest..largest.
std::int64_t read_integer_between(const LineFile& file, const Token& token, std::string_view what,
                                  std::int64_t smallest, std::int64_t largest);

/// Largest weight of an edge that is read: 2^53, up to which whole numbers and their halves are
/// exact.
inline constexpr std::int64_t largest_weight = 9007199254740992;

}  // namespace vtopo::detail
