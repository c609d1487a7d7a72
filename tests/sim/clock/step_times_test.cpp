#include "sim/clock/step_times.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <utility>

#include "netmodels/network_spec.hpp"
#include "sim/clock/programs/schedule_program.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/pattern.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::first_hosts;

namespace {

CommunicationSteps steps_of(const std::string& pattern, int ranks, double volume) {
  return collective_steps(parse_patterns(pattern).front(), ranks, Bytes{volume});
}

double last(const std::vector<double>& times) {
  return *std::max_element(times.begin(), times.end());
}

/// Each message followed from its start to its end.
double by_events(const CommunicationSteps& steps, const Network& network,
                 const std::vector<HostId>& hosts, double volume, const EndpointCosts& costs) {
  ProgramOptions options;
  options.endpoint = costs;
  const int ranks = narrow<int>(hosts.size());
  const Program program = program_of(steps, Bytes{volume}, all_ranks(ranks), ranks);
  return simulate_program(program, network, embedding_on(hosts), options).makespan.value;
}

}  // namespace

TEST_CASE("A ring of equal links takes as many times its step as it has steps") {
  // By hand: 6 blocks of 100 B at 10 B/s, a hop of 0.5 s, 10 steps; half of them reduce at 50 B/s.
  const RingNetwork network(6, {{10}, {0.5}}, {{1e9}, {0}});
  StepClock clock(network, first_hosts(6));
  const auto steps = steps_of("allreduce:algorithm=ring", 6, 600);
  CHECK(last(clock.finish_times(steps, Bytes{600})) == Approx(10 * 10.5));
  EndpointCosts costs;
  costs.reduction_bandwidth = {50};
  CHECK(last(clock.finish_times(steps, Bytes{600}, costs)) == Approx(10 * 10.5 + 5 * 2));
  costs.overhead = {0.25};
  costs.handshake = {1};
  // The request and the answer of a handshake take a hop each.
  CHECK(last(clock.finish_times(steps, Bytes{600}, costs)) ==
        Approx(10 * (10.5 + 1.5 + 2 * 0.5) + 5 * 2));
}

TEST_CASE("Buffers that no allocator keeps are copied at the memory's bandwidth") {
  const RingNetwork network(4, {{1e9}, {0}}, {{1e12}, {0}});
  StepClock clock(network, first_hosts(4));
  EndpointCosts costs;
  costs.memory_bandwidth = {2e9};
  for (const double volume : {8e6, 64e6}) {  // of 33.6e6 on
    const auto steps = steps_of("allreduce:algorithm=recursive_doubling", 4, volume);
    const double copies = steps.copies * volume / 2e9;
    const double without = last(clock.finish_times(steps, Bytes{volume}));
    CHECK(steps.copies == 1);
    CHECK(last(clock.finish_times(steps, Bytes{volume}, costs)) ==
          Approx(without + (volume > 33.6e6 ? copies : 0)));
  }
}

TEST_CASE("Packing moves a buffer of any size at the memory's bandwidth") {
  // By hand: Bruck's allgather turns its buffer of 4 V round once; its alltoall rotates it before,
  // twice behind, and packs and unpacks half of it in each of two steps.
  const RingNetwork network(4, {{1e9}, {0}}, {{1e12}, {0}});
  StepClock clock(network, first_hosts(4));
  EndpointCosts costs;
  costs.memory_bandwidth = {2e9};
  for (const auto& [pattern, times] :
       {std::pair("allgather:algorithm=bruck", 1), std::pair("alltoall:algorithm=bruck", 3 + 2)})
    for (const double volume : {2e3, 2e6, 16e6}) {  // the last one above 32 MiB in all
      INFO(pattern << ", " << volume);
      const auto steps = steps_of(pattern, 4, volume);
      const double without = last(clock.finish_times(steps, Bytes{volume}));
      CHECK(last(clock.finish_times(steps, Bytes{volume}, costs)) ==
            Approx(without + times * 4 * volume / 2e9));
      CHECK(
          by_events(steps, network, first_hosts(4), volume, costs) ==
          Approx(by_events(steps, network, first_hosts(4), volume, {}) + times * 4 * volume / 2e9));
    }
}

