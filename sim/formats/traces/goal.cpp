#include <fmt/format.h>

#include <cstdint>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "sim/clock/programs/sent_volumes.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

/// A line of a schedule that does something.
struct GoalNode {
  Operation operation;                         ///< what it does; a message is started
  int line = 0;                                ///< of the file
  std::vector<std::int32_t> after_end = {};    ///< nodes that require its end
  std::vector<std::int32_t> after_start = {};  ///< nodes that require its start
};

/// The schedule of one rank, on its way into an order: what nothing holds back first, messages
/// before calculations, else in the order of the file.
class GoalSchedule {
 public:
  std::vector<GoalNode> nodes;                           ///< in the order of the file
  std::unordered_map<std::string, std::int32_t> labels;  ///< positions in `nodes`

  /// `node` begins when `earlier` has ended, or begun.
  void require(std::int32_t node, std::int32_t earlier, bool only_start);

  /// Appends the operations and their lines, in an order in which one rank can do them; once.
  /// @return line of a node on a cycle; 0: none.
  int put_into(std::vector<Operation>& operations, std::vector<std::int32_t>& lines);

 private:
  GoalNode& at(std::int32_t node) { return nodes[static_cast<std::size_t>(node)]; }
  void append(const Operation& operation, int line);
  void prepare();
  void sort_in(std::int32_t node);
  void begin(std::int32_t node);
  void requirement_begun(std::int32_t node);
  void end(std::int32_t node);
  void wait_for_requirements(std::int32_t node);

  std::vector<std::int32_t> not_begun_, not_ended_;  ///< requirements of each node
  std::vector<std::vector<std::int32_t>> requirements_;
  std::vector<bool> has_begun_;
  std::set<std::int32_t> ready_messages_, ready_work_, startable_, running_;
  int num_running_ = 0;
  std::vector<Operation>* operations_ = nullptr;
  std::vector<std::int32_t>* lines_ = nullptr;
};

std::int32_t take(std::set<std::int32_t>& set) {
  const std::int32_t node = *set.begin();
  set.erase(set.begin());
  return node;
}

void GoalSchedule::require(std::int32_t node, std::int32_t earlier, bool only_start) {
  auto& list = at(earlier);
  (only_start ? list.after_start : list.after_end).push_back(node);
}

int GoalSchedule::put_into(std::vector<Operation>& operations, std::vector<std::int32_t>& lines) {
  operations_ = &operations;
  lines_ = &lines;
  prepare();
  while (true) {
    if (!ready_messages_.empty()) {
      begin(take(ready_messages_));
    } else if (!ready_work_.empty()) {
      begin(take(ready_work_));
    } else if (!startable_.empty()) {
      wait_for_requirements(*startable_.begin());
    } else {
      break;
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i)
    if (!has_begun_[i]) return nodes[i].line;
  if (num_running_ > 0) append(wait_all(), nodes.back().line);
  return 0;
}

void GoalSchedule::append(const Operation& operation, int line) {
  operations_->push_back(operation);
  lines_->push_back(line);
}

void GoalSchedule::prepare() {
  not_begun_.assign(nodes.size(), 0);
  not_ended_.assign(nodes.size(), 0);
  has_begun_.assign(nodes.size(), false);
  requirements_.assign(nodes.size(), {});
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    for (const std::int32_t later : nodes[i].after_start) ++not_begun_[index(later)];
    for (const std::int32_t later : nodes[i].after_end) {
      ++not_begun_[index(later)];
      ++not_ended_[index(later)];
      requirements_[index(later)].push_back(static_cast<std::int32_t>(i));
    }
  }
  for (std::size_t i = 0; i < nodes.size(); ++i) sort_in(static_cast<std::int32_t>(i));
}

/// Puts a node where it belongs.
void GoalSchedule::sort_in(std::int32_t node) {
  if (has_begun_[index(node)] || not_begun_[index(node)] > 0) return;
  if (not_ended_[index(node)] > 0) {
    startable_.insert(node);
    return;
  }
  startable_.erase(node);
  const bool works = at(node).operation.kind == Operation::Kind::compute;
  (works ? ready_work_ : ready_messages_).insert(node);
}

