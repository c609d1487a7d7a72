#include "tests/sim/packet_model.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/allocations.hpp"

using namespace vtopo;
using tests::one_per_host;
using tests::PacketModel;

namespace {

CommGraph messages(int ranks, const std::vector<DirectedEdge>& edges) {
  return CommGraph(ranks, edges);
}

/// Ten packets of 100 bytes fill a second of a link.
constexpr tests::PacketOptions small{100, 4};

}  // namespace

TEST_CASE("Packets of one message follow each other over its links") {
  // By hand: ten packets at 0.1 s each, over two links: the last is there at 1.1 s and two
  // latencies.
  const RingNetwork network(4, {{1000}, {0.01}}, {{1e9}, {0}});
  const auto traffic = messages(4, {{Rank{0}, Rank{2}, {1000}}});
  const auto finish = PacketModel(traffic, network, one_per_host(4), small).run();
  CHECK(finish.front() == Approx(1.1 + 0.02));
}

TEST_CASE("Messages take turns on a link that they share") {
  // By hand: twenty packets in 2 s, the last of the two messages one after the other.
  const RingNetwork network(4, {{1000}, {0}}, {{1e9}, {0}});
  const auto traffic = messages(
      4, {{Rank{0}, Rank{1}, {1000}}, {Rank{0}, Rank{1}, {1000}}, {Rank{2}, Rank{3}, {950}}});
  const auto finish = PacketModel(traffic, network, one_per_host(4), small).run();
  CHECK(finish[0] == Approx(1.9));
  CHECK(finish[1] == Approx(2.0));
  CHECK(finish[2] == Approx(0.95));  // nine and a half packets
}

TEST_CASE("Packets and flows agree where nothing but one link is contended") {
  // Incast: the last arrival is the sum of the volumes over the bandwidth of the last cable, but
  // for the first packets on their way.
  const auto network = make_network("fat-tree:2;8,2;1,8;1,1,bandwidth=1kBps,latency=0s", {});
  std::vector<DirectedEdge> edges;
  for (int r = 1; r < 9; ++r) edges.push_back({Rank{r}, Rank{0}, {10000}});
  const auto traffic = messages(16, edges);
  const auto finish = PacketModel(traffic, *network, one_per_host(16), small).run();
  SimulationOptions options;
  options.solver = Solver::fast;
  const double flows = simulate(traffic, *network, one_per_host(16), options).makespan.value;
  CHECK(flows == Approx(80));
  CHECK(*std::max_element(finish.begin(), finish.end()) == Approx(flows).epsilon(0.01));
}

TEST_CASE("Full buffers hold packets back, and nothing waits for ever") {
  // On a ring every host sends five hops on: every link has five messages, a circle of full
  // buffers.
  const RingNetwork network(11, {{1000}, {0}}, {{1e9}, {0}});
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 11; ++r) edges.push_back({Rank{r}, Rank{(r + 5) % 11}, {2000}});
  const auto finish = PacketModel(messages(11, edges), network, one_per_host(11), {100, 1}).run();
  for (const double time : finish) {
    CHECK(time >= 2000 * 5 / 1000.0 - 2);  // each link carries 10 kB; a message its share of them
    CHECK(time < 20);
  }
}
