#include "topology/guests/graph_files.hpp"

#include <algorithm>
#include <cstddef>
#include <optional>
#include <vector>

#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// Largest neighbour of a graph file with its place: how many ranks there are is known at the end.
struct LargestNeighbour {
  int rank = -1;
  FilePosition position;

  void see(Rank neighbour, const FilePosition& where) {
    if (number(neighbour) > rank) *this = {number(neighbour), where};
  }
};

/// Checks the label in front of the colon; returns the length of the label with the colon.
std::size_t check_label(LineFile& file, int expected) {
  const auto label = file.fields(':')[0];
  const auto colon = file.line().find(':');
  if (colon == std::string_view::npos)
    throw input_error(file.line_end(), fmt::format("no colon in the line of rank {}; accepted is "
                                                   "\"rank: neighbour neighbour ...\"",
                                                   expected));
  if (read_rank(file, label) != Rank{expected})
    throw input_error(file.at(label.column),
                      fmt::format("rank {} where rank {} is due; accepted is one line per rank, in "
                                  "rank order from 0",
                                  label.text, expected));
  return colon + 1;
}

std::vector<Rank> read_neighbours(LineFile& file, int rank, LargestNeighbour& largest) {
  const std::size_t start = check_label(file, rank);
  std::vector<Rank> neighbours;
  for (const Token& word : file.words(start)) {
    neighbours.push_back(read_rank(file, word));
    largest.see(neighbours.back(), file.at(word.column));
  }
  return neighbours;
}

/// Reads `source destination [weight]`; all lines must have as many words as the first.
WeightedEdge read_edge(LineFile& file, std::optional<std::size_t>& num_words) {
  const auto words = file.words();
  if (words.size() < 2 || words.size() > 3)
    throw input_error(
        words.size() < 2 ? file.line_end() : file.at(words[3].column),
        fmt::format("number of words is {}; accepted is \"source destination [weight]\"",
                    words.size()));
  if (!num_words) num_words = words.size();
  if (words.size() != *num_words)
    throw input_error(words.size() == 2 ? file.line_end() : file.at(words[2].column),
                      fmt::format("edge {} weight, unlike those before; accepted are weights on "
                                  "all lines or on none",
                                  words.size() == 2 ? "without" : "with a"));
  WeightedEdge edge{read_rank(file, words[0]), read_rank(file, words[1])};
  if (words.size() == 3) edge.weight = read_number(file, words[2], "weight");
  return edge;
}

}  // namespace

Graph read_graph_file(const std::string& path) {
  LineFile file(path);
  std::vector<std::vector<Rank>> neighbours;
  LargestNeighbour largest;
  while (file.next_content())
    neighbours.push_back(read_neighbours(file, int_size(neighbours), largest));
  if (neighbours.empty())
    throw input_error({path}, "no rank; accepted is one line \"rank: neighbour ...\" per rank");
  if (largest.rank >= int_size(neighbours))
    throw input_error(largest.position,
                      fmt::format("neighbour {} is outside 0..{}: the file has lines for {} ranks",
                                  largest.rank, neighbours.size() - 1, neighbours.size()));
  return Graph(neighbours);
}

DistGraph read_dist_graph_file(const std::string& path) {
  LineFile file(path);
  std::vector<WeightedEdge> edges;
  std::optional<std::size_t> num_words;
  int largest = -1;
  while (file.next_content()) {
    edges.push_back(read_edge(file, num_words));
    largest = std::max({largest, number(edges.back().source), number(edges.back().destination)});
  }
  if (edges.empty())
    throw input_error({path}, "no edge; accepted is one line \"source destination [weight]\" each");
  return DistGraph(largest + 1, edges,
                   num_words == 3u ? Weighting::weighted : Weighting::unweighted);
}

}  // namespace vtopo::detail
