#include "sim/simulation/program_times.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "sim/ranks/run_ranks.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;

namespace {

/// Rank r on host r.
Embedding one_per_host(int ranks) {
  Allocation allocation;
  std::vector<HostId> hosts;
  for (int r = 0; r < ranks; ++r) hosts.push_back(HostId{r});
  allocation.hosts = hosts;
  allocation.slots.assign(hosts.size(), 1);
  return {hosts, allocation};
}

/// Links around the ring at 10 bytes per second and `latency`; nothing else limits.
RingNetwork ring(int hosts, double latency = 0) {
  return {hosts, {{10}, {latency}}, {{1e9}, {0}}};
}

Program program_of(std::vector<std::vector<Operation>> ranks) {
  return {IdVector<Rank, std::vector<Operation>>(std::move(ranks))};
}

double finish(const ProgramTimes& times, int rank) {
  return times.ranks[Rank{rank}].finish.value;
}

}  // namespace

TEST_CASE("A message takes its volume over the bandwidth, and arrives a latency later") {
  const auto network = ring(3, 0.5);
  const auto program = program_of({{send(Rank{2}, {100})}, {}, {receive(Rank{0}, {100})}});
  const auto times = simulate_program(program, network, one_per_host(3));
  CHECK(finish(times, 0) == Approx(10));  // 100 B at 10 B/s
  CHECK(finish(times, 1) == 0);
  CHECK(finish(times, 2) == Approx(11));  // two links of 0.5 s
  CHECK(times.makespan.value == Approx(11));
  CHECK(times.ranks[Rank{2}].waiting.value == Approx(11));
}

TEST_CASE("A large message starts when both ends are posted, a small one leaves at once") {
  const auto network = ring(2, 1);
  const auto program =
      program_of({{send(Rank{1}, {100}), compute({3})}, {compute({5}), receive(Rank{0}, {100})}});
  const auto late = simulate_program(program, network, one_per_host(2));
  CHECK(finish(late, 0) == Approx(5 + 10 + 3));
  CHECK(finish(late, 1) == Approx(5 + 10 + 1));
  ProgramOptions options;
  options.endpoint.eager_limit = {100};
  const auto early = simulate_program(program, network, one_per_host(2), options);
  CHECK(finish(early, 0) == Approx(3));       // does not wait
  CHECK(finish(early, 1) == Approx(10 + 1));  // has left at 10 s
  options.endpoint.eager_limit = {99};
  options.endpoint.handshake = {2};
  CHECK(finish(simulate_program(program, network, one_per_host(2), options), 1) ==
        Approx(5 + 2 + 10 + 1));
}

TEST_CASE("A message without bytes takes its latency") {
  const auto network = ring(2, 1);
  const auto program = program_of({{send(Rank{1}, {0})}, {receive(Rank{0}, {0})}});
  const auto times = simulate_program(program, network, one_per_host(2));
  CHECK(finish(times, 0) == 0);
  CHECK(finish(times, 1) == Approx(1));
}

TEST_CASE("Messages that overlap in time share links while they do") {
  // By hand: 0 -> 1 sends 100 B from 0 s, 1 -> 2 works 4 s and then 0 -> 2 (over both links) starts
  // when rank 2 comes at 4 s: link 0->1 is shared from then on, 5 B/s each. The first message has
  // 60 B left, ends at 16 s; the second one then has 50 - 60 < 0: it ends first, at 4 + 50/5 = 14
  // s, when the first has 10 B left: 15 s.
  const auto network = ring(3);
  const auto program =
      program_of({{start_send(Rank{1}, {100}, 1), start_send(Rank{2}, {50}, 2), wait(2), wait(1)},
                  {receive(Rank{0}, {100})},
                  {compute({4}), receive(Rank{0}, {50})}});
  const auto times = simulate_program(program, network, one_per_host(3));
  CHECK(finish(times, 2) == Approx(14));
  CHECK(finish(times, 1) == Approx(15));
  CHECK(finish(times, 0) == Approx(15));
}

