#include <utility>

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

/// How many slots there are is checked where the host is known.
void check_slot(const LineFile& file, const Token& token) {
  const auto slot = parse_integer(token.text);
  if (!slot || *slot < 0)
    throw input_error(file.at(token.column),
                      fmt::format("slot \"{}\": accepted is a number from 0", token.text));
}

/// Columns in any order, others between them.
void read_csv(const std::string& path, PlacedRanks& ranks) {
  LineFile file(path);
  CsvTable table(file, accepted_header);
  const auto rank_column = table.column(rank_headings), host_column = table.column(host_headings);
  const auto slot_column = table.column(slot_headings);
  const bool in_socket = slot_column && table.column("socket socketid numa");
  table.need({rank_column, host_column, in_socket ? std::nullopt : rank_column}, accepted_header,
             "; slots are counted in the whole host");
  while (table.next()) {
    if (slot_column) check_slot(file, table[*slot_column]);
    const Rank rank = read_rank(file, table[*rank_column]);
    const FilePosition at = file.at(table[*host_column].column);
    const std::string_view name = with_formula(table[*host_column].text);
    const HostId host = slot_column ? ranks.host_with_slot(name, table[*slot_column].text, at)
                                    : ranks.host_named(name, at);
    ranks.place(rank, host, file.at(table[*rank_column].column));
  }
}

}  // namespace

/// vtopo's own: a header `rank,host,slot`, then one line per rank, in any order.
EmbeddingFormat csv() {
  return {"csv", "rank,host,slot: spreadsheets, scripts", write_csv, reader(read_csv)};
}

}  // namespace vtopo::detail::formats
