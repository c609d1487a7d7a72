#include "topology/traffic/smpi_flows.hpp"

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>

#include "topology/base/ids.hpp"
#include "topology/base/line_values.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/units.hpp"
#include "topology/traffic/smpi_action.hpp"

namespace vtopo::detail {

namespace {

/// Actions that move no data between ranks, or that the other end reports; `wait` and `test`
/// come in several kinds.
constexpr std::array<std::string_view, 23> silent_actions{
    "init",    "finalize", "compute",  "sleep",     "location",   "recv",     "irecv",    "wait",
    "waitall", "waitany",  "waitsome", "test",      "testall",    "testany",  "testsome", "probe",
    "iprobe",  "barrier",  "ibarrier", "comm_size", "comm_split", "comm_dup", "cancel"};

constexpr std::array<std::string_view, 10> send_actions{
    "send", "isend", "ssend", "issend", "bsend", "ibsend", "rsend", "irsend", "put", "accumulate"};

constexpr std::size_t max_collective_pairs = 16777216;

}  // namespace

SmpiFlows::SmpiFlows(int num_ranks, RecordKinds kinds)
    : kinds_(kinds), flows_(index(num_ranks)), to_all_(index(num_ranks)) {}

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
  const SmpiAction action(file, words, rank, default_size_, num_ranks());
  if (action.name() == "init") default_size_ = action.num_arguments() > 0 ? 8 : 1;
  if (holds(silent_actions, action.name()) || action.name().starts_with("win_")) return;
  if (!add_point_to_point(action) && !add_collective(action))
    action.fail(
        fmt::format("unknown action \"{}\"; accepted is what SMPI 3.32 traces, such as "
                    "send, isend, sendRecv, Put, bcast, allreduce",
                    words[1].text));
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

}  // namespace vtopo::detail
