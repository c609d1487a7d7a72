#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_map(const EmbeddingDocument& document) {
  std::string text = fmt::format("{}\n", document.embedding.num_ranks());
  for (int r = 0; r < document.embedding.num_ranks(); ++r)
    text += fmt::format("{}\t{}\n", r, number(document.embedding.host_of(Rank{r})));
  return text;
}

void read_count(LineFile& file, const PlacedRanks& ranks) {
  if (!file.next_content())
    throw input_error({file.path()},
                      "no number of vertices; accepted is a count, then lines "
                      "\"vertex<TAB>target\"");
  const auto words = file.words();
  const auto count = parse_integer(words[0].text);
  if (!count || words.size() != 1 || !ranks.accepts(*count))
    throw input_error(file.at(words[0].column),
                      fmt::format("\"{}\" vertices: the virtual topology has {} ranks",
                                  trim(file.line()), ranks.num_ranks()));
}

void read_map(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  read_count(file, ranks);
  while (file.next_content()) {
    const auto words = file.words();
    if (words.size() != 2)
      throw input_error(file.at(words[0].column),
                        fmt::format("{} words; accepted is \"vertex<TAB>target\"", words.size()));
    const auto id = parse_integer(words[1].text);
    if (!id)
      throw input_error(file.at(words[1].column),
                        fmt::format("target \"{}\": accepted is a host number", words[1].text));
    const HostId host = ranks.host_numbered(*id, file.at(words[1].column));
    ranks.place(read_rank(file, words[0]), host, file.at(words[0].column));
  }
}

}  // namespace

/// Scotch's mapping file: the count of ranks, then rank and host number, from 0. Hosts are numbered
/// as in the network; on a torus the first dimension is the fastest, as in Scotch's `torusXD`.
EmbeddingFormat map() {
  return {"map", "Scotch: gmap's mapping file", write_map, reader(read_map)};
}

}  // namespace vtopo::detail::formats
