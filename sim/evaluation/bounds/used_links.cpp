#include "sim/evaluation/bounds/used_links.hpp"

#include <algorithm>
#include <cstddef>
#include <limits>

#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_routed_hosts = 256;

/// Different links at one end of the routes of a host.
class Door {
 public:
  void add(LinkId link) {
    if (std::find(links_.begin(), links_.end(), link) == links_.end()) links_.push_back(link);
  }

  int count() const { return narrow<int>(links_.size()); }

  BytesPerSecond bandwidth(const Network& network) const {
    BytesPerSecond sum;
    for (const LinkId link : links_) {
      const LinkProperties properties = network.link(link);
      if (properties.sharing == LinkSharing::fatpipe)
        return BytesPerSecond{std::numeric_limits<double>::infinity()};
      sum += properties.bandwidth;
    }
    return sum;
  }

 private:
  std::vector<LinkId> links_;
};

UsedLinks with_doors(const Network& network, std::vector<bool> used, const std::vector<Door>& out,
                     const std::vector<Door>& in) {
  UsedLinks result{std::move(used), {}};
  for (std::size_t place = 0; place < out.size(); ++place)
    result.doors.push_back({out[place].count(), in[place].count(), out[place].bandwidth(network),
                            in[place].bandwidth(network)});
  return result;
}

/// Route by route.
UsedLinks links_of_routes(const Network& network, const std::vector<HostId>& hosts) {
  std::vector<bool> used(index(LinkId{network.num_links()}), false);
  std::vector<Door> out(hosts.size()), in(hosts.size());
  std::vector<LinkId> route;
  for (std::size_t here = 0; here < hosts.size(); ++here)
    for (std::size_t there = 0; there < hosts.size(); ++there) {
      route.clear();
      if (here != there) network.append_route(hosts[here], hosts[there], route);
      if (route.empty()) continue;
      for (const LinkId link : route) used[index(link)] = true;
      out[here].add(route.front());
      in[there].add(route.back());
    }
  return with_doors(network, std::move(used), out, in);
}

UsedLinks all_links(const Network& network, const std::vector<HostId>& hosts) {
  std::vector<bool> used(index(LinkId{network.num_links()}), true);
  std::vector<Door> out(hosts.size()), in(hosts.size());
  std::vector<int> place_of(index(HostId{network.num_hosts()}), -1);
  for (std::size_t place = 0; place < hosts.size(); ++place)
    place_of[index(hosts[place])] = narrow<int>(place);
  const auto place_at = [&](int vertex) {
    return vertex < network.num_hosts() ? place_of[index(HostId{vertex})] : -1;
  };
  for (int l = 0; l < network.num_links(); ++l) {
    used[index(LinkId{l})] = network.link_is_up(LinkId{l});
    const auto ends = network.link_ends(LinkId{l});
    if (!ends) return {std::move(used), {}};
    if (const int place = place_at(ends->from); place >= 0)
      out[index(HostId{place})].add(LinkId{l});
    if (const int place = place_at(ends->to); place >= 0) in[index(HostId{place})].add(LinkId{l});
  }
  return with_doors(network, std::move(used), out, in);
}

}  // namespace

UsedLinks find_used_links(const Network& network, const Allocation& allocation) {
  if (!network.splits_flows() && allocation.num_hosts() <= max_routed_hosts) try {
      return links_of_routes(network, allocation.hosts);
    } catch (const InputError&) {  // two hosts without a route: no embedding uses both
    }
  return all_links(network, allocation.hosts);
}

}  // namespace vtopo::detail
