#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// Routes of a torus with a twisted wrap. A route passes this wrap as often as makes it shortest,
/// forwards or backwards (of equals: the fewest times, then forwards), and goes in dimension order,
/// in each dimension the shorter way and at half of a ring as `ties` say.
class TwistedRoutes {
 public:
  /// `grid`, which has a twist, must outlive it.
  TwistedRoutes(const TorusGrid& grid, RingTies ties)
      : grid_(grid), twist_(*grid.twist()), ties_(ties) {}

  int distance(int source, int destination) const;

  /// Calls `visit(link)` for the links of the route in the order of travel.
  template <class Visit>
  void for_each_link(int source, int destination, Visit visit) const {
    Steps steps{};
    find_steps(source, destination, steps);
    int here = source;
    for (std::size_t a = 0; a < grid_.axes().size(); ++a)
      for (int left = steps[a]; left != 0; left += left > 0 ? -1 : 1) {
        visit(link(here, a, left > 0));
        here = neighbour(here, a, left > 0);
      }
  }

  /// Appends the links of all shortest routes, an even split at each router.
  void append_ecmp(int source, int destination, std::vector<LinkShare>& shares) const;

  /// Appends the expected links of two such routes by way of a router drawn from all, each once.
  void append_valiant(int source, int destination, std::vector<LinkShare>& shares) const;

  /// Routers by links from any in the plane of both twisted dimensions.
  const std::vector<std::int64_t>& plane_profile() const;
  int diameter() const;
  double mean_distance(int router) const;  ///< to all routers, itself among them

 private:
  using Steps = std::array<int, TorusGrid::max_axes>;  ///< signed, by axis

  int find_steps(int source, int destination, Steps& steps) const;
  LinkId link(int router, std::size_t axis, bool forwards) const;
  int neighbour(int router, std::size_t axis, bool forwards) const {
    return forwards ? grid_.next(router, axis) : grid_.previous(router, axis);
  }

  const TorusGrid& grid_;
  TorusTwist twist_;
  RingTies ties_;
  mutable std::once_flag profile_known_;
  mutable std::vector<std::int64_t> profile_;
};

/// Traffic of Valiant's legs: what leaves and arrives by router is spread over the links at the
/// end. `routes`, `grid` and `hosts` must outlive it.
std::unique_ptr<LinkTraffic> make_twisted_valiant_traffic(const TwistedRoutes& routes,
                                                          const TorusGrid& grid,
                                                          const TorusHosts& hosts, int num_links);

/// Specification that gives the same torus again: `torus:8x8x4m,per_router=2`, with
/// `,bandwidth=9.4GBps/4.7GBps/9.4GBps` and `,latency=...` (one value, or one per dimension) and,
/// for several hosts per router, `,host_bandwidth=...` and `,host_latency=...` where they are
/// given.
std::string torus_description(const TorusSpec& spec);

/// Adds positions, distances, parts, cuts, bisection and picture to the numbers of hosts and links.
/// What is given must outlive the facts.
/// @param twisted null without twist.
void add_torus_facts(const TorusSpec& spec, const TwistedRoutes* twisted, int diameter,
                     NetworkFacts& facts);

}  // namespace vtopo::detail
