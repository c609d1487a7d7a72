#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

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
  /// else the only one that can be meant, else 1. Half of a volume without direction flows each
  /// way.
  /// @throws InputError if several attributes could be the volume, for edges without one that
  /// others have, and for an attribute that is not a number.
  Recording recording() &&;

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
  const Attribute* only_candidate(const std::vector<const Attribute*>& candidates);
  void take_weights();
  DirectedEdge value_of(const Edge& edge, const std::vector<Rank>& ranks) const;

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

}  // namespace vtopo::detail
