#include "sim/formats/traces/recorded_calls.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

void RecordedLine::fail(std::size_t word, std::string_view sentence) const {
  const FilePosition place = word < words.size() ? file_.at(words[word].column) : file_.line_end();
  throw input_error(place, fmt::format("rank {}: {}", number(rank_), sentence));
}

std::string_view RecordedLine::word(std::size_t i) const {
  if (i >= words.size()) fail(i, fmt::format("\"{}\" ends too early", words[0].text));
  return words[i].text;
}

std::int64_t RecordedLine::integer(std::size_t i, std::int64_t least) const {
  constexpr std::int64_t most = std::int64_t{1} << 53;
  const auto value = parse_integer(word(i));
  if (!value || *value < least || *value > most)
    fail(i, fmt::format("\"{}\" is not an integer from {} to {}", word(i), least, most));
  return *value;
}

std::int32_t RecordedLine::small(std::size_t i) const {
  const auto value = integer(i);
  if (value > 2147483647 / 2 - 1) fail(i, fmt::format("\"{}\" is too large", word(i)));
  return narrow<std::int32_t>(value);
}

Rank RecordedLine::peer(std::size_t i) const {
  const auto value = integer(i);
  if (value >= num_ranks_)
    fail(i, fmt::format("rank {} in a trace of {} ranks", value, num_ranks_));
  return Rank{narrow<std::int32_t>(value)};
}

Bytes RecordedLine::bytes(std::size_t i) const {
  return {static_cast<double>(integer(i))};
}

RecordedPart RecordedLine::part(std::size_t i) const {
  const auto ends = split(word(i).substr(1), ':');
  const auto rank = parse_integer(ends.front());
  const auto volume = parse_number(ends.back());
  if (ends.size() != 2 || !rank || *rank < 0 || *rank >= num_ranks_ || !volume || *volume < 0 ||
      !std::isfinite(*volume))
    fail(i, fmt::format("\"{}\"; expected >RANK:BYTES", word(i)));
  return {word(i)[0], Rank{narrow<std::int32_t>(*rank)}, *volume};
}

RankCommunicators::RankCommunicators(Communicators& all, Rank rank) : all_(all) {
  own_.emplace(0, OwnCommunicator{all.world(), number(rank)});
}

const OwnCommunicator& RankCommunicators::at(const RecordedLine& line, std::size_t word) const {
  const auto found = own_.find(line.integer(word, -1));
  if (found == own_.end())
    line.fail(word, fmt::format("communicator {} has no line \"comm\" before", line.word(word)));
  return found->second;
}

void RankCommunicators::read(const RecordedLine& line) {
  Communicators::Members members;
  for (std::size_t i = 3; i < line.words.size(); ++i) {
    const auto ends = split(line.word(i), '-');
    const auto first = parse_integer(ends.front()), last = parse_integer(ends.back());
    const auto world = line.num_ranks();
    if (ends.size() > 2 || !first || !last || *first < 0 || *last < *first || *last >= world ||
        std::ssize(members) + *last - *first >= world)
      line.fail(i, fmt::format("members \"{}\"; expected ranks from 0 to {}, each once",
                               line.word(i), world - 1));
    for (auto r = *first; r <= *last; ++r) members.push_back(Rank{narrow<std::int32_t>(r)});
  }
  const Communicators::Communicator shared = all_.add(std::move(members), line.integer(2, 1));
  const auto self = std::find(shared.members->begin(), shared.members->end(), line.rank());
  if (self == shared.members->end()) line.fail(0, "a communicator without this rank");
  own_.insert_or_assign(line.integer(1),
                        OwnCommunicator{shared, static_cast<int>(self - shared.members->begin())});
}

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
