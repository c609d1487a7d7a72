#include "topology/traffic/smpi_flows.hpp"

#include <algorithm>
#include <array>
#include <cctype>
#include <limits>
#include <optional>
#include <string_view>

#include "topology/line_values.hpp"
#include "topology/narrow.hpp"
#include "topology/text.hpp"
#include "topology/units.hpp"

namespace vtopo {

namespace {

/// Bytes of SMPI's datatypes by their number in traces, found by sending one element of each.
constexpr std::array<int, 51> datatype_sizes{
    8, 4, 1,  2,  8, 4, 1, 8,  1, 1,  2,  4, 8, 8, 16, 4,  1,  // double int char ... bool
    1, 2, 4,  8,  1, 2, 4, 8,  8, 16, 32, 8, 8, 8, 16, 16, 8,  // int8 ... short_int
    8, 8, 16, 16, 4, 4, 8, 16, 8, 16, 16, 4, 2, 4, 8,  16, 32};
constexpr std::int64_t packed_type = 57, count_type = 59;

constexpr std::string_view null_process = "-333";  // SMPI's MPI_PROC_NULL

/// Actions that move no data between ranks, or of which the other end tells; `wait` and `test`
/// come in several kinds.
constexpr std::array<std::string_view, 23> silent_actions{
    "init",    "finalize", "compute",  "sleep",     "location",   "recv",     "irecv",    "wait",
    "waitall", "waitany",  "waitsome", "test",      "testall",    "testany",  "testsome", "probe",
    "iprobe",  "barrier",  "ibarrier", "comm_size", "comm_split", "comm_dup", "cancel"};

constexpr std::array<std::string_view, 10> send_actions{
    "send", "isend", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend", "put", "accumulate"};

constexpr std::size_t most_collective_pairs = 16777216;

template <class List>
bool holds(const List& list, std::string_view word) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return result;
}

}  // namespace

/// One line with its arguments, counted from 0 behind the name.
class SmpiFlows::Action {
 public:
  Action(const LineFile& file, std::span<const Token> words, Rank rank, double default_size,
         int num_ranks)
      : file_(file),
        words_(words),
        rank_(rank),
        default_size_(default_size),
        num_ranks_(num_ranks),
        name_(lower_case(words[1].text)) {}

  Rank rank() const { return rank_; }
  const std::string& name() const { return name_; }
  std::size_t num_arguments() const { return words_.size() - 2; }

  const Token& argument(std::size_t i, std::string_view what) const {
    if (i + 2 < words_.size()) return words_[i + 2];
    throw input_error(file_.line_end(),
                      fmt::format("the line ends where the {} of {} is due", what, words_[1].text));
  }

  double count(std::size_t i) const {
    return read_number(file_, argument(i, "number of elements"), "number of elements");
  }

  /// Absent: nobody is sent to.
  std::optional<Rank> partner(std::size_t i) const {
    const Token& token = argument(i, "rank");
    if (token.text == null_process) return std::nullopt;
    const Rank partner = read_rank(file_, token);
    if (number(partner) >= num_ranks_)
      throw input_error(file_.at(token.column),
                        fmt::format("rank {} in a trace of {} ranks", number(partner), num_ranks_));
    return partner;
  }

  Rank root(std::size_t i) const {
    if (const auto rank = partner(i)) return *rank;
    throw input_error(file_.at(words_[i + 2].column), "the root of a collective is no rank");
  }

  /// Bytes of an element.
  double size(std::size_t i) const {
    if (i >= num_arguments()) return default_size_;
    const Token& token = words_[i + 2];
    const auto type = parse_integer(token.text);
    if (type && *type >= 0 && *type < int_size(datatype_sizes))
      return datatype_sizes[static_cast<std::size_t>(*type)];
    if (type == packed_type) return 1;
    if (type == count_type) return 8;
    throw input_error(
        file_.at(token.column),
        type == -1 ? "datatype -1 is a derived one, whose size a trace does not tell; vtopo record "
                     "counts bytes"
                   : fmt::format("datatype \"{}\" is unknown; accepted are SMPI's 0 to 50, 57 and "
                                 "59",
                                 token.text));
  }

