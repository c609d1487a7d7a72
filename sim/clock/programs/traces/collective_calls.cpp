#include "sim/clock/programs/traces/collective_calls.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "sim/clock/programs/schedule_program.hpp"
#include "sim/clock/programs/traces/trace_limits.hpp"
#include "topology/base/all_ranks.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/library_rules.hpp"
#include "topology/patterns/spec_algorithm.hpp"

namespace vtopo::detail {

namespace {

/// Requests of collectives are numbered from here on, those of the program below.
constexpr std::int32_t first_collective_request = 1 << 30;
constexpr std::size_t max_templates = 64;

bool is_collective(std::string_view name) {
  const auto all = collective_algorithms();
  return std::any_of(all.begin(), all.end(),
                     [&](const CollectiveAlgorithm& row) { return row.collective == name; });
}

std::int32_t next_request(const std::vector<Operation>& starts) {
  return first_collective_request + static_cast<std::int32_t>(starts.size());
}

/// Refuses what would fill the memory, before it is made.
void check_num_messages(const CommunicationSteps& steps) {
  double num_operations = 0;
  for (const CommunicationStep& step : steps.steps) {
    num_operations += 2 * static_cast<double>(step.messages.size());
    check_num_operations(num_operations);
  }
}

}  // namespace

CollectiveCalls::CollectiveCalls(CollectiveChoice choice) : choice_(std::move(choice)) {
  const auto libraries = ruled_libraries();
  if (std::find(libraries.begin(), libraries.end(), choice_.library) == libraries.end()) {
    const std::vector<std::string> names(libraries.begin(), libraries.end());
    throw UsageError(fmt::format("library \"{}\"; accepted: {}{}", choice_.library,
                                 join(names, ", "), suggestion(choice_.library, names)));
  }
  for (const PatternSpec& spec : choice_.algorithms)
    if (!is_collective(spec.name))
      throw UsageError(fmt::format("\"{}\" is not a collective with algorithms", spec.name));
}

PatternSpec CollectiveCalls::spec_of(const CollectiveCall& call, int ranks) const {
  PatternSpec spec{std::string(call.name), {{"algorithm", "auto"}, {"library", choice_.library}}};
  for (const PatternSpec& named : choice_.algorithms)
    if (named.name == call.name) spec = named;
  spec = with_algorithm(spec, ranks, call.volume);
  if (is_automatic(spec))
    throw UsageError(fmt::format(
        "what {} does in {} of {} ranks is not known; name an algorithm, as {}:algorithm=NAME",
        choice_.library, call.name, ranks, call.name));
  if (call.root != 0) spec.options["root"] = std::to_string(call.root);
  return spec;
}

const Program& CollectiveCalls::template_of(const CollectiveCall& call, int ranks) {
  const auto& rows = collective_algorithms();  // whose names live as long as the program
  const auto row = std::find_if(
      rows.begin(), rows.end(),
      [&](const CollectiveAlgorithm& algorithm) { return algorithm.collective == call.name; });
  const Key key{row->collective, call.volume.value, call.root, index(ranks)};
  if (const auto found = templates_.find(key); found != templates_.end()) return found->second;
  if (templates_.size() == max_templates) templates_.clear();
  const CommunicationSteps steps = collective_steps(spec_of(call, ranks), ranks, call.volume);
  check_num_messages(steps);
  return templates_.emplace(key, program_of(steps, call.volume, all_ranks(ranks), ranks))
      .first->second;
}

void CollectiveCalls::append(const CollectiveCall& call, const CallMembers& members,
                             bool has_open_requests, std::vector<Operation>& operations) {
  const int ranks = static_cast<int>(members.ranks.size());
  if (ranks == 1) return;
  const auto& own = template_of(call, ranks).ranks[Rank{members.self}];
  check_num_operations(static_cast<double>(operations.size() + own.size()));
  std::vector<std::int32_t> started;
  for (Operation operation : own) {
    if (is_send(operation.kind) || is_receive(operation.kind)) {
      operation.peer = number(members.ranks[index(operation.peer)]);
      operation.communicator = members.communicator;
      operation.request += first_collective_request;
      started.push_back(operation.request);
    } else if (operation.kind == Operation::Kind::wait_all) {
      if (has_open_requests) {
        append_waits(started, operations);
        started.clear();
        continue;
      }
      started.clear();
    }
    operations.push_back(operation);
  }
}

void CollectiveCalls::append_exchange(std::span<const double> sent,
                                      std::span<const double> received, const CallMembers& members,
                                      std::vector<Operation>& operations) {
  std::vector<Operation> starts;
  const MessageTag tag{0, members.communicator};
  for (std::size_t i = 0; i < members.ranks.size(); ++i) {
    if (i == index(members.self)) continue;
    if (received[i] > 0)
      starts.push_back(start_receive(members.ranks[i], {received[i]}, next_request(starts), tag));
    if (sent[i] > 0)
      starts.push_back(start_send(members.ranks[i], {sent[i]}, next_request(starts), tag));
  }
  append_with_waits(starts, operations);
}

void CollectiveCalls::append_ring(std::span<const double> volumes, const CallMembers& members,
                                  std::vector<Operation>& operations) {
  const int ranks = static_cast<int>(members.ranks.size());
  const auto around = [&](int i) { return index(((i % ranks) + ranks) % ranks); };
  const MessageTag tag{0, members.communicator};
  for (int step = 0; step + 1 < ranks; ++step) {
    const Operation starts[] = {
        start_receive(members.ranks[around(members.self - 1)],
                      {volumes[around(members.self - step - 1)]}, first_collective_request, tag),
        start_send(members.ranks[around(members.self + 1)], {volumes[around(members.self - step)]},
                   first_collective_request + 1, tag)};
    append_with_waits(starts, operations);
  }
}

void CollectiveCalls::append_chain(Bytes volume, const CallMembers& members,
                                   std::vector<Operation>& operations) {
  const MessageTag tag{0, members.communicator};
  const auto self = index(members.self);
  if (self > 0) {
    operations.push_back(receive(members.ranks[self - 1], volume, tag));
    operations.push_back(reduce(volume));
  }
  if (self + 1 < members.ranks.size())
    operations.push_back(send(members.ranks[self + 1], volume, tag));
}

}  // namespace vtopo::detail
