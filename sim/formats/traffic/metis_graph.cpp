#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/interchange_graph.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_metis_header =
    "\"vertices edges [format [weights per vertex]]\", format 1, 10, 11, 100 to 111 or 0";

/// What the first line says.
struct MetisHeader {
  std::int64_t vertices = 0;
  std::int64_t edges = 0;
  std::size_t sizes = 0;    ///< numbers of a vertex in front of its weights
  std::size_t skipped = 0;  ///< numbers of a vertex in front of its neighbours
  bool weights = false;     ///< of edges
};

/// Next line that is not a comment; blank lines are vertices without neighbours.
bool next_line(LineFile& file) {
  while (file.next())
    if (!file.line().starts_with('%')) return true;
  return false;
}

/// Digits of the format: sizes of vertices, weights of vertices, weights of edges.
void read_format(const LineFile& file, std::span<const Token> words, MetisHeader& header) {
  const std::string_view format = words[2].text;
  if (format.size() > 3 || format.find_first_not_of("01") != std::string_view::npos)
    throw input_error(file.at(words[2].column),
                      fmt::format("format \"{}\"; accepted is {}", format, accepted_metis_header));
  const auto digit = [&](std::size_t from_right) {
    return from_right < format.size() && format[format.size() - 1 - from_right] == '1';
  };
  std::size_t weights = digit(1) ? 1 : 0;
  if (words.size() == 4)
    weights = index(read_integer_between(file, words[3], "number of weights per vertex",
                                         digit(1) ? 1 : 0, 1000));
  header.weights = digit(0);
  header.sizes = digit(2) ? 1 : 0;
  header.skipped = (digit(1) ? weights : 0) + (digit(2) ? 1 : 0);
}

MetisHeader read_metis_header(LineFile& file) {
  const auto is_blank = [&] { return trim(file.line()).empty(); };
  bool found = next_line(file);
  while (found && is_blank()) found = next_line(file);
  if (!found)
    throw input_error({file.path()}, fmt::format("no line; accepted is {}", accepted_metis_header));
  const auto words = file.words();
  if (words.size() < 2 || words.size() > 4)
    throw input_error(file.at(words[0].column), fmt::format("header of {} words; accepted is {}",
                                                            words.size(), accepted_metis_header));
  MetisHeader header;
  header.vertices =
      read_integer_between(file, words[0], "number of vertices", 1, max_ranks_in_file);
  header.edges = read_integer_between(file, words[1], "number of edges", 0,
                                      std::numeric_limits<std::int64_t>::max() / 2);
  if (words.size() > 2) read_format(file, words, header);
  return header;
}

/// Weight of a vertex or an edge. METIS has whole numbers; others write fractions too, which are
/// rounded and counted.
std::int64_t read_weight(LineFile& file, Token token, std::string_view what, std::int64_t least,
                         WeightRule rule, std::int64_t& rounded) {
  if (least > 0 && token.text.starts_with('-')) read_volume(file, token, rule);  // may refuse it
  if (rule != WeightRule::value && token.text.starts_with('-')) token.text.remove_prefix(1);
  const auto number = parse_number(token.text);
  if (parse_integer(token.text) || !number || !std::isfinite(*number) || *number < 0 ||
      *number > static_cast<double>(largest_weight))
    return read_integer_between(file, token, what, least, largest_weight);
  const double whole = std::round(*number);
  if (whole != *number && rule != WeightRule::pattern) ++rounded;
  return std::max(least, static_cast<std::int64_t>(whole));
}

/// Reads `[size] [weights] (neighbour [weight])...`. @returns the first weight of the vertex, 1
/// without one.
double read_vertex(LineFile& file, const MetisHeader& header, WeightRule rule,
                   UndirectedEdges& edges, std::int64_t& rounded) {
  const auto words = file.words();
  if (words.size() < header.skipped)
    throw input_error(file.line_end(), fmt::format("{} numbers in front of the neighbours; the "
                                                   "format in the header asks for {}",
                                                   words.size(), header.skipped));
  double vertex_weight = 1;
  for (std::size_t i = 0; i < header.skipped; ++i) {
    const auto number =
        read_weight(file, words[i], "weight of a vertex", 0, WeightRule::value, rounded);
    if (i == header.sizes) vertex_weight = static_cast<double>(number);
  }
  for (std::size_t i = header.skipped; i < words.size(); ++i) {
    const auto neighbour = read_integer_between(file, words[i], "neighbour", 1, header.vertices);
    std::int64_t weight = 1;
    if (header.weights) {
      if (++i == words.size())
        throw input_error(file.line_end(), fmt::format("no weight behind neighbour {}", neighbour));
      weight = read_weight(file, words[i], "weight", 1, rule, rounded);
    }
    edges.add(Rank{narrow<int>(neighbour - 1)}, static_cast<double>(weight));
  }
  return vertex_weight;
}

/// @param weights of vertices, to be appended to; null: skipped.
Recording read_metis(const std::string& path, WeightRule rule, std::vector<double>* weights) {
  LineFile file(path);
  const MetisHeader header = read_metis_header(file);
  UndirectedEdges edges(path);
  std::int64_t rounded = 0;
  while (edges.num_vertices() < header.vertices) {
    const FilePosition end = file.line_end();
    if (!next_line(file))
      throw input_error(end, fmt::format("the file ends after {} of {} vertices",
                                         edges.num_vertices(), header.vertices));
    edges.begin_vertex(file.at(0).line);
    const double weight = read_vertex(file, header, rule, edges, rounded);
    if (weights != nullptr) weights->push_back(weight);
  }
  while (next_line(file))
    if (!trim(file.line()).empty())
      throw input_error(file.at(1),
                        fmt::format("a line behind the last of the {} vertices", header.vertices));
  if (edges.num_ends() != static_cast<std::uint64_t>(header.edges) * 2)
    throw input_error({path}, fmt::format("{} neighbours; the header says {} edges, each to be "
                                          "named at both ends",
                                          edges.num_ends(), header.edges));
  Recording recording = std::move(edges).recording();
  if (rounded > 0)
    recording.remarks.push_back(
        fmt::format("{} not whole and rounded, edges to 1 at least: METIS has whole numbers",
                    rounded == 1 ? "1 weight is" : fmt::format("{} weights are", rounded)));
  return recording;
}

}  // namespace

Recording read_metis_graph(const std::string& path, WeightRule rule) {
  return read_metis(path, rule, nullptr);
}

std::vector<double> read_metis_vertex_weights(const std::string& path) {
  std::vector<double> weights;
  read_metis(path, WeightRule::abs, &weights);
  return weights;
}

std::string write_metis_graph(const CommGraph& graph) {
  std::string text = fmt::format("{} {} 001\n", graph.num_ranks(), graph.num_edges() / 2);
  for (int r = 0; r < graph.num_ranks(); ++r) {
    std::string_view blank;
    for (const CommEdge& edge : graph.out_edges(Rank{r})) {
      append_format(text, "{}{} {:.0f}", blank, number(edge.destination) + 1,
                    2 * edge.volume.value);
      blank = " ";
    }
    text += '\n';
  }
  return text;
}

}  // namespace vtopo::detail
