#include "sim/clock/programs/schedule_program.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/simgrid/run_program.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/random.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/pattern.hpp"

using namespace vtopo;
using namespace vtopo::detail;

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

Embedding two_per_host(int ranks) {
  std::vector<HostId> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(HostId{r / 2});
  return embedding_on(hosts);
}

}  // namespace

TEST_CASE("Collectives copy their buffers in programs, in phases and under SimGrid") {
  // By hand: Bruck's alltoall of 4 ranks moves a buffer of 4 x 1000 B five times in each call, at
  // 2000 B/s; three calls in a row. Recursive doubling copies one of 48 MB once, one of 16 MB
  // never.
  const auto network = make_network("torus:4,bandwidth=1GBps,latency=0s", {});
  const Embedding embedding = tests::one_per_host(4);
  const BytesPerSecond memory{2000};
  const Bytes volume{1000};
  const auto check = [&](const char* pattern, double seconds) {
    INFO(pattern);
    Schedule schedule =
        make_schedule(parse_patterns(pattern), parse_guest_topology("cart:4"), {&volume, 1});
    for (const StepStart start : {StepStart::by_rank, StepStart::together}) {
      const Program program = program_of(schedule, start);
      ProgramOptions options;
      const double without = simulate_program(program, *network, embedding, options).makespan.value;
      options.endpoint.memory_bandwidth = memory;
      const auto times = simulate_program(program, *network, embedding, options);
      CHECK(times.makespan.value == Approx(without + seconds));
      CHECK(times.ranks[Rank{3}].computing.value == Approx(seconds));
      RankOptions of_ranks;
      of_ranks.loopback_bandwidth = memory;
      CHECK(run_program(program, *network, embedding, of_ranks).makespan.value ==
            Approx(without + seconds));
    }
    SimulationOptions options;
    const auto without = simulate_schedule(schedule, *network, embedding, options).total;
    options.loopback_bandwidth = memory;
    const auto with = simulate_schedule(schedule, *network, embedding, options).total;
    CHECK(with.makespan.value == Approx(without.makespan.value + seconds));
    CHECK(with.rank_finish[3].value == Approx(without.rank_finish[3].value + seconds));
  };
  check("alltoall:algorithm=bruck,repeat=3", 3 * 5 * 4000 / 2000.0);
  check("allreduce:algorithm=recursive_doubling,bytes=48MB", 48e6 / 2000);
  check("allreduce:algorithm=recursive_doubling,bytes=16MB", 0);
}

TEST_CASE("A schedule whose steps start together takes the sum of its steps") {
  // The sum is that of the solver of phases, which is compared with SimGrid elsewhere.
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const auto network = make_network(seed % 2 == 0 ? "torus:3x3" : "fat-tree:2;4,4;1,2;1,2", {});
    const auto schedule = random_schedule(seed, 16);
    const auto embedding = two_per_host(16);
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
  const Embedding embedding = tests::one_per_host(4);
  const auto makespan = [&](StepStart start) {
    return simulate_program(program_of(schedule, start), *network, embedding).makespan.value;
  };
  CHECK(makespan(StepStart::by_rank) == Approx(2 + 2e-7).epsilon(1e-12));
  CHECK(makespan(StepStart::together) == Approx(3 + 2e-7).epsilon(1e-12));
}

namespace {

/// Rank r on host r of a ring of 8 hosts, 10 GB/s and no latency.
struct RingOfEight {
  std::shared_ptr<const Network> network = make_network("torus:8", {.latency = Seconds{0}});
  Allocation allocation = make_allocation(*network, "all", std::vector<int>{1}, 1);
  Embedding embedding{slot_hosts(allocation), allocation};

