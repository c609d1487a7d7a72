#include <algorithm>
#include <optional>
#include <span>
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

namespace vtopo::detail {

namespace {

constexpr std::string_view accepted_header = "src,dst,bytes or src,dst,bytes,messages";

// As `plain_heading` spells them; the first one that a header has counts.
constexpr std::string_view source_headings = "src source sender send from origin i row u rank";
constexpr std::string_view destination_headings =
    "dst dest destination target receiver recv to peer partner neighbor neighbour j col column v";
constexpr std::string_view rank_affixes = "id rank process proc task|id node";
constexpr std::string_view volume_headings =
    "bytes byte volume vol size nbytes traffic weight w value val amount data";
constexpr std::string_view headings_of_one_message =
    "msgsize messagesize msgbytes messagebytes bytespermessage bytespermsg sizepermessage";
constexpr std::string_view message_headings =
    "messages msgs nmessages nmsgs nmsg message msg count calls";
constexpr std::string_view message_affixes =
    "total sum number num nb sent send communication comm edge count of";

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
  for (const std::string_view vague : {"weight", "w", "value", "val", "amount", "data"})
    if (name == vague)
      columns.remarks.push_back(fmt::format("column \"{}\" counts as bytes", heading));
  if (!columns.messages && columns.volume_of_one)
    columns.remarks.push_back(fmt::format(
        "column \"{}\" counts as the bytes of a line: no column says how many messages", heading));
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
  columns.messages = table.column(message_headings, message_affixes);
  if (!columns.volume) columns.volume = table.column(headings_of_one_message);
  columns.volume_of_one = columns.volume && columns.volume == table.column(headings_of_one_message);
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

}  // namespace

void number_ends(Recording& recording, std::span<const Rank> senders, NodeRanks receivers) {
  for (DirectedEdge& edge : recording.edges) {
    edge.source = senders[index(edge.source)];
    edge.destination = receivers.ranks[index(edge.destination)];
  }
  if (!receivers.remark.empty()) recording.remarks.push_back(std::move(receivers.remark));
}

namespace {

/// Ranks by their numbers, or, where the first line has another name, by names.
class NamedRanks {
 public:
  explicit NamedRanks(const LineFile& file) : file_(file) {}

  Rank read(const Token& token) {
    if (!by_name_) by_name_ = token.text.find_first_of("0123456789+-.") != 0;
    if (!*by_name_ || token.text.empty() || is_sum(token.text) ||
        int_size(names_) == max_ranks_in_file)
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
        fmt::format("column \"{}\" is read only where it is Directed or Undirected",
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

bool is_edge_header(const std::string& path) {
  LineFile file(path);
  const CsvTable table(file, accepted_header);
  return table.column(source_headings, rank_affixes) &&
         table.column(destination_headings, rank_affixes);
}

}  // namespace vtopo::detail
