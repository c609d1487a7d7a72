#include "sim/clock/sharing/max_min.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

constexpr double share_noise = 1e-6;  // of the sum of all shares on a link

constexpr double unknown = std::numeric_limits<double>::infinity();

constexpr std::uint64_t sums_last = 64;  // changes of every term before sums are made anew

}  // namespace

SharingState::SharingState(SharedFlows flows)
    : given_(std::move(flows)),
      flows_(given_.num_flows()),
      speed_(given_.num_flows(), std::numeric_limits<double>::infinity()),
      links_(given_.capacity.size()),
      lists_(links_.size()),
      on_link_(given_.links.size()),
      marks_(links_.size(), tight) {
  for (const std::int32_t link : given_.links) ++lists_[pos(link)].num_front;
  std::uint64_t first = 0;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    lists_[l].first = first;
    links_[l].left = given_.capacity[l];
    links_[l].rising = lists_[l].num_front;
    first += pos(lists_[l].num_front);
  }
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    const auto links = given_.links_of(f);
    for (const std::int32_t link : links)
      on_link_[lists_[pos(link)].first + pos(lists_[pos(link)].count++)] =
          static_cast<std::int32_t>(f);
    FlowState& flow = flows_[f];
    flow.first = given_.first[f];
    flow.num_links = flow.num_tight = static_cast<std::int32_t>(links.size());
    if (links.size() <= flow.near.size()) std::copy(links.begin(), links.end(), flow.near.begin());
  }
  given_.first = std::vector<std::uint64_t>();
  if (given_.shares.empty()) return;
  rising_share_.resize(links_.size());
  for (std::uint64_t e = 0; e < given_.links.size(); ++e)
    rising_share_[pos(given_.links[e])] += given_.shares[e];
  for (const double sum : rising_share_) share_noise_.push_back(share_noise * sum);
}

void SharingState::visit(std::int32_t link) {
  if (has(link, visited)) return;
  mark(link, visited);
  visited_.push_back(link);
}

/// Before a flow gets another rate.
void SharingState::note_change(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  if (state.is_changed) return;
  state.is_changed = true;
  changes_.push_back({flow, state.rate});
}

void SharingState::remove(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  if (state.held_by >= 0) stop_holding(state.held_by, state.rate);
  state.held_by = ended;
  speed_[pos(flow)] = 0;
  for (std::int32_t i = 0; i < state.num_links; ++i) {
    const std::uint64_t entry = state.first + pos(i);
    const std::int32_t link = given_.links[entry];
    const bool is_tight = i < state.num_tight;
    links_[pos(link)].left +=
        (is_tight ? state.rate : double{state.promised}) * given_.share(entry);
    mark(link, outlived);
    if (is_tight) visit(link);
  }
}

/// The list of a link without flows that have ended.
void SharingState::forget_ended(std::int32_t link) {
  drop_ended(lists_[pos(link)], flows_on(link).data(),
             [&](std::int32_t flow) { return flows_[pos(flow)].held_by == ended; });
  unmark(link, outlived);
}

/// A link holds back one flow less, which had that rate.
void SharingState::stop_holding(std::int32_t link, double rate) {
  LinkState& on = links_[pos(link)];
  if (--on.holding > 0) on.level += (on.level - rate) / on.holding;
}

/// Of a link by a flow on it, each time that it is on its route: the mean of these.
double SharingState::share_on(std::int32_t link, std::int32_t flow) const {
  const FlowState& state = flows_[pos(flow)];
  double share = 0;
  int times = 0;
  for (std::uint64_t e = state.first; e < state.first + pos(state.num_links); ++e) {
    if (given_.links[e] != link) continue;
    share += given_.shares[e];
    ++times;
  }
  return share / times;
}

/// Sums that rounding may have spoilt are made anew.
double SharingState::sum_of_rising(std::int32_t link) {
  if (rising_share_[pos(link)] > share_noise_[pos(link)]) return rising_share_[pos(link)];
  double sum = 0;
  for (const std::int32_t flow : flows_on(link))
    if (flows_[pos(flow)].held_by == rising) sum += share_on(link, flow);
  return sum;
}

/// Of `part(state)` of each flow on a link that has not ended; flows do not split.
template <class Part>
double SharingState::sum_of_flows(std::int32_t link, Part&& part) {
  double sum = 0;
  for (const std::int32_t flow : flows_on(link))
    if (const FlowState& state = flows_[pos(flow)]; state.held_by != ended) sum += part(state);
  return sum;
}

/// What the flows on a link, none of which rises, take of it.
double SharingState::load(std::int32_t link) {
  return sum_of_flows(link, [](const FlowState& flow) { return flow.rate; });
}

/// Capacity that is not counted as left of a loose link.
double SharingState::reserve(std::int32_t link) const {
  return reserved * given_.capacity[pos(link)];
}

