#include "sim/simulation/max_min.hpp"

#include <utility>

namespace vtopo::detail {

namespace {

constexpr std::uint64_t sums_last = 64;  // changes of every term before sums are made anew
constexpr double share_noise = 1e-6;     // of the sum of all shares on a link
constexpr double reserved = 1.0 / 32;    // of a loose link's capacity

}  // namespace

MaxMinSharing::MaxMinSharing(SharedFlows flows)
    : given_(std::move(flows)),
      flows_(given_.num_flows()),
      links_(given_.capacity.size()),
      num_rising_(given_.num_flows()) {
  const std::size_t num_links = links_.size();
  list_flows_of_links();
  for (std::size_t l = 0; l < num_links; ++l) links_[l] = {given_.capacity[l], num_on_link_[l], 0};
  if (!given_.shares.empty()) {
    rising_share_.resize(num_links);
    for (std::uint64_t e = 0; e < given_.links.size(); ++e)
      rising_share_[pos(link_at(e))] += given_.shares[e];
    for (const double sum : rising_share_) share_noise_.push_back(share_noise * sum);
  }
  marks_.resize(num_links, tight);
  visited_.reserve(num_links);
  waiting_.reserve(num_links);
  risen_.reserve(flows_.size());
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

/// The machine may fetch them from memory meanwhile, for what is done with them soon.
void MaxMinSharing::fetch_links_of(std::int32_t flow) const {
  constexpr std::uint64_t per_line = 64 / sizeof(std::int32_t);
  const std::uint64_t last = given_.first[pos(flow) + 1];
  for (std::uint64_t e = given_.first[pos(flow)]; e < last; e += per_line)
    __builtin_prefetch(&given_.links[e]);
}

void MaxMinSharing::remove(std::span<const std::int32_t> flows) {
  for (std::size_t i = 0; i < flows.size(); ++i) {
    if (i + fetch_ahead < flows.size()) fetch_links_of(flows[i + fetch_ahead]);
    remove(flows[i]);
  }
}

void MaxMinSharing::remove(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  if (state.held_by >= 0) --links_[pos(state.held_by)].holding;
  state.held_by = ended;
  const Entries entries = entries_of(flow);
  for (std::uint64_t e = entries.first; e < entries.last; ++e)
    links_[pos(link_at(e))].left += state.rate * given_.share(e);
  for (std::uint64_t e = entries.first; e < entries.loose; ++e) visit(link_at(e));
}

/// Sum of the shares of flows on a link that rise, of whom there are some; without splitting their
/// number. Sums that rounding may have spoilt are made anew.
double MaxMinSharing::rising_share(std::int32_t link) const {
  if (given_.shares.empty()) return links_[pos(link)].rising;
  if (rising_share_[pos(link)] > share_noise_[pos(link)]) return rising_share_[pos(link)];
  double sum = 0;
  for (const std::int32_t flow : flows_on(link)) {
    if (flows_[pos(flow)].held_by != rising) continue;
    const Entries entries = entries_of(flow);
    for (std::uint64_t e = entries.first; e < entries.loose; ++e)
      if (link_at(e) == link) sum += given_.shares[e];
  }
  return sum;
}

void MaxMinSharing::solve() {
  risen_.clear();
  level_ = 0;
  if (first_time_) {
    list_candidates();
  } else {
    if (since_sums_ > sums_last * on_link_.size()) sum_anew();
    let_dependents_rise();
    push_waiting();
  }
  fill();
  while (let_rise_again()) {
    push_waiting();
    fill();
  }
  take_changes();
  forget_visits();
  first_time_ = false;
}

void MaxMinSharing::take_changes() {
  changes_.clear();
  for (const Change& risen : risen_)
    if (flows_[pos(risen.flow)].rate != risen.old_rate) changes_.push_back(risen);
}

/// Links that are far from full are loose from now on, those that are near it tight. A tight link
/// costs nothing as long as no flow on it rises.
void MaxMinSharing::forget_visits() {
  for (const std::int32_t link : visited_) {
    LinkState& state = links_[pos(link)];
    const bool was_candidate = has(link, listed);
    unmark(link, visited);
    unmark(link, listed);
    if (!was_candidate || state.holding > 0 || state.left < 2 * reserve(link)) continue;
    state.left -= reserve(link);
    unmark(link, tight);
    if (!first_time_) put_tight_links_first(link);
  }
  visited_.clear();
  next_visit_ = 0;
  for (const std::int32_t link : reserve_used_)
    if (!has(link, tight) && links_[pos(link)].left < 0) tighten(link);
  reserve_used_.clear();
  if (!first_time_) return;
  for (std::size_t f = 0; f < flows_.size(); ++f) put_tight_first(static_cast<std::int32_t>(f));
}

std::span<const std::int32_t> MaxMinSharing::flows_on(std::int32_t link) const {
  return {on_link_.data() + first_[pos(link)], pos(num_on_link_[pos(link)])};
}

void MaxMinSharing::mark(std::int32_t link, Mark mark) {
  marks_[pos(link)] = static_cast<unsigned char>(marks_[pos(link)] | mark);
}

void MaxMinSharing::unmark(std::int32_t link, Mark mark) {
  marks_[pos(link)] = static_cast<unsigned char>(marks_[pos(link)] & ~mark);
}

/// Capacity that is not counted as left of a loose link: as long as it has some left beyond it,
/// nobody looks at the link.
double MaxMinSharing::reserve(std::int32_t link) const {
  return reserved * given_.capacity[pos(link)];
}

void MaxMinSharing::visit(std::int32_t link) {
  if (has(link, visited)) return;
  mark(link, visited);
  visited_.push_back(link);
}

void MaxMinSharing::wait(std::int32_t link) {
  if (has(link, waiting)) return;
  mark(link, waiting);
  waiting_.push_back(link);
}

void MaxMinSharing::let_rise(std::int32_t flow) {
  risen_.push_back({flow, flows_[pos(flow)].rate});
  free_flow(flow);
}

/// Takes its rate from tight links; to loose ones the difference is given when it is held again.
void MaxMinSharing::free_flow(std::int32_t flow) {
  FlowState& state = flows_[pos(flow)];
  --links_[pos(state.held_by)].holding;
  state.held_by = rising;
  ++num_rising_;
  const Entries entries = entries_of(flow);
  since_sums_ += 2 * (entries.last - entries.first);
  for (std::uint64_t e = entries.first; e < entries.loose; ++e) {
    const std::int32_t link = link_at(e);
    LinkState& on = links_[pos(link)];
    const bool lowers_share =
        state.rate * (given_.shares.empty() ? on.rising : rising_share_[pos(link)]) < on.left;
    on.left += state.rate * given_.share(e);
    ++on.rising;
    if (!given_.shares.empty()) rising_share_[pos(link)] += given_.shares[e];
    visit(link);
    if (!has(link, candidate) || lowers_share) wait(link);
  }
}

/// Loose links that have become overfull are tight from now on.
/// @return whether there are any: then all flows whose rates were found rise again.
bool MaxMinSharing::let_rise_again() {
  bool found = false;
  for (const std::int32_t link : reserve_used_) {
    if (has(link, tight) || links_[pos(link)].left >= -reserve(link)) continue;
    tighten(link);
    found = true;
  }
  if (!found) return false;
  level_ = 0;
  for (const auto& [flow, old_rate] : risen_) {
    free_flow(flow);
    FlowState& state = flows_[pos(flow)];
    const Entries entries = entries_of(flow);
    for (std::uint64_t e = entries.loose; e < entries.last; ++e)
      links_[pos(link_at(e))].left += (state.rate - old_rate) * given_.share(e);
    state.rate = old_rate;
  }
  let_dependents_rise();
  return true;
}

void MaxMinSharing::tighten(std::int32_t link) {
  links_[pos(link)].left += reserve(link);
  mark(link, tight);
  put_tight_links_first(link);
}

/// Of all flows on a link that has become tight or loose.
void MaxMinSharing::put_tight_links_first(std::int32_t changed) {
  for (const std::int32_t flow : flows_on(changed))
    if (flows_[pos(flow)].held_by != ended) put_tight_first(flow);
}

void MaxMinSharing::put_tight_first(std::int32_t flow) {
  const Entries entries = entries_of(flow);
  std::uint64_t loose = entries.first;
  for (std::uint64_t e = entries.first; e < entries.last; ++e) {
    if (!has(link_at(e), tight)) continue;
    std::swap(given_.links[e], given_.links[loose]);
    if (!given_.shares.empty()) std::swap(given_.shares[e], given_.shares[loose]);
    ++loose;
  }
  flows_[pos(flow)].num_tight = static_cast<std::int32_t>(loose - entries.first);
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

/// Rounding adds up where terms come and go: `left` from scratch, for all links.
void MaxMinSharing::sum_anew() {
  since_sums_ = 0;
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const auto link = static_cast<std::int32_t>(l);
    links_[l].left = given_.capacity[l] - (has(link, tight) ? 0 : reserve(link));
  }
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    if (flows_[f].held_by < 0) continue;
    for (std::uint64_t e = given_.first[f]; e < given_.first[f + 1]; ++e)
      links_[pos(link_at(e))].left -= flows_[f].rate * given_.share(e);
  }
}

}  // namespace vtopo::detail
