#include <utility>

#include "sim/placement/formats/formats.hpp"
#include "topology/base/formula_cells.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail::formats {

namespace {

constexpr std::string_view accepted_header = "rank,host,slot or rank,host";

std::string write_csv(const EmbeddingDocument& document) {
  std::string text = "rank,host,slot\n";
  int rank = 0;
  for (auto& [node, slot] : node_slots(document))
    text += fmt::format("{},{},{}\n", rank++,
                        without_formula(plain_name(std::move(node), ",", "csv")), slot);
  return text;
}

/// Number of columns that the header announces.
std::size_t read_header(LineFile& file) {
  if (!file.next_content())
    throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted_header));
  std::vector<std::string> names;
  for (const Token& field : file.fields(',')) names.emplace_back(field.text);
  const std::string header = join(names, ",");
  if (header != "rank,host,slot" && header != "rank,host")
    throw input_error(file.at(1),
                      fmt::format("header \"{}\"; accepted is {}", header, accepted_header));
  return names.size();
}

/// How many slots there are is checked where the host is known.
void check_slot(const LineFile& file, const Token& token) {
  const auto slot = parse_integer(token.text);
  if (!slot || *slot < 0)
    throw input_error(file.at(token.column),
                      fmt::format("slot \"{}\": accepted is a number from 0", token.text));
}

void read_csv(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  const std::size_t num_columns = read_header(file);
  while (file.next_content()) {
    const auto fields = file.fields(',');
    if (fields.size() != num_columns)
      throw input_error(
          fields.size() < num_columns ? file.line_end() : file.at(fields[num_columns].column),
          fmt::format("{} fields where the header has {}", fields.size(), num_columns));
    if (num_columns == 3) check_slot(file, fields[2]);
    const Rank rank = read_rank(file, fields[0]);
    const FilePosition at = file.at(fields[1].column);
    const std::string_view name = with_formula(fields[1].text);
    const HostId host = num_columns == 3 ? ranks.host_with_slot(name, fields[2].text, at)
                                         : ranks.host_named(name, at);
    ranks.place(rank, host, file.at(fields[0].column));
  }
}

}  // namespace

/// vtopo's own: a header `rank,host,slot`, then one line per rank, in any order.
EmbeddingFormat csv() {
  return {"csv", "rank,host,slot: spreadsheets, scripts", write_csv, reader(read_csv)};
}

}  // namespace vtopo::detail::formats