/// Loose links learn of a new rate if it is not about what they count the flow with.
void SharingState::keep_promise(std::int32_t flow) {
  const FlowState& state = flows_[pos(flow)];
  const double known = state.promised;
  if (state.rate > known || max_promised_rate * state.rate < known) promise(flow);
}

void SharingState::promise(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  const double before =
      std::exchange(state.promised, static_cast<float>(promised_rate * state.rate));
  for (std::int32_t i = state.num_tight; i < state.num_links; ++i) {
    const std::int32_t link = given_.links[state.first + pos(i)];
    LinkState& on = links_[pos(link)];
    const bool had_more = on.left >= 0;
    on.left += before - state.promised;
    if (had_more && on.left < 0) reserve_used_.push_back(link);
  }
}

/// Whether a tight link may be loose for some time.
bool SharingState::stays_far_from_full(std::int32_t link) const {
  const LinkState& on = links_[pos(link)];
  return on.holding == 0 && on.left > (1 - loose_load) * given_.capacity[pos(link)];
}

/// From now on `left` of the link is what is left beyond the reserve by the rates that are promised
/// to its flows: as long as there is some, nobody looks at the link.
void SharingState::loosen(std::int32_t link) {
  links_[pos(link)].left =
      given_.capacity[pos(link)] - reserve(link) -
      sum_of_flows(link, [](const FlowState& flow) { return double{flow.promised}; });
  unmark(link, tight);
  put_tight_links_first(link);
}

void SharingState::tighten(std::int32_t link) {
  links_[pos(link)].left = given_.capacity[pos(link)] - load(link);
  links_[pos(link)].fastest = unknown;
  mark(link, tight);
  put_tight_links_first(link);
}

/// Loose links that have become overfull are tight from now on.
/// @return these; no flow on them may rise yet.
std::span<const std::int32_t> SharingState::tighten_overfull() {
  tightened_.clear();
  for (const std::int32_t link : reserve_used_) {
    if (has(link, tight) || links_[pos(link)].left >= -reserve(link)) continue;
    if (load(link) <= given_.capacity[pos(link)]) continue;
    tighten(link);
    tightened_.push_back(link);
  }
  return tightened_;
}

/// Links that are far from full are loose from now on, those that are near it tight. A tight link
/// costs nothing as long as no rate on it changes. Where flows split all links stay tight: to sum
/// up what flows of thousands of links take of one of them costs more than it saves.
void SharingState::forget_visits() {
  for (const std::int32_t link : visited_) {
    const bool was_candidate = has(link, listed);
    unmark(link, visited | listed);
    if (was_candidate && given_.shares.empty() && stays_far_from_full(link)) loosen(link);
  }
  visited_.clear();
  for (const std::int32_t link : reserve_used_)
    if (!has(link, tight) && links_[pos(link)].left < 0) tighten(link);
  reserve_used_.clear();
}

/// Ends the list of changes: flows that have their old rate again are none.
void SharingState::drop_equal_changes() {
  std::erase_if(changes_, [&](const Change& change) {
    FlowState& flow = flows_[pos(change.flow)];
    flow.is_changed = false;
    return flow.rate == change.old_rate;
  });
}

/// Of all flows: from now on they are kept so.
void SharingState::put_tight_links_first() {
  sorts_links_ = true;
  for (FlowState& flow : flows_) put_tight_first(flow);
}

/// Of all flows on a link that has become tight or loose.
void SharingState::put_tight_links_first(std::int32_t link) {
  if (!sorts_links_) return;
  for (const std::int32_t flow : flows_on(link))
    if (flows_[pos(flow)].held_by != ended) put_tight_first(flows_[pos(flow)]);
}

void SharingState::put_tight_first(FlowState& flow) {
  flow.num_tight = 0;
  for (std::int32_t i = 0; i < flow.num_links; ++i) {
    const std::uint64_t entry = flow.first + pos(i);
    const std::int32_t link = given_.links[entry];
    if (!has(link, tight)) continue;
    if (flow.num_tight < FlowState::max_near) flow.near[pos(flow.num_tight)] = link;
    const std::uint64_t to = flow.first + pos(flow.num_tight++);
    std::swap(given_.links[entry], given_.links[to]);
  }
}

/// Rounding adds up where terms come and go: `left` from scratch, for all links.
void SharingState::sum_anew() {
  since_sums_ = 0;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto link = static_cast<std::int32_t>(l);
    links_[l].left = given_.capacity[l] - (has(link, tight) ? 0 : reserve(link));
  }
  for (const FlowState& flow : flows_) {
    if (flow.held_by < 0) continue;
    for (std::int32_t i = 0; i < flow.num_links; ++i) {
      const std::uint64_t entry = flow.first + pos(i);
      links_[pos(given_.links[entry])].left -=
          (i < flow.num_tight ? flow.rate : double{flow.promised}) * given_.share(entry);
    }
  }
}

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
