#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/platform/generate.hpp"

namespace vtopo::detail {

// The form `zones` of a generated platform file; internal to this room.

/// A host's only links to and from its router.
struct HostCables {
  LinkId up{};
  LinkId down{};
  int router = 0;  ///< position in RouterTree::routers
};

/// Blue link of a dragonfly between two groups of routers, with the routers at its ends.
struct GroupLink {
  LinkId link{};
  int from = 0;
  int to = 0;
};

/// How the routes of a network hang together: every one is up to a router, on to another router by
/// a path that depends on the two routers alone, and down. If there are groups, the path to another
/// group is a path to the router that holds the one link to that group, this link, and a path.
struct RouterTree {
  std::vector<HostCables> hosts;   ///< of every host; routers ascend
  std::vector<int> first_host;     ///< of every router, and one more
  int groups = 1;                  ///< of equally many routers, in order
  std::vector<GroupLink> between;  ///< [from * groups + to]

  int routers() const { return static_cast<int>(first_host.size()) - 1; }
  int routers_per_group() const { return routers() / groups; }

  /// Appends the links between two routers, in the order of travel.
  void append_path(const Network& network, int from, int to, std::vector<LinkId>& links) const;
};

/// The tree, if all routes of the network agree with it: all are looked at.
std::optional<RouterTree> router_tree(const Network& network);

/// Routes that `zone_element` writes for the tree, or for all pairs of hosts without one.
std::size_t count_routes(const Network& network, const std::optional<RouterTree>& tree);

/// One zone with all links and the route of every ordered pair of hosts; with a tree a zone per
/// router, a zone per group, and the routes between them.
/// @param loopback of every host; may be absent.
std::string zone_element(const Network& network, const std::optional<RouterTree>& tree,
                         const std::optional<LoopbackLink>& loopback);

/// `text` as the value of an attribute.
std::string xml_escaped(std::string_view text);

/// Quantity as SimGrid reads it, `12.5GBps`, `100ns`: exactly the same number again.
std::string xml_bandwidth(BytesPerSecond bandwidth);
std::string xml_latency(Seconds latency);

}  // namespace vtopo::detail
