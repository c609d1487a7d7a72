#include <algorithm>
#include <cmath>
#include <map>
#include <optional>
#include <set>
#include <span>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topology/base/append_format.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/host_list.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";
constexpr std::size_t most_fields_of_edges = 4;

// As `plain_heading` spells them; the first one that a header has counts.
constexpr std::string_view source_headings = "src source sender send from origin i row u rank";
constexpr std::string_view destination_headings =
    "dst dest destination target receiver recv to peer j col column v";
constexpr std::string_view rank_affixes = "id rank process proc task|id node";
constexpr std::string_view volume_headings =
    "bytes volume size nbytes traffic weight w value amount data msgsize messagesize "
    "bytespermessage";
constexpr std::string_view message_headings = "messages msgs nmessages nmsgs count calls";

/// Where a line has what.
struct EdgeColumns {
  std::size_t source = 0, destination = 0;
  std::optional<std::size_t> volume = std::nullopt, messages = std::nullopt;
  std::optional<std::size_t> type = std::nullopt;  ///< Gephi's: `Directed` or `Undirected`
  bool volume_of_one = false;                      ///< of one of the messages
  std::vector<std::string> remarks = {};
};

/// What the volume is where its heading may mean two things.
/// @throws InputError for a unit other than bytes in brackets.
void read_volume_heading(const LineFile& file, const CsvTable& table, EdgeColumns& columns) {
  const std::string& heading = table.headings()[*columns.volume];
  const std::string name{without_affixes(plain_heading(heading), volume_affixes)};
  const std::size_t bracket = heading.find_first_of("[(");
  const std::string unit = bracket == 0 || bracket == heading.npos
                               ? "bytes"
                               : plain_heading(heading.substr(bracket + 1));
  if (unit != "bytes" && unit != "byte" && unit != "b")
    throw input_error(file.at(1),
                      fmt::format("column \"{}\": accepted are volumes in bytes", heading));
  for (const std::string_view vague : {"weight", "w", "value", "amount", "data"})
    if (name == vague)
      columns.remarks.push_back(fmt::format("column \"{}\" counts as bytes", heading));
  for (const std::string_view one : {"msgsize", "messagesize", "bytespermessage"})
    columns.volume_of_one = columns.volume_of_one || name == one;
  if (!columns.messages) return;
  const std::string& messages = table.headings()[*columns.messages];
  if (columns.volume_of_one)
    columns.remarks.push_back(
        fmt::format("column \"{}\" is the size of one message: an edge has as many bytes times "
                    "\"{}\"",
                    heading, messages));
  else if (name == "size")
    columns.remarks.push_back(fmt::format(
        "column \"{}\" counts as the bytes of all messages (\"{}\") of a line together; "
        "the size of one message is called msg_size",
        heading, messages));
}

/// Columns by their headings. The first name that a header has counts.
EdgeColumns read_header(const LineFile& file, const CsvTable& table, WeightRule rule) {
  EdgeColumns columns;
  const auto source = table.column(source_headings, rank_affixes);
  const auto destination = table.column(destination_headings, rank_affixes);
  columns.volume = table.column(volume_headings, volume_affixes);
  columns.messages = table.column(message_headings, volume_affixes);
  columns.type = table.column("type");
  table.need({source, destination, rule == WeightRule::pattern ? source : columns.volume},
             accepted_header,
             ", or names such as source,target,weight; --weights pattern needs no volume");
  columns.source = *source;
  columns.destination = *destination;
  if (columns.volume) read_volume_heading(file, table, columns);
  const std::string others =
      table.other_columns({source, destination, columns.volume, columns.messages, columns.type});
  if (!others.empty())
    columns.remarks.push_back(fmt::format("column{} {} not read",
                                          others.find("\", \"") == others.npos ? "" : "s", others));
  return columns;
}

/// Gives the ends of all edges, numbers of names so far, their ranks.
void number_ends(Recording& recording, std::span<const Rank> senders, NodeRanks receivers) {
  for (DirectedEdge& edge : recording.edges) {
    edge.source = senders[index(edge.source)];
    edge.destination = receivers.ranks[index(edge.destination)];
  }
  if (!receivers.remark.empty()) recording.remarks.push_back(std::move(receivers.remark));
}

/// Ranks by their numbers, or, where the first line has another name, by names.
class NamedRanks {
 public:
  explicit NamedRanks(const LineFile& file) : file_(file) {}

  Rank read(const Token& token) {
    if (!by_name_) by_name_ = token.text.find_first_of("0123456789+-.") != 0;
    if (!*by_name_ || token.text.empty() || int_size(names_) == max_ranks_in_file)
      return read_rank(file_, token);
    const auto [entry, is_new] = ranks_.emplace(token.text, id_at<Rank>(names_.size()));
    if (is_new) names_.emplace_back(token.text);
    return entry->second;
  }

  /// Numbers the ranks as their names say, as `ranks_of_names` has it.
  void number_ranks(Recording& recording) const {
    if (names_.empty()) return;
    const NodeRanks nodes = ranks_of_names(names_);
    number_ends(recording, nodes.ranks, nodes);
  }

