#include "sim/mapping/state/flow_routes.hpp"

#include <variant>

#include "netmodels/models/torus/torus.hpp"

namespace vtopo {

namespace {

/// Hosts of the largest network whose routes are kept, and links that are kept in all.
constexpr int max_kept_hosts = 1024;
constexpr std::size_t max_kept_links = std::size_t{1} << 22;

/// The grid of a torus whose routes follow dimension order; not of one with edits, which its
/// description names.
std::optional<TorusSpec> walkable(const Network& network) {
  const NetworkShape shape = network.shape();
  const auto* torus = std::get_if<TorusSpec>(&shape);
  if (torus == nullptr || torus->hosts_per_router != 1) return std::nullopt;
  const Routing rule = network.routing();
  if (rule == Routing::ecmp || rule == Routing::valiant) return std::nullopt;
  if (make_torus(*torus)->description() != network.description()) return std::nullopt;
  return *torus;
}

}  // namespace

FlowRoutes::FlowRoutes(const Network& network) : network_(network) {
  if (const auto torus = walkable(network)) {
    grid_.emplace(torus->dimensions);
    ties_ = network.routing() == Routing::positive ? RingTies::positive : RingTies::simgrid;
    splits_ = network.routing() == Routing::split;
  } else if (network.num_hosts() <= max_kept_hosts) {
    kept_.resize(static_cast<std::size_t>(network.num_hosts()) *
                 static_cast<std::size_t>(network.num_hosts()));
  }
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

}  // namespace vtopo
