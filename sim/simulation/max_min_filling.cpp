#include <algorithm>
#include <cmath>
#include <limits>

#include "sim/simulation/max_min.hpp"

namespace vtopo::detail {

namespace {

constexpr double same_rate = 1e-13;  // relative: rounding, not another rate

}  // namespace

/// At first: all links, and all flows rise; nothing limits a flow without links.
void MaxMinSharing::list_candidates() {
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    risen_.push_back({static_cast<std::int32_t>(f), 0});
    flows_[f].num_tight = static_cast<std::int32_t>(given_.links_of(f).size());
    if (!given_.links_of(f).empty()) continue;
    flows_[f].rate = std::numeric_limits<double>::infinity();
    --num_rising_;
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto link = static_cast<std::int32_t>(l);
    visit(link);
    if (links_[l].rising == 0) continue;
    candidates_.push({links_[l].left / rising_share(link), link});
    mark(link, candidate);
    mark(link, listed);
  }
}

void MaxMinSharing::push_waiting() {
  for (const std::int32_t link : waiting_) {
    candidates_.push({links_[pos(link)].left / rising_share(link), link});
    mark(link, candidate);
    mark(link, listed);
    unmark(link, waiting);
  }
  waiting_.clear();
}

/// Lists the rising flows of a link that fills up at `share`, and lets flows rise that an unvisited
/// link holds at a higher rate, which this link can no longer give.
/// @return whether there are any: then the link fills up later.
bool MaxMinSharing::let_faster_rise(std::int32_t link, double share) {
  const double fair = share * (1 + same_rate);
  bool found = false;
  rising_on_link_.clear();
  for (const std::int32_t flow : flows_on(link)) {
    const FlowState& state = flows_[pos(flow)];
    if (state.held_by == rising) {
      rising_on_link_.push_back(flow);
    } else if (state.held_by >= 0 && state.rate > fair) {
      let_rise(flow);
      found = true;
    }
  }
  return found;
}

void MaxMinSharing::fill() {
  while (num_rising_ > 0) {
    const ShareQueue::Entry top = candidates_.top();
    const LinkState& link = links_[pos(top.link)];
    const double share = link.rising == 0 ? 0 : link.left / rising_share(top.link);
    if (link.rising > 0 && share <= top.share) {
      level_ = std::max(level_, share);
      if (let_faster_rise(top.link, level_)) {
        let_dependents_rise();
        push_waiting();
        continue;
      }
    }
    candidates_.pop();
    if (share > top.share) {
      candidates_.push({share, top.link});
      continue;
    }
    unmark(top.link, candidate);
    if (link.rising > 0) hold(top.link, level_);
  }
  candidates_.clear([&](const ShareQueue::Entry& left) { unmark(left.link, candidate); });
}

void MaxMinSharing::hold(std::int32_t link, double share) {
  for (std::size_t i = 0; i < rising_on_link_.size(); ++i) {
    if (i + fetch_ahead < rising_on_link_.size()) fetch_links_of(rising_on_link_[i + fetch_ahead]);
    const std::int32_t flow = rising_on_link_[i];  // twice if the link is twice on its route
    if (flows_[pos(flow)].held_by == rising) hold_flow(flow, link, share);
  }
}

void MaxMinSharing::hold_flow(std::int32_t flow, std::int32_t link, double share_of_link) {
  FlowState& state = flows_[pos(flow)];
  state.held_by = link;
  --num_rising_;
  ++links_[pos(link)].holding;
  const double old_rate = state.rate;
  if (std::abs(share_of_link - old_rate) > same_rate * share_of_link) state.rate = share_of_link;
  const Entries entries = entries_of(flow);
  num_updates_ += entries.last - entries.first;
  for (std::uint64_t e = entries.first; e < entries.loose; ++e) {
    LinkState& on = links_[pos(link_at(e))];
    on.left -= state.rate * given_.share(e);
    --on.rising;
    if (given_.shares.empty()) continue;
    double& rises = rising_share_[pos(link_at(e))];
    rises = on.rising == 0 ? 0 : rises - given_.shares[e];
  }
  for (std::uint64_t e = entries.loose; e < entries.last; ++e) {
    LinkState& on = links_[pos(link_at(e))];
    const bool had_more = on.left >= 0;
    on.left += (old_rate - state.rate) * given_.share(e);
    if (had_more && on.left < 0) reserve_used_.push_back(link_at(e));
  }
}

}  // namespace vtopo::detail
