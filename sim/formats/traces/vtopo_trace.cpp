#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <map>
#include <set>
#include <string>
#include <system_error>
#include <utility>

#include "sim/clock/programs/program.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "sim/formats/traces/recorded_calls.hpp"
#include "topology/base/error.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view first_line = "# vtopo-trace 1 rank ";
constexpr std::string_view last_line = "# end +";

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
        line_(file, rank, communicators.num_ranks()),
        communicators_(communicators, rank) {}

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
        line_.words.assign(file_.words().begin(), file_.words().end());
        if (!line_.words.empty()) read_call();
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
      line_.fail(0, "a repeat has no end");
    }
    name_waits_outside_groups(operations_);
    trace.program.ranks[rank_] = std::move(operations_);
    trace.lines[rank_] = std::move(lines_);
  }

 private:
  struct OpenLoop {
    std::size_t position;         ///< of its begin
    std::set<std::int32_t> open;  ///< requests before it
  };

  MessageTag tag(std::size_t i) const {
    return {line_.small(i), 2 * communicators_.at(line_, i + 1).shared.number};
  }

  void append_gap(std::string_view text) {
    const auto seconds = parse_number(text);
    if (!seconds || !std::isfinite(*seconds))
      line_.fail(line_.words.size(), "a time that is not a number");
    const double time = *seconds * options_.compute_scale;
    if (time > 0) operations_.push_back(compute({time}));
  }

  void read_call() {
    if (line_.words.back().text.starts_with('+')) {
      const std::string_view gap = line_.words.back().text.substr(1);
      line_.words.pop_back();
      if (line_.words.empty()) line_.fail(0, "a time without a call");
      append_gap(gap);
    }
    const std::string_view name = line_.words[0].text;
    if (name == "send") {
      operations_.push_back(send(line_.peer(1), line_.bytes(2), tag(3)));
    } else if (name == "recv") {
      operations_.push_back(receive(line_.peer(1), {0}, tag(2)));
    } else if (name == "isend") {
      start(start_send(line_.peer(2), line_.bytes(3), line_.small(1), tag(4)));
    } else if (name == "irecv") {
      read_started_receive();
    } else if (name == "match") {
      match();
    } else if (name == "wait") {
      read_wait();
    } else if (name == "waitany") {
      read_wait_any();
    } else if (name == "comm") {
      communicators_.read(line_);
    } else if (name == "repeat") {
      const auto times = line_.integer(1, 1);
      operations_.push_back(repeat(times));
      loops_.push_back({operations_.size() - 1, open_});
    } else if (name == "end") {
      end_loop();
    } else if (name == "unsupported") {
      line_.fail(0, fmt::format("the program used {}, which cannot be replayed",
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

  void start(const Operation& operation) {
    if (!open_.insert(operation.request).second)
      line_.fail(1, fmt::format("request {} is started again before a wait", operation.request));
    operations_.push_back(operation);
  }

  void read_started_receive() {
    const std::int32_t request = line_.small(1);
    if (line_.word(2) == "?") {
      unknown_[request] = operations_.size();
      start(start_receive(rank_, {0}, request, {0, 2 * communicators_.at(line_, 4).shared.number}));
    } else {
      start(start_receive(line_.peer(2), {0}, request, tag(3)));
    }
  }

  /// A receive from anywhere learns what came.
  void match() {
    const auto found = unknown_.find(line_.small(1));
    if (found == unknown_.end())
      line_.fail(1, "no receive that waits for its source has this request");
    Operation& operation = operations_[found->second];
    operation.peer = number(line_.peer(2));
    operation.tag = line_.small(3);
    unknown_.erase(found);
  }

  void end_loop() {
    if (loops_.empty()) line_.fail(0, "end without repeat");
    if (loops_.back().open != open_)
      line_.fail(0, "a loop that does not leave the requests open that it found open");
    loops_.pop_back();
    operations_.push_back(end_repeat());
  }

  void read_wait() {
    std::set<std::int32_t> requests;
    for (std::size_t i = 1; i < line_.words.size(); ++i) requests.insert(line_.small(i));
    if (requests == open_ && requests.size() > 1) {
      open_.clear();
      operations_.push_back(wait_all());
      return;
    }
    // Collectives first: others come to them before they send what this rank waits for besides.
    std::vector<std::int32_t> messages;
    for (std::size_t i = 1; i < line_.words.size(); ++i)
      if (!append_pending(line_.small(i))) messages.push_back(close(i, line_.small(i)));
    append_waits(messages, operations_);
  }

  /// Whether a group is closed shows when all is read, or where another one begins.
  void read_wait_any() {
    const std::int32_t request = line_.small(1);
    const int left = line_.small(2);
    if (line_.words.size() > 3 && line_.word(3) != "first")
      line_.fail(3, "expected first or nothing");
    if (line_.words.size() > 3) {
      for (const std::size_t i : group_) operations_[i] = wait(operations_[i].request);
      group_.clear();
    }
    if (append_pending(request)) return;
    close(1, request);
    group_.push_back(operations_.size());
    operations_.push_back(wait_any(request, left));
    if (left == 0) group_.clear();
  }

  /// @return the request of a message, which is not open any more.
  std::int32_t close(std::size_t i, std::int32_t request) {
    if (open_.erase(request) == 0)
      line_.fail(i, fmt::format("wait for request {}, which is not started", request));
    return request;
  }

  void read_collective(std::string_view name) {
    const std::int64_t request = line_.word(1).empty() ? -1 : line_.integer(2, -1);
    communicators_.at(line_, 1);
    if (request < 0) {
      append_collective(name);
      return;
    }
    std::string text;
    for (const Token& token : line_.words) text += std::string(token.text) + ' ';
    if (!pending_.emplace(line_.small(2), std::move(text)).second || open_.contains(line_.small(2)))
      line_.fail(2, fmt::format("request {} is started again before a wait", request));
  }

  /// A collective that was started is done where the program waits for it.
  /// @return whether the request is that of one.
  bool append_pending(std::int32_t request) {
    const auto found = pending_.find(request);
    if (found == pending_.end()) return false;
    const std::string text = std::move(found->second);
    pending_.erase(found);
    const std::vector<Token> here = std::move(line_.words);
    line_.words.clear();
    for (const std::string_view piece : split(trim(text), ' ')) line_.words.push_back({piece, 1});
    append_collective(line_.words[0].text);
    line_.words = here;
    return true;
  }

  void append_collective(std::string_view name) {
    append_recorded_collective(name, line_, communicators_.at(line_, 1), !open_.empty(),
                               collectives_, operations_);
  }

  LineFile& file_;
  Rank rank_;
  const TraceOptions& options_;
  CollectiveCalls& collectives_;
  RecordedLine line_;
  RankCommunicators communicators_;
  std::vector<Operation> operations_;
  std::vector<std::int32_t> lines_;
  std::set<std::int32_t> open_;                  ///< requests
  std::map<std::int32_t, std::size_t> unknown_;  ///< operations of receives from anywhere
  std::vector<std::size_t> group_;  ///< waits for any of a group that is not closed yet
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
