#include "sim/simulation/max_min.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vtopo::detail {

namespace {

constexpr double same_rate = 1e-13;      // relative: rounding, not another rate
constexpr std::uint64_t sums_last = 64;  // changes of every term before sums are made anew
constexpr double share_noise = 1e-6;     // of the sum of all shares on a link

}  // namespace

MaxMinSharing::MaxMinSharing(const SharedFlows& flows)
    : given_(flows),
      flows_(flows.num_flows()),
      links_(flows.capacity.size()),
      num_rising_(flows.num_flows()) {
  const std::size_t num_links = links_.size();
  list_flows_of_links();
  for (std::size_t l = 0; l < num_links; ++l) links_[l] = {flows.capacity[l], num_on_link_[l], 0};
  if (!flows.shares.empty()) {
    rising_share_.resize(num_links);
    for (std::size_t e = 0; e < flows.links.size(); ++e)
      rising_share_[pos(flows.links[e])] += flows.shares[e];
    for (const double sum : rising_share_) share_noise_.push_back(share_noise * sum);
  }
  is_visited_.resize(num_links);
  is_candidate_.resize(num_links);
  is_waiting_.resize(num_links);
  visited_.reserve(num_links);
  waiting_.reserve(num_links);
  changes_.reserve(flows_.size());
}

void MaxMinSharing::list_flows_of_links() {
  const std::size_t num_links = links_.size();
  num_on_link_.assign(num_links, 0);
  for (const std::int32_t link : given_.links) ++num_on_link_[pos(link)];
  first_.assign(num_links + 1, 0);
  for (std::size_t l = 0; l < num_links; ++l)
    first_[l + 1] = first_[l] + static_cast<std::uint64_t>(num_on_link_[l]);
  on_link_.resize(given_.links.size());
  std::vector<std::uint64_t> end(first_.begin(), first_.end() - 1);
  for (std::size_t f = 0; f < flows_.size(); ++f)
    for (const std::int32_t link : given_.links_of(f))
      on_link_[end[pos(link)]++] = static_cast<std::int32_t>(f);
}

void MaxMinSharing::remove(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  if (state.held_by >= 0) --links_[pos(state.held_by)].holding;
  state.held_by = ended;
  for (std::uint64_t e = given_.first[pos(flow)]; e < given_.first[pos(flow) + 1]; ++e) {
    links_[pos(given_.links[e])].left += state.rate * given_.share(e);
    visit(given_.links[e]);
  }
}

/// Sum of the shares of flows on a link that rise, of whom there are some; without splitting their
/// number. Sums that rounding may have spoilt are made anew.
double MaxMinSharing::rising_share(std::int32_t link) const {
  if (rising_share_.empty()) return links_[pos(link)].rising;
  if (rising_share_[pos(link)] > share_noise_[pos(link)]) return rising_share_[pos(link)];
  double sum = 0;
  for (const std::int32_t flow : flows_on(link)) {
    if (flows_[pos(flow)].held_by != rising) continue;
    for (std::uint64_t e = given_.first[pos(flow)]; e < given_.first[pos(flow) + 1]; ++e)
      if (given_.links[e] == link) sum += given_.shares[e];
  }
  return sum;
}

void MaxMinSharing::solve() {
  changes_.clear();
  level_ = 0;
  if (first_time_) {
    list_candidates();
    for (std::size_t f = 0; f < flows_.size(); ++f) {  // nothing limits a flow without links
      if (!given_.links_of(f).empty()) continue;
      changes_.push_back({static_cast<std::int32_t>(f), 0});
      flows_[f].rate = std::numeric_limits<double>::infinity();
      --num_rising_;
    }
  } else {
    if (since_sums_ > sums_last * on_link_.size()) sum_anew();
    let_dependents_rise();
    push_waiting();
  }
  fill();
  for (const std::int32_t link : visited_) is_visited_[pos(link)] = 0;
  visited_.clear();
  next_visit_ = 0;
  first_time_ = false;
}

std::span<const std::int32_t> MaxMinSharing::flows_on(std::int32_t link) const {
  return {on_link_.data() + first_[pos(link)], pos(num_on_link_[pos(link)])};
}

void MaxMinSharing::visit(std::int32_t link) {
  if (is_visited_[pos(link)] != 0) return;
  is_visited_[pos(link)] = 1;
  visited_.push_back(link);
}

