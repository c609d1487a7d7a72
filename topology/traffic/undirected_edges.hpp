#pragma once

#include <span>
#include <string>
#include <vector>

#include "topology/base/line_file.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

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
