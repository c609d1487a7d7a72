#include <catch2/catch.hpp>

#include <map>
#include <set>
#include <string>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/platform/platform_samples.hpp"
#include "tests/support/routes.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using vtopo::tests::route_names;

namespace {

std::shared_ptr<const Network> loaded_sample(const std::string& name) {
  return load_platform(tests::platform_sample(name), {});
}

LinkId link_called(const Network& network, const std::string& name) {
  for (int l = 0; l < network.num_links(); ++l)
    if (network.link_name(LinkId{l}) == name) return LinkId{l};
  FAIL("no link " + name);
  return LinkId{0};
}

std::optional<LinkEnds> ends(const Network& network, const std::string& name) {
  return network.link_ends(link_called(network, name));
}

/// How many links of all routes between the first hosts follow one that ends elsewhere.
int breaks(const Network& network, int num_hosts) {
  int count = 0;
  for (int a = 0; a < num_hosts; ++a)
    for (int b = 0; b < num_hosts; ++b) {
      std::vector<LinkId> route;
      network.append_route(HostId{a}, HostId{b}, route);
      constexpr int unknown = -1;
      int here = a;
      for (const LinkId link : route) {
        const auto pair = network.link_ends(link);
        if (pair && here != unknown && pair->from != here) ++count;
        here = pair ? pair->to : unknown;
      }
      if (here != unknown && here != b) ++count;
    }
  return count;
}

}  // namespace

TEST_CASE("Every route of a platform is a walk over the ends of its links") {
  for (const char* name : {"full", "cluster", "cluster-shared", "cabinets", "nested", "vivaldi"}) {
    INFO(name);
    const auto network = loaded_sample(name);
    CHECK(breaks(*network, network->num_hosts()) == 0);
  }
  for (const char* name : {"floyd", "dijkstra"}) CHECK(breaks(*loaded_sample(name), 4) == 0);
}

TEST_CASE("Links join hosts and routers, and both halves of a cable the same two") {
  const auto ring = loaded_sample("floyd");
  const auto up = ends(*ring, "h2-r2_UP"), down = ends(*ring, "h2-r2_DOWN");
  REQUIRE((up && down));
  CHECK(up->from == 2);
  CHECK(up->to >= ring->num_hosts());  // a router
  CHECK(down->from == up->to);
  CHECK(down->to == 2);
  CHECK(ends(*ring, "c1_UP")->to == up->to);
  CHECK_FALSE(ends(*ring, "short"));  // one link for both ways
}

TEST_CASE("What joins the links of a longer declared route is a vertex of its own") {
  const auto hall = loaded_sample("full");
  const auto up = ends(*hall, "a_UP");
  REQUIRE(up);
  CHECK(up->from == 0);
  CHECK(up->to >= hall->num_hosts());
  CHECK(ends(*hall, "b_DOWN")->from == up->to);
  CHECK(ends(*hall, "b_DOWN")->to == 1);
}

TEST_CASE("The backbone of a single cluster leads from the cables up to the cables down") {
  const auto rack = loaded_sample("cluster");
  const auto backbone = ends(*rack, "rack_backbone");
  REQUIRE(backbone);
  for (const char* host : {"0", "1", "5", "8"}) {
    CHECK(ends(*rack, "rack_link_" + std::string(host) + "_UP")->to == backbone->from);
    CHECK(ends(*rack, "rack_link_" + std::string(host) + "_DOWN")->from == backbone->to);
  }
  CHECK_FALSE(ends(*rack, "rack_link_0_limiter"));  // both ways
}

TEST_CASE("Without some links a zone that searches finds other routes") {
  for (const char* name : {"floyd", "dijkstra", "dijkstracache"}) {
    INFO(name);
    const auto ring = loaded_sample(name);
    CHECK(route_names(*ring, 0, 1) == std::vector<std::string>{"h0-r0_UP", "c0_UP", "h1-r1_DOWN"});
    const LinkId failed = link_called(*ring, "c0_UP");
    const auto rest = ring->without_links(std::vector<LinkId>{failed});
    REQUIRE(rest);
    for (int l = 0; l < ring->num_links(); ++l)
      CHECK(rest->link_name(LinkId{l}) == ring->link_name(LinkId{l}));
    // By hand: r0 to r1 the other way round over the short cable to r2; back as before.
    CHECK(route_names(*rest, 0, 1) ==
          std::vector<std::string>{"h0-r0_UP", "short", "c1_DOWN", "h1-r1_DOWN"});
    CHECK(route_names(*rest, 1, 0) ==
          std::vector<std::string>{"h1-r1_UP", "c0_DOWN", "h0-r0_DOWN"});
    // Both halves of h1's only cable: h1 is cut off, the others are not.
    const auto cut = rest->without_links(
        std::vector<LinkId>{link_called(*ring, "h1-r1_UP"), link_called(*ring, "h1-r1_DOWN")});
    REQUIRE(cut);
    CHECK_THROWS_WITH(route_names(*cut, 0, 1),
                      tests::platform_sample(name) + ": there is no route from \"h0\" to \"h1\"");
    CHECK(route_names(*cut, 0, 2) == std::vector<std::string>{"h0-r0_UP", "short", "h2-r2_DOWN"});
  }
}

TEST_CASE("A zone that declares every route has no others") {
  const auto hall = loaded_sample("full");
  CHECK(hall->without_links(std::vector<LinkId>{link_called(*hall, "a_UP")}) == nullptr);
  const auto rack = loaded_sample("cluster");
  CHECK(rack->without_links(std::vector<LinkId>{link_called(*rack, "rack_link_0_UP")}) == nullptr);
}

TEST_CASE("A host sends by all links at it, also by those that SimGrid's routes leave out") {
  // By hand: two cables of 1 GB/s at each host, of which Floyd's one route takes one.
  const auto network = loaded_sample("dual-homed");
  for (const HostId host : {HostId{0}, HostId{1}})
    CHECK(network->injection_bandwidth(host).value == 2e9);
}

TEST_CASE("Scaled links used both ways are links at both hosts, also where no route takes them") {
  // By hand: `near` has the direct link (1 of 2 GB/s) and one to the switch, which leads nowhere.
  const tests::TemporaryFile file("both-ways.xml", R"(<?xml version="1.0"?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Floyd">
<host id="near" speed="1Gf"/><host id="far" speed="1Gf"/><router id="switch"/>
<link id="direct" bandwidth="2GBps" latency="1us"/><link id="up" bandwidth="3GBps" latency="1us"/>
<route src="near" dst="far"><link_ctn id="direct"/></route>
<route src="near" dst="switch"><link_ctn id="up"/></route></zone></platform>)");
  const auto scaled =
      apply_edits(load_platform(file.path(), {}), NetworkEdits{{}, {}, {{"direct", 0.5}}});
  CHECK(scaled->injection_bandwidth(HostId{0}).value == 4e9);
  CHECK(scaled->injection_bandwidth(HostId{1}).value == 1e9);
}
