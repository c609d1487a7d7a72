#include "sim/mpi/smpi_repairs/open_calls.hpp"

#include <algorithm>
#include <cstddef>
#include <map>
#include <numeric>
#include <utility>

#include "sim/mpi/smpi_repairs/job.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail::overlay {

namespace {

constexpr std::size_t max_reported = 8;  ///< messages, or ranks, of one process

/// The calls of all processes, by rank, and who MPI_COMM_WORLD is.
struct OpenCalls {
  std::vector<OpenCall> calls;
  std::vector<char> ended;  ///< by rank
  std::uint64_t changes = 0;
  MPI_Group world = MPI_GROUP_NULL;
};

OpenCalls& open_calls() {
  static OpenCalls the_calls;
  return the_calls;
}

OpenCall* call_of(int rank) {
  auto& calls = open_calls().calls;
  const auto place = static_cast<std::size_t>(rank);
  return rank < 0 || place >= calls.size() ? nullptr : &calls[place];
}

/// Ranks of a group as those of MPI_COMM_WORLD.
std::vector<int> translated(MPI_Group group, const std::vector<int>& ranks) {
  std::vector<int> result(ranks.size());
  if (!ranks.empty())
    PMPI_Group_translate_ranks(group, int_size(ranks), ranks.data(), open_calls().world,
                               result.data());
  return result;
}

/// A message that a process waits for.
struct AwaitedMessage {
  bool sent = false;  ///< by the one who waits; else received
  int partner = 0;    ///< in MPI_COMM_WORLD, or MPI_ANY_SOURCE
  int tag = 0;
};

/// Looks at the state of all processes when none of them can go on.
class Standstill {
 public:
  std::string process_json(int rank) {
    const OpenCall& call = *call_of(rank);
    return fmt::format(
        "{{\"rank\":{},\"call\":\"{}\",\"collective\":{},\"messages\":[{}],\"missing\":[{}]}}",
        rank, call.name, call.collective, fmt::join(messages_json(call), ","),
        fmt::join(missing_from(call), ","));
  }

  /// Whether the process is in a collective call to which all others have come.
  bool is_in_complete_collective(int rank) {
    const OpenCall& call = *call_of(rank);
    return call.collective && missing_from(call).empty();
  }

 private:
  /// Ranks of the call's communicator as those of MPI_COMM_WORLD.
  const std::vector<int>& members(const OpenCall& call) {
    const auto [place, is_new] = members_.try_emplace(call.group);
    if (is_new) place->second = world_ranks_of(call.group);
    return place->second;
  }

  int world_rank_of(int rank, const OpenCall& call) {
    const auto& all = members(call);
    const auto place = static_cast<std::size_t>(rank);
    return rank < 0 || place >= all.size() ? rank : all[place];
  }

  std::vector<std::string> messages_json(const OpenCall& call) {
    std::vector<AwaitedMessage> messages;
    if (call.source.rank != MPI_PROC_NULL)
      messages.push_back({false, world_rank_of(call.source.rank, call), call.source.tag});
    if (call.destination.rank != MPI_PROC_NULL)
      messages.push_back({true, world_rank_of(call.destination.rank, call), call.destination.tag});
    for (const MPI_Request request : call.requests)
      if (const auto seen = seen_message(request); seen && messages.size() < max_reported)
        messages.push_back({seen->sent, seen->partner, seen->tag});
    std::vector<std::string> texts;
    texts.reserve(messages.size());
    for (const auto& [sent, partner, tag] : messages)
      texts.push_back(fmt::format("{{\"sent\":{},\"rank\":{},\"tag\":{}}}", sent,
                                  partner < 0 ? "null" : std::to_string(partner),
                                  tag == MPI_ANY_TAG ? "null" : std::to_string(tag)));
    return texts;
  }

  std::vector<int> missing_from(const OpenCall& call) {
    if (!call.collective) return awaited_by(call);
    std::vector<int> missing;
    for (const int member : members(call)) {
      const OpenCall* other = call_of(member);
      if (other != nullptr && other->collective && other->name == call.name &&
          members(*other) == members(call))
        continue;
      missing.push_back(member);
      if (missing.size() == max_reported) break;
    }
    return missing;
  }

