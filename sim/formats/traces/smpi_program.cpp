#include <fmt/format.h>

#include <array>
#include <cstdint>
#include <deque>
#include <filesystem>
#include <limits>
#include <map>
#include <numeric>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/smpi_trace.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/line_file.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// The calls of one rank on their way into a program: operations with their lines, and requests,
/// which are numbered anew.
class RankCalls {
 public:
  /// What a request is known by in a trace.
  using Key = std::tuple<std::int64_t, std::int64_t, std::int64_t>;

  /// Operations appended from now on belong to this line.
  void set_line(int line) { line_ = line; }

  /// Operations; those appended since the last call of another function have no lines yet.
  std::vector<Operation>& operations() { return operations_; }
  /// Gives the current line to what was appended.
  void end_call() { lines_.resize(operations_.size(), line_); }

  /// Starts `operation` under a new request that is known by `key`; several may be.
  void start(Operation operation, const Key& key);
  /// Waits for the oldest request of that key.
  /// @return whether there is one.
  bool wait_for(const Key& key);
  /// Waits for everything that is open.
  void wait_for_all();
  bool has_open_requests() const { return num_open_ > 0; }

  /// Moves what was gathered into a trace.
  void move_to(Trace& trace, Rank rank);

 private:
  std::vector<Operation> operations_;
  std::vector<std::int32_t> lines_;
  std::map<Key, std::deque<std::int32_t>> open_;
  std::set<std::int32_t> free_;
  std::int32_t num_open_ = 0, num_requests_ = 0;
  int line_ = 0;
};

/// Collectives in time-independent traces of SMPI, which are those of MPI_COMM_WORLD.
class SmpiCollectives {
 public:
  /// @param options must outlive this.
  SmpiCollectives(int num_ranks, const TraceOptions& options);

  /// Appends the messages of a collective, or nothing if the action is not one.
  /// @return whether it is one.
  /// @throws InputError for arguments that it cannot have.
  bool add(const SmpiAction& action, RankCalls& calls);

 private:
  bool add_even(std::string_view name, const SmpiAction& action, RankCalls& calls);
  bool add_uneven(std::string_view name, const SmpiAction& action, RankCalls& calls);

  const TraceOptions& options_;
  CollectiveCalls collectives_;
  std::vector<Rank> world_;
};

void RankCalls::start(Operation operation, const Key& key) {
  if (free_.empty()) free_.insert(num_requests_++);
  operation.request = *free_.begin();
  free_.erase(free_.begin());
  open_[key].push_back(operation.request);
  ++num_open_;
  operations_.push_back(operation);
  end_call();
}

bool RankCalls::wait_for(const Key& key) {
  const auto found = open_.find(key);
  if (found == open_.end()) return false;
  const std::int32_t request = found->second.front();
  found->second.pop_front();
  if (found->second.empty()) open_.erase(found);
  free_.insert(request);
  --num_open_;
  operations_.push_back(wait(request));
  end_call();
  return true;
}

void RankCalls::wait_for_all() {
  if (num_open_ == 0) return;
  for (const auto& [key, requests] : open_) free_.insert(requests.begin(), requests.end());
  open_.clear();
  num_open_ = 0;
  operations_.push_back(wait_all());
  end_call();
}

void RankCalls::move_to(Trace& trace, Rank rank) {
  end_call();
  check_num_operations(static_cast<double>(operations_.size()));
  operations_.shrink_to_fit();
  lines_.shrink_to_fit();
  trace.program.ranks[rank] = std::move(operations_);
  trace.lines[rank] = std::move(lines_);
}

/// Point-to-point messages have communicator 0: they never match.
constexpr std::int32_t world_collectives = 1;

SmpiCollectives::SmpiCollectives(int num_ranks, const TraceOptions& options)
    : options_(options), collectives_(options.collectives), world_(all_ranks(num_ranks)) {}

bool SmpiCollectives::add(const SmpiAction& action, RankCalls& calls) {
  std::string_view name = action.name();
  if (name.starts_with('i') && name != "init") name.remove_prefix(1);
  return add_even(name, action, calls) || add_uneven(name, action, calls);
}

/// Appends local work of so many flops; none: nothing.
void add_flops(double flops, const TraceOptions& options, RankCalls& calls) {
  if (flops > 0)
    calls.operations().push_back(
        compute({flops / options.flops_per_second * options.compute_scale}));
}

bool SmpiCollectives::add_even(std::string_view name, const SmpiAction& action, RankCalls& calls) {
  const CallMembers all{world_, number(action.rank()), world_collectives};
  if (name == "barrier") {
    collectives_.append({"barrier", {0}}, all, calls.has_open_requests(), calls.operations());
    return true;
  }
  const SmpiEvenCollective* const row = find_even_collective(name);
  if (row == nullptr) return false;
  // A count of 0 of the other side is left out of the line by SMPI.
  const std::size_t left_out =
      (name == "gather" || name == "scatter") && action.num_arguments() == row->types + 1 ? 1 : 0;
  const std::size_t side = name == "scatter" && left_out == 0 ? 1 : 0;  // what a rank gets
  const double bytes = action.count(side) * action.size(row->types - left_out + side);
  const int root = row->root ? number(action.root(*row->root - left_out)) : 0;
  collectives_.append({row->name, {bytes}, root}, all, calls.has_open_requests(),
                      calls.operations());
  if (row->work) add_flops(action.count(*row->work), options_, calls);
  return true;
}

/// Collectives of unequal parts, as messages that go straight to their receivers or around.
bool SmpiCollectives::add_uneven(std::string_view name, const SmpiAction& action,
                                 RankCalls& calls) {
  const std::size_t ranks = world_.size();
  const CallMembers all{world_, number(action.rank()), world_collectives};
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
    add_flops(action.count(ranks), options_, calls);
    return true;
  } else if (name == "scan" || name == "exscan") {
    CollectiveCalls::append_chain({action.count(0) * action.size(2)}, all, calls.operations());
    add_flops(action.count(1), options_, calls);
    return true;
  } else {
    return false;
  }
  CollectiveCalls::append_exchange(sent, received, all, calls.operations());
  return true;
}

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
