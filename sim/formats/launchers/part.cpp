#include <vector>

#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

std::string write_part(const EmbeddingDocument& document) {
  std::vector<int> parts(index(document.network.num_hosts()));
  for (int i = 0; i < document.allocation.num_hosts(); ++i)
    parts[index(document.allocation.hosts[index(i)])] = i;
  std::string text;
  for (const HostId host : document.embedding.hosts())
    text += fmt::format("{}\n", parts[index(host)]);
  return text;
}

void read_part(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  const auto& hosts = ranks.allocation().hosts;
  while (file.next_content()) {
    const auto words = file.words();
    const auto part = parse_integer(words[0].text);
    if (words.size() != 1 || !part || *part < 0 || *part >= int_size(hosts))
      throw input_error(file.at(words[0].column),
                        fmt::format("part \"{}\": accepted is the position of a host in the "
                                    "allocation, 0 to {}",
                                    trim(file.line()), hosts.size() - 1));
    ranks.place_next(hosts[index(*part)], file.at(words[0].column));
  }
}

}  // namespace

/// Partition of METIS (`gpmetis` writes `GRAPH.part.N`): a line per rank with its part, part k is
/// the k-th host of the allocation, from 0.
EmbeddingFormat part() {
  return {"part", "METIS: a partition, part k is the k-th allocated host", write_part,
          reader(read_part)};
}

}  // namespace vtopo::detail::formats
