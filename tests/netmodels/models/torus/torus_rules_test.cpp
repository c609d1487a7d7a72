#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <vector>

#include "netmodels/models/torus/torus.hpp"
#include "tests/netmodels/static_routings.hpp"
#include "tests/netmodels/torus_names.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Shapes with odd and even sizes, rings of two, mesh dimensions, sizes of one, hosts per router.
std::vector<TorusSpec> small_tori(Routing rule) {
  const std::vector<std::vector<TorusDimension>> dimensions{{{4}},
                                                            {{2}, {2}},
                                                            {{5}, {4, tests::mesh}},
                                                            {{4}, {2}, {3}},
                                                            {{1}, {6}},
                                                            {{3, tests::mesh}, {4}},
                                                            {{4}, {4}},
                                                            {{2, tests::mesh}, {1}, {5}},
                                                            {{2}, {3}, {2}},
                                                            {{7, tests::mesh}},
                                                            {{1, tests::mesh}, {1}},
                                                            {{8}, {3}}};
  std::vector<TorusSpec> specs;
  for (const auto& shape : dimensions)
    for (const int per_router : {1, 3}) specs.push_back({shape, {}, {rule}, per_router});
  return specs;
}

/// Share of the flow that takes each link; a link that is listed twice gets a share of 1000.
std::vector<double> shares_by_link(const Network& network, int source, int destination) {
  std::vector<double> result(static_cast<std::size_t>(network.num_links()));
  for (const auto& [link, share] : tests::shares_of(network, source, destination)) {
    result[index(link)] = result[index(link)] == 0 ? share : 1000;
  }
  return result;
}

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  REQUIRE(a.size() == b.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.size(); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
  return largest;
}

/// What is too much or too little at any vertex: inflow + made = outflow + used up.
double imbalance(const std::vector<LinkEnds>& ends, const std::vector<double>& load, int source,
                 int destination) {
  std::map<int, double> surplus{{source, 1}, {destination, -1}};
  for (std::size_t l = 0; l < load.size(); ++l) {
    if (load[l] == 0) continue;
    surplus[ends[l].from] -= load[l];
    surplus[ends[l].to] += load[l];
  }
  double largest = 0;
  for (const auto& vertex : surplus) largest = std::max(largest, std::abs(vertex.second));
  return largest;
}

std::vector<LinkEnds> all_ends(const Network& network) {
  std::vector<LinkEnds> ends;
  for (int l = 0; l < network.num_links(); ++l) ends.push_back(*network.link_ends(LinkId{l}));
  return ends;
}

template <class Check>
void for_each_pair(const Network& network, Check check) {
  for (int a = 0; a < network.num_hosts(); ++a)
    for (int b = 0; b < network.num_hosts(); ++b)
      if (a != b) check(a, b);
}

int hops(const Network& network, int a, int b) {
  return network.hops(HostId{a}, HostId{b});
}

/// Shares of ECMP by its definition: along each vertex in the order of falling distance to the
/// destination, an even split over all links that lead nearer.
std::vector<double> ecmp_by_definition(const Network& routers, int source, int destination) {
  std::vector<double> load(static_cast<std::size_t>(routers.num_links()));
  std::vector<double> here(static_cast<std::size_t>(routers.num_hosts()));
  here[static_cast<std::size_t>(source)] = 1;
  for (int distance = hops(routers, source, destination); distance > 0; --distance)
    for (int v = 0; v < routers.num_hosts(); ++v) {
      if (hops(routers, v, destination) != distance) continue;
      std::vector<int> next;
      for (int l = 0; l < routers.num_links(); ++l) {
        const auto ends = routers.link_ends(LinkId{l});
        if (ends->from == v && hops(routers, ends->to, destination) == distance - 1)
          next.push_back(l);
      }
      for (const int l : next) {
        const double share = here[static_cast<std::size_t>(v)] / static_cast<double>(next.size());
        load[static_cast<std::size_t>(l)] += share;
        here[static_cast<std::size_t>(routers.link_ends(LinkId{l})->to)] += share;
      }
    }
  return load;
}

/// Average over all intermediate routers of SimGrid's routes to them and on.
std::vector<double> valiant_by_average(const Network& routers, int source, int destination) {
  std::vector<double> load(static_cast<std::size_t>(routers.num_links()));
  for (int middle = 0; middle < routers.num_hosts(); ++middle) {
    std::vector<LinkId> route;
    routers.append_route(HostId{source}, HostId{middle}, route);
    routers.append_route(HostId{middle}, HostId{destination}, route);
    for (const LinkId link : route) load[index(link)] += 1.0 / routers.num_hosts();
  }
  return load;
}

