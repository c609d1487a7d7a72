#include <algorithm>
#include <cctype>
#include <cmath>
#include <map>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/counted.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t most_fields_of_edges = 4;

/// Lines of a matrix, split at commas, semicolons or bars or, where the first line has none, at
/// blanks. Rows and a last column that add up the others are left out.
class MatrixLines {
 public:
  explicit MatrixLines(const std::string& path) : file_(path) {}

  bool next() {
    if (!file_.next_content()) return false;
    const bool is_first = row_.empty();
    if (is_first && file_.line().find_first_of(",;|") != std::string_view::npos) {
      separator_ = csv_separator(file_.line());
      ends_lines_ = file_.line().ends_with(separator_);
    }
    split_csv(file_.line(), separator_, row_);
    if (ends_lines_ && row_.back().text.empty()) row_.pop_back();
    if (is_first && row_.size() > 1 && is_sum(row_.back().text)) sums_ = row_.back().text;
    ends_in_sum_ = is_first ? !sums_.empty() : ends_in_sum_;
    if (ends_in_sum_ && row_.size() > 1) row_.pop_back();
    const bool is_header = is_first && row_.size() > 1 && !parse_number(row_[1].text);
    if (is_header || !is_sum(row_.front().text)) return true;
    sums_ = row_.front().text;
    return next();
  }

  /// How many lines there are behind the current one, whose fields are lost.
  std::size_t count_rest() {
    std::size_t count = 0;
    while (file_.next_content()) {
      const std::string_view line = trim(file_.line());
      count += is_sum(line.substr(0, line.find_first_of(separator_))) ? 0U : 1U;
    }
    return count;
  }

  /// Name of a row or column of sums; empty if there is none so far.
  const std::string& sums() const { return sums_; }

  const LineFile& file() const { return file_; }
  std::span<const Token> row() const { return row_; }

 private:
  LineFile file_;
  char separator_ = ' ';
  bool ends_lines_ = false;  ///< a separator
  bool ends_in_sum_ = false;
  std::string sums_;
  std::vector<Token> row_;
};

bool is_name(std::string_view field) {
  return !parse_number(field);
}

bool are_ranks(std::span<const std::string> names) {
  return ranks_of_names(names).remark.empty();
}

/// Whether they count places behind one prefix, from any number on, as R has `V1`, `V2`.
bool are_counted(std::span<const std::string> names) {
  const std::string stem{stem_of(names.front())};
  std::int64_t next = parse_integer(names.front().substr(stem.size())).value_or(-1);
  const auto follows = [&](std::string_view name) { return name == stem + std::to_string(next++); };
  return are_ranks(names) || (next >= 0 && std::all_of(names.begin(), names.end(), follows));
}

struct MatrixNames {
  std::vector<std::string> columns = {};  ///< as the first line has them; empty: it has numbers
  bool rows = false;                      ///< whether each row has its name in front
};

/// What is named follows from the numbers of lines and of their fields, and from the first line.
MatrixNames matrix_names(const std::string& path) {
  MatrixLines lines(path);
  if (!lines.next()) return {};
  std::vector<std::string> first;
  for (const Token& field : lines.row()) first.emplace_back(field.text);
  if (!lines.next() || is_edge_header(path)) return {};
  const std::size_t fields = lines.row().size();
  const bool second_is_named = is_name(lines.row()[0].text);
  const std::size_t count = lines.count_rest() + 2;
  const std::span behind = std::span(first).subspan(1);
  const bool is_header = is_name(first[0]) && !behind.empty();
  const bool all_names = is_header && std::all_of(behind.begin(), behind.end(), is_name);
  if (count == fields && first.size() + 1 == fields && (all_names || are_counted(first)))
    return {std::move(first), true};
  if (first.size() != fields) return {};
  if (count == fields + 1 && (all_names || (fields > most_fields_of_edges && are_ranks(first))))
    return {std::move(first), false};
  if (count == fields && is_header && (are_counted(behind) || (all_names && second_is_named)))
    return {{behind.begin(), behind.end()}, true};
  return {{},
          count + 1 == fields && is_header && std::none_of(behind.begin(), behind.end(), is_name)};
}

/// Numbers senders and receivers as the names of rows and columns say.
/// @throws InputError for a name twice, and for rows that have other names than the columns.
void name_ranks(const std::string& path, const std::vector<std::string>& rows,
                const std::vector<std::string>& columns, Recording& recording) {
  const auto& names = columns.empty() ? rows : columns;
  const NodeRanks receivers = ranks_of_names(names);
  std::vector<Rank> senders = receivers.ranks;
  std::map<std::string_view, Rank> known, seen;
  for (std::size_t n = 0; n < names.size(); ++n) known.emplace(names[n], receivers.ranks[n]);
  for (std::size_t n = 0; n < rows.size(); ++n) {
    const auto found = known.find(rows[n]);
    if (found != known.end()) senders[n] = seen[found->first] = found->second;
  }
  const bool say_ranks = !rows.empty() && are_counted(names) && are_counted(rows);
  if (known.size() < names.size() || (seen.size() < rows.size() && !(seen.empty() && say_ranks)))
    throw input_error({path},
                      "rows and columns of the matrix have different names, or a name twice; "
                      "accepted are the same names of both, each once");
  if (seen.empty() && !rows.empty()) senders = ranks_of_names(rows).ranks;
  number_ends(recording, senders, receivers);
}

