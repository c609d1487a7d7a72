#include "sim/clock/program_times.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/ring_network.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Step = PathStep::Kind;

namespace {

/// One rank per host around a ring of 10 bytes per second and half a second per link.
ProgramTimes on_ring(const Program& program, Bytes eager_limit = {-1}) {
  Allocation allocation;
  for (int r = 0; r < program.num_ranks(); ++r) {
    allocation.hosts.push_back(HostId{r});
    allocation.slots.push_back(1);
  }
  const RingNetwork network{program.num_ranks(), {{10}, {0.5}}, {{1e9}, {0}}};
  ProgramOptions options;
  options.critical_path = true;
  options.endpoint.eager_limit = eager_limit;
  return simulate_program(program, network, {allocation.hosts, allocation}, options);
}

void check_is_whole(const ProgramTimes& times) {
  REQUIRE(!times.critical_path.empty());
  CHECK(times.critical_path.front().begin.value == 0);
  for (std::size_t i = 1; i < times.critical_path.size(); ++i)
    CHECK(times.critical_path[i].begin.value == times.critical_path[i - 1].end.value);
  CHECK(times.critical_path.back().end.value == times.makespan.value);
}

}  // namespace

TEST_CASE("The critical path goes through the rank that came last to a message") {
  // By hand: rank 1 works for 4 s, rank 0 for 1 s; the message takes 10 s and 0.5 s of latency;
  // rank 1 then works for 2 s.
  const Program program{IdVector<Rank, std::vector<Operation>>(
      {{compute({1}), send(Rank{1}, {100})},
       {compute({4}), receive(Rank{0}, {100}), compute({2})}})};
  const auto times = on_ring(program);
  check_is_whole(times);
  const auto& path = times.critical_path;
  REQUIRE(path.size() == 3);
  CHECK(path[0].kind == Step::local);
  CHECK(path[0].rank == Rank{1});
  CHECK(path[0].operation == 1);
  CHECK(path[0].end.value == 4);
  CHECK(path[1].kind == Step::message);
  CHECK(path[1].rank == Rank{1});
  CHECK(path[1].end.value == Approx(14.5));
  CHECK(path[2].kind == Step::local);
  CHECK(path[2].operation == 3);
  CHECK(path[2].end.value == Approx(16.5));
}

TEST_CASE("A message that leaves at once depends on its sender alone") {
  const Program program{IdVector<Rank, std::vector<Operation>>(
      {{compute({1}), send(Rank{1}, {100})}, {compute({4}), receive(Rank{0}, {100})}})};
  const auto times = on_ring(program, {1000});
  check_is_whole(times);
  REQUIRE(times.critical_path.size() == 2);
  CHECK(times.critical_path[0].rank == Rank{0});
  CHECK(times.critical_path[0].end.value == 1);
  CHECK(times.critical_path[1].rank == Rank{1});
}

TEST_CASE("The critical path goes through the last rank at a barrier") {
  const Program program{IdVector<Rank, std::vector<Operation>>(
      {{compute({1}), barrier(), compute({5})}, {compute({3}), barrier(), compute({1})}})};
  const auto times = on_ring(program);
  check_is_whole(times);
  REQUIRE(times.critical_path.size() == 3);
  CHECK(times.critical_path[0].rank == Rank{1});
  CHECK(times.critical_path[1].kind == Step::barrier);
  CHECK(times.critical_path[2].rank == Rank{0});
}

TEST_CASE("Critical paths of random programs have no gaps, and asking for them changes no time") {
  Random random(7);
  constexpr int ranks = 6;
  for (int i = 0; i < 30; ++i) {
    Program program{IdVector<Rank, std::vector<Operation>>(ranks)};
    for (int round = 0; round < 5; ++round) {
      const int shift = 1 + static_cast<int>(random.below(ranks - 1));
      const double bytes = static_cast<double>(random.below(100));
      for (int r = 0; r < ranks; ++r) {
        auto& operations = program.ranks[Rank{r}];
        operations.push_back(start_receive(Rank{(r + ranks - shift) % ranks}, {bytes}, 1));
        operations.push_back(compute({static_cast<double>(random.below(9))}));
        operations.push_back(start_send(Rank{(r + shift) % ranks}, {bytes}, 2));
        operations.push_back(wait_all());
        if (round == 2) operations.push_back(barrier());
      }
    }
    const auto times = on_ring(program, {static_cast<double>(random.below(100))});
    check_is_whole(times);
  }
}
