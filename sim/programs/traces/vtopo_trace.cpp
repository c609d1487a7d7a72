#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "sim/programs/traces/formats.hpp"
#include "sim/programs/traces/trace_limits.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view first_line = "# vtopo-trace 1 rank ";
constexpr std::string_view last_line = "# end +";

struct RecordedCollective {
  std::string_view name, collective;
};

/// Collectives of equal parts; their lines are `NAME COMM REQUEST BYTES ROOT`.
constexpr std::array<RecordedCollective, 9> recorded_collectives{{
    {"barrier", "barrier"},
    {"bcast", "bcast"},
    {"reduce", "reduce"},
    {"allreduce", "allreduce"},
    {"reduce_scatter", "reduce_scatter"},
    {"gather", "gather"},
    {"scatter", "scatter"},
    {"allgather", "allgather"},
    {"alltoall", "alltoall"},
}};

/// Communicators of all ranks: the same members, made as often, are the same one.
class Communicators {
 public:
  using Members = std::vector<Rank>;

  struct Communicator {
    const Members* members;
    std::int32_t number;  ///< messages have 2 * number, collectives one more
  };

  explicit Communicators(int num_ranks) {
    for (int r = 0; r < num_ranks; ++r) all_.push_back(Rank{r});
  }

  Communicator add(Members members, std::int64_t nth) {
    const auto next = static_cast<std::int32_t>(numbers_.size()) + 1;
    const auto place = numbers_.try_emplace({std::move(members), nth}, next).first;
    return {&place->first.first, place->second};
  }
  Communicator world() const { return {&all_, 0}; }

 private:
  Members all_;
  std::map<std::pair<Members, std::int64_t>, std::int32_t> numbers_;
};

struct FileHead {
  int rank = 0, num_ranks = 0;
};

FileHead read_head(LineFile& file) {
  if (!file.next() || !file.line().starts_with(first_line))
    throw input_error({file.path()}, "expected \"# vtopo-trace 1 rank R of N\" in the first line");
  const auto words = file.words(first_line.size());
  if (words.size() != 3 || words[1].text != "of")
    throw input_error(file.at(1), "expected \"# vtopo-trace 1 rank R of N\"");
  const FileHead head{number(read_rank(file, words[0])), number(read_rank(file, words[2]))};
  if (head.rank >= head.num_ranks)
    throw input_error(file.at(words[0].column),
                      fmt::format("rank {} of {}", head.rank, head.num_ranks));
  return head;
}

/// Reads the file of one rank.
class RecordedRank {
 public:
  RecordedRank(LineFile& file, Rank rank, const TraceOptions& options, CollectiveCalls& collectives,
               Communicators& communicators)
      : file_(file),
        rank_(rank),
        options_(options),
        collectives_(collectives),
        all_communicators_(communicators) {
    communicators_.emplace(0, own(communicators.world()));
  }

  void read_into(Trace& trace) {
    bool is_ended = false;
    while (!is_ended && file_.next()) {
      if (file_.line().empty()) continue;
      if (!file_.has_line_end() && !file_.line().starts_with(last_line)) break;  // half a line
      last_read_ = std::string(file_.line());
      last_read_line_ = file_.at(0).line;
      if (file_.line().starts_with(last_line)) {
        is_ended = true;
        append_gap(file_.line().substr(last_line.size()));
      } else {
        words_.assign(file_.words().begin(), file_.words().end());
        if (!words_.empty()) read_call();
      }
      lines_.resize(operations_.size(), file_.at(0).line);
      check_num_operations(static_cast<double>(operations_.size()));
    }
    if (!is_ended) {
      trace.cuts.push_back(
          fmt::format("{}: the trace of rank {} is cut off after line {}{}: the program did not "
                      "come to MPI_Finalize",
                      file_.path(), number(rank_), last_read_line_,
                      last_read_.empty() ? "" : fmt::format(" ({})", trim(last_read_))));
      drop_unfinished();
    } else if (!loops_.empty()) {
      fail(0, "a repeat has no end");
    }
    trace.program.ranks[rank_] = std::move(operations_);
    trace.lines[rank_] = std::move(lines_);
  }

 private:
  struct OpenLoop {
    std::size_t position;         ///< of its begin
    std::set<std::int32_t> open;  ///< requests before it
  };

  struct OwnCommunicator {
    Communicators::Communicator shared;
    int self = 0;
  };

