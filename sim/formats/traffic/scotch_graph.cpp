#include <cstdint>
#include <limits>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/interchange_graph.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int64_t any = std::numeric_limits<std::int64_t>::max();

/// The numbers of a file, which ends lines where it likes.
class Numbers {
 public:
  explicit Numbers(const std::string& path) : file_(path) {}

  /// @throws InputError if the file ends or the number is not in smallest..largest.
  std::int64_t next(std::string_view what, std::int64_t smallest, std::int64_t largest) {
    if (next_ == count_ && !next_line())
      throw input_error(end_, fmt::format("the file ends where the {} is due", what));
    return read_integer_between(file_, words_[next_++], what, smallest, largest);
  }

  bool at_end() { return next_ == count_ && !next_line(); }
  /// Place of the number that was read last.
  FilePosition place() const { return file_.at(words_[next_ - 1].column); }
  FilePosition next_place() const { return file_.at(words_[next_].column); }
  const std::string& path() const { return file_.path(); }

 private:
  bool next_line() {
    if (!file_.next_content()) return false;
    words_ = file_.words();
    count_ = words_.size();
    next_ = 0;
    end_ = file_.line_end();
    return true;
  }

  LineFile file_;
  std::span<const Token> words_;
  std::size_t next_ = 0;
  std::size_t count_ = 0;
  FilePosition end_{file_.path()};
};

struct ScotchHeader {
  std::int64_t vertices = 0;
  std::int64_t arcs = 0;
  std::int64_t base = 0;
  bool labels = false;
  bool edge_loads = false;
  bool vertex_loads = false;
};

ScotchHeader read_header(Numbers& numbers) {
  numbers.next("version of the format", 0, 0);
  ScotchHeader header;
  header.vertices = numbers.next("number of vertices", 1, max_ranks_in_file);
  header.arcs = numbers.next("number of arcs", 0, any);
  header.base = numbers.next("base value", 0, 1);
  const auto flags = numbers.next("flag of three digits 0 or 1", 0, 111);
  const auto digit = [&](std::int64_t place) { return flags / place % 10; };
  if (digit(1) > 1 || digit(10) > 1)
    throw input_error(numbers.place(), fmt::format("flag {}; accepted are digits 0 and 1 for "
                                                   "labels, loads of edges, loads of vertices",
                                                   flags));
  header.labels = digit(100) == 1;
  header.edge_loads = digit(10) == 1;
  header.vertex_loads = digit(1) == 1;
  return header;
}

/// Vertices by label.
class Labels {
 public:
  void name(std::int64_t label, const FilePosition& place) {
    if (!vertices_.emplace(label, labels_.size()).second)
      throw input_error(place, fmt::format("second vertex with the label {}", label));
    labels_.push_back(label);
  }
  std::size_t vertex_of(std::int64_t label, const std::string& path) const {
    const auto found = vertices_.find(label);
    if (found == vertices_.end())
      throw input_error({path}, fmt::format("no vertex has the label {} of a neighbour", label));
    return found->second;
  }

  /// Labels count from the base value of the file, or from 0.
  NodeRanks ranks(std::int64_t base) const {
    NodeRanks ranks = ranks_from(0);
    if (base == 0 || ranks.remark.empty()) return ranks;
    NodeRanks from_base = ranks_from(base);
    return from_base.remark.empty() ? from_base : ranks;
  }

 private:
  NodeRanks ranks_from(std::int64_t base) const {
    std::vector<std::string> names;
    for (const std::int64_t label : labels_) names.push_back(std::to_string(label - base));
    return ranks_of_names(names);
  }

  std::vector<std::int64_t> labels_;
  std::unordered_map<std::int64_t, std::size_t> vertices_;
};

/// A vertex with its neighbours as the file names them.
struct Vertex {
  int line = 0;
  std::vector<std::pair<std::int64_t, double>> arcs;  ///< neighbour and load
};

