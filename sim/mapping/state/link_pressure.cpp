#include "sim/mapping/state/link_pressure.hpp"

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

}  // namespace vtopo::detail
