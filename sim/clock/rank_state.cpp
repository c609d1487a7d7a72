#include "sim/clock/rank_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "sim/clock/programs/program.hpp"

namespace vtopo::detail {

namespace {

/// What a rank waits for; `sends` becomes true where that is a receiver.
std::string reason(const Program& program, Rank rank, const RankState& state,
                   const Messages& messages, bool& sends) {
  for (const RankState::Request& request : state.awaits_any ? state.group : state.awaited) {
    if (messages.end_of(request.message, request.sends)) continue;
    const Operation& operation = program.ranks[rank][request.operation];
    sends |= request.sends;
    return fmt::format("for rank {} to {} (tag {}, communicator {}), operation {}", operation.peer,
                       request.sends ? "receive" : "send", operation.tag, operation.communicator,
                       request.operation);
  }
  return "at a barrier";
}

}  // namespace

void RankState::end_loop_body() {
  ++next;
  if (--loops.back().left > 0)
    next = loops.back().begin;
  else
    loops.pop_back();
}

void RankState::await_request(std::int32_t number) {
  const auto found = std::find_if(requests.begin(), requests.end(),
                                  [&](const Request& r) { return r.number == number; });
  awaited.push_back(*found);
  requests.erase(found);
}

void RankState::await_call(const std::vector<Operation>& operations) {
  bool is_last = false;  // also where a recording that was cut off ends
  while (!is_last) {
    is_last = operations[next].amount == 0;
    await_request(operations[next++].request);
    is_last =
        is_last || next == operations.size() || operations[next].kind != Operation::Kind::wait;
  }
}

double RankState::take(double end, const EndpointCosts& costs) {
  const double arrived = std::max(end, waits_since) + costs.overhead.value;
  const Seconds cost = costs.overhead_after(num_taken++);
  taken_until = num_taken == 1 ? arrived : std::max(arrived, taken_until + cost.value);
  times.computing += cost;
  times.waiting += cost * -1.0;
  return taken_until;
}

void RankState::begin_group(const std::vector<Operation>& operations) {
  for (const std::int32_t number : requests_of_group(operations, next)) {
    await_request(number);
    group.push_back(awaited.back());
    awaited.pop_back();
  }
}

double RankState::first_end_of_group(const Messages& messages) const {
  double first = std::numeric_limits<double>::infinity();
  for (const Request& request : group)
    if (const auto end = messages.end_of(request.message, request.sends))
      first = std::min(first, *end);
  return first;
}

void RankState::await_first_of_group(const Messages& messages) {
  const double first = first_end_of_group(messages);
  const auto found = std::find_if(group.begin(), group.end(), [&](const Request& request) {
    return messages.end_of(request.message, request.sends) == first;
  });
  awaited.push_back(*found);
  group.erase(found);
}

void report_wait(const ProgramOptions& options, Rank rank, RankState& state, double now) {
  const auto report = [&](RankSpan::Kind kind, double begin, double end) {
    if (end > begin) options.span({rank, kind, Seconds{begin}, Seconds{end}});
  };
  const bool has_message = state.transfers_since >= 0;
  const double since = has_message ? std::min(state.transfers_since, now) : now;
  const double until = has_message ? std::min(state.transfers_until, now) : now;
  report(RankSpan::Kind::waiting, state.waits_since, since);
  report(RankSpan::Kind::transferring, since, until);
  report(RankSpan::Kind::computing, until, now);
  state.transfers_since = state.transfers_until = never_waits;
}

std::string describe_deadlock(const Program& program, const IdVector<Rank, RankState>& ranks,
                              const Messages& messages) {
  constexpr int max_named = 4;
  std::string text = "deadlock: ";
  int named = 0;
  bool sends = false;
  for (int r = 0; r < program.num_ranks() && named < max_named; ++r) {
    const RankState& state = ranks[Rank{r}];
    if (!state.is_waiting) continue;
    text += fmt::format("{}rank {} waits {}", named++ == 0 ? "" : "; ", r,
                        reason(program, Rank{r}, state, messages, sends));
  }
  if (sends) text += "; messages up to an --eager-limit leave before their receiver is ready";
  return text;
}

}  // namespace vtopo::detail
