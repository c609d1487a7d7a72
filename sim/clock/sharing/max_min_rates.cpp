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

namespace {

/// Looks at links after which shifting is given up: so many, and so many for each visited link. As
/// long as flows stay with their links there is one.
constexpr std::size_t max_looks = 64;
constexpr std::size_t max_looks_per_link = 16;

}  // namespace

/// @return whether all rates are max-min fair; false: given up, and visited links have what a
/// filling begins with.
bool MaxMinSharing::shift() {
  for (const std::int32_t link : visited_)
    if (links_[pos(link)].holding > 0) look_at(link, links_[pos(link)].level);
  for (;;) {
    if (!shift_candidates()) return false;
    const auto tightened = tighten_overfull();
    if (tightened.empty()) return true;
    for (const std::int32_t link : tightened) {
      touch(link);
      look_at(link, 0);
    }
  }
}

/// @return false if there are too many.
bool MaxMinSharing::shift_candidates() {
  for (std::size_t looks = 0; !candidates_.empty(); ++looks) {
    if (looks > max_looks + max_looks_per_link * visited_.size()) {
      candidates_.clear([&](const ShareQueue::Entry& left) { unmark(left.link, candidate); });
      return false;
    }
    const std::int32_t link = candidates_.top().link;
    candidates_.pop();
    unmark(link, candidate);
    if (!candidates_.empty()) fetch_held(candidates_.top().link);
    shift(link);
  }
  return true;
}

/// The machine may fetch from memory meanwhile the flows of the link that is probably next.
void MaxMinSharing::fetch_held(std::int32_t link) {
  const auto held = flows_on(link).first(pos(std::min(lists_[pos(link)].num_front, 4)));
  for (const std::int32_t flow : held) __builtin_prefetch(&flows_[pos(flow)]);
}

/// A link on which a rate has changed or that holds back other flows than before.
void MaxMinSharing::touch(std::int32_t link) {
  if (has(link, listed)) return;
  visit(link);
  mark(link, listed);
}

void MaxMinSharing::look_at(std::int32_t link, double level) {
  if (has(link, candidate)) return;
  mark(link, candidate);
  candidates_.push({level, link});
  __builtin_prefetch(&lists_[pos(link)]);
}

/// Gives a link the flows that it holds back and these their rate.
void MaxMinSharing::shift(std::int32_t link) {
  if (has(link, outlived)) forget_ended(link);
  LinkState& on = links_[pos(link)];
  if (on.holding == 0 && on.left >= -same_rate * given_.capacity[pos(link)]) return;
  double sum = gather_held(link);
  if (on.holding == 0 || on.fastest > (on.left + sum) / on.holding * (1 + same_rate))
    take_faster(link, sum);
  if (on.left > 0) leave_slower(link, sum);
  if (on.holding == 0) return;
  on.level = (on.left + sum) / on.holding;
  for (const std::int32_t flow : flows_on(link).first(pos(lists_[pos(link)].num_front)))
    set_rate(flow, on.level);
}

/// The flows that a link holds back, and no others, come first in its list.
/// @return sum of their rates.
double MaxMinSharing::gather_held(std::int32_t link) {
  const auto flows = flows_on(link);
  std::int32_t& num_front = lists_[pos(link)].num_front;
  double sum = 0;
  for (std::int32_t i = 0; i < num_front;) {
    const FlowState& flow = flows_[pos(flows[pos(i)])];
    if (flow.held_by == link) {
      sum += flow.rate;
      ++i;
    } else {
      std::swap(flows[pos(i)], flows[pos(--num_front)]);
    }
  }
  return sum;
}

