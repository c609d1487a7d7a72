#include "sim/clock/sharing/max_min.hpp"

#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

constexpr std::uint64_t sums_last = 64;  // changes of every term before sums are made anew

}  // namespace

MaxMinSharing::MaxMinSharing(SharedFlows flows)
    : SharingState(std::move(flows)), num_rising_(flows_.size()) {}

/// What only the changes after the first `solve` need.
void MaxMinSharing::prepare_for_changes() {
  is_prepared_ = true;
  can_shift_ = given_.shares.empty() && crosses_no_link_twice();
  for (std::size_t l = 0; l < links_.size(); ++l) visited_.push_back(static_cast<std::int32_t>(l));
  forget_visits();
  put_tight_links_first();
}

bool MaxMinSharing::crosses_no_link_twice() const {
  std::vector<std::size_t> last(links_.size(), flows_.size());
  for (std::size_t f = 0; f < flows_.size(); ++f)
    for (std::int32_t i = 0; i < flows_[f].num_links; ++i)
      if (std::exchange(last[pos(given_.links[flows_[f].first + pos(i)])], f) == f) return false;
  return true;
}

void MaxMinSharing::remove(std::span<const std::int32_t> flows) {
  if (!is_prepared_) prepare_for_changes();
  constexpr std::size_t ahead = 4;  // the machine may fetch these from memory meanwhile
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i + 2 * ahead < flows.size()) __builtin_prefetch(&flows_[pos(flows[i + 2 * ahead])]);
    if (i + ahead < flows.size())
      __builtin_prefetch(given_.links.data() + flows_[pos(flows[i + ahead])].first);
    SharingState::remove(flows[i]);
  }
}

void MaxMinSharing::solve() {
  changes_.clear();
  if (since_sums_ > sums_last * on_link_.size()) sum_anew();
  if (num_rising_ > 0)
    start();
  else if (!can_shift_ || !shift())
    fill_again();
  drop_equal_changes();
  if (is_prepared_) forget_visits();
}

/// All flows rise; nothing limits those without links.
void MaxMinSharing::start() {
  for (FlowState& flow : flows_) {
    if (flow.num_links > 0) continue;
    flow.rate = std::numeric_limits<double>::infinity();
    --num_rising_;
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto link = static_cast<std::int32_t>(l);
    mark(link, visited);
    if (links_[l].rising > 0) push_candidate(link);
  }
  fill();
}

/// Lets flows rise whose rates may depend on what has changed on visited links.
void MaxMinSharing::fill_again() {
  next_visit_ = 0;
  let_dependents_rise();
  do {
    push_waiting();
    fill();
  } while (let_rise_again());
}

void MaxMinSharing::wait(std::int32_t link) {
  if (has(link, waiting)) return;
  mark(link, waiting);
  waiting_.push_back(link);
}

void MaxMinSharing::let_rise(std::int32_t flow) {
  note_change(flow);
  free_flow(flow);
}

void MaxMinSharing::free_flow(std::int32_t flow) {
  given_.shares.empty() ? free_flow<false>(flow) : free_flow<true>(flow);
}

/// Takes its rate from tight links.
template <bool splits>
void MaxMinSharing::free_flow(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  --links_[pos(state.held_by)].holding;
  state.held_by = rising;
  speed_[pos(flow)] = std::numeric_limits<double>::infinity();
  ++num_rising_;
  since_sums_ += 2 * pos(state.num_tight);
  std::uint64_t entry = state.first;
  for (const std::int32_t link : tight_links(state)) {
    LinkState& on = links_[pos(link)];
    const double share = splits ? given_.shares[entry++] : 1;
    on.left += state.rate * share;
    ++on.rising;
    if (splits) rising_share_[pos(link)] += share;
    if (!has(link, visited | waiting)) take_in(link, state.rate);
  }
}

/// A link on which a flow has begun to rise; a candidate is one anew where that lowers its share.
void MaxMinSharing::take_in(std::int32_t link, double rate) {
  visit(link);
  if (!has(link, candidate) || rate < fair_share(link)) wait(link);
}

/// Flows held back by a visited link, by links of these flows, and so on.
void MaxMinSharing::let_dependents_rise() {
  while (next_visit_ < visited_.size()) {
    const std::int32_t link = visited_[next_visit_++];
    if (links_[pos(link)].holding == 0) continue;
    for (const std::int32_t flow : flows_on(link).first(pos(lists_[pos(link)].num_front)))
      if (flows_[pos(flow)].held_by == link) let_rise(flow);
  }
}

/// @return whether loose links have become overfull: then all flows whose rates were found rise
/// again.
bool MaxMinSharing::let_rise_again() {
  if (tighten_overfull().empty()) return false;
  for (const auto& [flow, old_rate] : changes_) {
    free_flow(flow);
    flows_[pos(flow)].rate = old_rate;
  }
  let_dependents_rise();
  return true;
}

}  // namespace vtopo::detail
