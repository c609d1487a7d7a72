#include <algorithm>
#include <cmath>
#include <utility>

#include "sim/clock/sharing/max_min.hpp"

namespace vtopo::detail {

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