/// Reads `[label] [load] degree ([load] neighbour)...`.
Vertex read_vertex(Numbers& numbers, const ScotchHeader& header, Labels& labels) {
  std::optional<int> line;
  const auto next = [&](std::string_view what, std::int64_t smallest, std::int64_t largest) {
    const auto value = numbers.next(what, smallest, largest);
    if (!line) line = numbers.place().line;
    return value;
  };
  if (header.labels) {
    const auto label = next("label", 0, any);
    labels.name(label, numbers.place());
  }
  if (header.vertex_loads) next("load of a vertex", 0, any);
  const auto degree = next("degree", 0, header.arcs);
  Vertex vertex{*line, {}};
  for (std::int64_t i = 0; i < degree; ++i) {
    const auto load = header.edge_loads ? next("load of an edge", 1, largest_weight) : 1;
    const auto neighbour =
        header.labels
            ? next("neighbour", 0, any)
            : next("neighbour", header.base, header.vertices - 1 + header.base) - header.base;
    vertex.arcs.emplace_back(neighbour, static_cast<double>(load));
  }
  return vertex;
}

void check_end(Numbers& numbers, const ScotchHeader& header, std::size_t arcs) {
  if (!numbers.at_end())
    throw input_error(numbers.next_place(),
                      fmt::format("a number behind the last of the {} vertices", header.vertices));
  if (arcs != static_cast<std::uint64_t>(header.arcs))
    throw input_error({numbers.path()}, fmt::format("{} neighbours; the header says {} arcs, two "
                                                    "per edge",
                                                    arcs, header.arcs));
}

/// @param ranks of the vertices, by which they and their neighbours are numbered anew.
std::vector<Vertex> in_rank_order(std::vector<Vertex> vertices, std::span<const Rank> ranks) {
  std::vector<Vertex> result(vertices.size());
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    for (auto& [neighbour, load] : vertices[v].arcs) neighbour = number(ranks[index(neighbour)]);
    result[index(ranks[v])] = std::move(vertices[v]);
  }
  return result;
}

/// @param vertices in rank order, neighbours from 0.
Recording recording_of(const std::string& path, std::span<const Vertex> vertices) {
  UndirectedEdges edges(path);
  for (const Vertex& vertex : vertices) {
    edges.begin_vertex(vertex.line);
    for (const auto& [neighbour, load] : vertex.arcs) edges.add(Rank{narrow<int>(neighbour)}, load);
  }
  return std::move(edges).recording();
}

}  // namespace

Recording read_scotch_graph(const std::string& path) {
  Numbers numbers(path);
  const ScotchHeader header = read_header(numbers);
  Labels labels;
  std::vector<Vertex> vertices;
  std::size_t arcs = 0;
  while (int_size(vertices) < header.vertices) {
    vertices.push_back(read_vertex(numbers, header, labels));
    arcs += vertices.back().arcs.size();
  }
  check_end(numbers, header, arcs);
  if (!header.labels) return recording_of(path, vertices);
  for (Vertex& vertex : vertices)
    for (auto& [neighbour, load] : vertex.arcs)
      neighbour = static_cast<std::int64_t>(labels.vertex_of(neighbour, path));
  const NodeRanks nodes = labels.ranks(header.base);
  Recording recording = recording_of(path, in_rank_order(std::move(vertices), nodes.ranks));
  if (!nodes.remark.empty()) recording.remarks.push_back(nodes.remark);
  return recording;
}

std::string write_scotch_graph(const CommGraph& graph) {
  std::string text = fmt::format("0\n{} {}\n0 010\n", graph.num_ranks(), graph.num_edges());
  for (int r = 0; r < graph.num_ranks(); ++r) {
    const auto edges = graph.out_edges(Rank{r});
    append_format(text, "{}", edges.size());
    for (const CommEdge& edge : edges)
      append_format(text, "\t{:.0f} {}", 2 * edge.volume.value, number(edge.destination));
    text += '\n';
  }
  return text;
}

}  // namespace vtopo::detail
