#include "netmodels/fabric/effective_bisection.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "tests/support/budget.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

double effective(const std::string& spec, Routing rule, MatchingRoutes routes, int matchings,
                 std::uint64_t seed = 1) {
  return effective_bisection(*make_network(spec, {}, {rule}), matchings, seed, routes);
}

}  // namespace

TEST_CASE("Matchings share no link of a star, and one cable between two switches, by hand") {
  CHECK(effective("fat-tree:1;16;1;1", Routing::simgrid, MatchingRoutes::as_given, 3) == 1);
  // Two switches of two hosts, one cable up each. Two flows of a matching: both stay inside (1/3 of
  // the 3 pairings is one inside each switch), else both cross; of the 2 ways to cross, they go the
  // same way (1/2 each) or meet: 1/3 * 1 + 2/3 * (1/2 * 1/2 + 1/2 * 1) = 5/6.
  CHECK(effective("fat-tree:2;2,2;1,1;1,1", Routing::simgrid, MatchingRoutes::as_given, 20000) ==
        Approx(5.0 / 6).margin(0.005));
}

TEST_CASE("Equal seeds give equal matchings, and other seeds others") {
  const std::string spec = "fat-tree:3;4,4,4;1,4,4;1,1,1";
  for (const auto routes : {MatchingRoutes::as_given, MatchingRoutes::random}) {
    const double once = effective(spec, Routing::ecmp, routes, 5);
    CHECK(once == effective(spec, Routing::ecmp, routes, 5));
  }
  CHECK(effective(spec, Routing::simgrid, MatchingRoutes::as_given, 5) !=
        effective(spec, Routing::simgrid, MatchingRoutes::as_given, 5, 2));
}

TEST_CASE("Flows that split over all shortest routes of a fat tree have all its bandwidth") {
  // Every switch has as much above as below: what a host sends is spread evenly, no link has more
  // than one flow's worth on the way up; on the way down all comes to hosts of one flow each.
  CHECK(effective("fat-tree:3;4,4,4;1,4,4;1,1,1", Routing::ecmp, MatchingRoutes::as_given, 5) ==
        Approx(1));
}

TEST_CASE("Effective bisection bandwidth of k-ary 3-trees is that of the literature") {
  // D-mod-k and random routes: 0.719 and 0.576 for k = 8, 0.704 and 0.549 for k = 12, themselves
  // means over matchings, one of which deviates by 0.02 (k = 8) or 0.014 (k = 12).
  const std::string small = "fat-tree:3;8,8,8;1,8,8;1,1,1",
                    large = "fat-tree:3;12,12,12;1,12,12;1,1,1";
  CHECK(effective(small, Routing::simgrid, MatchingRoutes::as_given, 500) ==
        Approx(0.719).margin(0.01));
  CHECK(effective(small, Routing::ecmp, MatchingRoutes::random, tests::budget(125, 500)) ==
        Approx(0.576).margin(0.01));
  CHECK(effective(large, Routing::simgrid, MatchingRoutes::as_given, tests::budget(15, 60)) ==
        Approx(0.704).margin(0.01));
  CHECK(effective(large, Routing::ecmp, MatchingRoutes::random, tests::budget(15, 60)) ==
        Approx(0.549).margin(0.01));
}
