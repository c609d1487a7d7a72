#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// The network with hops of shortest paths in the links that are up, through hosts too, and nothing
/// that says more of distances; null where it is not known how links are joined. O(links) for each
/// source that is asked for after another one. For one thread.
/// @param network must outlive it.
std::shared_ptr<const Network> with_shortest_paths(const Network& network);

/// A network whose `hops` no flow falls short of. Under `valiant`, `adaptive` and `ideal` flows may
/// take fewer hops than the network's own route, on a dragonfly by way of a third group; there hops
/// are those of shortest paths, 0 where it is not known how links are joined.
class LeastHops {
 public:
  /// @param network must outlive it.
  explicit LeastHops(const Network& network);

  const Network& network() const { return paths_ ? *paths_ : network_; }

 private:
  const Network& network_;
  std::shared_ptr<const Network> paths_;
};

/// Hops from a host to the nearest other slots, ascending.
using HostProfile = std::vector<int>;

/// How far partners are at least, seen from the hosts of an allocation.
struct HostProfiles {
  std::vector<HostProfile> profiles;  ///< different ones, equally long
  /// One entry per place; empty where one profile is no farther than that of any host.
  std::vector<int> profile_of;
  int closest = 0;          ///< fewest hops between two different hosts
  bool joins_hosts = true;  ///< no pair of hosts is known to have no route
};

/// Above this number of hosts the distances of all pairs are too many to ask for.
inline constexpr int max_exact_hosts = 4096;

/// By `profiles_by_site` where the network knows sites. Else up to 4,096 hosts by asking for all
/// pairs; above, and where some have no route, from the network's distance profile, else one hop to
/// any other host if all links count as hops.
/// @param count entries of a profile.
HostProfiles host_profiles(const Network& network, const Allocation& allocation, std::size_t count,
                           bool all_hops, const Progress& progress);

/// What all pairs of hosts would show, of a network with sites (`Network::sites`): the hosts of one
/// are as far from all others, and if every host has as many slots, so are symmetric sites. Nothing
/// for other networks, and where of more than 4,096 hosts too many distances remain: those of 2,048
/// sites that are all unlike, or fewer where a distance is the least of several routes.
std::optional<HostProfiles> profiles_by_site(const Network& network, const Allocation& allocation,
                                             std::size_t count, const Progress& progress);

/// The nearest `count` slots. @param slots_at entry h: slots at h hops.
HostProfile profile_of_slots(const std::vector<std::int64_t>& slots_at, std::size_t count);

/// No host has its nearest slots nearer, whatever the allocation, by `Network::distance_profile`;
/// empty where the network has none.
/// @param slots of any host, at most.
HostProfile nearest_by_shape(const Network& network, int slots, std::size_t count);

}  // namespace vtopo::detail
