#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <optional>
#include <vector>

#include "topology/base/append_format.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";

// As `plain_heading` spells them; the first one that a header has counts.
constexpr std::array<std::string_view, 11> source_headings{
    "src",      "source", "sender", "from", "srcrank", "sourcerank",
    "sendrank", "i",      "row",    "u",    "rank"};
constexpr std::array<std::string_view, 15> destination_headings{
    "dst",        "dest",     "destination", "target", "receiver", "to",     "dstrank", "destrank",
    "targetrank", "recvrank", "peer",        "j",      "col",      "column", "v"};
constexpr std::array<std::string_view, 13> volume_headings{
    "bytes",   "volume", "size", "totalbytes", "bytessent", "numbytes", "nbytes",
    "traffic", "weight", "w",    "value",      "amount",    "data"};
constexpr std::array<std::string_view, 8> message_headings{
    "messages", "msgs", "nummessages", "nmessages", "nmsgs", "msgssent", "count", "calls"};

/// Where a line has what.
struct EdgeColumns {
  char separator = ',';
  std::size_t count = 0;
  std::size_t source = 0, destination = 0;
  std::optional<std::size_t> volume = std::nullopt, messages = std::nullopt;
  std::vector<std::string> remarks = {};
};

/// Columns by their headings. The first name that a header has counts.
EdgeColumns read_header(LineFile& file, WeightRule rule) {
  if (!file.next_content())
    throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted_header));
  EdgeColumns columns;
  columns.separator = csv_separator(file.line());
  const auto fields = file.fields(columns.separator);
  columns.count = fields.size();
  const auto source = find_column(fields, source_headings);
  const auto destination = find_column(fields, destination_headings);
  columns.volume = find_column(fields, volume_headings);
  columns.messages = find_column(fields, message_headings);
  std::string header;
  for (const Token& field : fields)
    header += fmt::format("{}{}", header.empty() ? "" : ",", field.text);
  const bool has_volume = columns.volume || rule == WeightRule::pattern;
  if (!source || !destination || !has_volume)
    throw input_error(
        file.at(fields[0].column),
        fmt::format("header \"{}\"; accepted is {}, in any order, or names such as "
                    "source,target,weight{}",
                    header, accepted_header,
                    source && destination ? "; with --weights pattern no volume is needed" : ""));
  columns.source = *source;
  columns.destination = *destination;
  if (columns.volume) {
    const std::string name = plain_heading(fields[*columns.volume].text);
    if (name == "weight" || name == "w" || name == "value" || name == "amount" || name == "data")
      columns.remarks.push_back(
          fmt::format("column \"{}\" counts as bytes", fields[*columns.volume].text));
  }
  std::vector<std::string> ignored;
  for (std::size_t column = 0; column < fields.size(); ++column)
    if (column != *source && column != *destination && column != columns.volume &&
        column != columns.messages && !is_index_column(fields[column]))
      ignored.push_back(fmt::format("\"{}\"", fields[column].text));
  if (!ignored.empty())
    columns.remarks.push_back(
        fmt::format("column{} {} not read", ignored.size() > 1 ? "s" : "", join(ignored, ", ")));
  return columns;
}

DirectedEdge read_edge(LineFile& file, const EdgeColumns& columns, WeightRule rule) {
  const auto fields = file.fields(columns.separator);
  if (fields.size() != columns.count)
    throw input_error(
        fields.size() < columns.count ? file.line_end() : file.at(fields[columns.count].column),
        fmt::format("{} fields where the header has {}", fields.size(), columns.count));
  DirectedEdge edge{
      read_rank(file, fields[columns.source]), read_rank(file, fields[columns.destination]), {1}};
  if (columns.volume) edge.volume = read_volume(file, fields[*columns.volume], rule);
  if (columns.messages) edge.messages = read_messages(file, fields[*columns.messages]);
  return edge;
}

}  // namespace

Recording read_edge_list_csv(const std::string& path, WeightRule rule) {
  LineFile file(path);
  const EdgeColumns columns = read_header(file, rule);
  Recording recording;
  recording.remarks = columns.remarks;
  bool has_zero = false;
  while (file.next_content()) {
    const DirectedEdge edge = read_edge(file, columns, rule);
    recording.name(edge.source);
    recording.name(edge.destination);
    has_zero = has_zero || edge.source == Rank{0} || edge.destination == Rank{0};
    if (edge.volume.value > 0 || edge.messages > 0) recording.edges.push_back(edge);
  }
  if (!has_zero && recording.num_ranks > 0 && !columns.remarks.empty())
    recording.remarks.emplace_back("no line names rank 0: ranks count from 0");
  return recording;
}

std::string write_edge_list_csv(const CommGraph& graph) {
  std::string text = "src,dst,bytes,messages\n";
  int named = 0;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    append_format(text, "{},{},{},{}\n", number(source), number(edge.destination),
                  edge.volume.value, edge.messages);
    named = std::max({named, number(source) + 1, number(edge.destination) + 1});
  });
  const int last = graph.num_ranks() - 1;  // named although it is silent
  if (named <= last) append_format(text, "{},{},0,0\n", last, last);
  return text;
}

