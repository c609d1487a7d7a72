#include <catch2/catch.hpp>

#include <algorithm>
#include <string>
#include <vector>

#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/platform/platform_samples.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::host_names;
using tests::route_names;

namespace {

/// SimGrid passes a loopback where a bypass begins or ends at a gateway; vtopo counts none.
std::vector<std::string> without_loopbacks(std::vector<std::string> route) {
  route.erase(std::remove(route.begin(), route.end(), "__loopback__"), route.end());
  return route;
}

/// All pairs of the first `num_routed` hosts against SimGrid.
void check_sample(const std::string& name, int num_hosts, int num_links, int num_routed) {
  INFO(name);
  const std::string file = tests::platform_sample(name);
  const auto network = load_platform(file, {});
  REQUIRE(network->num_hosts() == num_hosts);
  CHECK(network->num_links() == num_links);
  const auto expected = tests::simgrid_platform_routes(file, host_names(*network, num_routed));
  for (int a = 0; a < num_routed; ++a)
    for (int b = 0; b < num_routed; ++b) {
      INFO(network->host_name(HostId{a}) << " -> " << network->host_name(HostId{b}));
      CHECK(route_names(*network, a, b) ==
            without_loopbacks(expected[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)]));
    }
}

std::string error_of_route(const std::string& name, int a, int b) {
  const auto network = load_platform(tests::platform_sample(name), {});
  return tests::message_about(tests::platform_sample(name), [&] { route_names(*network, a, b); });
}

}  // namespace

TEST_CASE("Platforms of every kind of zone have SimGrid's routes") {
  // Links counted by hand: two per split-duplex cable, one of any other; loopbacks do not count.
  check_sample("full", 3, 2 * 3 + 1, 3);
  for (const char* kind : {"floyd", "dijkstra", "dijkstracache"})
    check_sample(kind, 5, 2 * 8 + 1, 4);
  check_sample("cluster", 6, 6 * 3 + 1, 6);
  check_sample("cluster-shared", 5, 5 + 1, 5);
  check_sample("vivaldi", 3, 2 * 3, 3);
  check_sample("cabinets", 7, 2 * 7 + 1, 7);
  check_sample("nested", 11, 2 * 4 + 2 * 5 + 1 + 2 * 2 + 2 * 2 + 1, 11);
  check_sample("bypass", 4, 2 * 3 + 1, 4);
}

TEST_CASE("A pair of hosts without a route is an error when the route is needed") {
  for (const char* kind : {"floyd", "dijkstra", "dijkstracache"}) {
    INFO(kind);
    CHECK(error_of_route(kind, 0, 4) == ": there is no route from \"h0\" to \"isle\"");
    CHECK(error_of_route(kind, 4, 1) == ": there is no route from \"isle\" to \"h1\"");
    CHECK(error_of_route(kind, 3, 0) == "no error");
  }
  CHECK(error_of_route("none", 0, 1) ==
        ": there is no route from \"one\" to \"two\": SimGrid was ended by signal 6 (Aborted); run "
        "vtopo platform lint " +
            tests::platform_sample("none"));
}

TEST_CASE("A process that SimGrid has ended is replaced, and other routes are still told") {
  // SimGrid 3.32 crashes in a Dijkstra zone whose way enters and leaves a zone by two gateways.
  const auto network = load_platform(tests::platform_sample("gateways"), {});
  for (int attempt = 0; attempt < 3; ++attempt) {
    CHECK(route_names(*network, 0, 1) == std::vector<std::string>{"a-b_UP"});
    CHECK_THROWS_WITH(route_names(*network, 0, 3),
                      tests::platform_sample("gateways") +
                          ": there is no route from \"a1\" to \"c1\": SimGrid "
                          "was ended by signal 11 (Segmentation fault); run vtopo platform lint " +
                          tests::platform_sample("gateways"));
    CHECK(route_names(*network, 3, 2) == std::vector<std::string>{"b-c_DOWN"});
  }
  CHECK(network->injection_bandwidth(HostId{0}).value == 1e9);
}

TEST_CASE("Loopbacks are in no inventory, and limiters and backbones are kinds of their own") {
  const auto rack = load_platform(tests::platform_sample("cluster"), {});
  std::vector<std::string> kinds;
  for (const LinkClass& kind : rack->link_classes())
    kinds.push_back(kind.name + " " + std::to_string(kind.links));
  // In the order of link names: rack_backbone, rack_link_0_DOWN, rack_link_0_UP,
  // rack_link_0_limiter.
  CHECK(kinds == std::vector<std::string>{"backbone 1", "links 12", "limiter 6"});
  CHECK(rack->link_classes()[0].bandwidth.value == 4e9);
  CHECK(rack->link_class(LinkId{3}) == 2);
  CHECK(rack->link(LinkId{3}).hops == 0);
  CHECK(rack->hops(HostId{0}, HostId{5}) == 3);  // own cable, backbone, the other's cable
  CHECK(rack->diameter() == 3);
  CHECK(rack->injection_bandwidth(HostId{5}).value == 800e6);  // its limiter

  const auto shared = load_platform(tests::platform_sample("cluster-shared"), {});
  CHECK(shared->link(LinkId{0}).sharing == LinkSharing::fatpipe);
  CHECK(shared->link_classes()[0].name == "backbone");

  const auto full = load_platform(tests::platform_sample("full"), {});
  CHECK(full->link_classes()[1].name == "fatpipe");
  CHECK(full->link_classes()[1].links == 1);
}
