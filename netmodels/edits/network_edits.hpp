#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// Links whose bandwidth is multiplied. A link that several patterns match takes all factors.
struct ScaledLinks {
  std::string pattern;  ///< name of a link, or shell pattern such as `d0?:*`
  double factor = 1;    ///< finite, > 0
};

/// What is different from the network as built: a link or host that is down, other bandwidths.
/// Names are exact; what no name is equal to is taken as a shell pattern (`*`, `?`, `[a-z]`).
/// `random:3:seed=7` fails that many at random, the same ones with the same seed (default 1): of
/// hosts, and of the links that count as hops, between routers where there are such links.
struct NetworkEdits {
  /// One direction each: a cable that fails whole is two links.
  std::vector<std::string> failed_links;
  /// A host that fails takes its vertex and all links at it along.
  std::vector<std::string> failed_hosts;
  std::vector<ScaledLinks> scaled;  ///< bandwidths to multiply

  /// Whether nothing is different.
  bool empty() const { return failed_links.empty() && failed_hosts.empty() && scaled.empty(); }
};

/// The same edits in the ids of one network.
struct ResolvedEdits {
  std::vector<LinkId> failed_links;  ///< named as failed, ascending
  std::vector<HostId> failed_hosts;  ///< ascending
  std::vector<double> factors;       ///< of the bandwidth, one entry per link; empty: all 1

  /// Whether nothing is different.
  bool empty() const { return failed_links.empty() && failed_hosts.empty() && factors.empty(); }
};

/// `PATTERN=0.5`, or `0.5` of all links.
/// @throws UsageError for an empty pattern and unless the factor is finite and > 0.
ScaledLinks parse_scaled_links(std::string_view text);

/// @throws UsageError for a name or pattern that fits no link or host, with the nearest name, and
/// for a factor that takes a bandwidth out of 0.001 to 1e18 bytes per second. Links without a limit
/// have none under any factor.
ResolvedEdits resolve_edits(const Network& network, const NetworkEdits& edits);

/// `1 link failed, 2 hosts failed, bandwidth of 64 links scaled`; empty without edits.
std::string in_words(const ResolvedEdits& edits);

/// `d0+:0->1, d1-:3->2, host-5`: the first 40 links and hosts named as failed, and how many more.
std::string names_of_failed(const Network& network, const ResolvedEdits& edits);

/// Whether a link is down, by itself or with a host at its end: one entry per link; empty
/// if all links work.
std::vector<bool> failed_link_flags(const Network& network, const ResolvedEdits& edits);

/// The network with the edits, in the same ids and names; the network itself if there are none.
///
/// Flows whose routes (with a splitting rule: any of their shares) use a failed link are led around
/// it: first the model is asked (`without_links`), and its answer replaces the network; else each
/// such flow takes a shortest remaining route of the link graph (`ShortestRoutes`), under a
/// splitting rule an even split over all of them. All other flows keep their routes. Under
/// `valiant` nearly every flow has a share on every link, so there a failed link is an error unless
/// the model answers. `link()` says of failed links what they are when they work, `link_is_up()`
/// that they do not. Parts, cuts and layout are those of the whole network.
/// @throws UsageError as `resolve_edits`, and for failed links under `valiant`. The result throws
/// InputError for the route of a pair that has none.
std::shared_ptr<const Network> apply_edits(std::shared_ptr<const Network> network,
                                           const NetworkEdits& edits);
std::shared_ptr<const Network> apply_edits(std::shared_ptr<const Network> network,
                                           const ResolvedEdits& edits);

namespace detail {

bool has_link_named(const Network& network, const std::string& name);

/// Links that may fail at random: those that count as hops, between routers if there are such
/// links, for else hosts are cut off. Ascending.
std::vector<std::size_t> links_that_may_fail(const Network& network);

}  // namespace detail

}  // namespace vtopo