/// `oracle(routers, source, destination)` for routers, plus the hosts' cables.
template <class Oracle>
void check_shares(Routing rule, Oracle oracle) {
  for (const TorusSpec& spec : small_tori(rule)) {
    INFO(tests::torus_name(spec));
    const auto network = make_torus(spec);
    const auto routers = make_torus({spec.dimensions, {}});
    double worst = 0;
    for_each_pair(*network, [&](int a, int b) {
      const int per_router = spec.hosts_per_router;
      std::vector<double> expected(static_cast<std::size_t>(routers->num_links()));
      if (a / per_router != b / per_router)
        expected = oracle(*routers, a / per_router, b / per_router);
      expected.resize(static_cast<std::size_t>(network->num_links()));
      if (per_router > 1) {
        expected[static_cast<std::size_t>(routers->num_links() + 2 * a)] = 1;
        expected[static_cast<std::size_t>(routers->num_links() + 2 * b + 1)] = 1;
      }
      worst = std::max(worst, largest_difference(shares_by_link(*network, a, b), expected));
    });
    CHECK(worst < 1e-12);
  }
}

}  // namespace

TEST_CASE("ECMP shares are those of an even split at every router, by enumeration") {
  check_shares(Routing::ecmp, ecmp_by_definition);
}

TEST_CASE("Valiant shares are the average over all intermediate routers") {
  check_shares(Routing::valiant, valiant_by_average);
}

TEST_CASE("Split shares are the average over both ways of each tied ring") {
  // The other way at a tie is the positive route where SimGrid's is negative, and the route between
  // mirrored coordinates where it is positive: here by hand, ring by ring.
  check_shares(Routing::split, [](const Network& routers, int source, int destination) {
    const auto axes = routers.coordinates()->axes;
    std::vector<double> load(static_cast<std::size_t>(routers.num_links()));
    int here = source, stride = 1;
    for (std::size_t d = 0; d < axes.size(); ++d) {
      const int size = axes[d].size;
      const int corner = here + (destination / stride % size - here / stride % size) * stride;
      const int steps = hops(routers, here, corner);
      const bool tied = axes[d].kind == AxisKind::ring && 2 * steps == size;
      // All walks of `steps` links of this dimension in one direction that end at the corner.
      for (const int way : {0, 1}) {
        std::vector<LinkId> walk;
        int at = here;
        for (int step = 0; step < steps; ++step)
          for (int l = way; l < routers.num_links(); l += 2)
            if (routers.link_class(LinkId{l}) == static_cast<int>(d) &&
                routers.link_ends(LinkId{l})->from == at) {
              walk.push_back(LinkId{l});
              at = routers.link_ends(LinkId{l})->to;
              break;
            }
        if (at == corner && static_cast<int>(walk.size()) == steps)
          for (const LinkId link : walk) load[index(link)] += tied ? 0.5 : 1;
      }
      here = corner;
      stride *= size;
    }
    return load;
  });
}

TEST_CASE("Under every rule a flow is conserved at every vertex and its shares sum to mean_hops") {
  for (const Routing rule : tests::static_routings)
    for (const TorusSpec& spec : small_tori(rule)) {
      INFO(tests::torus_name(spec));
      const auto network = make_torus(spec);
      if (rule != Routing::automatic) CHECK(network->routing() == rule);
      const auto ends = all_ends(*network);
      double worst = 0;
      for_each_pair(*network, [&](int a, int b) {
        const auto load = shares_by_link(*network, a, b);
        double sum = 0;
        for (const double share : load) sum += share;
        worst = std::max({worst, imbalance(ends, load, a, b),
                          std::abs(sum - network->mean_hops(HostId{a}, HostId{b}))});
        if (rule != Routing::valiant) worst = std::max(worst, std::abs(sum - hops(*network, a, b)));
      });
      CHECK(worst < 1e-12);
    }
}

TEST_CASE("The positive rule takes the positive way at every tie and else SimGrid's") {
  for (const TorusSpec& spec : small_tori(Routing::positive)) {
    INFO(tests::torus_name(spec));
    const auto network = make_torus(spec);
    auto simgrid_spec = spec;
    simgrid_spec.routing = {};
    const auto simgrid = make_torus(simgrid_spec);
    int negative_ties = 0, others = 0;
    for_each_pair(*network, [&](int a, int b) {
      std::vector<LinkId> route, same;
      network->append_route(HostId{a}, HostId{b}, route);
      simgrid->append_route(HostId{a}, HostId{b}, same);
      int stride = spec.hosts_per_router;
      bool tied = false;
      for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
        const auto& [size, wraps, rates] = spec.dimensions[d];
        const int apart = std::abs(a / stride % size - b / stride % size);
        stride *= size;
        if (!wraps || 2 * apart != size) continue;
        tied = true;
        for (const LinkId link : route)
          if (network->link_class(link) == static_cast<int>(d) && number(link) % 2 != 0)
            ++negative_ties;
      }
      if (!tied && route != same) ++others;
    });
    CHECK(negative_ties == 0);
    CHECK(others == 0);
  }
}