  [[noreturn]] void fail(std::size_t word, std::string_view sentence) const {
    const FilePosition place =
        word < words_.size() ? file_.at(words_[word].column) : file_.line_end();
    throw input_error(place, fmt::format("rank {}: {}", number(rank_), sentence));
  }

  std::string_view word(std::size_t i) const {
    if (i >= words_.size()) fail(i, fmt::format("\"{}\" ends too early", words_[0].text));
    return words_[i].text;
  }

  std::int64_t integer(std::size_t i, std::int64_t least = 0) const {
    constexpr std::int64_t most = std::int64_t{1} << 53;
    const auto value = parse_integer(word(i));
    if (!value || *value < least || *value > most)
      fail(i, fmt::format("\"{}\" is not an integer from {} to {}", word(i), least, most));
    return *value;
  }

  std::int32_t small(std::size_t i) const {
    const auto value = integer(i);
    if (value > 2147483647 / 2 - 1) fail(i, fmt::format("\"{}\" is too large", word(i)));
    return narrow<std::int32_t>(value);
  }

  Rank peer(std::size_t i) const {
    const auto value = integer(i);
    if (value >= std::ssize(*communicators_.at(0).shared.members))
      fail(i, fmt::format("rank {} in a trace of {} ranks", value,
                          communicators_.at(0).shared.members->size()));
    return Rank{narrow<std::int32_t>(value)};
  }

  const OwnCommunicator& communicator(std::size_t i) const {
    const auto found = communicators_.find(integer(i, -1));
    if (found == communicators_.end())
      fail(i, fmt::format("communicator {} has no line \"comm\" before", word(i)));
    return found->second;
  }

  MessageTag tag(std::size_t i) const { return {small(i), 2 * communicator(i + 1).shared.number}; }

  void append_gap(std::string_view text) {
    const auto seconds = parse_number(text);
    if (!seconds || !std::isfinite(*seconds)) fail(words_.size(), "a time that is not a number");
    const double time = *seconds * options_.compute_scale;
    if (time > 0) operations_.push_back(compute({time}));
  }

  void read_call() {
    if (words_.back().text.starts_with('+')) {
      const std::string_view gap = words_.back().text.substr(1);
      words_.pop_back();
      if (words_.empty()) fail(0, "a time without a call");
      append_gap(gap);
    }
    const std::string_view name = words_[0].text;
    if (name == "send") {
      operations_.push_back(send(peer(1), bytes(2), tag(3)));
    } else if (name == "recv") {
      operations_.push_back(receive(peer(1), {0}, tag(2)));
    } else if (name == "isend") {
      start(start_send(peer(2), bytes(3), small(1), tag(4)));
    } else if (name == "irecv") {
      read_started_receive();
    } else if (name == "match") {
      match();
    } else if (name == "wait") {
      read_wait();
    } else if (name == "comm") {
      read_communicator();
    } else if (name == "repeat") {
      const auto times = integer(1, 1);
      operations_.push_back(repeat(times));
      loops_.push_back({operations_.size() - 1, open_});
    } else if (name == "end") {
      end_loop();
    } else if (name == "unsupported") {
      fail(0, fmt::format("the program used {}, which cannot be replayed",
                          trim(file_.line().substr(name.size()))));
    } else {
      read_collective(name);
    }
  }

  /// Of a trace that is cut off: a loop without its end says not what was done in it, and no
  /// message can come from a source that is not known.
  void drop_unfinished() {
    if (!loops_.empty()) {
      operations_.resize(loops_.front().position);
      lines_.resize(operations_.size());
    }
    for (const auto& [request, position] : unknown_)
      if (position < operations_.size()) operations_[position].peer = -1;
  }

  Bytes bytes(std::size_t i) const { return {static_cast<double>(integer(i))}; }

  void start(const Operation& operation) {
    if (!open_.insert(operation.request).second)
      fail(1, fmt::format("request {} is started again before a wait", operation.request));
    operations_.push_back(operation);
  }

  void read_started_receive() {
    const std::int32_t request = small(1);
    if (word(2) == "?") {
      unknown_[request] = operations_.size();
      start(start_receive(rank_, {0}, request, {0, 2 * communicator(4).shared.number}));
    } else {
      start(start_receive(peer(2), {0}, request, tag(3)));
    }
  }

