#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <filesystem>
#include <limits>
#include <numeric>
#include <optional>
#include <set>
#include <system_error>

#include "sim/programs/traces/formats.hpp"
#include "sim/programs/traces/rank_calls.hpp"
#include "sim/programs/traces/trace_limits.hpp"
#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"
#include "topology/traffic/formats.hpp"
#include "topology/traffic/smpi_action.hpp"

namespace vtopo::detail {

namespace {

/// Point-to-point messages and collectives never match each other.
constexpr std::int32_t world_messages = 0, world_collectives = 1;

/// What takes no time, or happened between calls.
constexpr std::array<std::string_view, 11> timeless_actions{
    "location", "test",      "testall",    "testany",  "testsome", "probe",
    "iprobe",   "comm_size", "comm_split", "comm_dup", "cancel"};
constexpr std::array<std::string_view, 4> blocking_sends{"send", "ssend", "bsend", "rsend"};
constexpr std::array<std::string_view, 4> started_sends{"isend", "issend", "ibsend", "irsend"};

/// A collective of equal parts: where its arguments stand.
struct EvenAction {
  std::string_view name, collective;
  std::size_t types = 0;  ///< position of the datatype, of the long form
  std::optional<std::size_t> root = {};
  std::optional<std::size_t> work = {};  ///< position of the number of flops
};

constexpr std::array<EvenAction, 7> even_actions{{
    {"bcast", "bcast", 2, 1, {}},
    {"reduce", "reduce", 3, 2, 1},
    {"allreduce", "allreduce", 2, {}, 1},
    {"alltoall", "alltoall", 2, {}, {}},
    {"allgather", "allgather", 2, {}, {}},
    {"gather", "gather", 3, 2, {}},
    {"scatter", "scatter", 3, 2, {}},
}};

class SmpiReader {
 public:
  SmpiReader(int num_ranks, const TraceOptions& options)
      : options_(options),
        collectives_(options.collectives),
        world_(index(num_ranks)),
        calls_(num_ranks),
        default_sizes_(num_ranks, 1) {
    for (std::size_t r = 0; r < world_.size(); ++r) world_[r] = id_at<Rank>(r);
  }

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
    if (!add_message(action, calls) && !add_work(action, calls) && !add_collective(action, calls))
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

  CallMembers members(const SmpiAction& action) const {
    return {world_, number(action.rank()), world_collectives};
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
      compute_flops(action.count(0), calls);
    } else if (name == "sleep") {
      calls.operations().push_back(compute({action.count(0) * options_.compute_scale}));
    } else if (name == "finalize") {
      calls.wait_for_all();
    } else {
      return holds(timeless_actions, name);
    }
    return true;
  }

  void compute_flops(double flops, RankCalls& calls) const {
    if (flops > 0)
      calls.operations().push_back(
          compute({flops / options_.flops_per_second * options_.compute_scale}));
  }

  bool add_collective(const SmpiAction& action, RankCalls& calls) {
    std::string_view name = action.name();
    if (name.starts_with('i') && name != "init") name.remove_prefix(1);
    return add_even(name, action, calls) || add_uneven(name, action, calls);
  }

  bool add_even(std::string_view name, const SmpiAction& action, RankCalls& calls) {
    const CallMembers all = members(action);
    if (name == "barrier") {
      collectives_.append({"barrier", {0}}, all, calls.has_open_requests(), calls.operations());
      return true;
    }
    const auto row = std::find_if(even_actions.begin(), even_actions.end(),
                                  [&](const EvenAction& even) { return even.name == name; });
    if (row == even_actions.end()) return false;
    // A count of 0 of the other side is left out of the line by SMPI.
    const std::size_t left_out =
        (name == "gather" || name == "scatter") && action.num_arguments() == row->types + 1 ? 1 : 0;
    const std::size_t side = name == "scatter" && left_out == 0 ? 1 : 0;  // what a rank gets
    const double bytes = action.count(side) * action.size(row->types - left_out + side);
    const int root = row->root ? number(action.root(*row->root - left_out)) : 0;
    collectives_.append({row->collective, {bytes}, root}, all, calls.has_open_requests(),
                        calls.operations());
    if (row->work) compute_flops(action.count(*row->work), calls);
    return true;
  }

  /// Collectives of unequal parts, as messages that go straight to their receivers or around.
  bool add_uneven(std::string_view name, const SmpiAction& action, RankCalls& calls) {
    const std::size_t ranks = world_.size();
    const CallMembers all = members(action);
    const auto in_bytes = [&](std::size_t first, std::size_t type) {
      std::vector<double> bytes = action.counts(first);
      for (double& count : bytes) count *= action.size(type);
      return bytes;
    };
    std::vector<double> sent(ranks), received(ranks);
    if (name == "alltoallv") {
      sent = in_bytes(1, 2 + 2 * ranks);
      received = in_bytes(2 + ranks, 3 + 2 * ranks);
    } else if (name == "gatherv") {
      const Rank root = action.root(1 + ranks);
      if (root == action.rank())
        received = in_bytes(1, 3 + ranks);
      else
        sent[index(root)] = action.count(0) * action.size(2 + ranks);
    } else if (name == "scatterv") {
      const Rank root = action.root(1 + ranks);
      if (root == action.rank())
        sent = in_bytes(0, 2 + ranks);
      else
        received[index(root)] = action.count(ranks) * action.size(3 + ranks);
    } else if (name == "allgatherv") {
      CollectiveCalls::append_ring(in_bytes(1, 1 + ranks), all, calls.operations());
      return true;
    } else if (name == "reducescatter") {
      const auto parts = in_bytes(0, 1 + ranks);
      const double mean =
          std::accumulate(parts.begin(), parts.end(), 0.0) / static_cast<double>(ranks);
      collectives_.append({"reduce_scatter", {mean}}, all, calls.has_open_requests(),
                          calls.operations());
      compute_flops(action.count(ranks), calls);
      return true;
    } else if (name == "scan" || name == "exscan") {
      CollectiveCalls::append_chain({action.count(0) * action.size(2)}, all, calls.operations());
      compute_flops(action.count(1), calls);
      return true;
    } else {
      return false;
    }
    CollectiveCalls::append_exchange(sent, received, all, calls.operations());
    return true;
  }

  static constexpr std::int64_t any_source = -555;

  const TraceOptions& options_;
  CollectiveCalls collectives_;
  std::vector<Rank> world_;
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
