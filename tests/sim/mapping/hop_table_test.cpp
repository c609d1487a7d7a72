#include "sim/mapping/state/hop_table.hpp"

#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/allocation.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Rows of a large table are those of the network whenever they are asked for") {
  const auto torus = make_torus({{{11}, {10, false}, {10}}, {}});
  const auto allocation = make_allocation(*torus, "all", std::vector{1}, 1);
  const HopTable table(*torus, allocation);
  CHECK_FALSE(table.keeps_all());
  CHECK(table.symmetric());
  for (const int from : {0, 437, 1099, 437})
    for (const int to : {0, 5, 437, 888}) {
      const int hops = torus->hops(allocation.hosts[static_cast<std::size_t>(from)],
                                   allocation.hosts[static_cast<std::size_t>(to)]);
      CHECK(table.hops(Place{from}, Place{to}) == hops);
      CHECK(table.kept_row(Place{from})[to] == hops);
      CHECK(table.hops(Place{from}, Place{to}) == hops);
    }
}

TEST_CASE("Hops are the same from the table and from the network") {
  // Beyond 4,096 hosts, and where a distance exceeds 16 bits, nothing is kept.
  const RingNetwork large(4097, {{10}, {0}}, {{5}, {0}});
  const RingNetwork far(70000, {{10}, {0}}, {{5}, {0}});
  const RingNetwork small(12, {{10}, {0}}, {{5}, {0}});
  for (const RingNetwork* ring : {&large, &far, &small}) {
    const auto spec = ring == &large ? "all" : "spaced:12";
    const auto allocation = make_allocation(*ring, spec, std::vector{1}, 1);
    const HopTable table(*ring, allocation);
    const HostId first = allocation.hosts[1];
    const HostId second = allocation.hosts[7];
    CHECK(table.hops(Place{1}, Place{7}) == ring->hops(first, second));
    CHECK(table.hops(Place{7}, Place{1}) == ring->hops(second, first));
    CHECK(table.hops_back(Place{1}, Place{7}) == ring->hops(second, first));
    std::vector<double> sums(allocation.hosts.size(), 1.0);
    table.add_hop_bytes(Place{7}, Bytes{2}, Bytes{3}, sums);
    CHECK(sums[1] == 1 + 2 * ring->hops(first, second) + 3 * ring->hops(second, first));
  }
}

// Kept rows, codes of few and of many axes, codes without rows above 4,096 hosts, hops by
// direction.
TEST_CASE("Hops from one place are those of the network in every form") {
  for (const std::string_view spec :
       {"torus:3x4mx5", "torus:2x3x2x3", "torus:5x3,per_router=2", "fat-tree:2;4,4;1,2;1,1",
        "fat-tree:3;18,18,18;1,9,18;1,1,1", "dragonfly:4,1;2,1;3,1;2", "torus:300"}) {
    INFO(spec);
    const auto network = make_network(spec, NetworkDefaults{});
    const auto all = make_allocation(*network, "all", std::vector{1}, 1);
    const HopTable table(*network, all);
    for (const int from : {0, 7, network->num_hosts() - 1})
      table.visit_from(Place{from}, [&](auto&& hops) {
        for (int to = 0; to < network->num_hosts(); to += 1 + network->num_hosts() / 50)
          CHECK(hops(Place{to}) == network->hops(HostId{from}, HostId{to}));
      });
  }
  const RingNetwork ring(5, {{10}, {0}}, {{5}, {0}});
  const auto all = make_allocation(ring, "all", std::vector{1}, 1);
  const HopTable table(ring, all);
  CHECK_FALSE(table.symmetric());
  table.visit_from(Place{3}, [](auto&& hops) { CHECK(hops(Place{1}) == 3); });
}
