#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "sim/clock/programs/program.hpp"
#include "sim/clock/programs/traces/smpi_calls.hpp"
#include "sim/clock/programs/traces/trace.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/smpi_trace.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int32_t world_messages = 0;  // collectives have another communicator

/// What takes no time, or happened between calls.
constexpr std::array<std::string_view, 12> timeless_actions{
    "init",  "location", "test",      "testall",    "testany",  "testsome",
    "probe", "iprobe",   "comm_size", "comm_split", "comm_dup", "cancel"};

class SmpiReader {
 public:
  SmpiReader(int num_ranks, const TraceOptions& options)
      : options_(options), lines_(num_ranks), collectives_(num_ranks, options), calls_(num_ranks) {}

  /// @param owner of the file; nothing: lines of all ranks.
  void add_line(LineFile& file, std::optional<Rank> owner) {
    const SmpiAction action = lines_.action(file, owner);
    const Rank rank = action.rank();
    RankCalls& calls = calls_[rank];
    calls.set_line(file.at(0).line);
    if (!add_message(action, calls) && !add_work(action, calls) && !collectives_.add(action, calls))
      action.fail(
          fmt::format("rank {}: \"{}\" cannot be replayed: accepted are the actions that "
                      "SMPI 3.32 replays and their variants, such as send, irecv, "
                      "sendRecv, wait, bcast, allreduce",
                      number(rank), action.written_name()));
    calls.end_call();
    check_size(file, calls);
  }

  Trace trace(std::vector<std::string> files) {
    Trace trace;
    trace.files = std::move(files);
    trace.program.ranks.assign(calls_.size(), {});
    trace.lines.assign(calls_.size(), {});
    for (int r = 0; r < calls_.size(); ++r) {
      calls_[Rank{r}].wait_for_all();
      calls_[Rank{r}].move_to(trace, Rank{r});
    }
    return trace;
  }

 private:
  static void check_size(const LineFile& file, RankCalls& calls) {
    try {
      check_num_operations(static_cast<double>(calls.operations().size()));
    } catch (const InputError& error) {
      throw input_error(file.at(0), error.what());
    }
  }

  bool add_message(const SmpiAction& action, RankCalls& calls) {
    const std::string& name = action.name();
    if (name == "wait") {
      calls.wait_for({action.integer(0), action.integer(1), action.integer(2)});
      return true;
    }
    if (name == "waitall") {
      calls.wait_for_all();
      return true;
    }
    if (name == "sendrecv") {
      add_send_receive(action, calls);
      return true;
    }
    const bool starts = holds(smpi_started_sends, name) || name == "irecv";
    const bool sends = holds(smpi_blocking_sends, name) || holds(smpi_started_sends, name);
    if (!sends && name != "recv" && name != "irecv") return false;
    const auto partner = partner_of(action);
    if (!partner) return true;
    const std::int64_t tag = action.integer(1);
    if (tag < 0)
      action.fail(
          fmt::format("rank {}: a receive of any tag: the trace does not say which message "
                      "came; a trace of vtopo_record does",
                      number(action.rank())));
    constexpr std::int64_t max_tag = std::numeric_limits<std::int32_t>::max();
    if (tag > max_tag)
      action.fail(fmt::format("rank {}: tag {}; accepted are 0 to {}", number(action.rank()), tag,
                              max_tag));
    const Bytes volume{sends ? action.count(2) * action.size(3) : 0};
    const MessageTag matching{static_cast<std::int32_t>(tag), world_messages};
    const auto self = number(action.rank()), other = number(*partner);
    if (starts)
      calls.start(sends ? start_send(*partner, volume, 0, matching)
                        : start_receive(*partner, volume, 0, matching),
                  {sends ? self : other, sends ? other : self, tag});
    else
      calls.operations().push_back(sends ? send(*partner, volume, matching)
                                         : receive(*partner, volume, matching));
    return true;
  }

  /// Nothing: no message.
  static std::optional<Rank> partner_of(const SmpiAction& action) {
    if (action.integer(0) == any_source)
      action.fail(
          fmt::format("rank {}: a receive from any source: the trace does not say which "
                      "message came; a trace of vtopo_record does",
                      number(action.rank())));
    return action.partner(0);
  }

  /// `sendRecv elements destination elements source type type`; tags are not in the trace.
  static void add_send_receive(const SmpiAction& action, RankCalls& calls) {
    constexpr RankCalls::Key own{-1, -1, -1};
    const MessageTag tag{0, world_messages};
    int started = 0;
    if (const auto source = action.partner(3)) {
      calls.start(start_receive(*source, {0}, 0, tag), own);
      ++started;
    }
    if (const auto destination = action.partner(1)) {
      calls.start(start_send(*destination, {action.count(0) * action.size(4)}, 0, tag), own);
      ++started;
    }
    for (; started > 0; --started) calls.wait_for(own);
  }

  bool add_work(const SmpiAction& action, RankCalls& calls) {
    const std::string& name = action.name();
    if (name == "compute") {
      add_flops(action.count(0), options_, calls);
    } else if (name == "sleep") {
      calls.operations().push_back(compute({action.count(0) * options_.compute_scale}));
    } else if (name == "finalize") {
      calls.wait_for_all();
    } else {
      return holds(timeless_actions, name);
    }
    return true;
  }

  static constexpr std::int64_t any_source = -555;

  const TraceOptions& options_;
  SmpiLines lines_;
  SmpiCollectives collectives_;
  IdVector<Rank, RankCalls> calls_;
};

bool is_regular(const std::string& path) {
  std::error_code error;
  return std::filesystem::is_regular_file(path, error);
}

Trace read_merged(const std::string& path, const TraceOptions& options) {
  std::set<int> ranks;
  LineFile first(path);
  while (first.next_content()) ranks.insert(number(read_rank(first, first.words()[0])));
  int missing = 0;
  while (ranks.contains(missing)) ++missing;
  if (missing <= *ranks.rbegin())
    throw input_error(
        {path}, fmt::format("no action of rank {}, but one of rank {}", missing, *ranks.rbegin()));
  SmpiReader reader(missing, options);
  LineFile file(path);
  while (file.next_content()) reader.add_line(file, std::nullopt);
  return reader.trace({path});
}

}  // namespace

bool is_smpi_program(const std::string& path) {
  return is_regular(path) && (is_smpi_trace(path) || has_smpi_actions(path));
}

Trace read_smpi_program(const std::string& path, const TraceOptions& options) {
  if (has_smpi_actions(path)) return read_merged(path, options);
  const auto files = smpi_trace_files(path);
  SmpiReader reader(narrow<int>(static_cast<std::int64_t>(files.size())), options);
  std::vector<std::string> cuts;
  for (std::size_t r = 0; r < files.size(); ++r) {
    LineFile file(files[r]);
    bool is_ended = false, is_begun = false;
    int last_line = 0;
    while (file.next_content()) {
      is_ended = file.words().size() > 1 && file.words()[1].text == "finalize";
      if (!file.has_line_end() && !is_ended) break;  // half a line
      last_line = file.at(0).line;
      reader.add_line(file, id_at<Rank>(r));
      is_begun = true;
    }
    if (!is_begun || !is_ended)
      cuts.push_back(
          fmt::format("{}: the trace of rank {} is cut off after line {}: it does not end with "
                      "finalize",
                      files[r], r, last_line));
  }
  Trace trace = reader.trace(files);
  trace.cuts = std::move(cuts);
  return trace;
}

}  // namespace vtopo::detail
