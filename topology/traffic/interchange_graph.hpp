#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

/// Graph of an interchange format while its file is read, with the attributes that count as text.
class InterchangeGraph {
 public:
  /// @param file for messages.
  InterchangeGraph(std::string file, bool directed) : file_(std::move(file)), directed_(directed) {}

  bool is_directed() const { return directed_; }

  /// Lets a rank count although it is silent.
  void name(Rank rank) { recording_.name(rank); }

  /// Adds an edge; returns its number.
  std::size_t add_edge(Rank source, Rank destination);

  /// Takes `weight` and `messages`, forgets other attributes.
  void set_attribute(std::size_t edge, std::string_view name, const std::string& value);

  /// The recording; without directions half of a weight flows each way.
  /// @throws InputError for an attribute that is no number, or if no rank is named.
  Recording recording() &&;

 private:
  struct Edge {
    Rank source{};
    Rank destination{};
    std::string weight = "1";
    std::string messages = "1";
  };
  DirectedEdge value_of(const Edge& edge) const;

  std::string file_;
  bool directed_;
  Recording recording_;
  std::vector<Edge> edges_;
};

/// Text of a file for a reader that is not ours.
/// @throws InputError as LineFile does, and above 16 MiB: those readers take memory a hundred times
/// that of the file.
std::string read_interchange_text(const std::string& path);

/// Reads a graph by Boost's reader as a directed one, and if the file says that it has no
/// directions, as such.
/// @param format as people call it.
/// @throws what `read` throws of ours; InputError with its words in place of Boost's exceptions.
Recording read_by_boost(const std::string& path, std::string_view format,
                        const std::function<Recording(bool directed)>& read);

}  // namespace vtopo::detail
