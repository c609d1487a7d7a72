#include <catch2/catch.hpp>

#include <limits>
#include <set>
#include <string>
#include <vector>

#include "netmodels/models/torus/torus.hpp"
#include "tests/netmodels/torus_names.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {}  // namespace

TEST_CASE("Several hosts of a router have a cable each, and routes go by way of them") {
  // By hand: a ring of 4 routers with 3 hosts each; hosts 0-2 at router 0, 3-5 at router 1.
  const auto ring = make_torus({{{4}}, {}, {}, 3});
  CHECK(ring->num_hosts() == 12);
  CHECK(ring->num_links() == 2 * 4 + 2 * 12);
  CHECK(ring->diameter() == 4);
  CHECK(ring->hops(HostId{0}, HostId{1}) == 2);
  CHECK(ring->hops(HostId{2}, HostId{3}) == 3);
  CHECK(ring->hops(HostId{5}, HostId{5}) == 0);
  CHECK(tests::route_names(*ring, 0, 1) == std::vector<std::string>{"host-0->r0", "r0->host-1"});
  CHECK(tests::route_names(*ring, 4, 11) ==
        std::vector<std::string>{"host-4->r1", "d0+:r1->r2", "d0+:r2->r3", "r3->host-11"});
  CHECK(tests::route_names(*ring, 5, 5).empty());
  // Routers are the vertices after the hosts.
  CHECK(ring->link_ends(LinkId{0})->from == 12);
  CHECK(ring->link_ends(LinkId{0})->to == 13);
  CHECK(ring->link_ends(LinkId{8 + 2 * 4})->from == 4);
  CHECK(ring->link_ends(LinkId{8 + 2 * 4})->to == 13);
  CHECK(ring->link_ends(LinkId{8 + 2 * 4 + 1})->to == 4);
}

TEST_CASE("Every route of a torus with several hosts per router is a walk") {
  for (const auto& shape : std::vector<std::vector<TorusDimension>>{
           {{4}, {3}}, {{2}, {2, tests::mesh}}, {{5, tests::mesh}, {1}, {2}}, {{1}}}) {
    const auto network = make_torus({shape, {}, {}, 3});
    INFO(network->description());
    int broken = 0, longest = 0;
    std::vector<LinkId> links;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        links.clear();
        network->append_route(HostId{a}, HostId{b}, links);
        int here = a;
        for (const LinkId link : links) {
          if (network->link_ends(link)->from != here) ++broken;
          here = network->link_ends(link)->to;
        }
        const int length = static_cast<int>(links.size());
        if (here != b || length != network->hops(HostId{a}, HostId{b})) ++broken;
        longest = std::max(longest, length);
      }
    CHECK(broken == 0);
    CHECK(longest == network->diameter());
  }
}

TEST_CASE("Bandwidth and latency of a torus are those of its dimensions and of its hosts' cables") {
  // By hand; the third dimension has the defaults. Titan's rates per dimension, as an example.
  const TorusSpec spec{{{4, true, {BytesPerSecond{9.4e9}, {}}},
                        {1, true, {BytesPerSecond{1e9}, {}}},
                        {3, tests::mesh, {BytesPerSecond{4.7e9}, Seconds{2e-7}}},
                        {2}},
                       {BytesPerSecond{10e9}, Seconds{1e-7}}};
  const auto torus = make_torus(spec);
  const auto classes = torus->link_classes();
  REQUIRE(classes.size() == 4);
  CHECK(classes[0].name == "dimension 0");
  CHECK(classes[0].links == 2 * 24);
  CHECK(classes[1].links == 0);
  CHECK(classes[2].links == 2 * 16);
  CHECK(classes[2].latency.value == 2e-7);
  CHECK(classes[3].links == 2 * 24);
  CHECK(classes[3].bandwidth.value == 10e9);
  // Host 0 has two ways in dimension 0, one in the mesh dimension, two cables on the ring of 2.
  CHECK(torus->injection_bandwidth(HostId{0}).value == Approx(2 * 9.4e9 + 4.7e9 + 2 * 10e9));
  CHECK(torus->injection_bandwidth(HostId{4}).value == Approx(2 * 9.4e9 + 2 * 4.7e9 + 2 * 10e9));
  auto hosted = spec;
  hosted.hosts_per_router = 2;
  hosted.host_rates = {BytesPerSecond{6e9}, Seconds{0}};
  const auto several = make_torus(hosted);
  REQUIRE(several->link_classes().size() == 5);
  CHECK(several->link_classes()[4].name == "hosts");
  CHECK(several->link_classes()[4].links == 2 * 48);
  CHECK(several->injection_bandwidth(HostId{7}).value == 6e9);
  for (const auto& network : {torus, several}) {
    std::vector<std::int64_t> links(network->link_classes().size());
    std::set<std::string> names;
    for (int l = 0; l < network->num_links(); ++l) {
      const auto kind = static_cast<std::size_t>(network->link_class(LinkId{l}));
      ++links[kind];
      CHECK(network->link(LinkId{l}).bandwidth == network->link_classes()[kind].bandwidth);
      CHECK(network->link(LinkId{l}).latency == network->link_classes()[kind].latency);
      names.insert(network->link_name(LinkId{l}));
    }
    CHECK(static_cast<int>(names.size()) == network->num_links());
    for (std::size_t kind = 0; kind < links.size(); ++kind)
      CHECK(links[kind] == network->link_classes()[kind].links);
  }
}

TEST_CASE("The description of a torus is its specification") {
  CHECK(make_torus({{{8}, {8}, {4, tests::mesh}}, {}})->description() == "torus:8x8x4m");
  CHECK(make_torus({{{8}}, {}, {}, 2})->description() == "torus:8,per_router=2");
  const BytesPerSecond fast{9.4e9}, slow{4.7e9};
  CHECK(make_torus({{{25, true, {fast, parse_seconds("100ns")}}, {16, true, {slow, {}}}, {24}},
                    {BytesPerSecond{10e9}, parse_seconds("1.3us")},
                    {},
                    2,
                    {BytesPerSecond{5.25e9}, Seconds{0}}})
            ->description() ==
        "torus:25x16x24,per_router=2,bandwidth=9.4GBps/4.7GBps/10GBps,latency=100ns/1.3us/1.3us,"
        "host_bandwidth=5.25GBps,host_latency=0");
}

TEST_CASE("A torus with impossible rates, hosts or links is an error") {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  CHECK_THROWS_AS(make_torus({{{4}}, {}, {}, 0}), UsageError);
  CHECK_THROWS_AS(make_torus({{{4}}, {}, {}, -2}), UsageError);
  CHECK_THROWS_AS(make_torus({{{65536}, {256}}, {}, {}, 128}), UsageError);
  CHECK_THROWS_AS(make_torus({{{65536}, {16384}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{{4, true, {BytesPerSecond{0}, {}}}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{{4, true, {BytesPerSecond{nan}, {}}}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{{4, true, {{}, Seconds{-1e-9}}}}, {}}), UsageError);
  CHECK_THROWS_AS(make_torus({{{4}}, {}, {}, 2, {{}, Seconds{nan}}}), UsageError);
}
