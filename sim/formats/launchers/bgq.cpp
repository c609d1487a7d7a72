#include <algorithm>

#include <array>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

constexpr std::size_t num_dimensions = 5;
constexpr int num_threads = 64;  ///< hardware threads of a node: T is 0 to 63

std::optional<std::string> bgq_unsupported_reason(const Network& network, const Allocation&) {
  return coordinates_unsupported_reason(network, num_dimensions, "a Blue Gene/Q map file");
}

/// Sizes of A to E; those that the network does not have are 1.
std::vector<int> bgq_sizes(const Network& network) {
  std::vector<int> sizes = grid_sizes(network);
  sizes.resize(num_dimensions, 1);
  return sizes;
}

std::string write_bgq(const EmbeddingDocument& document) {
  const std::vector<int> sizes = bgq_sizes(document.network);
  const std::vector<int> slots = slots_by_rank(document.embedding);
  std::string text;
  for (std::size_t r = 0; r < slots.size(); ++r) {
    if (slots[r] >= num_threads)
      throw UsageError(fmt::format(
          "embedding format bgq: rank {} is number {} on its host, and a node has {} threads", r,
          slots[r] + 1, num_threads));
    for (const int c : coordinates_of(document.embedding.hosts()[r], sizes))
      text += fmt::format("{} ", c);
    text += fmt::format("{}\n", slots[r]);
  }
  return text;
}

int read_coordinate(const LineFile& file, const Token& word, char name, int size) {
  const auto value = parse_integer(word.text);
  if (!value || *value < 0 || *value >= size)
    throw input_error(
        file.at(word.column),
        fmt::format("coordinate {} \"{}\": accepted are 0 to {}", name, word.text, size - 1));
  return narrow<int>(*value);
}

void read_bgq(const std::string& path, PlacedRanks& ranks) {
  const std::vector<int> sizes = bgq_sizes(ranks.network());
  LineFile file(path);
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() != num_dimensions + 1)
      throw input_error(file.at(words[0].column),
                        fmt::format("{} numbers; accepted is \"A B C D E T\"", words.size()));
    std::array<int, num_dimensions> coordinates{};
    for (std::size_t d = 0; d < num_dimensions; ++d)
      coordinates[d] = read_coordinate(file, words[d], "ABCDE"[d], sizes[d]);
    read_coordinate(file, words[num_dimensions], 'T', num_threads);
    ranks.place_next(host_at(coordinates, sizes), file.at(words[0].column));
  }
}

std::vector<std::pair<std::string, std::string>> launch_on_bgq(const EmbeddingDocument& document,
                                                               const std::string& file) {
  int most = 0;  // ranks of a node
  for (const int slot : slots_by_rank(document.embedding)) most = std::max(most, slot + 1);
  return {{"Blue Gene/Q", fmt::format("runjob --np {} --ranks-per-node {} --mapping {} : ./program",
                                      document.embedding.num_ranks(), most, file)}};
}

}  // namespace

/// IBM Blue Gene/Q: `runjob --mapping FILE`, line i holds the coordinates A B C D E of the node of
/// rank i and its place T on it. A is the network's first dimension; dimensions that it does not
/// have are 0.
EmbeddingFormat bgq() {
  return {"bgq",
          "Blue Gene/Q: runjob --mapping FILE",
          write_bgq,
          reader(read_bgq),
          bgq_unsupported_reason,
          launch_on_bgq};
}

}  // namespace vtopo::detail::formats