TEST_CASE("Slots that do not lie together cost the overhead of a message each") {
  // By hand: no time in the network; 8 ranks exchange 1, 2 and 4 slots. k slots are posted by k o,
  // start a handshake of h later, and the last of them is taken over by h + (k + 1) o. In one
  // message (recursive doubling) each step takes h + 2 o.
  const RingNetwork network(8, {{1e15}, {0}}, {{1e15}, {0}});
  StepClock clock(network, first_hosts(8));
  EndpointCosts costs;
  costs.overhead = {0.25};
  costs.handshake = {1};
  const auto time = [&](const std::string& pattern) {
    return last(clock.finish_times(steps_of(pattern, 8, 100), Bytes{100}, costs));
  };
  CHECK(time("allgather:algorithm=sparbit") == Approx(3 * 1 + (2 + 3 + 5) * 0.25));
  CHECK(time("allgather:algorithm=recursive_doubling") == Approx(3 * 1 + 3 * 2 * 0.25));
  // The eager limit is that of a slot: all leave at once, without a handshake. Those that arrive
  // while a rank posts its own wait until it has posted k of them: 2 k o.
  costs.eager_limit = {100};
  CHECK(time("allgather:algorithm=sparbit") == Approx(2 * (1 + 2 + 4) * 0.25));
}

TEST_CASE("Further messages of a step cost the gap") {
  // By hand: no time in the network. The root has 7 messages to take: the last one has been posted
  // at o, and is taken over at o + o + 6 g. In an alltoall a rank posts its last one at o + 6 g,
  // and then takes seven that are there.
  const RingNetwork network(8, {{1e15}, {0}}, {{1e15}, {0}});
  StepClock clock(network, first_hosts(8));
  EndpointCosts costs;
  costs.overhead = {1};
  costs.eager_limit = {1e6};
  const auto time = [&](const std::string& pattern) {
    return last(clock.finish_times(steps_of(pattern, 8, 100), Bytes{100}, costs));
  };
  CHECK(time("gather:algorithm=linear") == Approx(1 + 7));
  costs.gap = {0.25};
  CHECK(time("gather:algorithm=linear") == Approx(1 + 1 + 6 * 0.25));
  CHECK(time("alltoall:algorithm=linear") == Approx(2 * (1 + 6 * 0.25)));
  CHECK(by_events(steps_of("alltoall:algorithm=linear", 8, 100), network, first_hosts(8), 100,
                  costs) == Approx(2 * (1 + 6 * 0.25)));
  // One message at a time costs the overhead.
  CHECK(time("alltoall:algorithm=pairwise") == Approx(7 * 2));
  // No message costs more than the first one.
  costs.gap = {3};
  CHECK(time("gather:algorithm=linear") == Approx(1 + 7));
}

TEST_CASE("Messages that arrive apart are taken one after the other, each when it is there") {
  // By hand: the root has the block of rank 1 at once, as it is on its host, and the others 10 s
  // after the overhead of 1 s: the first of them is taken at 12 s, two more by 1 s each.
  const auto network = make_network("fat-tree:1;4;1;1,bandwidth=10Bps,latency=0s", {});
  const std::vector<HostId> hosts{HostId{0}, HostId{0}, HostId{1}, HostId{2}, HostId{3}};
  StepClock clock(*network, hosts);
  EndpointCosts costs;
  costs.overhead = {1};
  costs.eager_limit = {1e6};
  const auto steps = steps_of("gather:algorithm=linear", 5, 100 / 3.0);
  const double by_hand = 1 + 10 + 1 + 2;
  CHECK(last(clock.finish_times(steps, Bytes{100 / 3.0}, costs)) == Approx(by_hand));
  CHECK(by_events(steps, *network, hosts, 100 / 3.0, costs) == Approx(by_hand));
}

TEST_CASE("Messages of 0 bytes are eager messages under any eager limit") {
  // By hand: three rounds of a dissemination barrier, an overhead at each end and no handshake.
  const RingNetwork network(8, {{1e9}, {0}}, {{1e9}, {0}});
  EndpointCosts costs;
  costs.overhead = {1};
  costs.handshake = {10};
  costs.eager_limit = {0};
  const auto steps = steps_of("barrier:algorithm=bruck", 8, 0);
  StepClock clock(network, first_hosts(8));
  CHECK(last(clock.finish_times(steps, Bytes{0}, costs)) == Approx(3 * 2));
  CHECK(by_events(steps, network, first_hosts(8), 0, costs) == Approx(3 * 2));
}