  /// A receive from anywhere learns what came.
  void match() {
    const auto found = unknown_.find(small(1));
    if (found == unknown_.end()) fail(1, "no receive that waits for its source has this request");
    Operation& operation = operations_[found->second];
    operation.peer = number(peer(2));
    operation.tag = small(3);
    unknown_.erase(found);
  }

  void end_loop() {
    if (loops_.empty()) fail(0, "end without repeat");
    if (loops_.back().open != open_)
      fail(0, "a loop that does not leave the requests open that it found open");
    loops_.pop_back();
    operations_.push_back(end_repeat());
  }

  void read_wait() {
    std::set<std::int32_t> requests;
    for (std::size_t i = 1; i < words_.size(); ++i) requests.insert(small(i));
    if (requests == open_ && requests.size() > 1) {
      open_.clear();
      operations_.push_back(wait_all());
      return;
    }
    for (std::size_t i = 1; i < words_.size(); ++i) wait_for(i, small(i));
  }

  void wait_for(std::size_t i, std::int32_t request) {
    if (const auto found = pending_.find(request); found != pending_.end()) {
      const std::string text = std::move(found->second);
      pending_.erase(found);
      append_pending(text);
    } else if (open_.erase(request) == 1) {
      operations_.push_back(wait(request));
    } else {
      fail(i, fmt::format("wait for request {}, which is not started", request));
    }
  }

  OwnCommunicator own(Communicators::Communicator shared) const {
    const auto self = std::find(shared.members->begin(), shared.members->end(), rank_);
    if (self == shared.members->end()) fail(0, "a communicator without this rank");
    return {shared, static_cast<int>(self - shared.members->begin())};
  }

  /// `comm NUMBER NTH RANK FIRST-LAST ...`
  void read_communicator() {
    Communicators::Members members;
    for (std::size_t i = 3; i < words_.size(); ++i) {
      const auto ends = split(word(i), '-');
      const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
      const auto world = std::ssize(*communicators_.at(0).shared.members);
      if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= world ||
          std::ssize(members) + *last - *first >= world)
        fail(i, fmt::format("members \"{}\"; expected ranks from 0 to {}, each once", word(i),
                            world - 1));
      for (auto r = *first; r <= *last; ++r) members.push_back(Rank{narrow<std::int32_t>(r)});
    }
    communicators_.insert_or_assign(integer(1),
                                    own(all_communicators_.add(std::move(members), integer(2, 1))));
  }

  void read_collective(std::string_view name) {
    const std::int64_t request = word(1).empty() ? -1 : integer(2, -1);
    communicator(1);
    if (request < 0) {
      append_collective(name);
      return;
    }
    std::string text;
    for (const Token& token : words_) text += std::string(token.text) + ' ';
    if (!pending_.emplace(small(2), std::move(text)).second || open_.contains(small(2)))
      fail(2, fmt::format("request {} is started again before a wait", request));
  }

  /// What was started is done where the program waits for it.
  void append_pending(const std::string& text) {
    const std::vector<Token> here = std::move(words_);
    words_.clear();
    for (const std::string_view piece : split(trim(text), ' ')) words_.push_back({piece, 1});
    append_collective(words_[0].text);
    words_ = here;
  }

  void append_collective(std::string_view name) {
    const OwnCommunicator& comm = communicator(1);
    const CallMembers members{*comm.shared.members, comm.self, 2 * comm.shared.number + 1};
    const auto row = std::find_if(recorded_collectives.begin(), recorded_collectives.end(),
                                  [&](const RecordedCollective& r) { return r.name == name; });
    if (row != recorded_collectives.end()) {
      const auto root = integer(4);
      if (root >= std::ssize(members.ranks))
        fail(4, fmt::format("root {} in a communicator of {} ranks", root, members.ranks.size()));
      collectives_.append({row->collective, bytes(3), static_cast<int>(root)}, members,
                          !open_.empty(), operations_);
    } else if (name == "scan") {
      CollectiveCalls::append_chain(bytes(3), members, operations_);
    } else if (name == "parts") {
      append_parts();
    } else if (name == "allgatherv") {
      append_allgatherv(members);
    } else {
      fail(0, fmt::format("unknown call \"{}\"", name));
    }
  }

  struct RecordedPart {
    char side;
    Rank rank;
    double bytes;
  };

  /// `>RANK:BYTES`, with ranks of the world.
  RecordedPart part(std::size_t i) const {
    const auto ends = split(word(i).substr(1), ':');
    const auto rank = parse_integer(ends.front());
    const auto volume = parse_number(ends.back());
    if (ends.size() != 2 || !rank || *rank < 0 ||
        *rank >= std::ssize(*communicators_.at(0).shared.members) || !volume || *volume < 0 ||
        !std::isfinite(*volume))
      fail(i, fmt::format("\"{}\"; expected >RANK:BYTES", word(i)));
    return {word(i)[0], Rank{narrow<std::int32_t>(*rank)}, *volume};
  }

  /// Neighbours may be the same rank more than once: each part is a message.
  void append_parts() {
    constexpr std::int32_t first_request = 1 << 30;
    const MessageTag tag{0, 2 * communicator(1).shared.number + 1};
    std::vector<Operation> starts;
    for (std::size_t i = 3; i < words_.size(); ++i) {
      const RecordedPart piece = part(i);
      if (piece.bytes <= 0 || piece.rank == rank_) continue;
      const auto request = first_request + static_cast<std::int32_t>(starts.size());
      starts.push_back(piece.side == '<' ? start_receive(piece.rank, {piece.bytes}, request, tag)
                                         : start_send(piece.rank, {piece.bytes}, request, tag));
    }
    operations_.insert(operations_.end(), starts.begin(), starts.end());
    for (const Operation& operation : starts) operations_.push_back(wait(operation.request));
  }

  void append_allgatherv(const CallMembers& members) {
    std::vector<double> volumes;
    for (std::size_t i = 3; i < words_.size(); ++i) volumes.push_back(part(i).bytes);
    if (volumes.size() != members.ranks.size())
      fail(0, fmt::format("{} parts in a communicator of {} ranks", volumes.size(),
                          members.ranks.size()));
    CollectiveCalls::append_ring(volumes, members, operations_);
  }

  LineFile& file_;
  Rank rank_;
  const TraceOptions& options_;
  CollectiveCalls& collectives_;
  Communicators& all_communicators_;
  std::map<std::int64_t, OwnCommunicator> communicators_;  ///< by their numbers in the file
  std::vector<Token> words_;
  std::vector<Operation> operations_;
  std::vector<std::int32_t> lines_;
  std::set<std::int32_t> open_;                  ///< requests
  std::map<std::int32_t, std::size_t> unknown_;  ///< operations of receives from anywhere
  std::map<std::int32_t, std::string> pending_;  ///< collectives that were started
  std::vector<OpenLoop> loops_;                  ///< from outermost to innermost
  int last_read_line_ = 1;
  std::string last_read_;
};

