#include "sim/clock/sharing/burst.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace vtopo::detail {

BurstSharing::BurstSharing(SharedFlows flows, std::span<const FirstRate> first, double tolerance)
    : given_(std::move(flows)),
      flows_(given_.num_flows()),
      links_(given_.capacity.size()),
      lists_(links_.size()),
      on_link_(given_.links.size()),
      is_dirty_(links_.size()),
      tolerance_(tolerance) {
  for (std::size_t l = 0; l < links_.size(); ++l) links_[l].left = given_.capacity[l];
  for (const std::int32_t link : given_.links) ++lists_[pos(link)].num_front;
  std::uint64_t begin = 0;
  for (FlowList& list : lists_) {
    list.first = std::exchange(begin, begin + pos(std::exchange(list.num_front, 0)));
    list.min_due = unbounded;
  }
  for (std::size_t f = 0; f < flows_.size(); ++f) {
    FlowState& flow = flows_[f];
    flow = {given_.volume[f], given_.first[f], 0, 0, first[f].held_by};
    flow.num_links = flow.num_tight = static_cast<std::int32_t>(given_.first[f + 1] - flow.first);
    if (flow.num_links == 0) continue;
    LinkState& holder = links_[pos(flow.held_by)];
    holder.level = first[f].rate;
    holder.weight += share_on(flow, flow.held_by);
    ++lists_[pos(flow.held_by)].num_held;
    for (std::int32_t i = 0; i < flow.num_links; ++i) {
      const std::int32_t link = given_.links[flow.first + pos(i)];
      FlowList& list = lists_[pos(link)];
      std::int32_t& at = on_link_[list.first + pos(list.count++)];
      at = static_cast<std::int32_t>(f);
      links_[pos(link)].left -= first[f].rate * given_.share(flow.first + pos(i));
      if (link != flow.held_by) {
        double& fastest = links_[pos(link)].fastest;
        fastest = std::max(fastest, first[f].rate);
      } else {
        std::swap(at, on_link_[list.first + pos(list.num_front++)]);
        list.min_due = std::min(list.min_due, flow.due);
      }
    }
  }
  for (std::size_t l = 0; l < links_.size(); ++l) {
    LinkState& on = links_[l];
    if (on.weight > 0) on.left = 0;
    lists_[l].promised = promised_rate * on.level;
    lists_[l].tight = on.weight > 0 || on.left <= (1 - loose_load) * given_.capacity[l];
    if (!lists_[l].tight) on.left = given_.capacity[l] * (1 - reserved);
  }
  for (FlowState& flow : flows_) {
    if (flow.num_links == 0) continue;
    put_tight_first(flow);
    charge_loose(flow, lists_[pos(flow.held_by)].promised);
  }
  keys_.resize(links_.size());
  for (std::size_t l = 0; l < links_.size(); ++l) touch(static_cast<std::int32_t>(l));
  find_keys();
}

std::uint64_t BurstSharing::entry_on(const FlowState& flow, std::int32_t link) const {
  std::uint64_t entry = flow.first;
  while (given_.links[entry] != link) ++entry;
  return entry;
}

double BurstSharing::share_on(const FlowState& flow, std::int32_t link) const {
  return given_.shares.empty() ? 1 : given_.shares[entry_on(flow, link)];
}

void BurstSharing::touch(std::int32_t link) {
  if (std::exchange(is_dirty_[pos(link)], true)) return;
  __builtin_prefetch(&lists_[pos(link)]);
  dirty_.push_back(link);
}

/// A flow's rate has grown to `level`, and it has had more bytes than it was accounted for. Links
/// that hold back others at a lower one are to take it.
void BurstSharing::charge(const FlowState& flow, double rate, double bytes, double level) {
  num_updates_ += pos(flow.num_tight);
  const bool splits = !given_.shares.empty();
  const double more = rate * now_ - bytes;
  const double* share = splits ? &given_.shares[flow.first] : nullptr;
  for (const std::int32_t link : tight_links(flow)) {
    LinkState& on = links_[pos(link)];
    const double part = splits ? *share++ : 1;
    on.left -= rate * part;
    on.account += more * part;
    if (on.fastest < level && link != flow.held_by) {
      on.fastest = level;
      if (on.weight > 0 && (level - on.level) * on.weight > on.left) touch(link);
    }
    if (on.weight > 0 ? std::abs(on.account + on.left * on.key - on.checked) > on.bound
                      : on.left < 0 || on.key >= 0)
      touch(link);
  }
}