void MaxMinSharing::let_rise(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  --links_[pos(state.held_by)].holding;
  state.held_by = rising;
  ++num_rising_;
  since_sums_ += 2 * given_.links_of(pos(flow)).size();
  for (std::uint64_t e = given_.first[pos(flow)]; e < given_.first[pos(flow) + 1]; ++e) {
    const std::int32_t link = given_.links[e];
    LinkState& on = links_[pos(link)];
    const bool lowers_share =
        state.rate * (rising_share_.empty() ? on.rising : rising_share_[pos(link)]) < on.left;
    on.left += state.rate * given_.share(e);
    ++on.rising;
    if (!rising_share_.empty()) rising_share_[pos(link)] += given_.shares[e];
    visit(link);
    if (is_waiting_[pos(link)] != 0 || (is_candidate_[pos(link)] != 0 && !lowers_share)) continue;
    is_waiting_[pos(link)] = 1;
    waiting_.push_back(link);
  }
}

/// Flows held back by a visited link, by links of these flows, and so on.
void MaxMinSharing::let_dependents_rise() {
  while (next_visit_ < visited_.size()) {
    const std::int32_t link = visited_[next_visit_++];
    if (links_[pos(link)].holding == 0) continue;
    std::int32_t* const begin = on_link_.data() + first_[pos(link)];
    std::int32_t* end = begin + num_on_link_[pos(link)];
    for (std::int32_t* flow = begin; flow != end;) {
      const std::int32_t held_by = flows_[pos(*flow)].held_by;
      if (held_by == ended) {  // the list forgets it
        *flow = *--end;
        continue;
      }
      if (held_by == link) let_rise(*flow);
      ++flow;
    }
    num_on_link_[pos(link)] = static_cast<std::int32_t>(end - begin);
  }
}

/// Flows that an unvisited link holds at a rate above `share`, which this link can no longer give.
bool MaxMinSharing::let_faster_rise(std::int32_t link, double share) {
  bool found = false;
  for (const std::int32_t flow : flows_on(link)) {
    const FlowState& state = flows_[pos(flow)];
    if (state.held_by < 0 || state.rate <= share * (1 + same_rate)) continue;
    let_rise(flow);
    found = true;
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
      if (!first_time_ && let_faster_rise(top.link, level_)) {
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
    is_candidate_[pos(top.link)] = 0;
    if (link.rising > 0) hold(top.link, level_);
  }
  candidates_.clear([&](const ShareQueue::Entry& left) { is_candidate_[pos(left.link)] = 0; });
}

void MaxMinSharing::hold(std::int32_t link, double share) {
  for (const std::int32_t flow : flows_on(link))
    if (flows_[pos(flow)].held_by == rising) hold_flow(flow, link, share);
}

void MaxMinSharing::hold_flow(std::int32_t flow, std::int32_t link, double share) {
  FlowState& state = flows_[pos(flow)];
  state.held_by = link;
  --num_rising_;
  ++links_[pos(link)].holding;
  if (std::abs(share - state.rate) > same_rate * share) {
    changes_.push_back({flow, state.rate});
    state.rate = share;
  }
  for (std::uint64_t e = given_.first[pos(flow)]; e < given_.first[pos(flow) + 1]; ++e) {
    LinkState& on = links_[pos(given_.links[e])];
    on.left -= state.rate * given_.share(e);
    --on.rising;
    if (rising_share_.empty()) continue;
    double& rises = rising_share_[pos(given_.links[e])];
    rises = on.rising == 0 ? 0 : rises - given_.shares[e];
  }
}

void MaxMinSharing::list_candidates() {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    if (links_[l].rising == 0) continue;
    const auto link = static_cast<std::int32_t>(l);
    candidates_.push({links_[l].left / rising_share(link), link});
    is_candidate_[l] = 1;
  }
}

void MaxMinSharing::push_waiting() {
  for (const std::int32_t link : waiting_) {
    candidates_.push({links_[pos(link)].left / rising_share(link), link});
    is_candidate_[pos(link)] = 1;
    is_waiting_[pos(link)] = 0;
  }
  waiting_.clear();
}

/// Rounding adds up where terms come and go: `left` from scratch, for all links.
void MaxMinSharing::sum_anew() {
  since_sums_ = 0;
  for (std::size_t l = 0; l < links_.size(); ++l) links_[l].left = given_.capacity[l];
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].held_by < 0) continue;
    for (std::uint64_t e = given_.first[f]; e < given_.first[f + 1]; ++e)
      links_[pos(given_.links[e])].left -= flows_[f].rate * given_.share(e);
  }
}

}  // namespace vtopo::detail
