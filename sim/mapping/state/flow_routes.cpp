#include "sim/mapping/state/flow_routes.hpp"

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

}  // namespace vtopo::detail
