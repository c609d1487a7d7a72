#include "sim/simulation/rank_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace vtopo::detail {

namespace {

std::string reason(const Program& program, Rank rank, const RankState& state,
                   const Messages& messages) {
  for (const RankState::Request& request : state.awaited) {
    if (messages.end_of(request.message, request.sends)) continue;
    const Operation& operation = program.ranks[rank][request.operation];
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

std::string describe_deadlock(const Program& program, const IdVector<Rank, RankState>& ranks,
                              const Messages& messages) {
  constexpr int max_named = 4;
  std::string text = "deadlock: ";
  int named = 0;
  for (int r = 0; r < program.num_ranks() && named < max_named; ++r) {
    const RankState& state = ranks[Rank{r}];
    if (!state.is_waiting) continue;
    text += fmt::format("{}rank {} waits {}", named++ == 0 ? "" : "; ", r,
                        reason(program, Rank{r}, state, messages));
  }
  return text;
}

}  // namespace vtopo::detail