void GoalSchedule::begin(std::int32_t node) {
  GoalNode& begun = at(node);
  has_begun_[index(node)] = true;
  begun.operation.request = node;
  const bool works = begun.operation.kind == Operation::Kind::compute;
  append(begun.operation, begun.line);
  if (!works) {
    running_.insert(node);
    ++num_running_;
  }
  for (const std::int32_t later : begun.after_start) requirement_begun(later);
  for (const std::int32_t later : begun.after_end) requirement_begun(later);
  if (works) end(node);
}

void GoalSchedule::requirement_begun(std::int32_t node) {
  --not_begun_[index(node)];
  sort_in(node);
}

void GoalSchedule::end(std::int32_t node) {
  for (const std::int32_t later : at(node).after_end) {
    --not_ended_[index(later)];
    sort_in(later);
  }
}

void GoalSchedule::wait_for_requirements(std::int32_t node) {
  for (const std::int32_t earlier : requirements_[index(node)]) {
    if (running_.erase(earlier) == 0) continue;
    --num_running_;
    append(wait(earlier), at(node).line);
    end(earlier);
  }
}

constexpr double nanosecond = 1e-9;

class GoalReader {
 public:
  GoalReader(const std::string& path, const TraceOptions& options)
      : file_(path), options_(options) {}

  Trace read() {
    read_num_ranks();
    while (next()) read_rank_block();
    if (static_cast<int>(ranks_.size()) < num_ranks_)
      throw input_error({file_.path()}, fmt::format("rank {} has no schedule; expected {} ranks",
                                                    first_missing(), num_ranks_));
    for (auto& [rank, operations] : ranks_) {
      trace_.program.ranks.push_back(std::move(operations.operations));
      trace_.lines.push_back(std::move(operations.lines));
    }
    receive_what_is_sent();
    return std::move(trace_);
  }

 private:
  struct OrderedRank {
    std::vector<Operation> operations;
    std::vector<std::int32_t> lines;
  };

  /// Messages have the volume of their send, as in MPI and in LogGOPSim. A receive has at least as
  /// much room: MPI calls what is less an error of truncation (MPI 4.1, 3.2.4), LogGOPSim takes it.
  void receive_what_is_sent() {
    SentVolumes sent(trace_.program);
    for (int r = 0; r < num_ranks_; ++r) {
      auto& operations = trace_.program.ranks[Rank{r}];
      for (std::size_t i = 0; i < operations.size(); ++i) {
        Operation& operation = operations[i];
        if (!is_receive(operation.kind)) continue;
        const auto message = sent.next(channel_of(Rank{r}, operation));
        if (!message) continue;  // unmatched, which is said of all traces alike
        if (operation.amount < message->volume.value) fail_truncated(Rank{r}, i, *message);
        operation.amount = message->volume.value;
      }
    }
  }

  [[noreturn]] void fail_truncated(Rank rank, std::size_t receive,
                                   const SentVolumes::Sent& message) const {
    const Operation& operation = trace_.program.ranks[rank][receive];
    const auto bytes = [](double volume) { return static_cast<std::int64_t>(volume); };
    throw input_error(
        {file_.path(), trace_.lines[rank][receive], 0},
        fmt::format("rank {} has room for {} bytes of the message of {} bytes that rank {} sends "
                    "in line {}; expected a receive of {}b or more",
                    number(rank), bytes(operation.amount), bytes(message.volume.value),
                    operation.peer, trace_.lines[Rank{operation.peer}][message.position],
                    bytes(message.volume.value)));
  }

  int first_missing() const {
    int rank = 0;
    while (ranks_.contains(rank)) ++rank;
    return rank;
  }

  /// The next line with content, its words split at `:`, `{` and `}` too.
  bool next() {
    while (file_.next()) {
      split_line();
      if (!words_.empty()) return true;
    }
    if (in_comment_) throw input_error({file_.path()}, "a comment /* is not closed");
    return false;
  }

