#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "sim/clock/sharing/max_min.hpp"

namespace vtopo::detail {

void MaxMinSharing::push_candidate(std::int32_t link) {
  candidates_.push({fair_share(link), link});
  mark(link, candidate | listed);
}

void MaxMinSharing::push_waiting() {
  for (const std::int32_t link : waiting_) {
    push_candidate(link);
    unmark(link, waiting);
  }
  waiting_.clear();
}

/// Lists the rising flows of a link that fills up at `share`, and lets flows rise that an unvisited
/// link holds at a higher rate, which this link can no longer give.
/// @return whether there are any: then the link fills up later.
bool MaxMinSharing::let_faster_rise(std::int32_t link, double share) {
  if (has(link, outlived)) forget_ended(link);
  const auto flows = flows_on(link);
  const double fair = share * (1 + same_rate);
  rising_on_link_.clear();
  bool found = false;
  for (std::size_t i = 0; i < flows.size(); ++i) {
    const double speed = speed_[pos(flows[i])];
    if (speed <= fair) continue;
    if (speed == std::numeric_limits<double>::infinity()) {
      rising_on_link_.push_back(static_cast<std::int32_t>(i));
    } else {
      let_rise(flows[i]);
      found = true;
    }
  }
  return found;
}

void MaxMinSharing::fill() {
  level_ = 0;
  while (num_rising_ > 0) {
    const ShareQueue::Entry top = candidates_.top();
    const std::int32_t link = top.link;
    const bool rises = links_[pos(link)].rising > 0;
    const double share = rises ? fair_share(link) : 0;
    if (rises && share <= top.share) {
      level_ = std::max(level_, share);
      if (let_faster_rise(link, level_)) {
        let_dependents_rise();
        push_waiting();
        continue;
      }
    }
    candidates_.pop();
    if (share > top.share) {
      candidates_.push({share, link});
      continue;
    }
    unmark(link, candidate);
    if (rises) hold(link, level_);
  }
  candidates_.clear([&](const ShareQueue::Entry& left) { unmark(left.link, candidate); });
}

/// The flows that it holds back come first in its list.
void MaxMinSharing::hold(std::int32_t link, double share) {
  LinkState& on = links_[pos(link)];
  std::int32_t& num_front = lists_[pos(link)].num_front;
  const auto flows = flows_on(link);
  if (on.holding == 0) num_front = 0;
  on.level = share;
  for (const std::int32_t i : rising_on_link_)
    if (i >= num_front) std::swap(flows[pos(i)], flows[pos(num_front++)]);
  for (const std::int32_t flow : flows.first(pos(num_front))) {
    if (flows_[pos(flow)].held_by != rising) continue;  // the link is twice on its route
    given_.shares.empty() ? hold_flow<false>(flow, link, share)
                          : hold_flow<true>(flow, link, share);
  }
}

template <bool splits>
void MaxMinSharing::hold_flow(std::int32_t flow, std::int32_t link, double share_of_link) {
  FlowState& state = flows_[pos(flow)];
  state.held_by = link;
  --num_rising_;
  ++links_[pos(link)].holding;
  if (std::abs(share_of_link - state.rate) > same_rate * share_of_link) state.rate = share_of_link;
  speed_[pos(flow)] = state.rate;
  num_updates_ += pos(state.num_links);
  std::uint64_t entry = state.first;
  for (const std::int32_t other : tight_links(state)) {
    const double share = splits ? given_.shares[entry++] : 1;
    LinkState& on = links_[pos(other)];
    on.left -= state.rate * share;
    --on.rising;
    if (other != link) on.fastest = std::max(on.fastest, state.rate);
    if (!splits) continue;
    double& rises = rising_share_[pos(other)];
    rises = on.rising == 0 ? 0 : rises - share;
  }
  keep_promise(flow);
}

}  // namespace vtopo::detail
