#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo {
namespace {

/// A schedule on a torus of 8 hosts in a ring, 10 GB/s and 100 ns per link, rank r on host r.
struct Ring {
  std::shared_ptr<const Network> network = make_network("torus:8", NetworkDefaults());
  Allocation allocation = make_allocation(*network, "all", std::vector<int>{1}, 1);
  Embedding embedding{slot_hosts(allocation), allocation};

  Schedule schedule(std::string_view patterns) const {
    const Bytes volume{80000};
    return make_schedule(parse_patterns(patterns), parse_guest_topology("cart:8p"), {&volume, 1});
  }
  ScheduleTimes times(std::string_view patterns, Solver solver = Solver::fast) const {
    SimulationOptions options;
    options.solver = solver;
    return simulate_schedule(schedule(patterns), *network, embedding, options);
  }
};

// 80 KB at 10 GB/s are 8 us; k/2 - 1 = 3 hops up, so every link in that direction carries 3 flows
// and the others none: 24 us, and 3 x 100 ns.
TEST_CASE("a tornado on a ring of 8 loads the links of one direction with three flows") {
  const Ring ring;
  const Schedule schedule = ring.schedule("tornado");
  const Metrics metrics = evaluate(schedule.phases[0].traffic, *ring.network, ring.embedding);
  int loaded = 0;
  for (const LinkLoad& link : metrics.links) {
    if (link.flows == 0) continue;
    ++loaded;
    CHECK(link.flows == 3);
    CHECK(link.traffic.value == 240000);
  }
  CHECK(loaded == 8);
  CHECK(ring.times("tornado").total.makespan.value == Approx(24.3e-6));
}

// Partners differ in one bit of the rank: 1, 2 and 4 hosts apart.
TEST_CASE("recursive doubling on a ring of 8 has partners 1, 2 and 4 hops away") {
  const Ring ring;
  const Schedule schedule = ring.schedule("allreduce:algorithm=recursive_doubling");
  REQUIRE(schedule.phases.size() == 3);
  int distance = 1;
  for (const SchedulePhase& phase : schedule.phases) {
    const Metrics metrics = evaluate(phase.traffic, *ring.network, ring.embedding);
    CHECK(metrics.mean_dilation == distance);
    CHECK(metrics.max_dilation == distance);
    CHECK(metrics.hop_bytes.value == 8 * 80000.0 * distance);
    distance *= 2;
  }
}

// 2 x 7 steps of 10 KB over one link of its own: 1 us + 100 ns each.
TEST_CASE("a ring all-reduce takes 2(P-1) steps of a share of the vector") {
  const Ring ring;
  for (const Solver solver : {Solver::fast, Solver::simgrid}) {
    const ScheduleTimes times = ring.times("allreduce:algorithm=ring", solver);
    REQUIRE(times.phases.size() == 2);
    CHECK(times.phases[0].makespan.value == Approx(1.1e-6));
    CHECK(times.total.makespan.value == Approx(14 * 1.1e-6));
    for (const Seconds& finish : times.total.rank_finish)
      CHECK(finish.value == Approx(14 * 1.1e-6));
  }
}

TEST_CASE("a repeated step takes its time again, and phases follow each other") {
  const Ring ring;
  const double halo = ring.times("halo").total.makespan.value;
  const double shift = ring.times("shift:offset=2").total.makespan.value;
  CHECK(halo == Approx(8.1e-6));
  CHECK(ring.times("halo:repeat=1000").total.makespan.value == Approx(1000 * halo));
  CHECK(ring.times("halo:repeat=3,shift:offset=2").total.makespan.value ==
        Approx(3 * halo + shift));
}

// Binomial from 0: rank 4 receives in the first step alone, sends to 6 and 5 later; rank 7 receives
// last.
TEST_CASE("ranks finish with the last phase that they take part in") {
  const Ring ring;
  const ScheduleTimes times = ring.times("shift:repeat=2,broadcast");
  const auto& finish = times.total.rank_finish;
  CHECK(finish[7] == times.total.makespan);
  const ScheduleTimes alone = ring.times("broadcast,shift:bytes=0");
  // Empty messages to the next host take its latency, 100 ns.
  CHECK(alone.total.makespan.value ==
        Approx(ring.times("broadcast").total.makespan.value + 100e-9).epsilon(1e-9));
  const double first = alone.phases[0].makespan.value, second = alone.phases[1].makespan.value;
  CHECK(alone.total.rank_finish[2].value > first + second);
  const ScheduleTimes fan = ring.times("reduce");
  CHECK(fan.total.rank_finish[1].value == Approx(fan.phases[0].makespan.value));
  CHECK(fan.total.rank_finish[0] == fan.total.makespan);
}

TEST_CASE("hop-bytes of the sum are the sum of the hop-bytes of the phases") {
  const Ring ring;
  const Schedule schedule =
      ring.schedule("phased:repeat=3,allreduce,alltoall:algorithm=bruck,random:seed=4");
  double sum = 0;
  for (const SchedulePhase& phase : schedule.phases)
    sum += static_cast<double>(phase.repeat) *
           evaluate(phase.traffic, *ring.network, ring.embedding).hop_bytes.value;
  CHECK(evaluate(aggregated(schedule), *ring.network, ring.embedding).hop_bytes.value ==
        Approx(sum));
}

}  // namespace
}  // namespace vtopo