/// Takes flows from the links that hold them back that are faster than this link can let them be,
/// the fastest first: each that is taken leaves more to the others.
/// @param sum of the rates of its flows.
void MaxMinSharing::take_faster(std::int32_t link, double& sum) {
  LinkState& on = links_[pos(link)];
  const auto flows = flows_on(link);
  std::int32_t& num_front = lists_[pos(link)].num_front;
  for (;;) {
    std::size_t best = 0;
    on.fastest = 0;
    for (std::size_t i = pos(num_front); i < flows.size(); ++i) {
      const double speed = speed_[pos(flows[i])];
      if (speed <= on.fastest) continue;
      on.fastest = speed;
      best = i;
    }
    if (on.fastest == 0) return;
    if (on.holding > 0 && on.fastest <= (on.left + sum) / on.holding * (1 + same_rate)) return;
    FlowState& flow = flows_[pos(flows[best])];
    LinkState& before = links_[pos(flow.held_by)];
    stop_holding(flow.held_by, flow.rate);
    before.fastest = std::max(before.fastest, flow.rate);
    touch(flow.held_by);
    if (before.holding > 0) look_at(flow.held_by, before.level);
    flow.held_by = link;
    std::swap(flows[best], flows[pos(num_front++)]);
    ++on.holding;
    sum += flow.rate;
  }
}

/// Leaves flows to links that cannot give them as much as this link can: each that goes leaves
/// more to the others.
/// @param sum of the rates of its flows.
void MaxMinSharing::leave_slower(std::int32_t link, double& sum) {
  LinkState& on = links_[pos(link)];
  const auto flows = flows_on(link);
  std::int32_t& num_front = lists_[pos(link)].num_front;
  for (std::int32_t i = 0; i < num_front;) {
    const std::int32_t flow = flows[pos(i)];
    const std::int32_t other = narrower_link(flow, (on.left + sum) / on.holding);
    if (other == link) {
      ++i;
      continue;
    }
    const double rate = flows_[pos(flow)].rate;
    sum -= rate;
    --on.holding;
    on.fastest = std::max(on.fastest, rate);
    std::swap(flows[pos(i)], flows[pos(--num_front)]);
    give(flow, other);
    i = 0;
  }
}

/// Of the links of a flow that one which gives it the least, if the flow is slower than `rate` and
/// cannot be as fast there; else the one that holds it back.
std::int32_t MaxMinSharing::narrower_link(std::int32_t flow, double rate) const {
  const FlowState& state = flows_[pos(flow)];
  std::int32_t narrowest = state.held_by;
  double least = rate * (1 - same_rate);
  if (state.rate >= least) return narrowest;
  for (const std::int32_t link : tight_links(state)) {
    const LinkState& on = links_[pos(link)];
    if (link == state.held_by || on.holding == 0) continue;
    const double gives = on.level + on.left / on.holding;
    if (gives >= least) continue;
    least = gives;
    narrowest = link;
  }
  return narrowest;
}

/// Gives a flow to a link of its that holds back others.
void MaxMinSharing::give(std::int32_t flow, std::int32_t link) {
  FlowState& state = flows_[pos(flow)];
  state.held_by = link;
  LinkState& on = links_[pos(link)];
  on.level += (state.rate - on.level) / ++on.holding;
  const auto flows = flows_on(link);
  std::int32_t& num_front = lists_[pos(link)].num_front;
  const auto at = std::find(flows.begin(), flows.end(), flow);
  if (at - flows.begin() >= num_front) std::swap(*at, flows[pos(num_front++)]);
  touch(link);
  look_at(link, on.level);
}

void MaxMinSharing::set_rate(std::int32_t flow, double rate) {
  FlowState& state = flows_[pos(flow)];
  const double more = rate - state.rate;
  if (std::abs(more) <= same_rate * rate) return;
  note_change(flow);
  state.rate = rate;
  speed_[pos(flow)] = rate;
  num_updates_ += pos(state.num_links);
  since_sums_ += pos(state.num_tight);
  for (const std::int32_t link : tight_links(state)) {
    LinkState& on = links_[pos(link)];
    on.left -= more;
    if (link == state.held_by) continue;
    touch(link);
    on.fastest = std::max(on.fastest, rate);
    if (on.holding > 0)
      look_at(link, on.level);
    else if (on.left < 0)
      look_at(link, rate);
  }
  keep_promise(flow);
}

}  // namespace vtopo::detail
