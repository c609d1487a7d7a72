#include <algorithm>
#include <functional>

#include "sim/clock/sharing/changing_flows.hpp"

namespace vtopo::detail {

namespace {

constexpr std::ptrdiff_t few_links = 128;  // up to which a heap takes longer than to look at all

}  // namespace

void ChangingFlows::begin_filling() {
  for (OpenFlow& open : open_) {
    open.rate = unknown;
    open.held_by = none;
  }
  num_rising_ = std::ssize(open_);
  has_heap_ = std::ssize(listed_) > few_links;
  for (const std::int32_t number : listed_) begin_filling(links_[pos(number)]);
}

void ChangingFlows::begin_filling(Link& link) {
  link.left = std::max(link.closed_left, 0.0);
  link.rising = link.opened;
  link.num_rising = link.num_open;
  link.highest = 0;
  update_full_at(link);
}

void ChangingFlows::update_full_at(const Link& link) {
  if (has_heap_) return;
  full_at_[pos(link.listed_at)] =
      link.num_rising == 0 ? unbounded : std::max(link.left, 0.0) / link.rising;
}

void ChangingFlows::push_candidate(std::int32_t number, double rate) {
  candidates_.push_back({rate, number});
  std::push_heap(candidates_.begin(), candidates_.end(), std::greater<>());
}

/// All open rates rise together; a full link holds back the flows on it, also those that are not
/// open and have more of it.
void ChangingFlows::fill() {
  has_heap_ ? fill_by_heap() : fill_by_looking();
  for (OpenFlow& open : open_)
    if (open.rate == unknown) open.rate = unbounded;  // it has no links
}

/// Looks at all links for the one that is full next.
void ChangingFlows::fill_by_looking() {
  while (num_rising_ > 0) {
    Candidate next{unbounded, none};
    for (std::size_t i = 0; i < full_at_.size(); ++i) {
      if (full_at_[i] > next.rate) continue;
      const Candidate candidate{full_at_[i], listed_[i]};
      if (next > candidate) next = candidate;
    }
    if (next.link == none) return;
    if (!open_faster_flows(next.link, next.rate)) hold(next.link, next.rate);
  }
}

void ChangingFlows::fill_by_heap() {
  candidates_.clear();
  for (const std::int32_t number : listed_) {
    const Link& link = links_[pos(number)];
    if (link.num_rising > 0) candidates_.push_back({link.left / link.rising, number});
  }
  std::make_heap(candidates_.begin(), candidates_.end(), std::greater<>());
  while (num_rising_ > 0 && !candidates_.empty()) {
    std::pop_heap(candidates_.begin(), candidates_.end(), std::greater<>());
    const Candidate candidate = candidates_.back();
    candidates_.pop_back();
    const Link& link = links_[pos(candidate.link)];
    if (link.num_rising == 0) continue;
    const double rate = std::max(link.left, 0.0) / link.rising;
    if (rate > candidate.rate * (1 + rate_rounding))
      push_candidate(candidate.link, rate);
    else if (!open_faster_flows(candidate.link, rate))
      hold(candidate.link, rate);
  }
}

/// Opens flows that have more than `rate` of a link; then it is full later.
bool ChangingFlows::open_faster_flows(std::int32_t number, double rate) {
  const double fair = rate * (1 + full);
  const std::size_t open_before = open_.size();
  if (links_[pos(number)].num_open == std::ssize(links_[pos(number)].flows)) return false;
  // Flows that are opened stay members: the list does not change.
  for (std::size_t i = 0; i < links_[pos(number)].flows.size(); ++i) {
    const FlowNumber member = links_[pos(number)].flows[i].flow;
    const Flow& flow = flows_[pos(member)];
    if (flow.open == none && flow.rate > fair) open_while_filling(member);
  }
  return open_.size() > open_before;
}

/// The flow rises from the present level on: it is on no link that was full below it.
void ChangingFlows::open_while_filling(FlowNumber number) {
  const Flow& flow = flows_[pos(number)];
  for (const Used& used : flow.links) {
    Link& link = links_[pos(used.link)];
    if (link.listed_at == none) {
      list(used.link);
      begin_filling(link);
    }
    link.left += used.share * flow.rate;
    link.rising += used.share;
    ++link.num_rising;
    update_full_at(link);
    if (has_heap_) push_candidate(used.link, link.left / link.rising);
  }
  ++num_rising_;
  open(number);
}

void ChangingFlows::hold(std::int32_t number, double rate) {
  for (const Member& member : links_[pos(number)].flows) {
    const Flow& flow = flows_[pos(member.flow)];
    if (flow.open == none || open_[pos(flow.open)].rate != unknown) continue;
    --num_rising_;
    open_[pos(flow.open)].rate = rate;
    open_[pos(flow.open)].held_by = number;
    num_updates_ += flow.links.size();
    for (const Used& used : flow.links) {
      Link& link = links_[pos(used.link)];
      link.left -= used.share * rate;
      link.rising -= used.share;
      --link.num_rising;
      link.highest = std::max(link.highest, rate);
      update_full_at(link);
    }
  }
}

}  // namespace vtopo::detail