  void split_line() {
    words_.clear();
    const std::string_view line = file_.line();
    std::size_t begin = 0;
    const auto end_word = [&](std::size_t end) {
      if (end > begin && !in_comment_)
        words_.push_back({line.substr(begin, end - begin), static_cast<int>(begin) + 1});
      begin = end + 1;
    };
    for (std::size_t i = 0; i < line.size(); ++i) {
      const std::string_view two = line.substr(i, 2);
      if (in_comment_) {
        if (two == "*/") {
          in_comment_ = false;
          begin = ++i + 1;
        }
      } else if (two == "//") {
        end_word(i);
        return;
      } else if (two == "/*") {
        end_word(i++);
        in_comment_ = true;
      } else if (line[i] == ' ' || line[i] == '\t') {
        end_word(i);
      } else if (line[i] == ':' || line[i] == '{' || line[i] == '}') {
        end_word(i);
        words_.push_back({line.substr(i, 1), static_cast<int>(i) + 1});
      }
    }
    end_word(line.size());
  }

  [[noreturn]] void fail(std::size_t word, std::string_view sentence) const {
    const FilePosition place =
        word < words_.size() ? file_.at(words_[word].column) : file_.line_end();
    throw input_error(
        place, rank_ < 0 ? std::string(sentence) : fmt::format("rank {}: {}", rank_, sentence));
  }

  std::string_view word(std::size_t i) const {
    return i < words_.size() ? words_[i].text : std::string_view();
  }

  std::int64_t integer(std::size_t i, std::string_view what, std::int64_t largest) const {
    const auto value = parse_integer(word(i));
    if (!value || *value < 0 || *value > largest)
      fail(i, fmt::format("{} \"{}\"; expected an integer in 0..{}", what, word(i), largest));
    return *value;
  }

  void expect_end(std::size_t i) const {
    if (i < words_.size()) fail(i, fmt::format("\"{}\" behind the end of the line", word(i)));
  }

  void read_num_ranks() {
    if (!next() || word(0) != "num_ranks")
      throw input_error({file_.path()}, "expected \"num_ranks N\" in the first line");
    const auto ranks = integer(1, "number of ranks", max_ranks_in_file);
    if (ranks == 0) fail(1, "0 ranks; expected at least 1");
    expect_end(2);
    trace_.files = {file_.path()};
    num_ranks_ = narrow<int>(ranks);
  }

  void read_rank_block() {
    rank_ = -1;
    if (word(0) != "rank") fail(0, fmt::format("\"{}\"; expected \"rank N {{\"", word(0)));
    const auto rank = integer(1, "rank", num_ranks_ - 1);
    if (word(2) != "{") fail(2, "expected \"{\"");
    expect_end(3);
    rank_ = narrow<int>(rank);
    const auto [place, is_new] = ranks_.try_emplace(rank_);
    if (!is_new) fail(1, "this rank has been described before");
    GoalSchedule schedule;
    while (true) {
      if (!next())
        throw input_error(file_.line_end(), fmt::format("the schedule of rank {} is cut off: "
                                                        "expected \"}}\"",
                                                        rank_));
      if (word(0) == "}") break;
      read_line(schedule);
    }
    expect_end(1);
    if (const int line = schedule.put_into(place->second.operations, place->second.lines))
      throw input_error({file_.path(), line, 0},
                        fmt::format("rank {}: an operation that requires itself", rank_));
  }

  void read_line(GoalSchedule& schedule) {
    if (word(1) == "requires" || word(1) == "irequires") {
      schedule.require(label(schedule, 0), label(schedule, 2), word(1) == "irequires");
      expect_end(3);
      return;
    }
    std::size_t first = 0;
    if (word(1) == ":") {
      const auto number = static_cast<std::int32_t>(schedule.nodes.size());
      if (!schedule.labels.emplace(word(0), number).second)
        fail(0, fmt::format("label \"{}\" is used twice", word(0)));
      first = 2;
    }
    check_num_operations(static_cast<double>(schedule.nodes.size()));
    schedule.nodes.push_back({read_operation(first), file_.at(0).line});
  }

