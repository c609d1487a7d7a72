#include "sim/clock/programs/traces/recorded_collectives.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>

namespace vtopo::detail {

namespace {

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

/// Neighbours may be the same rank more than once: each part is a message.
void append_parts(const RecordedLine& line, const OwnCommunicator& comm,
                  std::vector<Operation>& operations) {
  constexpr std::int32_t first_request = 1 << 30;
  const MessageTag tag{0, 2 * comm.shared.number + 1};
  std::vector<Operation> starts;
  for (std::size_t i = 3; i < line.words.size(); ++i) {
    const RecordedPart piece = line.part(i);
    if (piece.bytes <= 0 || piece.rank == line.rank()) continue;
    const auto request = first_request + static_cast<std::int32_t>(starts.size());
    starts.push_back(piece.side == '<' ? start_receive(piece.rank, {piece.bytes}, request, tag)
                                       : start_send(piece.rank, {piece.bytes}, request, tag));
  }
  append_with_waits(starts, operations);
}

void append_allgatherv(const RecordedLine& line, const CallMembers& members,
                       std::vector<Operation>& operations) {
  std::vector<double> volumes;
  for (std::size_t i = 3; i < line.words.size(); ++i) volumes.push_back(line.part(i).bytes);
  if (volumes.size() != members.ranks.size())
    line.fail(0, fmt::format("{} parts in a communicator of {} ranks", volumes.size(),
                             members.ranks.size()));
  CollectiveCalls::append_ring(volumes, members, operations);
}

}  // namespace

void append_recorded_collective(std::string_view name, const RecordedLine& line,
                                const OwnCommunicator& comm, bool has_open_requests,
                                CollectiveCalls& collectives, std::vector<Operation>& operations) {
  const CallMembers members{*comm.shared.members, comm.self, 2 * comm.shared.number + 1};
  const auto row = std::find_if(recorded_collectives.begin(), recorded_collectives.end(),
                                [&](const RecordedCollective& r) { return r.name == name; });
  if (row != recorded_collectives.end()) {
    const auto root = line.integer(4);
    if (root >= std::ssize(members.ranks))
      line.fail(4,
                fmt::format("root {} in a communicator of {} ranks", root, members.ranks.size()));
    collectives.append({row->collective, line.bytes(3), static_cast<int>(root)}, members,
                       has_open_requests, operations);
  } else if (name == "scan") {
    CollectiveCalls::append_chain(line.bytes(3), members, operations);
  } else if (name == "parts") {
    append_parts(line, comm, operations);
  } else if (name == "allgatherv") {
    append_allgatherv(line, members, operations);
  } else {
    line.fail(0, fmt::format("unknown call \"{}\"", name));
  }
}

}  // namespace vtopo::detail