std::string rank_file(const std::filesystem::path& folder, int rank) {
  return (folder / fmt::format("rank-{}.trace", rank)).string();
}

}  // namespace

bool is_vtopo_trace(const std::string& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return true;
  if (!std::filesystem::is_regular_file(path, error)) return false;
  LineFile file(path);
  return file.next() && file.line().starts_with(first_line);
}

Trace read_vtopo_trace(const std::string& path, const TraceOptions& options) {
  std::error_code error;
  const bool is_folder = std::filesystem::is_directory(path, error);
  Trace trace;
  LineFile first(is_folder ? rank_file(path, 0) : path);
  const FileHead head = read_head(first);
  if (!is_folder && head.num_ranks > 1)
    throw input_error({path}, fmt::format("the trace of rank {} alone, of {}; expected the folder",
                                          head.rank, head.num_ranks));
  if (is_folder) LineFile last(rank_file(path, head.num_ranks - 1));  // before memory for them all
  CollectiveCalls collectives(options.collectives);
  Communicators communicators(head.num_ranks);
  trace.program.ranks.assign(head.num_ranks, {});
  trace.lines.assign(head.num_ranks, {});
  for (int r = 0; r < head.num_ranks; ++r) {
    trace.files.push_back(is_folder ? rank_file(path, r) : path);
    LineFile file(trace.files.back());
    const FileHead own = read_head(file);
    if (own.rank != r || own.num_ranks != head.num_ranks)
      throw input_error({trace.files.back()},
                        fmt::format("rank {} of {}; expected rank {} of {}", own.rank,
                                    own.num_ranks, r, head.num_ranks));
    RecordedRank(file, Rank{r}, options, collectives, communicators).read_into(trace);
  }
  return trace;
}

}  // namespace vtopo::detail