void BurstSharing::charge_loose(const FlowState& flow, double more) {
  for (std::int32_t i = flow.num_tight; i < flow.num_links; ++i) {
    const std::uint64_t entry = flow.first + pos(i);
    const std::int32_t link = given_.links[entry];
    if ((links_[pos(link)].left -= more * given_.share(entry)) < 0) touch(link);
  }
}

/// A flow has had so many bytes more than its rates said. The level of a link that others have
/// outgrown is below 0 until it has taken them.
void BurstSharing::correct(double bytes, double level) {
  if (level > 0 && std::abs(bytes) > max_correction * tolerance_ * level * now_) diverges_ = true;
}

void BurstSharing::notice_standstill() {
  if (now_ > stands_since_ * (1 + same_time)) {
    stands_since_ = now_;
    num_standing_ = 0;
  } else if (++num_standing_ > 1000 + links_.size() / 4) {
    tolerance_ *= 2;
    num_standing_ = 0;
  }
}

/// Lets the machine get all links from memory at once that settling will look at. What is asked for
/// in vain costs less than to wait for the number of links.
void BurstSharing::fetch(std::int32_t link) const {
  for (const std::int32_t flow : front(link)) __builtin_prefetch(&flows_[pos(flow)]);
  for (const std::int32_t flow : front(link))
    for (const std::int32_t other : tight_links(flows_[pos(flow)]))
      __builtin_prefetch(&links_[pos(other)]);
}

void BurstSharing::settle(std::int32_t link) {
  fetch(link);
  lists_[pos(link)].unfair = unbounded;
  end_flows(link);
  LinkState& on = links_[pos(link)];
  if (on.weight > 0 || on.left < 0) {
    take_faster(link);
    if (on.left > 0 || account(on) > 0) leave_slower(link);
    if (on.weight > 0) publish(link);
  }
  touch(link);
  find_keys();
}

/// The flows that a link holds back, and no others, come first in its list.
void BurstSharing::gather(std::int32_t link) {
  FlowList& list = lists_[pos(link)];
  if (list.num_front == list.num_held) return;
  std::int32_t* flows = on_link_.data() + list.first;
  for (std::int32_t i = 0; i < list.num_front;) {
    if (flows_[pos(flows[i])].held_by == link)
      ++i;
    else
      std::swap(flows[i], flows[--list.num_front]);
  }
  if (list.num_front == 0) links_[pos(link)].weight = 0;
}

void BurstSharing::end_flows(std::int32_t link) {
  LinkState& on = links_[pos(link)];
  FlowList& list = lists_[pos(link)];
  gather(link);
  if (on.weight <= 0) return;
  const double reached = work(link) + owed(on), late = same_time * now_ * effective(on);
  if (list.min_due > reached + late) return;
  const double published = work(link), level = on.level;
  for (const std::int32_t number : front(link)) {
    FlowState& flow = flows_[pos(number)];
    if (flow.due > reached + late) continue;
    ended_.push_back(number);
    let_go(link, share_on(flow, link));
    flow.held_by = over;
    charge(flow, -level, flow.due - published, 0);
    charge_loose(flow, -list.promised);
    for (std::int32_t k = 0; k < flow.num_links; ++k)
      lists_[pos(given_.links[flow.first + pos(k)])].outlived = true;
  }
  gather(link);
}

/// A link holds a flow less back. What is left of shares is 0 without flows, not what rounding
/// leaves, by which bytes that are owed would be divided.
void BurstSharing::let_go(std::int32_t link, double share) {
  double& weight = links_[pos(link)].weight;
  weight = --lists_[pos(link)].num_held > 0 ? weight - share : 0;
}

/// Another link holds a flow back from now on: the flow has its level.
void BurstSharing::transfer(std::int32_t number, std::int32_t to, double share_there) {
  FlowState& flow = flows_[pos(number)];
  LinkState& before = links_[pos(flow.held_by)];
  LinkState& after = links_[pos(to)];
  if (after.weight <= 0) {
    lists_[pos(to)].work += (after.level - before.level) * now_;
    after.level = before.level;
    after.weight = 0;
    lists_[pos(to)].promised = lists_[pos(flow.held_by)].promised;
    lists_[pos(to)].min_due = unbounded;
  }
  const double owed_before = owed(before), owed_after = owed(after);
  const double rest = flow.due - work(flow.held_by) - owed_before;
  const double old_level = before.level;
  let_go(flow.held_by, share_on(flow, flow.held_by));
  touch(flow.held_by);
  charge_loose(flow, lists_[pos(to)].promised - lists_[pos(flow.held_by)].promised);
  flow.held_by = to;
  after.weight += share_there;
  ++lists_[pos(to)].num_held;
  charge(flow, after.level - old_level, owed_before - owed_after, after.level);
  correct(owed_before - owed_after, std::max(old_level, after.level));
  flow.due = work(to) + owed_after + rest;
  lists_[pos(to)].min_due = std::min(lists_[pos(to)].min_due, flow.due);
  touch(to);
}