  Schedule schedule(std::string_view patterns) const {
    const Bytes volume{80000};
    return make_schedule(parse_patterns(patterns), parse_guest_topology("cart:8p"), {&volume, 1});
  }
  ProgramTimes times(const Program& program, const EndpointCosts& costs = {}) const {
    std::vector<HostId> hosts;  // lane after lane
    for (int r = 0; r < program.num_ranks(); ++r) hosts.push_back(HostId{r % 8});
    Allocation room = allocation;
    room.slots.assign(8, program.num_ranks());
    return simulate_program(program, *network, {hosts, room}, {.endpoint = costs});
  }
  double seconds(std::string_view patterns) const {
    return times(program_of(schedule(patterns), StepStart::by_rank)).makespan.value;
  }
};

}  // namespace

// 80 KB at 10 GB/s are 8 us. One rank up loads the links of one direction, one rank down those of
// the other: at the same time they take no longer than alone. Twice up: half the bandwidth each.
TEST_CASE("Phases at the same time share only the links that both use") {
  const RingOfEight ring;
  CHECK(ring.seconds("shift:offset=1") == Approx(8e-6));
  CHECK(ring.seconds("shift:offset=1,shift:offset=-1") == Approx(16e-6));
  CHECK(ring.seconds("shift:offset=1,name=up,shift:offset=-1,with=up") == Approx(8e-6));
  CHECK(ring.seconds("shift:offset=1,name=up,shift:offset=1,with=up") == Approx(16e-6));
  // What follows waits for both: 8 us and 3 x 8 us at the same time, then 8 us.
  CHECK(ring.seconds("shift:name=up,shift:offset=-1,repeat=3,with=up,shift") == Approx(32e-6));
}

TEST_CASE("Phases at the same time are independent sequences, also on SimGrid") {
  const RingOfEight ring;
  for (const char* patterns :
       {"allreduce:algorithm=ring,name=sum,halo:repeat=3,with=sum,shift:offset=2",
        "bcast:name=a,reduce:with=a,root=3,name=b,alltoall:algorithm=pairwise,with=b,bytes=20000"})
    for (const StepStart start : {StepStart::by_rank, StepStart::together}) {
      INFO(patterns);
      const Program program = program_of(ring.schedule(patterns), start);
      const ProgramTimes own = ring.times(program);
      std::vector<HostId> hosts;
      for (int r = 0; r < program.num_ranks(); ++r) hosts.push_back(HostId{r % 8});
      Allocation room = ring.allocation;
      room.slots.assign(8, program.num_ranks());
      const ProgramTimes simgrid = run_program(program, *ring.network, {hosts, room});
      for (int r = 0; r < program.num_ranks(); ++r)
        CHECK(own.ranks[Rank{r}].finish.value ==
              Approx(simgrid.ranks[Rank{r}].finish.value).epsilon(1e-6));
      REQUIRE(own.marks.size() == simgrid.marks.size());
      for (std::size_t m = 0; m < own.marks.size(); ++m)
        CHECK(own.marks[m].last.value == Approx(simgrid.marks[m].last.value).epsilon(1e-6));
    }
}

TEST_CASE("A phase goes with a phase before it that has the name") {
  const RingOfEight ring;
  const auto error = [&](std::string_view patterns) {
    return tests::message_of<UsageError>([&] { ring.schedule(patterns); });
  };
  CHECK(error("halo:with=up") ==
        "pattern halo:with=up: with=up: no phase before it has name=up; none has a name");
  CHECK(error("halo:name=a,shift:name=b,shift:with=up").ends_with("accepted: a, b"));
  const Schedule schedule = ring.schedule("halo:name=a,shift,bcast:with=a");
  CHECK(schedule.phases[0].name == "a");
  CHECK(schedule.phases[1].name == "bcast: distance 4");
  CHECK(schedule.phases[1].stage == 0);
  CHECK(schedule.phases[1].lane == 1);
  CHECK(schedule.phases.back().name == "shift");
}