 private:
  const LineFile& file_;
  std::optional<bool> by_name_;
  std::vector<std::string> names_;
  std::unordered_map<std::string, Rank> ranks_;
};

DirectedEdge read_edge(const LineFile& file, const CsvTable& row, const EdgeColumns& columns,
                       WeightRule rule, NamedRanks& ranks) {
  DirectedEdge edge{ranks.read(row[columns.source]), {}, {1}};
  edge.destination = ranks.read(row[columns.destination]);
  if (columns.volume) edge.volume = read_volume(file, row[*columns.volume], rule);
  if (columns.messages) edge.messages = read_messages(file, row[*columns.messages]);
  if (columns.volume_of_one) edge.volume.value *= edge.messages;
  return edge;
}

}  // namespace

Recording read_edge_list_csv(const std::string& path, WeightRule rule) {
  LineFile file(path);
  CsvTable table(file, accepted_header);
  const EdgeColumns columns = read_header(file, table, rule);
  NamedRanks ranks(file);
  Recording recording;
  recording.remarks = columns.remarks;
  bool has_zero = false, has_other_types = false;
  std::size_t lines = 0, undirected = 0;
  for (; table.next(); ++lines) {
    DirectedEdge edge = read_edge(file, table, columns, rule, ranks);
    recording.name(edge.source);
    recording.name(edge.destination);
    has_zero = has_zero || edge.source == Rank{0} || edge.destination == Rank{0};
    const std::string type = columns.type ? plain_heading(table[*columns.type].text) : "";
    const bool both_ways = type == "undirected";
    undirected += both_ways ? 1 : 0;
    has_other_types = has_other_types || !(both_ways || type.empty() || type == "directed");
    if (edge.volume.value <= 0 && edge.messages <= 0) continue;
    if (both_ways && edge.source != edge.destination) {
      edge.volume.value /= 2;
      recording.edges.push_back({edge.destination, edge.source, edge.volume, edge.messages});
    }
    recording.edges.push_back(edge);
  }
  ranks.number_ranks(recording);
  if (undirected > 0)
    recording.remarks.push_back(
        fmt::format("{} of {} lines are undirected: half of the volume of each flows each way",
                    undirected, lines));
  if (has_other_types)
    recording.remarks.push_back(
        fmt::format("column \"{}\" is read only where it is Directed or "
                    "Undirected",
                    table.headings()[*columns.type]));
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

/// Lines of a matrix, split at commas or semicolons or, where the first line has neither, at
/// blanks.
class MatrixLines {
 public:
  explicit MatrixLines(const std::string& path) : file_(path) {}

  bool next() {
    if (!file_.next_content()) return false;
    if (row_.empty() && file_.line().find_first_of(",;") != std::string_view::npos) {
      separator_ = csv_separator(file_.line());
      ends_lines_ = file_.line().ends_with(separator_);
    }
    const auto fields = separator_ == ' ' ? file_.words() : file_.fields(separator_);
    row_.assign(fields.begin(), fields.end());
    if (ends_lines_ && row_.back().text.empty()) row_.pop_back();
    for (Token& field : row_)
      if (field.text.size() > 1 && field.text.starts_with('"') && field.text.ends_with('"'))
        field.text = trim(field.text.substr(1, field.text.size() - 2));
    return true;
  }

  /// How many lines there are behind the current one, whose fields are lost.
  std::size_t count_rest() {
    std::size_t count = 0;
    while (file_.next_content()) ++count;
    return count;
  }

  const LineFile& file() const { return file_; }
  std::span<const Token> row() const { return row_; }

 private:
  LineFile file_;
  char separator_ = ' ';
  bool ends_lines_ = false;  ///< a separator
  std::vector<Token> row_;
};

/// Whether a first line says what is in which column of an edge list.
bool is_edge_header(const std::string& path) {
  LineFile file(path);
  const CsvTable table(file, accepted_header);
  return table.column(source_headings, rank_affixes) &&
         table.column(destination_headings, rank_affixes);
}

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

bool has_matrix_names(const std::string& path) {
  const MatrixNames names = matrix_names(path);
  return names.rows || !names.columns.empty();
}

Recording read_dense_csv(const std::string& path, bool named, WeightRule rule) {
  const MatrixNames names = matrix_names(path);
  MatrixLines lines(path);
  if (!names.columns.empty()) lines.next();
  Recording recording;
  std::vector<std::string> rows;
  int num_rows = 0;
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
    read_row(file, row, Rank{num_rows}, rule, recording);
    end = file.line_end();
  }
  if (num_rows == 0)
    throw input_error({path}, "no row; accepted are N lines of N volumes, rows are senders");
  if (num_rows < recording.num_ranks)
    throw input_error(end, fmt::format("the file ends after {} rows of {}", num_rows,
                                       not_square(recording.num_ranks)));
  if (!named && !names.rows) check_is_matrix(path, recording);
  if (names.rows || !names.columns.empty()) name_ranks(path, rows, names.columns, recording);
  if (!names.rows && !names.columns.empty() && !is_name(names.columns[0]))
    recording.remarks.push_back(
        fmt::format("the first line, the numbers 0 to {}, names the columns", num_rows - 1));
  return recording;
}

}  // namespace vtopo::detail
