#include "sim/clock/sharing/routed_flows.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

namespace vtopo::detail {

namespace {

constexpr std::int32_t none = -1;

}  // namespace

RoutedFlows::RoutedFlows(const Network& network)
    : network_(network), flows_({}), place_(index(network.num_links()), none) {}

RoutedFlows::PassedLink RoutedFlows::passed(LinkId id) {
  std::int32_t& place = place_[index(id)];
  if (place == none) {
    place = static_cast<std::int32_t>(passed_.size());
    const LinkProperties link = network_.link(id);
    const double capacity = link.bandwidth.value;
    const bool is_shared = link.sharing != LinkSharing::fatpipe && std::isfinite(capacity);
    passed_.push_back({link, is_shared ? flows_.add_link(capacity) : none});
  }
  return passed_[index(place)];
}

RoutedFlows::Started RoutedFlows::start(std::int32_t name, HostId from, HostId to, double volume) {
  Started started{network_.flow_latency(from, to).value, false};
  double own_rate = std::numeric_limits<double>::infinity();  // by fatpipes
  shares_.clear();
  links_.clear();
  network_.append_shares(from, to, shares_);
  for (const auto& [id, share] : shares_) {
    const auto& [link, number] = passed(id);
    started.latency += link.latency.value * share;
    if (link.sharing == LinkSharing::fatpipe)
      own_rate = std::min(own_rate, link.bandwidth.value / share);
    else if (number != none)
      links_.push_back({number, share});
  }
  std::int32_t own_link = none;
  started.is_flow = volume > 0 && (std::isfinite(own_rate) || !links_.empty());
  if (!started.is_flow) return started;
  if (std::isfinite(own_rate)) links_.push_back({own_link = private_link(own_rate), 1});
  const auto flow = index(flows_.start(volume, links_));
  if (flow >= name_.size()) {
    name_.resize(flow + 1);
    private_link_.resize(flow + 1);
  }
  name_[flow] = name;
  private_link_[flow] = own_link;
  return started;
}

std::span<const std::int32_t> RoutedFlows::advance(double time) {
  ended_.clear();
  for (const auto flow : flows_.advance(time)) {
    ended_.push_back(name_[index(flow)]);
    if (private_link_[index(flow)] != none) free_links_.push_back(private_link_[index(flow)]);
  }
  return ended_;
}

/// A link for one flow alone.
std::int32_t RoutedFlows::private_link(double rate) {
  if (free_links_.empty()) return flows_.add_link(rate);
  const std::int32_t link = free_links_.back();
  free_links_.pop_back();
  flows_.set_capacity(link, rate);
  return link;
}

}  // namespace vtopo::detail