TEST_CASE("Endpoints cost overhead, copies and reductions") {
  ProgramOptions options;
  options.endpoint.overhead = {0.25};
  options.endpoint.reduction_bandwidth = {50};
  options.endpoint.memory_bandwidth = {20};
  const auto network = ring(2);
  const auto program = program_of({{send(Rank{1}, {100}), send(Rank{2}, {100})},
                                   {receive(Rank{0}, {100}), reduce({100})},
                                   {receive(Rank{0}, {100})}});
  Allocation allocation{{HostId{0}, HostId{1}}, {2, 1}};
  const Embedding embedding({HostId{0}, HostId{1}, HostId{0}}, allocation);
  const auto times = simulate_program(program, network, embedding, options);
  // 0.25 s before each send, 10 s on the link, 5 s in memory, 0.25 s after each receive, 2 s
  // reduction.
  CHECK(finish(times, 0) == Approx(0.25 + 10 + 0.25 + 5));
  CHECK(finish(times, 1) == Approx(0.25 + 10 + 0.25 + 2));
  CHECK(finish(times, 2) == Approx(0.25 + 10 + 0.25 + 5 + 0.25));
  CHECK(times.ranks[Rank{1}].computing.value == Approx(2.25));
  CHECK(times.ranks[Rank{1}].waiting.value == Approx(10.25));
}

TEST_CASE("Loops repeat, barriers hold back") {
  const auto network = ring(2);
  const auto loop = program_of(
      {{repeat(3), repeat(2), send(Rank{1}, {10}), end_repeat(), compute({1}), end_repeat()},
       {repeat(6), receive(Rank{0}, {10}), end_repeat()}});
  const auto times = simulate_program(loop, network, one_per_host(2));
  CHECK(finish(times, 0) == Approx(6 + 3));
  CHECK(finish(times, 1) == Approx(6 + 2));
  CHECK(num_messages(loop) == 6);
  const auto held = program_of({{compute({4}), barrier()}, {barrier(), compute({1})}});
  const auto after = simulate_program(held, network, one_per_host(2));
  CHECK(finish(after, 0) == Approx(4));
  CHECK(finish(after, 1) == Approx(5));
}

TEST_CASE("Messages match by tag and communicator, in the order posted") {
  // Rank 1 asks for tag 2 first: it gets the 50 B, although the 100 B were sent before.
  const auto network = ring(2);
  const auto program =
      program_of({{start_send(Rank{1}, {100}, 1, {.tag = 1}),
                   start_send(Rank{1}, {50}, 2, {.tag = 2}), wait_all()},
                  {receive(Rank{0}, {50}, {.tag = 2}), receive(Rank{0}, {100}, {.tag = 1})}});
  const auto times = simulate_program(program, network, one_per_host(2));
  CHECK(finish(times, 1) == Approx(5 + 10));
}

TEST_CASE("A program that cannot end is refused, or its deadlock reported") {
  const auto network = ring(2);
  const auto error = [&](std::vector<std::vector<Operation>> ranks) {
    return tests::message_of<InputError>(
        [&] { simulate_program(program_of(std::move(ranks)), network, one_per_host(2)); });
  };
  CHECK(error({{send(Rank{1}, {1})}, {}}) ==
        "rank 0 sends 1 messages to rank 1 (tag 0, communicator 0), which receives 0");
  CHECK(error({{send(Rank{2}, {1})}, {}}) ==
        "rank 0: operation 0: a message with rank 2; expected 0 to 1");
  CHECK(error({{start_send(Rank{1}, {1}, 7)}, {receive(Rank{0}, {1})}}) ==
        "rank 0: request 7 is never waited for");
  CHECK(error({{wait(3)}, {}}) == "rank 0: operation 0: wait for request 3, which is not started");
  CHECK(error({{repeat(2)}, {}}) == "rank 0: a repeat has no end_repeat");
  CHECK(error({{end_repeat()}, {}}) == "rank 0: operation 0: end_repeat without repeat");
  CHECK(error({{repeat(0), end_repeat()}, {}}) ==
        "rank 0: operation 0: repeat 0 times; expected a whole number >= 1");
  CHECK(error({{compute({-1})}, {}}) ==
        "rank 0: operation 0: -1 bytes or seconds; expected a finite number >= 0");
  CHECK(error({{barrier()}, {}}) == "one rank comes to 1 barriers, another one to 0");
  CHECK(error({{send(Rank{1}, {1}), receive(Rank{1}, {1})},
               {send(Rank{0}, {1}), receive(Rank{0}, {1})}}) ==
        "deadlock: rank 0 waits for rank 1 to receive (tag 0, communicator 0), operation 0; "
        "rank 1 waits for rank 0 to receive (tag 0, communicator 0), operation 0");
}

