#include "topology/traffic/undirected_edges.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <tuple>
#include <utility>

#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

bool by_ends(const DirectedEdge& a, const DirectedEdge& b) {
  return std::tie(a.source, a.destination) < std::tie(b.source, b.destination);
}

}  // namespace

void UndirectedEdges::add(Rank neighbour, double weight) {
  edges_.push_back({Rank{num_vertices() - 1}, neighbour, {weight}});
}

void UndirectedEdges::check_ends() const {
  std::vector<DirectedEdge> sorted = edges_;
  std::sort(sorted.begin(), sorted.end(), by_ends);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    const DirectedEdge& edge = sorted[i];
    const FilePosition place{file_, lines_[index(edge.source)]};
    const auto fail = [&](std::string_view what) {
      throw input_error(place, fmt::format("the edge of ranks {} and {} (counted from 0) {}",
                                           number(edge.source), number(edge.destination), what));
    };
    if (edge.source == edge.destination) fail("is a loop; accepted are edges of two vertices");
    if (i > 0 && !by_ends(sorted[i - 1], edge)) fail("is named twice at one end");
    const DirectedEdge opposite{edge.destination, edge.source, {}};
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), opposite, by_ends);
    if (found == sorted.end() || by_ends(opposite, *found))
      fail("is missing at its other end; accepted are edges named at both ends");
    if (found->volume != edge.volume)
      fail(fmt::format("has weight {} here and {} at its other end", edge.volume.value,
                       found->volume.value));
  }
}

Recording UndirectedEdges::recording() && {
  check_ends();
  for (DirectedEdge& edge : edges_) edge.volume.value /= 2;
  return {num_vertices(), std::move(edges_)};
}

std::int64_t read_integer_between(const LineFile& file, const Token& token, std::string_view what,
                                  std::int64_t smallest, std::int64_t largest) {
  const auto value = parse_integer(token.text);
  if (!value || *value < smallest || *value > largest)
    throw input_error(file.at(token.column), fmt::format("{} \"{}\" is not an integer in {}..{}",
                                                         what, token.text, smallest, largest));
  return *value;
}

}  // namespace vtopo::detail