/// Takes flows from the links that hold them back that are faster than this link can let them be,
/// the fastest first: each that is taken leaves more to the others.
void BurstSharing::take_faster(std::int32_t link) {
  LinkState& on = links_[pos(link)];
  FlowList& list = lists_[pos(link)];
  std::int32_t* flows = on_link_.data() + list.first;
  for (;;) {
    const auto fair = [&] {
      return on.weight > 0 ? effective(on) * (1 + same_rate)
                           : (on.left < -same_rate * given_.capacity[pos(link)] ? 0 : unbounded);
    };
    if (on.fastest <= fair()) return;
    if (std::exchange(list.outlived, false))
      drop_ended(list, flows, [&](std::int32_t flow) { return flows_[pos(flow)].held_by == over; });
    std::int32_t best = -1;
    on.fastest = 0;
    for (std::int32_t i = list.num_front; i < list.count; ++i) {
      const FlowState& flow = flows_[pos(flows[i])];
      if (flow.held_by == link || flow.held_by == over) continue;
      const double rate = links_[pos(flow.held_by)].level;
      if (rate <= on.fastest) continue;
      on.fastest = rate;
      best = i;
    }
    if (best < 0 || on.fastest <= fair()) return;
    const FlowState& flow = flows_[pos(flows[best])];
    const std::int32_t holder = flow.held_by;
    const LinkState& before = links_[pos(holder)];
    if (account(before) < 0 || effective(before) < before.level * (1 - same_rate)) {
      gather(holder);
      publish(holder);
      touch(holder);
      on.fastest = unbounded;
      continue;
    }
    if (on.weight > 0 && on.left < 0)
      publish(link);  // no flow is faster than it was because of this
    transfer(flows[best], link, share_on(flow, link));
    std::swap(flows[best], flows[list.num_front++]);
  }
}

/// Leaves flows to links that cannot give them as much as this link can: each that goes leaves
/// more to the others.
void BurstSharing::leave_slower(std::int32_t link) {
  LinkState& on = links_[pos(link)];
  FlowList& list = lists_[pos(link)];
  std::int32_t* flows = on_link_.data() + list.first;
  for (std::int32_t i = 0; i < list.num_front && on.weight > 0;) {
    const FlowState& flow = flows_[pos(flows[i])];
    double least = effective(on) * (1 - same_rate);
    std::int32_t narrowest = link;
    std::uint64_t entry = 0, next = flow.first;
    for (const std::int32_t other : tight_links(flow)) {
      const std::uint64_t e = next++;
      const LinkState& at = links_[pos(other)];
      if (other == link || at.weight <= 0) continue;
      const double above = (at.level - least) * at.weight + at.left;  // below 0: it gives less
      if (above > same_level * on.level * at.weight) continue;
      if (above >= 0 && account(at) * on.weight >= std::max(account(on), 0.0) * at.weight) continue;
      least = effective(at);
      narrowest = other;
      entry = e;
    }
    if (narrowest == link) {
      ++i;
      continue;
    }
    const std::int32_t number = flows[i];
    transfer(number, narrowest, given_.share(entry));
    on.fastest = std::max(on.fastest, links_[pos(narrowest)].level);
    std::swap(flows[i], flows[--list.num_front]);
    if (list.num_front == 0) on.weight = 0;
    FlowList& there = lists_[pos(narrowest)];
    std::int32_t* on_there = on_link_.data() + there.first;
    std::int32_t* at = std::find(on_there, on_there + there.count, number);
    if (at - on_there >= there.num_front) std::swap(*at, on_there[there.num_front++]);
    i = 0;
  }
}

/// Gives the flows of a link what they are owed and their new rate.
void BurstSharing::publish(std::int32_t link) {
  LinkState& on = links_[pos(link)];
  FlowList& list = lists_[pos(link)];
  if (!given_.shares.empty()) {
    on.weight = 0;
    for (const std::int32_t flow : front(link)) on.weight += share_on(flows_[pos(flow)], link);
  }
  const double rate = on.left / on.weight, bytes = owed(on);
  correct(bytes, std::max(on.level, on.level + rate));
  on.level += rate;
  list.work += bytes - rate * now_;
  list.min_due = unbounded;
  const double promised = list.promised;
  const bool renews = on.level > promised || max_promised_rate * on.level < promised;
  if (renews) list.promised = promised_rate * on.level;
  const double kept_bound = std::exchange(on.bound, unbounded);  // charged itself below
  for (const std::int32_t number : front(link)) {
    const FlowState& flow = flows_[pos(number)];
    list.min_due = std::min(list.min_due, flow.due);
    charge(flow, rate, bytes, on.level);
    if (renews) charge_loose(flow, list.promised - promised);
  }
  on.bound = kept_bound;
  on.left = on.account = 0;
}

