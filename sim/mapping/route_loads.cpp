#include "sim/mapping/route_loads.hpp"

namespace vtopo {

RouteLoads::RouteLoads(const Network& network)
    : network_(network), seconds_(static_cast<std::size_t>(network.num_links())) {
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    bandwidths_.push_back(link.bandwidth.value);
    alone_.push_back(link.sharing == LinkSharing::fatpipe);
    if (alone_.back()) volumes_.resize(static_cast<std::size_t>(network.num_links()));
  }
}

const std::vector<LinkShare>& RouteLoads::links_of(HostId from, HostId to) {
  shares_.clear();
  if (network_.splits_flows()) {
    network_.append_shares(from, to, shares_);
    return shares_;
  }
  route_.clear();
  network_.append_route(from, to, route_);
  for (const LinkId link : route_) shares_.push_back({link, 1});
  return shares_;
}

void RouteLoads::change(HostId from, HostId to, Bytes volume, bool add) {
  for (const LinkShare& part : links_of(from, to)) {
    const double bytes = volume.value * part.share;
    if (!alone_[index(part.link)]) {
      seconds_.add(index(part.link), (add ? bytes : -bytes) / bandwidths_[index(part.link)]);
      continue;
    }
    changes_.push_back({part.link, bytes, add});
    change_alone(changes_.back());
  }
}

void RouteLoads::change_alone(const Alone& part) {
  auto& volumes = volumes_[index(part.link)];
  if (part.added)
    volumes.insert(part.volume);
  else
    volumes.erase(volumes.find(part.volume));
  const double largest = volumes.empty() ? 0 : *volumes.rbegin();
  seconds_.set(index(part.link), largest / bandwidths_[index(part.link)]);
}

void RouteLoads::keep() {
  changes_.clear();
  seconds_.keep();
}

void RouteLoads::undo() {
  for (; !changes_.empty(); changes_.pop_back()) {
    Alone part = changes_.back();
    part.added = !part.added;
    change_alone(part);
  }
  seconds_.undo();
}

}  // namespace vtopo