/// Adds one line of the matrix: what rank `source` sends to each rank; how many cells are empty.
int read_row(const LineFile& file, std::span<const Token> row, Rank source, WeightRule rule,
             Recording& recording) {
  int num_empty = 0;
  for (std::size_t column = 0; column < row.size(); ++column) {
    if (row[column].text.empty()) ++num_empty;
    if (row[column].text.empty()) continue;
    const Bytes volume = read_volume(file, row[column], rule);
    if (volume.value > 0) recording.edges.push_back({source, id_at<Rank>(column), volume});
  }
  return num_empty;
}

void check_columns(const LineFile& file, std::span<const Token> row, std::size_t num_columns) {
  if (row.size() == num_columns) return;
  throw input_error(
      row.size() < num_columns ? file.line_end() : file.at(row[num_columns].column),
      fmt::format("row of {} numbers where the first row has {}", row.size(), num_columns));
}

/// @throws InputError for a matrix of which every row may be an edge "source destination [bytes
/// [messages]]" just as well: what a matrix has on its diagonal, traffic of ranks with themselves,
/// is rare.
void check_is_matrix(const std::string& path, const Recording& recording) {
  const std::size_t size = index(recording.num_ranks);
  if (size < 2 || size > most_fields_of_edges) return;
  std::vector matrix(size, std::vector<double>(size));
  for (const DirectedEdge& edge : recording.edges)
    matrix[index(edge.source)][index(edge.destination)] = edge.volume.value;
  const auto is_whole = [](double value) { return value == std::floor(value); };
  bool has_diagonal = false;
  for (std::size_t r = 0; r < size; ++r) {
    const auto& row = matrix[r];
    has_diagonal = has_diagonal || row[r] > 0;
    if (!is_whole(row[0]) || !is_whole(row[1]) || row[0] == row[1] ||
        std::max(row[0], row[1]) >= max_ranks_in_file || (size == 4 && !is_whole(row[3])))
      return;
  }
  if (!has_diagonal) return;
  throw input_error(
      {path},
      fmt::format("{0} lines of {0} numbers are a matrix or {0} edges; accepted are a matrix "
                  "whose format is named (dense), and edges below a header "
                  "src,dst,bytes[,messages]",
                  size));
}

/// What to say of a matrix that is not square: a list of edges has two to four columns.
std::string not_square(int num_columns) {
  return fmt::format(
      "a matrix with {} columns; accepted are as many rows as columns{}", num_columns,
      num_columns < 2 || num_columns > 4 ? ""
                                         : ", and edges below a header src,dst,bytes[,messages]");
}

std::string write_matrix(const CommGraph& graph, char separator) {
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

bool is_dense_csv(const std::string& path) {
  LineFile file(path);
  if (!file.next_content())
    throw input_error({path},
                      "no line; accepted are an edge list with the header "
                      "src,dst,bytes[,messages] and a dense matrix");
  const auto words = file.fields(csv_separator(file.line()));
  const bool letter = std::any_of(words.begin(), words.end(), [](const Token& word) {
    const auto first = word.text.find_first_not_of("\"'");
    return first != word.text.npos &&
           std::isalpha(static_cast<unsigned char>(word.text[first])) != 0;
  });
  if (!letter) return true;
  const MatrixNames names = matrix_names(path);
  return names.rows || !names.columns.empty();
}

Recording read_dense_csv(const std::string& path, bool named, WeightRule rule) {
  const MatrixNames names = matrix_names(path);
  MatrixLines lines(path);
  if (!names.columns.empty()) lines.next();
  Recording recording;
  std::vector<std::string> rows;
  int num_rows = 0, num_empty = 0;
  FilePosition end{path};
  for (; lines.next(); ++num_rows) {
    const LineFile& file = lines.file();
    std::span<const Token> row = lines.row();
    if (names.rows) rows.emplace_back(row[0].text), row = row.subspan(1);
    if (num_rows == 0) recording.num_ranks = int_size(row);
    check_columns(file, row, index(recording.num_ranks));
    if (num_rows == recording.num_ranks)
      throw input_error(file.at(row[0].column),
                        fmt::format("row {} of {}", num_rows + 1, not_square(num_rows)));
    num_empty += read_row(file, row, Rank{num_rows}, rule, recording);
    end = file.line_end();
  }
  if (num_rows == 0)
    throw input_error({path}, "no row; accepted are N lines of N volumes, rows are senders");
  if (num_rows < recording.num_ranks)
    throw input_error(end, fmt::format("the file ends after {} rows of {}", num_rows,
                                       not_square(recording.num_ranks)));
  if (!named && !names.rows) check_is_matrix(path, recording);
  if (names.rows || !names.columns.empty()) name_ranks(path, rows, names.columns, recording);
  if (num_empty > 0)
    recording.remarks.push_back(fmt::format("{} taken as 0", counted(num_empty, "empty cell")));
  if (!lines.sums().empty())
    recording.remarks.push_back(
        fmt::format("\"{}\" is left out: sums are not ranks", lines.sums()));
  if (!names.rows && !names.columns.empty() && !is_name(names.columns[0]))
    recording.remarks.push_back(
        fmt::format("the first line, the numbers 0 to {}, names the columns", num_rows - 1));
  return recording;
}

}  // namespace vtopo::detail