namespace {

/// A program without deadlocks: its exchanges are done in one order by all ranks that take part.
class RandomProgram {
 public:
  struct Action {
    enum class Kind { exchange, compute, barrier };
    Kind kind;
    std::optional<Rank> source, destination;
    double amount = 0;
  };

  explicit RandomProgram(std::uint64_t seed) : random_(seed) {
    const int ranks = 2 + below(15);
    actions_.resize(index(ranks));
    for (int step = 4 + below(40); step > 0; --step) add_step(ranks);
  }

  Program program() const {
    std::vector<std::vector<Operation>> ranks;
    for (const auto& actions : actions_) ranks.push_back(operations(actions));
    return program_of(std::move(ranks));
  }

  void run(const SimulatedRank& self) const {
    for (const Action& action : actions_[index(self.rank())]) {
      if (action.kind == Action::Kind::compute) self.compute({action.amount});
      if (action.kind == Action::Kind::barrier) self.barrier();
      if (action.kind == Action::Kind::exchange)
        self.sendrecv({action.source, action.destination}, {action.amount});
    }
  }

 private:
  int below(int bound) {
    return static_cast<int>(random_.below(static_cast<std::uint64_t>(bound)));
  }

  void add_step(int ranks) {
    const double volume = 1e5 * (1 + below(100));
    const int kind = below(8);
    if (kind == 0) {
      for (auto& actions : actions_) actions.push_back({Action::Kind::barrier, {}, {}});
    } else if (kind < 3) {
      actions_[index(below(ranks))].push_back({Action::Kind::compute, {}, {}, volume * 1e-10});
    } else if (kind < 5) {
      const int shift = 1 + below(ranks - 1);
      for (int r = 0; r < ranks; ++r)
        actions_[index(r)].push_back({Action::Kind::exchange, Rank{(r - shift + ranks) % ranks},
                                      Rank{(r + shift) % ranks}, volume});
    } else {
      const int from = below(ranks), to = (from + 1 + below(ranks - 1)) % ranks;
      actions_[index(from)].push_back({Action::Kind::exchange, {}, Rank{to}, volume});
      actions_[index(to)].push_back({Action::Kind::exchange, Rank{from}, {}, volume});
    }
  }

  static std::vector<Operation> operations(const std::vector<Action>& actions) {
    std::vector<Operation> result;
    for (const Action& action : actions) {
      if (action.kind == Action::Kind::compute) result.push_back(compute({action.amount}));
      if (action.kind == Action::Kind::barrier) result.push_back(barrier());
      if (action.kind != Action::Kind::exchange) continue;
      if (action.destination) result.push_back(start_send(*action.destination, {action.amount}, 0));
      if (action.source) result.push_back(start_receive(*action.source, {action.amount}, 1));
      result.push_back(wait_all());
    }
    return result;
  }

  Random random_;
  std::vector<std::vector<Action>> actions_;
};

}  // namespace

TEST_CASE("Ranks finish when they finish on SimGrid") {
  const char* const specs[] = {"torus:4x4", "fat-tree:2;4,4;1,2;1,2", "dragonfly:4,1;1,1;4,1;1",
                               "mesh:16"};
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    INFO("seed " << seed);
    const RandomProgram random(seed);
    const Program program = random.program();
    const auto network = make_network(specs[seed % std::size(specs)], {});
    const auto embedding = one_per_host(program.num_ranks());
    const auto times = simulate_program(program, *network, embedding);
    const auto run =
        run_ranks(*network, embedding, {}, [&](const SimulatedRank& self) { random.run(self); });
    for (int r = 0; r < program.num_ranks(); ++r) {
      INFO("rank " << r);
      REQUIRE(finish(times, r) == Approx(run.finish[index(r)].value).epsilon(1e-6));
    }
  }
}
