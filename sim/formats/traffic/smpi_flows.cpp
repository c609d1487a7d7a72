#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <limits>
#include <map>
#include <string_view>

#include "sim/formats/traffic/foreign_traffic.hpp"
#include "sim/formats/traffic/smpi_trace.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

namespace {

/// Actions that move no data between ranks, or that the other end reports; `wait` and `test`
/// come in several kinds.
constexpr std::array<std::string_view, 23> silent_actions{
    "init",    "finalize", "compute",  "sleep",     "location",   "recv",     "irecv",    "wait",
    "waitall", "waitany",  "waitsome", "test",      "testall",    "testany",  "testsome", "probe",
    "iprobe",  "barrier",  "ibarrier", "comm_size", "comm_split", "comm_dup", "cancel"};

constexpr std::array<std::string_view, 7> uneven_collectives{
    "alltoallv", "gatherv", "allgatherv", "reducescatter", "scatterv", "scan", "exscan"};

constexpr std::size_t max_collective_pairs = 16777216;

/// Volume and messages of an ordered pair of ranks, summed over actions.
struct SmpiFlow {
  double bytes = 0;
  std::int64_t messages = 0;

  void add(double volume) {
    bytes += volume;
    ++messages;
  }
};

/// Sums up the actions of a time-independent trace, as SMPI 3.32 writes and replays them.
class SmpiFlows {
 public:
  SmpiFlows(int num_ranks, RecordKinds kinds);

  int num_ranks() const { return lines_.num_ranks(); }

  /// Adds what the current line of the file says: `rank action argument...`.
  /// @throws InputError for an action of another rank than `owner`, an unknown action, arguments
  /// that are missing or wrong, and a send whose size the trace does not give.
  void add_action(LineFile& file, Rank owner);

  /// One edge per ordered pair, by source, then destination.
  /// @throws InputError if collectives reach too many pairs, or messages of a pair exceed 2^31-1.
  Recording recording(const std::string& path) const;

 private:
  bool add_point_to_point(const SmpiAction& action);
  void add_start(const SmpiAction& action);
  void add_send_receive(const SmpiAction& action);
  bool add_collective(const SmpiAction& action);
  bool add_even(std::string_view name, const SmpiAction& action);
  bool add_uneven(std::string_view name, const SmpiAction& action);
  void add_to_all(const SmpiAction& action, std::size_t type);
  void add_to_root(const SmpiAction& action, std::size_t root, std::size_t type);
  void add(Rank source, Rank destination, double volume);

  RecordKinds kinds_;
  SmpiLines lines_;
  std::vector<std::map<Rank, SmpiFlow>> flows_;  ///< one entry per source
  std::vector<SmpiFlow> to_all_;  ///< what each source sends to every other rank; per source
};

SmpiFlows::SmpiFlows(int num_ranks, RecordKinds kinds)
    : kinds_(kinds), lines_(num_ranks), flows_(index(num_ranks)), to_all_(index(num_ranks)) {}

void SmpiFlows::add(Rank source, Rank destination, double volume) {
  flows_[index(source)][destination].add(volume);
}

void SmpiFlows::add_action(LineFile& file, Rank owner) {
  const SmpiAction action = lines_.action(file, owner);
  if (holds(silent_actions, action.name()) || action.name().starts_with("win_")) return;
  if (!add_point_to_point(action) && !add_collective(action))
    action.fail(
        fmt::format("unknown action \"{}\"; accepted is what SMPI 3.32 traces, such as "
                    "send, isend, sendRecv, Put, bcast, allreduce",
                    action.written_name()));
}

/// What is started has bytes for elements; a receive has its own rank as destination.
void SmpiFlows::add_start(const SmpiAction& action) {
  const auto partner = action.partner(0);
  if (partner && *partner != action.rank()) add(action.rank(), *partner, action.count(2));
}

/// `sendRecv elements destination elements source type type`.
void SmpiFlows::add_send_receive(const SmpiAction& action) {
  if (const auto partner = action.partner(1))
    add(action.rank(), *partner, action.count(0) * action.size(4));
}

bool SmpiFlows::add_point_to_point(const SmpiAction& action) {
  const std::string& name = action.name();
  const bool known = holds(smpi_blocking_sends, name) || holds(smpi_started_sends, name) ||
                     name == "put" || name == "accumulate" || name == "sendrecv" ||
                     name == "start" || name == "startall" || name == "get";
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

bool SmpiFlows::add_collective(const SmpiAction& action) {
  std::string_view name = action.name();
  if (name.starts_with('i')) name.remove_prefix(1);
  if (kinds_ == RecordKinds::point_to_point)
    return find_even_collective(name) != nullptr || holds(uneven_collectives, name);
  return add_even(name, action) || add_uneven(name, action);
}

void SmpiFlows::add_to_all(const SmpiAction& action, std::size_t type) {
  to_all_[index(action.rank())].add(action.count(0) * action.size(type));
}

void SmpiFlows::add_to_root(const SmpiAction& action, std::size_t root, std::size_t type) {
  if (action.root(root) != action.rank())
    add(action.rank(), action.root(root), action.count(0) * action.size(type));
}

bool SmpiFlows::add_even(std::string_view name, const SmpiAction& action) {
  const SmpiEvenCollective* const collective = find_even_collective(name);
  if (collective == nullptr) return false;
  if (collective->root && (name == "reduce" || name == "gather"))
    add_to_root(action, *collective->root, collective->types);
  else if (!collective->root || action.root(*collective->root) == action.rank())
    add_to_all(action, collective->types);
  return true;
}

bool SmpiFlows::add_uneven(std::string_view name, const SmpiAction& action) {
  const auto ranks = index(num_ranks());
  const auto each = [&](std::size_t first, std::size_t type) {
    const std::vector<double> counts = action.counts(first);
    for (std::size_t d = 0; d < ranks; ++d)
      if (d != index(action.rank()) && counts[d] > 0)
        add(action.rank(), id_at<Rank>(d), counts[d] * action.size(type));
  };
  if (name == "gatherv") {
    add_to_root(action, 1 + ranks, 2 + ranks);
  } else if (name == "allgatherv") {
    add_to_all(action, 1 + ranks);
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
  if (index(senders) * to_all_.size() > max_collective_pairs)
    throw input_error(
        {path}, fmt::format("collectives of {} ranks reach {} pairs; accepted are up to {}: "
                            "--record-kinds p2p leaves them out",
                            num_ranks(), index(senders) * to_all_.size(), max_collective_pairs));
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

}  // namespace

Recording read_smpi_trace(const std::string& path, RecordKinds kinds) {
  const auto files = smpi_trace_files(path);
  SmpiFlows flows(int_size(files), kinds);
  for (std::size_t r = 0; r < files.size(); ++r) {
    LineFile file(files[r]);
    bool empty = true;
    while (file.next_content()) {
      flows.add_action(file, id_at<Rank>(r));
      empty = false;
    }
    if (empty) throw input_error({files[r]}, "no action: the trace of this rank is cut off");
  }
  return flows.recording(path);
}

}  // namespace vtopo::detail