void BurstSharing::find_keys() {
  for (std::size_t i = 0; i < dirty_.size(); ++i) {
    const std::int32_t link = dirty_[i];
    is_dirty_[pos(link)] = false;
    find_key(link);
  }
  dirty_.clear();
}

void BurstSharing::find_key(std::int32_t link) {
  LinkState& on = links_[pos(link)];
  FlowList& list = lists_[pos(link)];
  double key = unbounded;
  if (!list.tight && on.left < 0) tighten(link);
  if (!list.tight) return;
  double allowed =
      tolerance_ * given_.capacity[pos(link)] / 16;  // bytes per second since the start
  if (on.weight > 0) {
    allowed = tolerance_ * on.weight * on.level;
    const double rate = effective(on);
    if (rate > 0) key = (list.min_due - list.work - on.account / on.weight) / rate;
    key = std::min(key, 2 * now_ + (now_ == 0 ? key : 0));
    const double too_fast = on.fastest - rate * (1 + same_rate);
    if (too_fast > 0)
      list.unfair = std::min(list.unfair, now_ * (1 + tolerance_ * on.level / too_fast));
    key = std::min(key, list.unfair);
  } else if (on.left >= -same_rate * given_.capacity[pos(link)]) {
    if (on.left > (1 - loose_load) * given_.capacity[pos(link)]) loosen(link);
    keys_.set(pos(link), unbounded);
    on.key = -1;
    return;
  } else if (on.key < 0) {
    on.account = -on.left * now_;
  }
  if (std::abs(account(on)) > allowed * now_)
    key = now_;
  else if (on.left > allowed)
    key = std::min(key, on.account / (allowed - on.left));
  else if (on.left < -allowed)
    key = std::min(key, -on.account / (on.left + allowed));
  on.key = std::max(key, now_);
  on.checked = on.account + on.left * on.key;
  on.bound = 0.25 * allowed * now_;
  keys_.set(pos(link), on.key);
}

void BurstSharing::loosen(std::int32_t link) {
  FlowList& list = lists_[pos(link)];
  list.tight = false;
  double left = given_.capacity[pos(link)] * (1 - reserved);
  for (std::int32_t i = 0; i < list.count; ++i) {
    FlowState& flow = flows_[pos(on_link_[list.first + pos(i)])];
    if (flow.held_by == over) continue;
    const std::uint64_t entry = entry_on(flow, link);
    left -= lists_[pos(flow.held_by)].promised * given_.share(entry);
    put_at(flow, entry, --flow.num_tight);
  }
  links_[pos(link)].left = left;
}

void BurstSharing::tighten(std::int32_t link) {
  FlowList& list = lists_[pos(link)];
  LinkState& on = links_[pos(link)];
  list.tight = true;
  on.left = given_.capacity[pos(link)];
  on.fastest = unbounded;
  on.weight = 0;
  on.key = -1;
  for (std::int32_t i = 0; i < list.count; ++i) {
    FlowState& flow = flows_[pos(on_link_[list.first + pos(i)])];
    if (flow.held_by == over) continue;
    const std::uint64_t entry = entry_on(flow, link);
    on.left -= links_[pos(flow.held_by)].level * given_.share(entry);
    put_at(flow, entry, flow.num_tight++);
  }
}

void BurstSharing::put_tight_first(FlowState& flow) {
  flow.num_tight = 0;
  for (std::int32_t i = 0; i < flow.num_links; ++i) {
    const std::uint64_t entry = flow.first + pos(i);
    if (lists_[pos(given_.links[entry])].tight) put_at(flow, entry, flow.num_tight++);
  }
}

/// An entry of a flow changes places with the one at a position where tight links end.
void BurstSharing::put_at(FlowState& flow, std::uint64_t entry, std::int32_t position) {
  const std::uint64_t other = flow.first + pos(position);
  std::swap(given_.links[entry], given_.links[other]);
  if (!given_.shares.empty()) std::swap(given_.shares[entry], given_.shares[other]);
}

}  // namespace vtopo::detail