// Two of eight ranks of other jobs send over the link 0 -> 1 from the start: 160 KB. The job's 80
// KB get half of that link until they are over, after 16 us; the others have 80 KB left: 24 us.
TEST_CASE("Other traffic takes its share from the start of a program") {
  const RingOfEight ring;
  const DirectedEdge others[] = {{Rank{0}, Rank{1}, {160000}}};
  const DirectedEdge edges[] = {{Rank{0}, Rank{1}, {80000}}};
  const Schedule schedule{{{"one", CommGraph(8, edges), 1}}};
  const auto times =
      ring.times(beside(program_of(schedule, StepStart::by_rank), CommGraph(2, others)));
  CHECK(times.ranks[Rank{0}].finish.value == Approx(16e-6));
  CHECK(times.ranks[Rank{8}].finish.value == Approx(24e-6));
}

// Ring all-reduce of 80 KB on 8 ranks: 14 steps of 10 KB, 1 us each; the first 7 reduce 10 KB, at 5
// GB/s another 2 us each.
TEST_CASE("Steps that combine reduce what arrives") {
  const RingOfEight ring;
  EndpointCosts costs;
  costs.reduction_bandwidth = {5e9};
  const auto schedule = ring.schedule("allreduce:algorithm=ring");
  const auto times = ring.times(program_of(schedule, StepStart::by_rank), costs);
  CHECK(times.makespan.value == Approx(14e-6 + 7 * 2e-6));
  CHECK(times.ranks[Rank{3}].computing.value == Approx(14e-6));
}

TEST_CASE("Messages of a barrier have no bytes and take their latency") {
  const auto network = make_network("torus:8", {.latency = Seconds{1e-6}});
  const Allocation allocation = make_allocation(*network, "all", std::vector<int>{1}, 1);
  const Embedding embedding(slot_hosts(allocation), allocation);
  const Bytes volume{1};
  const Schedule schedule = make_schedule(parse_patterns("barrier:algorithm=bruck"),
                                          parse_guest_topology("cart:8p"), {&volume, 1});
  // Dissemination: 1, 2 and 4 hops.
  CHECK(simulate_program(program_of(schedule, StepStart::by_rank), *network, embedding)
            .makespan.value == Approx(7e-6));
}

TEST_CASE("Every collective algorithm takes as long as steps as its schedule does") {
  const RingOfEight ring;
  EndpointCosts costs;
  costs.overhead = {1e-6};
  costs.reduction_bandwidth = {5e9};
  const std::vector<Rank> members = all_ranks(8);
  for (const CollectiveAlgorithm& algorithm : collective_algorithms()) {
    INFO(algorithm.collective << " " << algorithm.name);
    const CommunicationSteps steps = make_steps(algorithm, 8, {});
    const Program program = program_of(steps, {80000}, members, 8);
    CHECK(why_not_run(program) == std::nullopt);
    const auto schedule = ring.schedule(std::string(algorithm.collective) +
                                        ":algorithm=" + std::string(algorithm.name));
    const auto expected = ring.times(program_of(schedule, StepStart::by_rank), costs);
    const auto times = ring.times(program, costs);
    for (int r = 0; r < 8; ++r)
      CHECK(times.ranks[Rank{r}].finish.value ==
            Approx(expected.ranks[Rank{r}].finish.value).epsilon(1e-12));
  }
}

TEST_CASE("Several communicators run a collective at once, each with its own ranks") {
  // Two rings of 4 in the halves of a ring of 8: partners are neighbours but for the last of each,
  // whose 3 hops back use the other direction: 6 steps of 20 KB, 2 us each.
  const RingOfEight ring;
  const CommunicationSteps steps = [] {
    for (const CollectiveAlgorithm& algorithm : collective_algorithms())
      if (algorithm.collective == "allreduce" && algorithm.name == "ring")
        return make_steps(algorithm, 4, {});
    return CommunicationSteps();
  }();
  Program program{IdVector<Rank, std::vector<Operation>>(8)};
  const std::vector<Rank> all = all_ranks(8);
  for (int c = 0; c < 2; ++c)
    append(program, steps, {80000}, std::span(all).subspan(index(4 * c), 4), c);
  // The loops of the two kinds of steps stay loops.
  CHECK(program.ranks[Rank{5}].size() <= 2 * 6);
  CHECK(num_messages(program) == 8 * 6);
  CHECK(ring.times(program).makespan.value == Approx(6 * 2e-6));
}
