#include "sim/programs/schedule_program.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/simulation/program_times.hpp"
#include "sim/simulation/simulate_schedule.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;

namespace {

Schedule random_schedule(std::uint64_t seed, int ranks) {
  Random random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  Schedule schedule;
  for (int phases = 1 + below(3); phases > 0; --phases) {
    std::vector<DirectedEdge> edges;
    for (int count = 1 + below(3 * ranks); count > 0; --count)
      edges.push_back({Rank{below(ranks)}, Rank{below(ranks)}, {1e5 * below(20)}});
    schedule.phases.push_back({"", CommGraph(ranks, edges), 1 + below(3)});
  }
  return schedule;
}

Embedding block(const Network& network, int ranks) {
  Allocation allocation;
  std::vector<HostId> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(HostId{r / 2});
  for (int h = 0; h < network.num_hosts(); ++h) {
    allocation.hosts.push_back(HostId{h});
    allocation.slots.push_back(2);
  }
  return {hosts, allocation};
}

}  // namespace

TEST_CASE("A schedule whose steps start together takes the sum of its steps") {
  // The sum is that of the solver of phases, which is compared with SimGrid elsewhere.
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const auto network = make_network(seed % 2 == 0 ? "torus:3x3" : "fat-tree:2;4,4;1,2;1,2", {});
    const auto schedule = random_schedule(seed, 16);
    const auto embedding = block(*network, 16);
    SimulationOptions options;
    options.solver = Solver::fast;
    const auto expected = simulate_schedule(schedule, *network, embedding, options);
    const auto together =
        simulate_program(program_of(schedule, StepStart::together), *network, embedding);
    CHECK(together.makespan.value == Approx(expected.total.makespan.value).epsilon(1e-9));
    // A single burst has nothing to wait for: each rank finishes as in the burst, but for those
    // that only send, which go on when their last byte has left.
    if (schedule.phases.size() == 1 && schedule.phases.front().repeat == 1) {
      const auto by_rank =
          simulate_program(program_of(schedule, StepStart::by_rank), *network, embedding);
      CHECK(by_rank.makespan.value == Approx(expected.total.makespan.value).epsilon(1e-9));
    }
  }
}

TEST_CASE("A rank goes on when its own messages are over") {
  // By hand, 10 GB/s: phase 1 is 0 -> 1 with 10 GB (1 s) and 2 -> 3 with 20 GB (2 s) on other
  // links; phase 2 is 1 -> 0 with 10 GB. Ranks 0 and 1 do not wait for 2 and 3: all is over after 2
  // s (and the latency of one link, 100 ns), together after 3 s (two latencies).
  const auto network = make_network("torus:4", {});
  Schedule schedule;
  const DirectedEdge first[] = {{Rank{0}, Rank{1}, {10e9}}, {Rank{2}, Rank{3}, {20e9}}};
  const DirectedEdge second[] = {{Rank{1}, Rank{0}, {10e9}}};
  schedule.phases.push_back({"first", CommGraph(4, first), 1});
  schedule.phases.push_back({"second", CommGraph(4, second), 1});
  Allocation allocation{{HostId{0}, HostId{1}, HostId{2}, HostId{3}}, {1, 1, 1, 1}};
  const Embedding embedding(allocation.hosts, allocation);
  const auto makespan = [&](StepStart start) {
    return simulate_program(program_of(schedule, start), *network, embedding).makespan.value;
  };
  CHECK(makespan(StepStart::by_rank) == Approx(2 + 2e-7).epsilon(1e-12));
  CHECK(makespan(StepStart::together) == Approx(3 + 2e-7).epsilon(1e-12));
}
