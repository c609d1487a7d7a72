#include "sim/mapping/state/placement.hpp"

#include <catch2/catch.hpp>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;

namespace {

/// Every exchange and every move, predicted and evaluated anew. Whole volumes: no rounding.
void check_changes(const CommGraph& guest, const Network& network, const Allocation& allocation) {
  const Embedding start = run_mapper({"random", {}}, {guest, network, allocation});
  const Partners partners(guest);
  const HopTable table(network, allocation);
  const Placement placement(partners, table, allocation, start);
  const double before = evaluate(guest, network, start).hop_bytes.value;
  CHECK(placement.hop_bytes().value == before);
  CHECK(placement.embedding() == start);
  for (int a = 0; a < guest.num_ranks(); ++a) {
    for (int b = 0; b < guest.num_ranks(); ++b) {
      if (a == b) continue;
      Placement exchanged = placement;
      exchanged.exchange(Rank{a}, Rank{b});
      CHECK(before - placement.exchange_change(Rank{a}, Rank{b}).gain().value ==
            evaluate(guest, network, exchanged.embedding()).hop_bytes.value);
    }
    for (int p = 0; p < allocation.num_hosts(); ++p) {
      if (!placement.has_free_slot(Place{p})) continue;
      Placement moved = placement;
      moved.move(Rank{a}, Place{p});
      CHECK(before - placement.move_change(Rank{a}, Place{p}).gain().value ==
            evaluate(guest, network, moved.embedding()).hop_bytes.value);
    }
  }
}

}  // namespace

TEST_CASE("The gain of an exchange or a move equals a full evaluation") {
  const std::uint64_t seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{5}));
  const auto guest = drawn_graph(9, 40, seed);
  const auto torus = make_torus({{{3}, {4, false}}, {}});
  const RingNetwork ring(7, {{10}, {0}}, {{5}, {0}});
  check_changes(guest, *torus, make_allocation(*torus, "random:10", std::vector{1}, seed));
  check_changes(guest, *torus, make_allocation(*torus, "spaced:5", std::vector{3}, seed));
  check_changes(guest, ring, make_allocation(ring, "all", std::vector{2}, seed));
}

TEST_CASE("Rows of a large table are those of the network whenever they are asked for") {
  const auto torus = make_torus({{{11}, {10, false}, {10}}, {}});
  const auto allocation = make_allocation(*torus, "all", std::vector{1}, 1);
  const HopTable table(*torus, allocation);
  CHECK_FALSE(table.keeps_all());
  CHECK(table.kept_and_symmetric());
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