TEST_CASE("Eager messages of one rank share its link whatever rounds they are of") {
  // By hand: four messages of 10 s leave rank 0 on one link, posted after 1, 2, 3 and 4 s; the last
  // one arrives 0.5 s after it has left. In one step or in four makes no difference.
  const auto network = make_network("fat-tree:1;5;1;1,bandwidth=10Bps,latency=250ms", {});
  StepClock clock(*network, first_hosts(5));
  EndpointCosts costs;
  costs.overhead = {1};
  costs.eager_limit = {1e6};
  for (const char* pattern : {"bcast:algorithm=linear", "bcast:algorithm=linear,window=1",
                              "bcast:algorithm=linear,window=3"}) {
    INFO(pattern);
    const auto steps = steps_of(pattern, 5, 100);
    CHECK(last(clock.finish_times(steps, Bytes{100}, costs)) == Approx(1 + 4 * 10 + 0.5 + 1));
    CHECK(by_events(steps, *network, first_hosts(5), 100, costs) == Approx(1 + 4 * 10 + 0.5 + 1));
  }
  // Rounds of a pipeline: the link carries 8 segments of 2 s, each taken over in 1 s.
  const auto pipeline = steps_of("bcast:algorithm=chain,segments=8", 2, 160);
  CHECK(last(StepClock(*network, first_hosts(2)).finish_times(pipeline, Bytes{160}, costs)) ==
        Approx(1 + 8 * 2 + 0.5 + 1));
}

TEST_CASE("Where the ranks of a step start together, steps take as long as their messages") {
  // simulate_program follows every message; shifts and exchanges on a torus keep ranks in step,
  // but for the latencies of their routes.
  const auto network = make_network("torus:4x4,bandwidth=100Bps,latency=10ms", {});
  EndpointCosts costs;
  costs.overhead = {0.01};
  costs.gap = {0.004};
  costs.handshake = {0.05};
  costs.reduction_bandwidth = {1000};
  for (const char* pattern :
       {"allreduce:algorithm=recursive_doubling", "allgather:algorithm=recursive_doubling",
        "reduce_scatter:algorithm=recursive_halving", "alltoall:algorithm=pairwise",
        "allgather:algorithm=bruck"}) {
    const auto steps = steps_of(pattern, 16, 1600);
    StepClock clock(*network, first_hosts(16));
    INFO(pattern);
    CHECK(last(clock.finish_times(steps, Bytes{1600}, costs)) ==
          Approx(by_events(steps, *network, first_hosts(16), 1600, costs)).epsilon(1e-3));
  }
}

TEST_CASE("Trees and pipelines agree with the events of single messages") {
  // Ranks drift apart here: messages of other steps share links in truth. Within 5 %.
  const auto network = make_network("fat-tree:2;4,4;1,2;1,2,bandwidth=100Bps,latency=10ms", {});
  for (const char* pattern : {"bcast:algorithm=binomial", "bcast:algorithm=chain,segments=8",
                              "reduce:algorithm=binomial", "bcast:algorithm=scatter_allgather",
                              "gather:algorithm=binomial", "scatter:algorithm=linear,window=1"}) {
    const auto steps = steps_of(pattern, 16, 1600);
    StepClock clock(*network, first_hosts(16));
    const double time = last(clock.finish_times(steps, Bytes{1600}));
    const double events = by_events(steps, *network, first_hosts(16), 1600, {});
    INFO(pattern << ": " << time << " for " << events);
    CHECK(time == Approx(events).epsilon(0.05));
  }
}

TEST_CASE("Times grow with the volume, and known steps are as new ones") {
  const auto network = make_network("torus:4x4", {});
  const auto hosts = first_hosts(16);
  StepClock used(*network, hosts);
  double before = 0;
  for (const double volume : {1e3, 1e5, 1e7}) {
    const auto steps = steps_of("alltoall:algorithm=pairwise", 16, volume);
    const auto times = used.finish_times(steps, Bytes{volume});
    CHECK(times == StepClock(*network, hosts).finish_times(steps, Bytes{volume}));
    CHECK(last(times) > before);
    before = last(times);
  }
}

