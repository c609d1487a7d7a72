#include "sim/mapping/state/link_loads.hpp"

namespace vtopo::detail {

namespace {

/// Hosts of the largest network whose routes are kept, and links that are kept in all.
constexpr int max_kept_hosts = 1024;
constexpr std::size_t max_kept_links = std::size_t{1} << 22;

}  // namespace

FlowRoutes::FlowRoutes(const Network& network)
    : network_(network), computes_runs_(network.computes_runs()) {
  if (!computes_runs_ && network.num_hosts() <= max_kept_hosts)
    kept_.resize(static_cast<std::size_t>(network.num_hosts()) *
                 static_cast<std::size_t>(network.num_hosts()));
}

std::span<const LinkShare> FlowRoutes::links_of(HostId from, HostId to) {
  if (kept_.empty()) {
    asked_.clear();
    append(from, to, asked_);
    return asked_;
  }
  Kept& kept = kept_[index(from) * static_cast<std::size_t>(network_.num_hosts()) + index(to)];
  if (kept.last > 0) return std::span(pool_).subspan(kept.first, kept.last - kept.first);
  asked_.clear();
  append(from, to, asked_);
  if (pool_.size() + asked_.size() > max_kept_links) return asked_;
  kept.first = static_cast<std::uint32_t>(pool_.size());
  pool_.insert(pool_.end(), asked_.begin(), asked_.end());
  kept.last = static_cast<std::uint32_t>(pool_.size());
  return asked_;
}

void FlowRoutes::append(HostId from, HostId to, std::vector<LinkShare>& links) {
  if (network_.splits_flows()) {
    network_.append_shares(from, to, links);
    return;
  }
  route_.clear();
  network_.append_route(from, to, route_);
  for (const LinkId link : route_) links.push_back({link, 1});
}

RouteLoads::RouteLoads(const Network& network)
    : routes_(network), seconds_(static_cast<std::size_t>(network.num_links())) {
  for (int l = 0; l < network.num_links(); ++l) {
    const LinkProperties link = network.link(LinkId{l});
    bandwidths_.push_back(link.bandwidth.value);
    alone_.push_back(link.sharing == LinkSharing::fatpipe);
    if (alone_.back()) volumes_.resize(static_cast<std::size_t>(network.num_links()));
  }
}

void RouteLoads::change(HostId from, HostId to, Bytes volume, bool add) {
  routes_.for_each_link(from, to, [&](LinkId link, double share) {
    const double bytes = volume.value * share;
    if (!alone_[index(link)]) {
      seconds_.add(index(link), (add ? bytes : -bytes) / bandwidths_[index(link)]);
      return;
    }
    changes_.push_back({link, bytes, add});
    change_alone(changes_.back());
  });
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

}  // namespace vtopo::detail
