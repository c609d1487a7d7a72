#include "sim/mapping/state/pressure_state.hpp"

#include <algorithm>

namespace vtopo::detail {

LinkPressure::LinkPressure(const Network& network)
    : links_(static_cast<std::size_t>(network.num_links())) {
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const LinkProperties link = network.link(id_at<LinkId>(l));
    if (link.sharing != LinkSharing::fatpipe && link.bandwidth.value > 0)
      links_[l].seconds_per_byte = 1 / link.bandwidth.value;
  }
}

double LinkPressure::change() const {
  double sum = 0;
  for (const Change& change : changes_) {
    const Link& link = links_[change.link];
    if (link.bytes != change.before)
      sum += pressure(link.bytes * link.scale) - pressure(change.before * link.scale);
  }
  return sum;
}

void LinkPressure::undo() {
  for (const Change& change : changes_) links_[change.link].bytes = change.before;
  start_round();
}

void LinkPressure::set_reference(Seconds reference, double linear_part) {
  reference_ = reference.value;
  linear_part_ = linear_part;
  for (const std::uint32_t used : used_)
    links_[used].scale = links_[used].seconds_per_byte / reference_;
}

double LinkPressure::total() const {
  double sum = 0;
  for (const Link& link : links_) sum += pressure(link.bytes * link.scale);
  return sum;
}

Seconds LinkPressure::max_congestion() const {
  Seconds most{0};
  for (const std::uint32_t used : used_)
    most = std::max(most, {links_[used].bytes * links_[used].seconds_per_byte});
  return most;
}

/// Before it has its first bytes.
void LinkPressure::use(LinkId id) {
  Link& link = links_[index(id)];
  link.scale = link.seconds_per_byte / reference_;
  used_.push_back(static_cast<std::uint32_t>(index(id)));
}

void LinkPressure::start_round() {
  changes_.clear();
  if (++round_ != 0) return;
  for (const std::uint32_t used : used_) links_[used].changed_in = 1;
  round_ = 2;
}

PressureState::PressureState(const MappingProblem& problem, const Embedding& start)
    : hosts_(problem.allocation.hosts),
      partners_(problem.guest),
      table_(problem.network, problem.allocation),
      occupancy_(problem.allocation, start),
      routes_(problem.network),
      links_(problem.network) {
  for (int r = 0; r < occupancy_.num_ranks(); ++r)
    for (const Partner& partner : partners_.of(Rank{r}))
      add(occupancy_.place_of(Rank{r}), occupancy_.place_of(partner.rank), partner.sent.value);
  links_.keep();
}

void PressureState::add(Place from, Place to, double bytes) {
  if (from == to || bytes == 0) return;
  routes_.for_each_link(host(from), host(to),
                        [&](LinkId link, double share) { links_.add(link, bytes * share); });
}

double PressureState::probe(const RankChange& change) {
  probed_ = change;
  const Place from = occupancy_.place_of(change.rank);
  move(change.rank, from, change.to, change.other);
  if (!change.other) return links_.change();
  move(*change.other, change.to, from, change.rank);
  for (const Partner& partner : partners_.of(change.rank)) {
    if (partner.rank != change.other || partner.sent == partner.received) continue;
    add(from, change.to, partner.received.value - partner.sent.value);
    add(change.to, from, partner.sent.value - partner.received.value);
  }
  return links_.change();
}

/// Takes the flows of a rank from one place to another, but for those with `left_out`.
void PressureState::move(Rank rank, Place from, Place to, std::optional<Rank> left_out) {
  for (const Partner& partner : partners_.of(rank)) {
    if (partner.rank == left_out) continue;
    const Place there = occupancy_.place_of(partner.rank);
    add(from, there, -partner.sent.value);
    add(there, from, -partner.received.value);
    add(to, there, partner.sent.value);
    add(there, to, partner.received.value);
  }
}

void PressureState::commit() {
  occupancy_.apply(probed_);
  links_.keep();
}

}  // namespace vtopo::detail