  std::int32_t label(const GoalSchedule& schedule, std::size_t i) const {
    const auto found = schedule.labels.find(std::string(word(i)));
    if (found == schedule.labels.end())
      fail(i, fmt::format("label \"{}\" is not that of an operation above", word(i)));
    return found->second;
  }

  Operation read_operation(std::size_t i) {
    const std::string_view name = word(i);
    if (name == "calc") {
      const double time = static_cast<double>(integer(i + 1, "nanoseconds", max_time)) * nanosecond;
      read_rest(i + 2, false);
      return compute({time * options_.compute_scale});
    }
    if (name != "send" && name != "recv")
      fail(i, fmt::format("\"{}\"; expected send, recv, calc, or LABEL requires LABEL", name));
    const bool sends = name == "send";
    const Bytes volume{static_cast<double>(read_bytes(i + 1))};
    if (word(i + 2) != (sends ? "to" : "from"))
      fail(i + 2, sends ? "expected \"to\"" : "expected \"from\"");
    if (word(i + 3) == "-1")
      fail(i + 3, "a message from any source: which one it is is known only in LogGOPSim");
    const Rank peer{narrow<int>(integer(i + 3, "rank", num_ranks_ - 1))};
    const MessageTag tag{read_rest(i + 4, true), 0};
    return sends ? start_send(peer, volume, 0, tag) : start_receive(peer, volume, 0, tag);
  }

  /// Bytes of `10b`.
  std::int64_t read_bytes(std::size_t i) {
    const Token whole = i < words_.size() ? words_[i] : Token{};
    if (!whole.text.ends_with('b')) fail(i, fmt::format("\"{}\"; expected bytes as 10b", word(i)));
    words_[i].text.remove_suffix(1);
    return integer(i, "bytes", max_bytes);
  }

  /// `tag T cpu C nic N`, each of them or not.
  /// @return the tag.
  std::int32_t read_rest(std::size_t i, bool is_message) {
    std::int32_t tag = 0;
    for (; i < words_.size(); i += 2) {
      if (is_message && word(i) == "tag") {
        if (word(i + 1) == "-1")
          fail(i + 1, "a message of any tag: which one it is is known only in LogGOPSim");
        tag = narrow<std::int32_t>(integer(i + 1, "tag", 2147483647));
      } else if (word(i) == "cpu") {
        if (integer(i + 1, "cpu", 255) > 0 && !is_message)
          fail(i + 1, "a calculation on a second processor; a rank has one, cpu 0");
      } else if (is_message && word(i) == "nic") {
        integer(i + 1, "nic", 255);
      } else {
        fail(i, fmt::format("\"{}\"; expected {}cpu or the end of the line", word(i),
                            is_message ? "tag, nic, " : ""));
      }
    }
    return tag;
  }

  static constexpr std::int64_t max_time = 9'000'000'000'000'000'000;
  static constexpr std::int64_t max_bytes = 9'007'199'254'740'992;

  LineFile file_;
  const TraceOptions& options_;
  Trace trace_;
  std::map<int, OrderedRank> ranks_;  ///< in memory once they are read: a file may claim many
  int num_ranks_ = 0;
  std::vector<Token> words_;
  bool in_comment_ = false;
  int rank_ = -1;  ///< of the present block; -1: none
};

}  // namespace

bool is_goal(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  LineFile file(path);
  constexpr int max_lines_before = 100;  // comments
  for (int i = 0; i < max_lines_before && file.next(); ++i) {
    const auto words = file.words();
    if (words.empty() || words[0].text.starts_with("/") || words[0].text.starts_with("*")) continue;
    return words[0].text == "num_ranks";
  }
  return false;
}

Trace read_goal(const std::string& path, const TraceOptions& options) {
  return GoalReader(path, options).read();
}

}  // namespace vtopo::detail
