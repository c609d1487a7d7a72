#include "sim/simulation/changing_flows.hpp"

#include <algorithm>
#include <cmath>

namespace vtopo::detail {

namespace {

constexpr double unknown = -1;
constexpr double rate_rounding = 1e-12;  // relative
constexpr double time_rounding = 1e-12;  // relative
constexpr double full = 1e-9;            // of a link's capacity that may be left

}  // namespace

ChangingFlows::ChangingFlows(std::vector<double> capacity) : links_(capacity.size()) {
  for (std::size_t l = 0; l < capacity.size(); ++l) links_[l].capacity = capacity[l];
}

std::int32_t ChangingFlows::add_link(double capacity) {
  links_.emplace_back().capacity = capacity;
  return static_cast<std::int32_t>(links_.size() - 1);
}

ChangingFlows::FlowNumber ChangingFlows::start(double volume, std::span<const FlowLink> links) {
  if (free_.empty()) {
    free_.push_back(static_cast<FlowNumber>(flows_.size()));
    flows_.emplace_back();
  }
  const FlowNumber number = free_.back();
  free_.pop_back();
  Flow& flow = flows_[pos(number)];
  flow.links.assign(links.begin(), links.end());
  flow.place.clear();
  flow.left = volume;
  flow.since = time_;
  flow.rate = 0;
  flow.end = never;
  flow.held_by = none;
  for (std::size_t i = 0; i < links.size(); ++i) {
    auto& members = links_[pos(links[i].link)].flows;
    flow.place.push_back(static_cast<std::int32_t>(members.size()));
    members.push_back({number, static_cast<std::int32_t>(i)});
  }
  ++num_flows_;
  open(number);
  return number;
}

double ChangingFlows::next_end() {
  if (!open_.empty() || !changed_.empty()) find_rates();
  while (!ends_.empty() && flows_[pos(ends_.top().number)].end != ends_.top().at) ends_.pop();
  return ends_.empty() ? never : ends_.top().at;
}

std::span<const ChangingFlows::FlowNumber> ChangingFlows::advance(double time) {
  const double last = time + time_rounding * time;
  ended_.clear();
  while (next_end() <= last) {
    const FlowNumber number = ends_.top().number;
    ends_.pop();
    flows_[pos(number)].end = never;
    ended_.push_back(number);
  }
  time_ = time;
  for (const FlowNumber number : ended_) remove(number);
  std::sort(ended_.begin(), ended_.end());
  return ended_;
}

void ChangingFlows::remove(FlowNumber number) {
  Flow& flow = flows_[pos(number)];
  for (std::size_t i = 0; i < flow.links.size(); ++i) {
    auto& members = links_[pos(flow.links[i].link)].flows;
    const std::int32_t place = flow.place[i];
    const Member moved = members.back();
    members[pos(place)] = moved;
    flows_[pos(moved.flow)].place[pos(moved.entry)] = place;
    members.pop_back();
    changed_.push_back(flow.links[i].link);
  }
  free_.push_back(number);
  --num_flows_;
}

void ChangingFlows::open(FlowNumber number) {
  Flow& flow = flows_[pos(number)];
  if (flow.open != none) return;
  flow.open = static_cast<std::int32_t>(open_.size());
  open_.push_back({number, unknown, none});
}

void ChangingFlows::open_flows_held_by(const std::vector<std::int32_t>& links) {
  for (const std::int32_t number : links)
    for (const Member& member : links_[pos(number)].flows)
      if (flows_[pos(member.flow)].held_by == number) open(member.flow);
}

void ChangingFlows::find_rates() {
  open_flows_held_by(changed_);
  changed_.clear();
  for (const OpenFlow& open : open_) list_links(open.flow);
  do {
    begin_filling();
    fill();
  } while (open_freed_flows());
  for (const std::int32_t number : listed_) links_[pos(number)].is_listed = false;
  listed_.clear();
  take_rates();
}

void ChangingFlows::list_links(FlowNumber flow) {
  for (const FlowLink& used : flows_[pos(flow)].links)
    if (!links_[pos(used.link)].is_listed) list(used.link);
}

/// Sums what flows leave of a link that are not open.
void ChangingFlows::list(std::int32_t number) {
  Link& link = links_[pos(number)];
  link.is_listed = true;
  listed_.push_back(number);
  link.closed_left = link.capacity;
  link.opened = 0;
  link.num_open = 0;
  for (const Member& member : link.flows) {
    const Flow& flow = flows_[pos(member.flow)];
    const double share = flow.links[pos(member.entry)].share;
    if (flow.open == none) {
      link.closed_left -= share * flow.rate;
    } else {
      link.opened += share;
      ++link.num_open;
    }
  }
}

void ChangingFlows::begin_filling() {
  for (OpenFlow& open : open_) {
    open.rate = unknown;
    open.held_by = none;
  }
  for (const std::int32_t number : listed_) {
    Link& link = links_[pos(number)];
    link.left = std::max(link.closed_left, 0.0);
    link.rising = link.opened;
    link.num_rising = link.num_open;
    link.highest = 0;
    if (link.num_rising > 0) candidates_.push({link.left / link.rising, number});
  }
}

/// All open rates rise together; a full link holds back the flows on it, also those that are not
/// open and have more of it.
void ChangingFlows::fill() {
  while (!candidates_.empty()) {
    const Event candidate = candidates_.top();
    candidates_.pop();
    const Link& link = links_[pos(candidate.number)];
    if (link.num_rising == 0) continue;
    const double rate = std::max(link.left, 0.0) / link.rising;
    if (rate > candidate.at * (1 + rate_rounding))
      candidates_.push({rate, candidate.number});
    else if (!open_faster_flows(candidate.number, rate))
      hold(candidate.number, rate);
  }
  for (OpenFlow& open : open_)
    if (open.rate == unknown) open.rate = never;  // it has no links
}

/// Opens flows that have more than `rate` of a link; then it is full later.
bool ChangingFlows::open_faster_flows(std::int32_t number, double rate) {
  const double fair = rate * (1 + full);
  const std::size_t open_before = open_.size();
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
  for (const FlowLink& used : flow.links) {
    if (!links_[pos(used.link)].is_listed) {
      list(used.link);
      Link& link = links_[pos(used.link)];
      link.left = std::max(link.closed_left, 0.0);
      link.rising = link.opened;
      link.num_rising = link.num_open;
      link.highest = 0;
    }
    Link& link = links_[pos(used.link)];
    const double freed = used.share * flow.rate;
    link.closed_left += freed;
    link.opened += used.share;
    ++link.num_open;
    link.left += freed;
    link.rising += used.share;
    ++link.num_rising;
    candidates_.push({link.left / link.rising, used.link});
  }
  open(number);
}

void ChangingFlows::hold(std::int32_t number, double rate) {
  for (const Member& member : links_[pos(number)].flows) {
    const Flow& flow = flows_[pos(member.flow)];
    if (flow.open == none || open_[pos(flow.open)].rate != unknown) continue;
    open_[pos(flow.open)].rate = rate;
    open_[pos(flow.open)].held_by = number;
    for (const FlowLink& used : flow.links) {
      Link& link = links_[pos(used.link)];
      link.left -= used.share * rate;
      link.rising -= used.share;
      --link.num_rising;
      link.highest = std::max(link.highest, rate);
    }
  }
}

/// Opens flows that a link held back and does not any more, since it is not full or others have
/// more of it.
/// @return whether there are any: then the rates are to be found again.
bool ChangingFlows::open_freed_flows() {
  freed_.clear();
  const std::size_t num_listed = listed_.size();
  for (std::size_t l = 0; l < num_listed; ++l) find_freed_flows(listed_[l]);
  for (const FlowNumber number : freed_) {
    const Flow& flow = flows_[pos(number)];
    if (flow.open != none) continue;
    list_links(number);
    for (const FlowLink& used : flow.links) {
      Link& link = links_[pos(used.link)];
      link.closed_left += used.share * flow.rate;
      link.opened += used.share;
      ++link.num_open;
    }
    open(number);
  }
  return !freed_.empty();
}

void ChangingFlows::find_freed_flows(std::int32_t number) {
  const Link& link = links_[pos(number)];
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
    if (std::abs(flow.rate - open.rate) <= rate_rounding * flow.rate) continue;
    flow.left = std::max(0.0, flow.left - flow.rate * (time_ - flow.since));
    flow.since = time_;
    flow.rate = open.rate;
    flow.end = time_ + flow.left / flow.rate;
    ends_.push({flow.end, open.flow});
  }
  open_.clear();
}

}  // namespace vtopo::detail
