#include <catch2/catch.hpp>

#include <numeric>
#include <vector>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/placement/embedding.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Catch::Contains;

namespace {

constexpr int one_slot[] = {1};

std::shared_ptr<const Network> without(const std::string& spec,
                                       const std::vector<std::string>& links,
                                       const std::vector<std::string>& hosts = {}) {
  return apply_edits(make_network(spec, {{1e9}, {1e-6}}), NetworkEdits{links, hosts, {}});
}

Embedding block(const Network& network, int num_ranks) {
  const auto allocation = make_allocation(network, "all", one_slot, 1);
  auto hosts = slot_hosts(allocation);
  hosts.resize(static_cast<std::size_t>(num_ranks));
  return Embedding(hosts, allocation);
}

std::vector<int> selected(const Network& network, const std::string& hosts) {
  return tests::numbers_of(make_allocation(network, hosts, one_slot, 1).hosts);
}

}  // namespace

TEST_CASE("A flow around a failed link of a torus takes the static bound and its latencies") {
  const auto network = without("torus:4x4", {"d0+:0->1"});
  const CommGraph guest(16, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, Bytes{1e9}}});
  const auto embedding = block(*network, 16);
  const Metrics metrics = evaluate(guest, *network, embedding);
  // Around: 3 links instead of 1, by the other row or the wrap; 1 GB over 1 GB/s, 1 us per link.
  CHECK(metrics.max_dilation == 3);
  CHECK(metrics.max_congestion.value == Approx(1));
  const auto result = simulate(guest, *network, embedding, {});
  CHECK(result.makespan.value == Approx(metrics.max_congestion.value + 3e-6).epsilon(1e-9));
}

TEST_CASE("A halo exchange around failed links meets its static bound in the simulator") {
  const auto network = without("torus:4x4", {"d0?:0->1", "d0-:1->0", "d1+:5->9"}, {"host-15"});
  const CommGraph guest = unit_grid({15});
  const auto embedding = block(*network, 15);
  const Metrics metrics = evaluate(guest, *network, embedding);
  const auto result = simulate(guest, *network, embedding, {});
  const double latencies = 1e-6 * metrics.max_dilation;
  // Equal flows that start together: the makespan is the bound, give or take the latencies.
  CHECK(result.makespan.value >= metrics.max_congestion.value);
  CHECK(result.makespan.value <= metrics.max_congestion.value + latencies + 1e-12);
}

TEST_CASE("Scaling every link by a factor divides every congestion by it") {
  const auto base = make_network("torus:4x4", {});
  const auto edited = apply_edits(base, NetworkEdits{{}, {}, {{"*", 0.25}}});
  const CommGraph guest = drawn_graph(16, 60, 7);
  const Metrics before = evaluate(guest, *base, block(*base, 16));
  const Metrics after = evaluate(guest, *edited, block(*edited, 16));
  CHECK(after.max_congestion.value == 4 * before.max_congestion.value);
  CHECK(after.hop_bytes == before.hop_bytes);
  for (std::size_t l = 0; l < before.links.size(); ++l)
    CHECK(after.links[l].congestion.value == 4 * before.links[l].congestion.value);
}

TEST_CASE("Lower bounds hold on networks with edits") {
  for (const auto& edits : {NetworkEdits{{"d0+:0->1", "d1-:4->0"}, {"host-5"}, {}},
                            NetworkEdits{{}, {}, {{"d0?:*", 3}, {"d1+:*", 0.1}}},
                            NetworkEdits{{"d1+:*"}, {}, {{"d1-:*", 7}}}}) {
    const auto network = apply_edits(make_network("torus:4x4", {}), edits);
    const auto allocation = make_allocation(*network, "all", one_slot, 1);
    const CommGraph guest = drawn_graph(allocation.num_hosts(), 60, 3);
    const Metrics metrics =
        evaluate(guest, *network, Embedding(slot_hosts(allocation), allocation));
    const Bounds bounds = lower_bounds(guest, *network, allocation);
    CHECK(bounds.hop_bytes.value > 0);
    CHECK(bounds.hop_bytes.value <= metrics.hop_bytes.value);
    CHECK(bounds.congestion.value <= metrics.max_congestion.value);
  }
}

TEST_CASE("Selections skip hosts that are out of order") {
  const auto network = without("torus:8", {}, {"host-0", "host-3"});
  CHECK(selected(*network, "all") == std::vector<int>{1, 2, 4, 5, 6, 7});
  CHECK(selected(*network, "first:3") == std::vector<int>{1, 2, 4});
  CHECK(selected(*network, "block:2,3") == std::vector<int>{2, 4, 5});
  CHECK(selected(*network, "spaced:3") == std::vector<int>{1, 4, 6});
  for (const int host : selected(*network, "random:6")) CHECK(network->is_up(HostId{host}));
  CHECK_THROWS_WITH(selected(*network, "first:7"),
                    "host count \"7\" in \"first:7\": accepted are 1..6, as the network has 8 "
                    "hosts, 2 of them down");
}

TEST_CASE("Naming a host that is out of order is an error") {
  const auto network = without("torus:8", {}, {"host-3"});
  CHECK_THROWS_WITH(selected(*network, "list:1,3"),
                    Contains("host 3 (\"host-3\") in \"list:1,3\" is down"));
}
