#include <optional>
#include <utility>
#include <vector>

#include "sim/placement/formats/formats.hpp"
#include "topology/base/csv_columns.hpp"
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

/// Where a line has what.
struct RankColumns {
  std::size_t count = 0;
  std::size_t rank = 0, host = 0;
  std::optional<std::size_t> slot = std::nullopt;
};

/// Columns in any order, with one of line numbers or not.
RankColumns read_header(LineFile& file) {
  if (!file.next_content())
    throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted_header));
  const auto header = file.fields(',');
  const auto rank = find_column(header, rank_headings), host = find_column(header, host_headings);
  const auto slot = find_column(header, slot_headings);
  std::vector<std::string> names;
  bool known = rank && host;
  for (std::size_t column = 0; column < header.size(); ++column) {
    names.emplace_back(header[column].text);
    known = known &&
            (column == rank || column == host || column == slot || is_index_column(header[column]));
  }
  if (!known)
    throw input_error(file.at(1), fmt::format("header \"{}\"; accepted is {}, in any order",
                                              join(names, ","), accepted_header));
  return {header.size(), *rank, *host, slot};
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
  const RankColumns columns = read_header(file);
  while (file.next_content()) {
    const auto fields = file.fields(',');
    if (fields.size() != columns.count)
      throw input_error(
          fields.size() < columns.count ? file.line_end() : file.at(fields[columns.count].column),
          fmt::format("{} fields where the header has {}", fields.size(), columns.count));
    if (columns.slot) check_slot(file, fields[*columns.slot]);
    const Rank rank = read_rank(file, fields[columns.rank]);
    const FilePosition at = file.at(fields[columns.host].column);
    const std::string_view name = with_formula(fields[columns.host].text);
    const HostId host = columns.slot ? ranks.host_with_slot(name, fields[*columns.slot].text, at)
                                     : ranks.host_named(name, at);
    ranks.place(rank, host, file.at(fields[columns.rank].column));
  }
}

}  // namespace

/// vtopo's own: a header `rank,host,slot`, then one line per rank, in any order.
EmbeddingFormat csv() {
  return {"csv", "rank,host,slot: spreadsheets, scripts", write_csv, reader(read_csv)};
}

}  // namespace vtopo::detail::formats