  static std::vector<int> awaited_by(const OpenCall& call) {
    std::vector<int> ranks = call.awaited ? call.awaited() : std::vector<int>();
    if (ranks.size() > max_reported) ranks.resize(max_reported);
    return ranks;
  }

  std::map<MPI_Group, std::vector<int>> members_;
};

}  // namespace

InCall::InCall(OpenCall call) : rank_(rank_of_this_actor()) {
  OpenCall* own = call_of(rank_);
  if (own == nullptr) {
    before_ = std::move(call);
    return;
  }
  if (call.comm != MPI_COMM_NULL && call.comm != MPI_COMM_WORLD)
    PMPI_Comm_group(call.comm, &call.group);
  before_ = std::exchange(*own, std::move(call));
  ++open_calls().changes;
}

InCall::~InCall() {
  OpenCall* own = call_of(rank_);
  if (own == nullptr) return;
  if (own->group != MPI_GROUP_NULL) PMPI_Group_free(&own->group);
  *own = std::move(before_);
  ++open_calls().changes;
}

int InCall::result(int code) const {
  if (code == MPI_SUCCESS) return code;
  const OpenCall* own = call_of(rank_);
  const OpenCall& call = own == nullptr ? before_ : *own;
  return answered(call.name, code, call.comm);
}

std::uint64_t num_call_changes() {
  return open_calls().changes;
}

bool all_are_stuck() {
  Standstill standstill;
  const std::vector<int> ranks = joined_ranks();
  return std::all_of(ranks.begin(), ranks.end(), [&](int rank) {
    if (has_ended(rank)) return true;
    const OpenCall* call = call_of(rank);
    return call != nullptr && !call->name.empty() && !standstill.is_in_complete_collective(rank);
  });
}

bool is_in_call(int rank, std::string_view name) {
  return call_of(rank) != nullptr && call_of(rank)->name == name;
}

std::vector<int> world_ranks_of(MPI_Group group) {
  int size = int_size(open_calls().calls);
  if (group != MPI_GROUP_NULL) PMPI_Group_size(group, &size);
  std::vector<int> ranks(static_cast<std::size_t>(size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return group == MPI_GROUP_NULL ? ranks : translated(group, ranks);
}

std::vector<int> world_ranks_of(MPI_Comm comm) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  std::vector<int> ranks = world_ranks_of(group);
  PMPI_Group_free(&group);
  return ranks;
}

std::vector<int> world_ranks_of(MPI_Comm comm, const std::vector<int>& ranks) {
  MPI_Group group = MPI_GROUP_NULL;
  PMPI_Comm_group(comm, &group);
  std::vector<int> result = translated(group, ranks);
  PMPI_Group_free(&group);
  return result;
}

OpenCall waiting_for(std::span<const MPI_Request> requests) {
  const OpenCall* own = call_of(rank_of_this_actor());
  return {.name = own == nullptr ? "" : own->name, .requests = requests};
}

void note_job(int size) {
  open_calls().calls.resize(static_cast<std::size_t>(size));
  open_calls().ended.resize(static_cast<std::size_t>(size));
  if (open_calls().world == MPI_GROUP_NULL) PMPI_Comm_group(MPI_COMM_WORLD, &open_calls().world);
}

void note_end(int rank) {
  if (call_of(rank) != nullptr) open_calls().ended[static_cast<std::size_t>(rank)] = 1;
}

bool has_ended(int rank) {
  return call_of(rank) != nullptr && open_calls().ended[static_cast<std::size_t>(rank)] != 0;
}

std::string open_calls_json(const std::vector<int>& ranks) {
  Standstill standstill;
  std::vector<std::string> processes;
  for (const int rank : ranks)
    if (call_of(rank) != nullptr) processes.push_back(standstill.process_json(rank));
  return fmt::format("{}", fmt::join(processes, ","));
}

}  // namespace vtopo::detail::overlay
