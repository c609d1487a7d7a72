#include "sim/formats/launchers/launchers.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

std::optional<std::string> vcoord_unsupported_reason(const Network& network, const Allocation&) {
  return coordinates_unsupported_reason(network, 3, "a Fujitsu vcoordfile");
}

std::string write_vcoord(const EmbeddingDocument& document) {
  const std::vector<int> sizes = grid_sizes(document.network);
  std::string text;
  for (const HostId host : document.embedding.hosts())
    text += fmt::format("({})\n", fmt::join(coordinates_of(host, sizes), ","));
  return text;
}

/// Host of a line such as `(1,0,2)`.
HostId read_host(const LineFile& file, std::span<const int> sizes) {
  const std::string_view line = file.line();
  const std::string_view text = trim(line);
  const int column = narrow<int>(text.data() - line.data()) + 1;
  const bool has_brackets = text.size() >= 2 && text.front() == '(' && text.back() == ')';
  const auto pieces =
      split(has_brackets ? text.substr(1, text.size() - 2) : std::string_view(), ',');
  if (!has_brackets || pieces.size() != sizes.size())
    throw input_error(file.at(column),
                      fmt::format("\"{}\": accepted are {} coordinates such as ({})", text,
                                  sizes.size(), fmt::join(std::vector(sizes.size(), 0), ",")));
  std::vector<int> coordinates;
  for (std::size_t d = 0; d < sizes.size(); ++d) {
    const auto value = parse_integer(trim(pieces[d]));
    if (!value || *value < 0 || *value >= sizes[d])
      throw input_error(
          file.at(narrow<int>(pieces[d].data() - line.data()) + 1),
          fmt::format("coordinate \"{}\": accepted are 0 to {}", trim(pieces[d]), sizes[d] - 1));
    coordinates.push_back(narrow<int>(*value));
  }
  return host_at(coordinates, sizes);
}

void read_vcoord(const std::string& path, PlacedRanks& ranks) {
  const std::vector<int> sizes = grid_sizes(ranks.network());
  LineFile file(path);
  while (file.next_content()) ranks.place_next(read_host(file, sizes), file.at(1));
}

}  // namespace

/// Fujitsu (K computer, Fugaku): `mpiexec --vcoordfile FILE`, line i holds the logical coordinates
/// `(x,y,z)` of the node of rank i, one to three of them. x is the network's first dimension.
EmbeddingFormat vcoord() {
  return {"vcoord",
          "Fujitsu: mpiexec --vcoordfile FILE",
          write_vcoord,
          reader(read_vcoord),
          vcoord_unsupported_reason,
          launched_by({{"Fujitsu", "mpiexec --vcoordfile {path} -n {ranks} ./program"}})};
}

}  // namespace vtopo::detail::formats
