#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "topology/base/append_format.hpp"
#include "topology/base/csv_columns.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/interchange_graph.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";

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
    NodeRanks nodes = ranks_of_names(names_);
    for (DirectedEdge& edge : recording.edges) {
      edge.source = nodes.ranks[index(edge.source)];
      edge.destination = nodes.ranks[index(edge.destination)];
    }
    if (!nodes.remark.empty()) recording.remarks.push_back(std::move(nodes.remark));
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

/// What to say of a matrix that is not square: a list of edges has two to four columns.
std::string not_square(int num_columns) {
  return fmt::format(
      "a matrix with {} columns; accepted are as many rows as columns{}", num_columns,
      num_columns < 2 || num_columns > 4 ? ""
                                         : ", and edges below a header src,dst,bytes[,messages]");
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
                        fmt::format("row {} of {}", num_rows + 1, not_square(num_rows)));
    read_row(file, row, Rank{num_rows}, rule, recording);
    end = file.line_end();
  }
  if (num_rows == 0)
    throw input_error({path}, "no row; accepted are N lines of N volumes, rows are senders");
  if (num_rows < recording.num_ranks)
    throw input_error(end, fmt::format("the file ends after {} rows of {}", num_rows,
                                       not_square(recording.num_ranks)));
  if (!named) check_is_matrix(path, recording);
  return recording;
}

}  // namespace vtopo::detail
