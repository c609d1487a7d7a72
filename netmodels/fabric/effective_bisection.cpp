#include "netmodels/fabric/effective_bisection.hpp"

#include <algorithm>
#include <span>
#include <vector>

#include "netmodels/host_names.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

/// Uniform in [0, 1).
double fraction(Random& random) {
  return static_cast<double>(random.bits() >> 11) * 0x1p-53;
}

/// Where a link of a route leads from and to.
LinkEnds ends_of(const Network& network, LinkId link) {
  if (const auto ends = network.link_ends(link)) return *ends;
  throw UsageError("random routes need to know where links lead; of " + network.description() +
                   " only routes are known");
}

/// Leaves of the shares those of one route: at each vertex, a link by its part of what leaves it.
void keep_one_route(const Network& network, HostId source, HostId destination, Random& random,
                    std::vector<LinkShare>& shares) {
  std::vector<LinkShare> route;
  for (int here = number(source); here != number(destination);) {
    double sum = 0;
    for (const LinkShare& on : shares)
      if (ends_of(network, on.link).from == here) sum += on.share;
    double drawn = fraction(random) * sum;
    LinkShare next{LinkId{-1}, 1};
    for (const LinkShare& on : shares) {
      if (ends_of(network, on.link).from != here) continue;
      next.link = on.link;  // the last one if rounding leaves something
      drawn -= on.share;
      if (drawn < 0) break;
    }
    route.push_back(next);
    here = ends_of(network, next.link).to;
  }
  shares.swap(route);
}

/// Sum of the bandwidths of the flows from each host of the first half to one of the second.
double sum_of_bandwidths(const Network& network, std::span<const HostId> hosts,
                         MatchingRoutes routes, Random& random) {
  const std::size_t flows = hosts.size() / 2;
  std::vector<std::vector<LinkShare>> shares(flows);
  std::vector<double> on(static_cast<std::size_t>(network.num_links()));
  for (std::size_t f = 0; f < flows; ++f) {
    const HostId source = hosts[f], destination = hosts[f + flows];
    network.append_shares(source, destination, shares[f]);
    if (routes == MatchingRoutes::random)
      keep_one_route(network, source, destination, random, shares[f]);
    for (const auto& [link, share] : shares[f]) on[index(link)] += share;
  }
  double sum = 0;
  for (const auto& links : shares) {
    double most = 1;
    for (const LinkShare& used : links) most = std::max(most, on[index(used.link)]);
    sum += 1 / most;
  }
  return sum;
}

}  // namespace

double effective_bisection(const Network& network, int matchings, std::uint64_t seed,
                           MatchingRoutes routes) {
  std::vector<HostId> hosts = working_hosts(network);
  const std::size_t flows = hosts.size() / 2;
  if (flows == 0) return 0;
  double sum = 0;
  Random matching(seed), route(seed + 1);  // the same matchings, whatever the routes
  for (int m = 0; m < matchings; ++m) {
    shuffle(std::span(hosts), matching);
    sum += sum_of_bandwidths(network, hosts, routes, route);
  }
  return sum / (static_cast<double>(flows) * matchings);
}

}  // namespace vtopo::detail