namespace {

/// Adds one line of the matrix: what rank `source` sends to each rank.
void read_row(const LineFile& file, std::span<const Token> row, Rank source, WeightRule rule,
              Recording& recording) {
  for (std::size_t column = 0; column < row.size(); ++column) {
    const Bytes volume = read_volume(file, row[column], rule);
    if (volume.value > 0) recording.edges.push_back({source, id_at<Rank>(column), volume});
  }
}

void check_columns(const LineFile& file, std::span<const Token> row, std::size_t num_columns) {
  if (row.size() == num_columns) return;
  throw input_error(
      row.size() < num_columns ? file.line_end() : file.at(row[num_columns].column),
      fmt::format("row of {} numbers where the first row has {}", row.size(), num_columns));
}

/// Whether every row may be an edge "source destination [bytes [messages]]" just as well: what a
/// matrix has on its diagonal, traffic of ranks with themselves, is rare.
bool may_be_edges(const std::vector<std::vector<double>>& matrix) {
  const auto is_id = [](double value) {
    return value == std::floor(value) && value < max_ranks_in_file;
  };
  if (matrix.size() < 2 || matrix.size() > 4) return false;
  bool has_diagonal = false;
  for (std::size_t r = 0; r < matrix.size(); ++r) {
    const auto& row = matrix[r];
    if (!is_id(row[0]) || !is_id(row[1]) || row[0] == row[1]) return false;
    if (row.size() == 4 && row[3] != std::floor(row[3])) return false;
    has_diagonal = has_diagonal || row[r] > 0;
  }
  return has_diagonal;
}

/// @throws InputError for a matrix that may be a list of edges.
void check_is_matrix(const std::string& path, const Recording& recording) {
  constexpr int most = 4;
  if (recording.num_ranks > most) return;
  std::vector matrix(index(recording.num_ranks), std::vector<double>(index(recording.num_ranks)));
  for (const DirectedEdge& edge : recording.edges)
    matrix[index(edge.source)][index(edge.destination)] = edge.volume.value;
  if (!may_be_edges(matrix)) return;
  throw input_error(
      {path},
      fmt::format("{0} lines of {0} numbers are a matrix or {0} edges; accepted are a matrix "
                  "whose format is named (dense), and edges below a header "
                  "src,dst,bytes[,messages]",
                  recording.num_ranks));
}

/// @throws UsageError if the file would be larger than those that are read.
void check_size(int num_ranks) {
  const double bytes = 2.0 * num_ranks * num_ranks;  // a digit and a separator each
  if (bytes > static_cast<double>(LineFile::max_file_bytes) ||
      bytes / num_ranks > LineFile::max_line_bytes)
    throw UsageError(fmt::format(
        "a dense matrix of {} ranks needs {:.3g} bytes or more; accepted are up to {} in a file: "
        "edges and mtx hold only what flows",
        num_ranks, bytes, LineFile::max_file_bytes));
}

std::string write_matrix(const CommGraph& graph, char separator) {
  check_size(graph.num_ranks());
  std::string text;
  std::vector<double> row(index(graph.num_ranks()));
  for (int r = 0; r < graph.num_ranks(); ++r) {
    std::fill(row.begin(), row.end(), 0);
    for (const CommEdge& edge : graph.out_edges(Rank{r}))
      row[index(edge.destination)] += edge.volume.value;
    for (std::size_t d = 0; d < row.size(); ++d) {
      if (d > 0) text += separator;
      append_format(text, "{}", row[d]);
    }
    text += '\n';
  }
  return text;
}

}  // namespace

std::string write_dense_csv(const CommGraph& graph) {
  return write_matrix(graph, ',');
}

std::string write_treematch(const CommGraph& graph) {
  return write_matrix(graph, ' ');
}

Recording read_dense_csv(const std::string& path, bool named, WeightRule rule) {
  LineFile file(path);
  Recording recording;
  int num_rows = 0;
  char separator = ' ';
  FilePosition end{path};
  for (; file.next_content(); ++num_rows) {
    if (num_rows == 0 && file.line().find_first_of(",;") != std::string_view::npos)
      separator = csv_separator(file.line());
    const auto row = separator == ' ' ? file.words() : file.fields(separator);
    if (num_rows == 0) recording.num_ranks = int_size(row);
    check_columns(file, row, index(recording.num_ranks));
    if (num_rows == recording.num_ranks)
      throw input_error(file.at(row[0].column),
                        fmt::format("row {} of a matrix with {} columns; accepted are as many rows "
                                    "as columns",
                                    num_rows + 1, num_rows));
    read_row(file, row, Rank{num_rows}, rule, recording);
    end = file.line_end();
  }
  if (num_rows == 0)
    throw input_error({path}, "no row; accepted are N lines of N volumes, rows are senders");
  if (num_rows < recording.num_ranks)
    throw input_error(end, fmt::format("the file ends after {} rows of a matrix with {} columns; "
                                       "accepted are as many rows as columns",
                                       num_rows, recording.num_ranks));
  if (!named) check_is_matrix(path, recording);
  return recording;
}

}  // namespace vtopo::detail
