#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Torus hops of the worked examples") {
  // SimGrid 3.32 on TORUS 4,4,4: 0->21 3, 0->42 6, 0->63 3, mean 3.0476 over ordered pairs, max 6.
  const auto torus = make_torus({{{4}, {4}, {4}}, {}});
  CHECK(torus->hops(HostId{0}, HostId{21}) == 3);
  CHECK(torus->hops(HostId{0}, HostId{42}) == 6);
  CHECK(torus->hops(HostId{0}, HostId{63}) == 3);
  CHECK(torus->diameter() == 6);
  CHECK(torus->num_links() == 2 * 3 * 64);
  double sum = 0;
  for (int a = 0; a < 64; ++a)
    for (int b = 0; b < 64; ++b) sum += torus->hops(HostId{a}, HostId{b});
  CHECK(sum / (64 * 63) == Approx(3.0476).margin(5e-5));
}

TEST_CASE("A tie on a ring goes the positive way unless the source sits at half the ring") {
  // Ring of 4: 0->2 +, 1->3 +, 2->0 -, 3->1 + through the wrap (measured with SimGrid 3.32).
  const auto ring = make_torus({{{4}}, {}});
  std::vector<LinkId> route;
  ring->append_route(HostId{2}, HostId{0}, route);
  REQUIRE(route.size() == 2);
  CHECK(ring->link_name(route[0]) == "d0-:2->1");
  route.clear();
  ring->append_route(HostId{3}, HostId{1}, route);
  CHECK(ring->link_name(route[0]) == "d0+:3->0");
}

TEST_CASE("A torus with a size below 1 or too many hosts is an error") {
  CHECK_THROWS_AS(make_torus({{{4}, {0}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{{65536}, {65536}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{}, {}}), UsageError);
}
