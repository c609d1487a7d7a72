#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>
#include <system_error>

#include "sim/clock/programs/traces/formats.hpp"
#include "sim/clock/programs/traces/rank_calls.hpp"
#include "sim/clock/programs/traces/smpi_collectives.hpp"
#include "sim/clock/programs/traces/trace_limits.hpp"
#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/smpi_action.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int32_t world_messages = 0;  // collectives have another communicator

/// What takes no time, or happened between calls.
constexpr std::array<std::string_view, 11> timeless_actions{
    "location", "test",      "testall",    "testany",  "testsome", "probe",
    "iprobe",   "comm_size", "comm_split", "comm_dup", "cancel"};
constexpr std::array<std::string_view, 4> blocking_sends{"send", "ssend", "bsend", "rsend"};
constexpr std::array<std::string_view, 4> started_sends{"isend", "issend", "ibsend", "irsend"};

class SmpiReader {
 public:
  SmpiReader(int num_ranks, const TraceOptions& options)
      : options_(options),
        collectives_(num_ranks, options),
        calls_(num_ranks),
        default_sizes_(num_ranks, 1) {}

  /// @param owner of the file; nothing: lines of all ranks.
  void add_line(LineFile& file, std::optional<Rank> owner) {
    const auto words = file.words();
    const Rank rank = read_rank(file, words[0]);
    if (owner && rank != *owner)
      throw input_error(file.at(words[0].column),
                        fmt::format("rank {} in the file of rank {}; accepted is one file per "
                                    "rank, in rank order in the list",
                                    number(rank), number(*owner)));
    if (words.size() == 1)
      throw input_error(file.line_end(), "no action; accepted is \"rank action argument...\"");
    const SmpiAction action(file, words, rank, default_sizes_[rank], calls_.size());
    RankCalls& calls = calls_[rank];
    calls.set_line(file.at(0).line);
    if (!add_message(action, calls) && !add_work(action, calls) && !collectives_.add(action, calls))
      action.fail(
          fmt::format("rank {}: \"{}\" cannot be replayed: accepted are the actions that "
                      "SMPI 3.32 replays and their variants, such as send, irecv, "
                      "sendRecv, wait, bcast, allreduce",
                      number(rank), words[1].text));
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
    const bool starts = holds(started_sends, name) || name == "irecv";
    const bool sends = holds(blocking_sends, name) || holds(started_sends, name);
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
    if (name == "init") {
      default_sizes_[action.rank()] = action.num_arguments() > 0 ? 8 : 1;
    } else if (name == "compute") {
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
  SmpiCollectives collectives_;
  IdVector<Rank, RankCalls> calls_;
  IdVector<Rank, double> default_sizes_;  ///< bytes of an element whose datatype is not named
};

/// Whether the first line with content is `RANK ACTION...`.
bool has_actions(const std::string& path) {
  LineFile file(path);
  if (!file.next_content()) return false;
  const auto words = file.words();
  return words.size() > 1 && parse_integer(words[0].text) && !words[1].text.empty() &&
         std::isalpha(static_cast<unsigned char>(words[1].text[0])) != 0;
}

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
  return is_regular(path) && (is_smpi_trace(path) || has_actions(path));
}

Trace read_smpi_program(const std::string& path, const TraceOptions& options) {
  if (has_actions(path)) return read_merged(path, options);
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