  /// Elements of a list of one number per rank, which starts at an argument.
  std::vector<double> counts(std::size_t first) const {
    const auto ranks = static_cast<std::size_t>(num_ranks_);
    if (num_arguments() < first + ranks)
      throw input_error(file_.line_end(),
                        fmt::format("{} with {} arguments, which needs one per rank, {}; SMPI "
                                    "writes none for MPI_Reduce_scatter_block: --record-kinds p2p "
                                    "leaves collectives out",
                                    words_[1].text, num_arguments(), num_ranks_));
    std::vector<double> result;
    for (std::size_t i = 0; i < ranks; ++i) result.push_back(count(first + i));
    return result;
  }

  [[noreturn]] void fail(std::string_view sentence) const {
    throw input_error(file_.at(words_[1].column), sentence);
  }

 private:
  const LineFile& file_;
  std::span<const Token> words_;
  Rank rank_;
  double default_size_;
  int num_ranks_;
  std::string name_;
};

SmpiFlows::SmpiFlows(int num_ranks, RecordKinds kinds)
    : kinds_(kinds),
      flows_(static_cast<std::size_t>(num_ranks)),
      to_all_(static_cast<std::size_t>(num_ranks)) {}

void SmpiFlows::add(Rank source, Rank destination, double volume) {
  flows_[index(source)][destination].add(volume);
}

void SmpiFlows::add_action(LineFile& file, Rank owner) {
  const auto words = file.words();
  const Rank rank = read_rank(file, words[0]);
  if (rank != owner)
    throw input_error(file.at(words[0].column),
                      fmt::format("rank {} in the file of rank {}; accepted is one file per rank, "
                                  "in rank order in the list",
                                  number(rank), number(owner)));
  if (words.size() == 1)
    throw input_error(file.line_end(), "no action; accepted is \"rank action argument...\"");
  const Action action(file, words, rank, default_size_, num_ranks());
  if (action.name() == "init") default_size_ = action.num_arguments() > 0 ? 8 : 1;
  if (holds(silent_actions, action.name()) || action.name().starts_with("win_")) return;
  if (!add_point_to_point(action) && !add_collective(action))
    action.fail(
        fmt::format("unknown action \"{}\"; accepted is what SMPI 3.32 traces, such as "
                    "send, isend, sendRecv, Put, bcast, allreduce",
                    words[1].text));
}

/// What is started has bytes for elements; a receive has its own rank as destination.
void SmpiFlows::add_start(const Action& action) {
  const auto partner = action.partner(0);
  if (partner && *partner != action.rank()) add(action.rank(), *partner, action.count(2));
}

/// `sendRecv elements destination elements source type type`.
void SmpiFlows::add_send_receive(const Action& action) {
  if (const auto partner = action.partner(1))
    add(action.rank(), *partner, action.count(0) * action.size(4));
}

bool SmpiFlows::add_point_to_point(const Action& action) {
  const std::string& name = action.name();
  const bool known = holds(send_actions, name) || name == "sendrecv" || name == "start" ||
                     name == "startall" || name == "get";
  if (!known || kinds_ == RecordKinds::collective) return known;
  if (name == "startall")
    action.fail("a trace does not tell what Startall starts; vtopo record counts it");
  if (name == "sendrecv") {
    add_send_receive(action);
  } else if (name == "start") {
    add_start(action);
  } else if (const auto partner = action.partner(0)) {
    const double volume = action.count(2) * action.size(3);
    name == "get" ? add(*partner, action.rank(), volume) : add(action.rank(), *partner, volume);
  }
  return true;
}

bool SmpiFlows::add_collective(const Action& action) {
  if (kinds_ != RecordKinds::point_to_point) return add_rooted(action) || add_for_each(action);
  static constexpr std::array<std::string_view, 14> names{
      "bcast",     "reduce",  "allreduce",  "alltoall",      "gather",   "allgather", "scatter",
      "alltoallv", "gatherv", "allgatherv", "reducescatter", "scatterv", "scan",      "exscan"};
  return holds(names, action.name()) ||
         (action.name().starts_with('i') && holds(names, action.name().substr(1)));
}

/// Collectives in which one rank has all of the data.
bool SmpiFlows::add_rooted(const Action& action) {
  const std::string& name = action.name();
  const auto ranks = static_cast<std::size_t>(num_ranks());
  const auto from_root = [&](std::size_t root, std::size_t type) {
    if (action.root(root) == action.rank())
      to_all_[index(action.rank())].add(action.count(0) * action.size(type));
  };
  const auto to_root = [&](std::size_t root, std::size_t type) {
    if (action.root(root) != action.rank())
      add(action.rank(), action.root(root), action.count(0) * action.size(type));
  };
  if (name == "bcast" || name == "ibcast") {
    from_root(1, 2);
  } else if (name == "scatter" || name == "iscatter") {
    from_root(2, 3);
  } else if (name == "reduce" || name == "ireduce") {
    to_root(2, 3);
  } else if (name == "gather" || name == "igather") {
    to_root(2, 3);
  } else if (name == "gatherv" || name == "igatherv") {
    to_root(1 + ranks, 2 + ranks);
  } else {
    return false;
  }
  return true;
}

/// Collectives in which each rank has data for others.
bool SmpiFlows::add_for_each(const Action& action) {
  std::string name = action.name();
  if (name.starts_with('i')) name.erase(0, 1);
  const auto ranks = static_cast<std::size_t>(num_ranks());
  const auto all = [&](std::size_t type) {
    to_all_[index(action.rank())].add(action.count(0) * action.size(type));
  };
  const auto each = [&](std::size_t first, std::size_t type) {
    const std::vector<double> counts = action.counts(first);
    for (std::size_t d = 0; d < ranks; ++d)
      if (d != index(action.rank()) && counts[d] > 0)
        add(action.rank(), id_at<Rank>(d), counts[d] * action.size(type));
  };
  if (name == "allreduce" || name == "alltoall" || name == "allgather") {
    all(2);
  } else if (name == "allgatherv") {
    all(1 + ranks);
  } else if (name == "alltoallv") {
    each(1, 2 + 2 * ranks);
  } else if (name == "reducescatter") {
    each(0, 1 + ranks);
  } else if (name == "scatterv") {
    if (action.root(1 + ranks) == action.rank()) each(0, 2 + ranks);
  } else if (name == "scan" || name == "exscan") {
    if (number(action.rank()) + 1 < num_ranks())
      add(action.rank(), Rank{number(action.rank()) + 1}, action.count(0) * action.size(2));
  } else {
    return false;
  }
  return true;
}

Recording SmpiFlows::recording(const std::string& path) const {
  const auto senders = std::count_if(to_all_.begin(), to_all_.end(),
                                     [](const SmpiFlow& flow) { return flow.messages > 0; });
  if (static_cast<std::size_t>(senders) * to_all_.size() > most_collective_pairs)
    throw input_error({path},
                      fmt::format("collectives of {} ranks reach {} pairs; accepted are up to {}: "
                                  "--record-kinds p2p leaves them out",
                                  num_ranks(), static_cast<std::size_t>(senders) * to_all_.size(),
                                  most_collective_pairs));
  Recording result{num_ranks(), {}};
  const auto add_edge = [&](Rank source, Rank destination, const SmpiFlow& flow) {
    if (flow.messages > std::numeric_limits<int>::max() || flow.bytes > max_volume.value)
      throw input_error({path}, fmt::format("{} bytes in {} messages from rank {} to rank {}; "
                                            "accepted are up to {} in up to 2147483647",
                                            flow.bytes, flow.messages, number(source),
                                            number(destination), max_volume.value));
    result.edges.push_back({source, destination, Bytes{flow.bytes}, narrow<int>(flow.messages)});
  };
  for (int r = 0; r < num_ranks(); ++r) {
    const auto& flows = flows_[index(Rank{r})];
    const SmpiFlow& to_all = to_all_[index(Rank{r})];
    if (to_all.messages == 0) {
      for (const auto& [destination, flow] : flows) add_edge(Rank{r}, destination, flow);
      continue;
    }
    for (int d = 0; d < num_ranks(); ++d) {
      SmpiFlow sum = d == r ? SmpiFlow{} : to_all;
      if (const auto flow = flows.find(Rank{d}); flow != flows.end()) {
        sum.bytes += flow->second.bytes;
        sum.messages += flow->second.messages;
      }
      if (sum.messages > 0) add_edge(Rank{r}, Rank{d}, sum);
    }
  }
  return result;
}

}  // namespace vtopo