TEST_CASE("Many rounds of a step take as long as so many steps of one round") {
  // Oracle: each round by itself, all of its messages. Ranks of one host, links of two bandwidths
  // and random hosts: paces differ and spread; eager or not, with all costs or none.
  for (const char* spec : {"torus:4x4x4", "fat-tree:2;8,8;1,4;1,2", "dragonfly:4,1;2,1;2,1;4"}) {
    const auto network = make_network(spec, {});
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
      Random random(seed);
      std::vector<HostId> hosts;
      for (int r = 0; r < 96; ++r)
        hosts.push_back(
            HostId{seed < 3 ? r / static_cast<int>(4 * seed) : static_cast<int>(random.below(64))});
      EndpointCosts costs;
      if (seed % 2 == 0) {
        costs.overhead = {1e-6};
        costs.gap = Seconds{5e-7};
        costs.reduction_bandwidth = {5e9};
        costs.handshake = {1e-6};
        costs.eager_limit = {1e5};
      }
      for (const char* pattern : {"allreduce:algorithm=ring", "allgather:algorithm=ring"})
        for (const double volume : {96.0, 96e3, 96e6}) {
          INFO(spec << ' ' << seed << ' ' << pattern << ' ' << volume);
          const auto steps = steps_of(pattern, 96, volume);
          CommunicationSteps apart = steps;
          apart.steps = {};
          for (std::int64_t k = 0; k < steps.steps.size(); ++k) {
            CommunicationStep step = steps.steps[k];
            for (auto rounds = std::exchange(step.rounds, 1); rounds > 0; --rounds)
              apart.steps.push_back(step);
          }
          CHECK(apart.steps.size() > 90);
          StepClock clock(*network, hosts);
          const auto times = clock.finish_times(steps, Bytes{volume}, costs),
                     expected = clock.finish_times(apart, Bytes{volume}, costs);
          for (std::size_t r = 0; r < times.size(); ++r)
            CHECK(times[r] == Approx(expected[r]).epsilon(1e-10));
        }
    }
  }
}

TEST_CASE("Alone, a message has the narrowest link of its route to itself") {
  // By hand: eight messages of 100 B; the shift by 4 puts four of them on each link of the ring.
  const RingNetwork network(8, {{10}, {0}}, {{1e9}, {0}});
  CommunicationSteps steps;
  CommunicationStep step;
  for (int r = 0; r < 8; ++r) step.messages.push_back({r, (r + 4) % 8});
  steps.steps.push_back(step);
  StepClock shared(network, first_hosts(8));
  StepClock alone(network, first_hosts(8), NetworkSharing::alone);
  CHECK(last(shared.finish_times(steps, Bytes{100})) == Approx(40));
  CHECK(last(alone.finish_times(steps, Bytes{100})) == Approx(10));
}

TEST_CASE("A schedule has the times of its program, phase by phase and rank by rank") {
  // simulate_program follows every message. Equal steps on a ring of equal links keep in step.
  const RingNetwork network(8, {{10}, {0.5}}, {{1e9}, {0}});
  std::vector<DirectedEdge> next, empty;
  for (int r = 0; r < 8; ++r) {
    next.push_back({Rank{r}, Rank{(r + 1) % 8}, {20}});
    empty.push_back({Rank{r}, Rank{(r + 2) % 8}, {0}});
  }
  Schedule schedule;
  schedule.phases.push_back({"ring", CommGraph(8, next), 5, true});
  schedule.phases.push_back({"barrier", CommGraph(8, empty), 2, false, true});
  EndpointCosts costs;
  costs.overhead = {0.25};
  costs.reduction_bandwidth = {40};
  const auto hosts = first_hosts(8);
  const ProgramTimes steps = StepClock(network, hosts).finish_times(schedule, costs);
  ProgramOptions options;
  options.endpoint = costs;
  const ProgramTimes events =
      simulate_program(program_of(schedule, StepStart::by_rank), network,
                       Embedding(hosts, {hosts, std::vector<int>(8, 1)}), options);
  // By hand: 5 x (0.25 + 2 + 0.5 + 0.25 + 0.5) and 2 x (0.25 + 1 + 0.25).
  CHECK(steps.makespan.value == Approx(5 * 3.5 + 2 * 1.5));
  CHECK(steps.makespan.value == Approx(events.makespan.value));
  CHECK(steps.num_updates == 8 * (5 + 2));  // messages of all rounds
  REQUIRE(steps.marks.size() == 4);
  for (std::size_t m = 0; m < 4; ++m) {
    CHECK(steps.marks[m].first.value == Approx(events.marks[m].first.value));
    CHECK(steps.marks[m].last.value == Approx(events.marks[m].last.value));
  }
  for (int r = 0; r < 8; ++r) {
    CHECK(steps.ranks[Rank{r}].computing.value == Approx(events.ranks[Rank{r}].computing.value));
    CHECK(steps.ranks[Rank{r}].waiting.value == Approx(events.ranks[Rank{r}].waiting.value));
  }
}

TEST_CASE("Steps end when they are told to stop, at the next round") {
  const RingNetwork network(8, {{1e9}, {0}}, {{1e9}, {0}});
  int asked = 0;
  StepClock clock(network, first_hosts(8), NetworkSharing::alone, [&] { return ++asked > 3; });
  CHECK_THROWS_WITH(clock.finish_times(steps_of("alltoall:algorithm=pairwise", 8, 100), Bytes{100}),
                    "the simulation was stopped");
  CHECK(asked == 4);
}
