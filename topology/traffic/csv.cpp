#include <algorithm>
#include <cmath>
#include <iterator>
#include <vector>

#include "topology/base/append_format.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";

/// Number of columns that the header announces.
std::size_t read_header(LineFile& file) {
  if (!file.next_content())
    throw input_error({file.path()}, fmt::format("no header; accepted is {}", accepted_header));
  std::string header;
  const auto fields = file.fields(',');
  for (const Token& field : fields) {
    if (!header.empty()) header += ',';
    header += field.text;
  }
  if (header != "src,dst,bytes" && header != "src,dst,bytes,messages")
    throw input_error(file.at(fields[0].column),
                      fmt::format("header \"{}\"; accepted is {}", header, accepted_header));
  return fields.size();
}

DirectedEdge read_edge(LineFile& file, std::size_t num_columns) {
  const auto fields = file.fields(',');
  if (fields.size() != num_columns)
    throw input_error(
        fields.size() < num_columns ? file.line_end() : file.at(fields[num_columns].column),
        fmt::format("{} fields where the header has {}", fields.size(), num_columns));
  DirectedEdge edge{read_rank(file, fields[0]), read_rank(file, fields[1]), {}};
  edge.volume = Bytes{read_number(file, fields[2], "volume")};
  if (num_columns == 4) edge.messages = read_messages(file, fields[3]);
  return edge;
}

}  // namespace

Recording read_edge_list_csv(const std::string& path) {
  LineFile file(path);
  const std::size_t num_columns = read_header(file);
  Recording recording;
  while (file.next_content()) {
    const DirectedEdge edge = read_edge(file, num_columns);
    recording.name(edge.source);
    recording.name(edge.destination);
    if (edge.volume.value > 0 || edge.messages > 0) recording.edges.push_back(edge);
  }
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
void read_row(const LineFile& file, std::span<const Token> row, Rank source, Recording& recording) {
  for (std::size_t column = 0; column < row.size(); ++column) {
    const Bytes volume{read_number(file, row[column], "volume")};
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

Recording read_dense_csv(const std::string& path, bool named) {
  LineFile file(path);
  Recording recording;
  int num_rows = 0;
  bool commas = false;
  FilePosition end{path};
  for (; file.next_content(); ++num_rows) {
    if (num_rows == 0) commas = file.line().find(',') != std::string_view::npos;
    const auto row = commas ? file.fields(',') : file.words();
    if (num_rows == 0) recording.num_ranks = int_size(row);
    check_columns(file, row, index(recording.num_ranks));
    if (num_rows == recording.num_ranks)
      throw input_error(file.at(row[0].column),
                        fmt::format("row {} of a matrix with {} columns; accepted are as many rows "
                                    "as columns",
                                    num_rows + 1, num_rows));
    read_row(file, row, Rank{num_rows}, recording);
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
