#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/embedding/allocation.hpp"
#include "topology/base/progress.hpp"

namespace vtopo {

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

/// Of modelled networks by `profiles_by_site`. Of others up to 4,096 hosts by asking for all pairs;
/// above, and where some have no route, from the shape of the network, else one hop to any other
/// host if all links count as hops.
/// @param count entries of a profile.
HostProfiles host_profiles(const Network& network, const Allocation& allocation, std::size_t count,
                           bool all_hops, const Progress& progress);

/// What all pairs of hosts would tell, of a torus, mesh, fat tree or dragonfly without failed
/// links: hosts of a router or leaf switch are as far from all others, and if every host has as
/// many slots, so are many routers. Nothing for other networks, and where of more than 4,096 hosts
/// too many distances remain: those of 2,048 routers that are all unlike, or fewer where a distance
/// is the least over several cables.
std::optional<HostProfiles> profiles_by_site(const Network& network, const Allocation& allocation,
                                             std::size_t count, const Progress& progress);

/// The nearest `count` slots. @param slots_at entry h: slots at h hops.
HostProfile profile_of_slots(const std::vector<std::int64_t>& slots_at, std::size_t count);

/// No host of a torus, mesh, fat tree or dragonfly has its nearest slots nearer, whatever the
/// allocation; empty for other networks. Closed form.
/// @param slots of any host, at most.
HostProfile nearest_by_shape(const Network& network, int slots, std::size_t count);

}  // namespace vtopo
