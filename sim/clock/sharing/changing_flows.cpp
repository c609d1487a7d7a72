#include "sim/clock/sharing/changing_flows.hpp"

#include <algorithm>
#include <cmath>

namespace vtopo::detail {

namespace {

constexpr double time_rounding = 1e-12;  // relative
constexpr std::size_t sum_lasts = 64;    // changes until rounding is worth a new sum, at least

}  // namespace

ChangingFlows::ChangingFlows(std::vector<double> capacity) : links_(capacity.size()) {
  for (std::size_t l = 0; l < capacity.size(); ++l)
    set_capacity(static_cast<std::int32_t>(l), capacity[l]);
}

std::int32_t ChangingFlows::add_link(double capacity) {
  links_.emplace_back();
  const auto number = static_cast<std::int32_t>(links_.size() - 1);
  set_capacity(number, capacity);
  return number;
}

void ChangingFlows::set_capacity(std::int32_t number, double capacity) {
  Link& link = links_[pos(number)];
  link.capacity = link.closed_left = capacity;
}

ChangingFlows::FlowNumber ChangingFlows::start(double volume, std::span<const FlowLink> links) {
  if (free_.empty()) {
    free_.push_back(static_cast<FlowNumber>(flows_.size()));
    flows_.emplace_back();
    ends_.resize(flows_.size());
  }
  const FlowNumber number = free_.back();
  free_.pop_back();
  Flow& flow = flows_[pos(number)];
  flow.links.clear();
  flow.left = volume;
  flow.since = time_;
  flow.rate = 0;
  flow.held_by = none;
  for (const FlowLink& used : links) {
    std::vector<Member>& flows = links_[pos(used.link)].flows;
    const auto entry = static_cast<std::int32_t>(flow.links.size());
    flow.links.push_back({used.link, static_cast<std::int32_t>(flows.size()), used.share});
    flows.push_back({number, entry});
  }
  ++num_flows_;
  open(number);
  return number;
}

double ChangingFlows::next_end() {
  if (!open_.empty() || !changed_.empty()) find_rates();
  return ends_.next();
}

std::span<const ChangingFlows::FlowNumber> ChangingFlows::advance(double time) {
  const double last = time + time_rounding * time;
  ended_.clear();
  if (next_end() <= last)
    ends_.take_until(last, [this](std::size_t flow, double) {
      ended_.push_back(static_cast<FlowNumber>(flow));
    });
  time_ = time;
  for (const FlowNumber number : ended_) remove(number);
  return ended_;
}

void ChangingFlows::remove(FlowNumber number) {
  Flow& flow = flows_[pos(number)];
  if (flow.held_by != none) --links_[pos(flow.held_by)].holding;
  for (const Used& used : flow.links) {
    Link& link = links_[pos(used.link)];
    const Member moved = link.flows.back();
    link.flows[pos(used.place)] = moved;
    flows_[pos(moved.flow)].links[pos(moved.entry)].place = used.place;
    link.flows.pop_back();
    take(link, -used.share * flow.rate);
    if (link.holding > 0) changed_.push_back(used.link);
  }
  free_.push_back(number);
  --num_flows_;
}

/// The rate of a flow is to be found.
void ChangingFlows::open(FlowNumber number) {
  Flow& flow = flows_[pos(number)];
  if (flow.open != none) return;
  flow.open = static_cast<std::int32_t>(open_.size());
  open_.push_back({number, unknown, none});
  if (flow.held_by != none) --links_[pos(flow.held_by)].holding;
  for (const Used& used : flow.links) {
    Link& link = links_[pos(used.link)];
    take(link, -used.share * flow.rate);
    link.opened += used.share;
    ++link.num_open;
    if (link.listed_at == none) list(used.link);
  }
}

void ChangingFlows::open_flows_held_by(const std::vector<std::int32_t>& links) {
  for (const std::int32_t number : links) {
    const Link& link = links_[pos(number)];
    for (std::size_t i = 0; i < link.flows.size() && link.holding > 0; ++i)
      if (flows_[pos(link.flows[i].flow)].held_by == number) open(link.flows[i].flow);
  }
}

void ChangingFlows::find_rates() {
  open_flows_held_by(changed_);
  changed_.clear();
  do fill();
  while (open_freed_flows());
  for (const std::int32_t number : listed_) links_[pos(number)].listed_at = none;
  listed_.clear();
  take_rates();
}

void ChangingFlows::list(std::int32_t number) {
  Link& link = links_[pos(number)];
  link.listed_at = static_cast<std::int32_t>(listed_.size());
  listed_.push_back(number);
  if (pos(link.changes) >= std::max(sum_lasts, link.flows.size())) sum_anew(link);
}

void ChangingFlows::sum_anew(Link& link) {
  link.changes = 0;
  link.closed_left = link.capacity;
  link.opened = 0;
  for (const Member& member : link.flows) {
    const Flow& flow = flows_[pos(member.flow)];
    const double share = flow.links[pos(member.entry)].share;
    if (flow.open == none)
      link.closed_left -= share * flow.rate;
    else
      link.opened += share;
  }
}

/// Opens flows that a link held back and does not any more, since it is not full or others have
/// more of it.
/// @return whether there are any: then the rates are to be found again.
bool ChangingFlows::open_freed_flows() {
  freed_.clear();
  const std::size_t num_listed = listed_.size();
  for (std::size_t l = 0; l < num_listed; ++l) find_freed_flows(listed_[l]);
  for (const FlowNumber number : freed_) open(number);
  return !freed_.empty();
}

void ChangingFlows::find_freed_flows(std::int32_t number) {
  const Link& link = links_[pos(number)];
  if (link.holding == 0) return;
  const bool is_full = link.left <= full * link.capacity;
  for (const Member& member : link.flows) {
    const Flow& flow = flows_[pos(member.flow)];
    if (flow.open != none || flow.held_by != number) continue;
    if (!is_full || link.highest > flow.rate * (1 + full)) freed_.push_back(member.flow);
  }
}

void ChangingFlows::take_rates() {
  for (const OpenFlow& open : open_) {
    Flow& flow = flows_[pos(open.flow)];
    flow.open = none;
    flow.held_by = open.held_by;
    if (flow.held_by != none) ++links_[pos(flow.held_by)].holding;
    if (std::abs(flow.rate - open.rate) > rate_rounding * flow.rate) {
      flow.left = std::max(0.0, flow.left - flow.rate * (time_ - flow.since));
      flow.since = time_;
      flow.rate = open.rate;
      ends_.set(pos(open.flow), time_ + flow.left / flow.rate);
    }
    for (const Used& used : flow.links) {
      Link& link = links_[pos(used.link)];
      take(link, used.share * flow.rate);
      --link.num_open;
      link.opened = link.num_open == 0 ? 0 : link.opened - used.share;
    }
  }
  open_.clear();
}

/// All open rates rise together; a full link holds back the flows on it, also those that are not
/// open and have more of it.
void ChangingFlows::fill() {
  for (OpenFlow& open : open_) {
    open.rate = unknown;
    open.held_by = none;
  }
  full_at_.resize(listed_.size());
  for (std::size_t l = 0; l < listed_.size(); ++l) {
    Link& link = links_[pos(listed_[l])];
    begin_filling(link);
    if (link.num_rising > 0) full_at_.set(l, link.left / link.rising);
  }
  for (double known; (known = full_at_.next()) != EndTimes::never;) {
    const std::size_t at = full_at_.first();
    const std::int32_t number = listed_[at];
    const Link& link = links_[pos(number)];
    const double rate = std::max(link.left, 0.0) / link.rising;
    if (rate > known * (1 + rate_rounding))
      full_at_.set(at, rate);
    else if (!open_faster_flows(number, rate))
      hold(number, rate);
  }
  full_at_.clear();
  for (OpenFlow& open : open_)
    if (open.rate == unknown) open.rate = unbounded;  // it has no links
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
  full_at_.resize(listed_.size() + flow.links.size());
  for (const Used& used : flow.links) {
    Link& link = links_[pos(used.link)];
    if (link.listed_at == none) {
      list(used.link);
      begin_filling(link);
    }
    link.left += used.share * flow.rate;
    link.rising += used.share;
    ++link.num_rising;
    full_at_.set(pos(link.listed_at), link.left / link.rising);
  }
  open(number);
}

void ChangingFlows::hold(std::int32_t number, double rate) {
  for (const Member& member : links_[pos(number)].flows) {
    const Flow& flow = flows_[pos(member.flow)];
    if (flow.open == none || open_[pos(flow.open)].rate != unknown) continue;
    open_[pos(flow.open)].rate = rate;
    open_[pos(flow.open)].held_by = number;
    num_updates_ += flow.links.size();
    for (const Used& used : flow.links) {
      Link& link = links_[pos(used.link)];
      link.left -= used.share * rate;
      link.rising -= used.share;
      if (--link.num_rising == 0) full_at_.set(pos(link.listed_at), EndTimes::never);
      link.highest = std::max(link.highest, rate);
    }
  }
}

}  // namespace vtopo::detail
