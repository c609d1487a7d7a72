#include <unistd.h>
#include <catch2/catch.hpp>

#include <csignal>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simgrid/rank_stage.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"
#include "tests/support/message_of.hpp"
#include "topology/mpi/communicator.hpp"

#ifndef __has_feature
#define __has_feature(feature) 0
#endif

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;

namespace {

/// The address sanitizer errs about exceptions that pass several frames of a stack that is not the
/// system's (github.com/google/sanitizers/issues/189), and has words of its own on exits.
#if defined(__SANITIZE_ADDRESS__) || __has_feature(address_sanitizer)
constexpr bool address_sanitizer = true;
#else
constexpr bool address_sanitizer = false;
#endif

/// Ring of `size` hosts, 1 GB/s and 1 us per link, rank r on host r / `per_host`.
class Job {
 public:
  explicit Job(int size, int per_host = 1)
      : network_(make_network(fmt::format("torus:{}", std::max(2, size / per_host)),
                              {.bandwidth = {1e9}, .latency = {1e-6}})) {
    const int slots[] = {per_host};
    allocation_ = make_allocation(*network_, "all", slots, 1);
    for (int r = 0; r < size; ++r) hosts_.push_back(HostId{r / per_host});
  }

  RankRun run(const std::function<void(const SimulatedRank&)>& function,
              const RankOptions& options = {}) const {
    return run_ranks(*network_, Embedding(hosts_, allocation_), options, function);
  }

 private:
  std::shared_ptr<const Network> network_;
  Allocation allocation_;
  std::vector<HostId> hosts_;
};

/// CHECK of Catch would stay in the child process.
void require(bool holds) {
  if (!holds) throw std::runtime_error("not what was expected");
}

std::vector<std::byte> bytes(std::size_t count) {
  return std::vector<std::byte>(count);
}

}  // namespace

TEST_CASE("One message over one link takes bytes / bandwidth + latency") {
  const RankRun run = Job(2).run([](const SimulatedRank& self) {
    if (self.rank() == Rank{0}) self.send(Rank{1}, bytes(1000000));
    if (self.rank() == Rank{1}) require(self.receive(Rank{0}).size() == 1000000);
  });
  // 1 MB / 1 GB/s = 1 ms for the sender; 1 us later it is there
  CHECK(run.finish[0].value == Approx(1e-3).epsilon(1e-9));
  CHECK(run.finish[1].value == Approx(1.001e-3).epsilon(1e-9));
  CHECK(run.makespan.value == run.finish[1].value);
  REQUIRE(run.traffic.num_edges() == 1);
  CHECK(run.traffic.out_edges(Rank{0})[0].volume.value == 1e6);
  CHECK(run.traffic.out_edges(Rank{0})[0].messages == 1);
}

TEST_CASE("Two messages over one link at once share it") {
  // ring of 8: 0 -> 2 and 1 -> 3 share the link 1 -> 2, so 2 ms each; two hops are 2 us
  const RankRun run = Job(8).run([](const SimulatedRank& self) {
    const int rank = number(self.rank());
    if (rank < 2) self.send(Rank{rank + 2}, bytes(1000000));
    if (rank == 2 || rank == 3) self.receive(Rank{rank - 2});
  });
  CHECK(run.finish[2].value == Approx(2.002e-3).epsilon(1e-9));
  CHECK(run.finish[3].value == Approx(2.002e-3).epsilon(1e-9));
}

TEST_CASE("Receives one after the other and computing add up") {
  // ring of 8: latencies of 2 us and 1 us; then 5 ms and 1e6 flops at 1e9 per second
  const RankRun run = Job(8).run([](const SimulatedRank& self) {
    if (number(self.rank()) < 2) self.send(Rank{2}, bytes(1000000));
    if (self.rank() != Rank{2}) return;
    self.receive(Rank{0});
    self.receive(Rank{1});
    self.compute({5e-3});
    self.compute_flops(1e6);
  });
  // receive starts only when the first is there: 1 ms alone each, one after the other
  CHECK(run.finish[2].value == Approx(2e-3 + 2e-6 + 1e-6 + 6e-3).epsilon(1e-9));
}

TEST_CASE("Watched messages are waited for in the order in which they end") {
  // Over a link each, 1 us away: from rank 1 after 5 ms of work and 1 ms, from rank 3 after 2 ms.
  const RankRun run = Job(4).run([](const SimulatedRank& self) {
    if (self.rank() == Rank{1}) self.compute({5e-3});
    if (self.rank() == Rank{1}) self.send(Rank{0}, bytes(1000000));
    if (self.rank() == Rank{3}) self.send(Rank{0}, bytes(2000000));
    if (self.rank() != Rank{0}) return;
    const SimulatedRank::Request requests[] = {self.start_receive(Rank{1}),
                                               self.start_receive(Rank{3})};
    self.watch(requests);
    self.wait_next();
    self.record("first", self.time().value);
    self.wait_next();
  });
  REQUIRE(run.records.size() == 1);
  CHECK(run.records[0].values[0] == Approx(2e-3 + 1e-6).epsilon(1e-9));
  CHECK(run.finish[0].value == Approx(6e-3 + 1e-6).epsilon(1e-9));
  CHECK(message_of<RankFunctionError>([] {
          Job(2).run([](const SimulatedRank& self) { self.wait_next(); });
        }) == "rank 0 threw at 0 s: wait_next: nothing is watched that it has not waited for");
}

TEST_CASE("Simultaneous neighbour exchange shares links") {
  // periodic ring of 4 in a ring of 4 hosts: each directed link carries one message
  const Communicator ring = cart_create(world(4), Cartesian({{4, Periodicity::periodic}}));
  const RankRun run =
      Job(4).run([&](const SimulatedRank& self) { self.on(ring).neighbor_exchange(Bytes{1e6}); });
  for (const Seconds finish : run.finish) CHECK(finish.value == Approx(1.001e-3).epsilon(1e-9));
  CHECK(run.traffic.num_edges() == 8);
}

TEST_CASE("Data moves around a ring by shifts, and comes back in records") {
  const Communicator ring = cart_create(world(5), Cartesian({{5, Periodicity::periodic}}));
  const RankRun run = Job(5).run([&](const SimulatedRank& job) {
    const SimulatedRank self = job.on(ring);
    std::vector<int> token{number(self.rank()), 7};
    for (int step = 0; step < 3; ++step) self.sendrecv_replace(std::span(token), self.shift(0, 1));
    self.record("token", token[0]);
  });
  REQUIRE(run.records.size() == 5);
  for (const RankRecord& record : run.records) {
    CHECK(record.key == "token");
    CHECK(record.values == std::vector<double>{(number(record.rank) + 2) % 5 + 0.0});
    CHECK(record.time.value == Approx(3 * (8e-9 + 1e-6)).epsilon(1e-9));
  }
}

TEST_CASE("An open dimension ends a shift, and values without a source stay") {
  const Communicator line = cart_create(world(3), Cartesian({{3, Periodicity::open}}));
  const RankRun run = Job(3).run([&](const SimulatedRank& job) {
    const SimulatedRank self = job.on(line);
    std::vector<int> value{number(self.rank())};
    self.sendrecv_replace(std::span(value), self.shift(0, 1));
    self.record("value", value[0]);
    require(self.coords() == std::vector<int>{number(self.rank())});
  });
  double sum = 0;
  for (const RankRecord& record : run.records) sum += record.values[0];
  CHECK(sum == 0 + 0 + 1);
  CHECK(run.traffic.num_edges() == 2);
}

TEST_CASE("Messages inside a host never reach the network") {
  const auto exchange = [](const SimulatedRank& self) {
    const Rank other{1 - number(self.rank())};
    self.sendrecv({other, other}, bytes(1000));
    require(self.sendrecv({self.rank(), self.rank()}, bytes(5)).size() == 5);
  };
  CHECK(Job(2, 2).run(exchange).makespan.value == 0);
  RankOptions options;
  options.loopback_bandwidth = {1e9};
  CHECK(Job(2, 2).run(exchange, options).makespan.value == Approx(1.005e-6));
}

TEST_CASE("A barrier waits for the last and takes no time") {
  const RankRun run = Job(4).run([](const SimulatedRank& self) {
    self.compute({1e-3 * number(self.rank())});
    self.barrier();
    self.barrier();
  });
  for (const Seconds finish : run.finish) CHECK(finish.value == Approx(3e-3));
}

TEST_CASE("Tags and communicators keep messages apart") {
  const Communicator other = world(2);
  Job(2).run([&](const SimulatedRank& self) {
    const SimulatedRank aside = self.on(other);
    const Rank partner{1 - number(self.rank())};
    const int one[] = {1}, two[] = {2}, three[] = {3};
    if (self.rank() == Rank{0}) {
      self.send_values<int>(partner, one);
      self.send_values<int>(partner, two, 5);
      aside.send_values<int>(partner, three);
      return;
    }
    require(self.receive_values<int>(partner) == std::vector<int>{1});
    require(self.receive_values<int>(partner, 5) == std::vector<int>{2});
    require(aside.receive_values<int>(partner) == std::vector<int>{3});
  });
}

TEST_CASE("A deadlock is told as who waits for whom") {
  const auto sends_first = [](const SimulatedRank& self) {
    self.compute({1e-3});
    if (number(self.rank()) == 3) return;
    const Rank next{(number(self.rank()) + 1) % 3};
    self.send(next, bytes(8), 4);
    self.receive(next);
  };
  CHECK(message_of<DeadlockError>([&] { Job(4).run(sends_first); }) ==
        "deadlock at 0.001 s: 3 of 4 ranks wait for what never comes, 3 of them in a ring: rank 0 "
        "sends 8 bytes with tag 4 to rank 1; rank 1 sends 8 bytes with tag 4 to rank 2; rank 2 "
        "sends 8 bytes with tag 4 to rank 0");
  const auto waits_for_finished = [](const SimulatedRank& self) {
    if (self.rank() == Rank{0}) self.receive(Rank{1});
    if (self.rank() == Rank{2}) self.barrier();
  };
  CHECK(message_of<DeadlockError>([&] { Job(3).run(waits_for_finished); }) ==
        "deadlock at 0 s: 2 of 3 ranks wait for what never comes: rank 0 receives from rank 1, "
        "which has finished; rank 2 is in a barrier that waits for rank 0");
}

TEST_CASE("A ring of many blocked ranks is cut short") {
  std::vector<RankWait> waits;
  for (int r = 0; r < 20; ++r)
    waits.push_back({RankWait::Kind::receive, {Rank{(r + 1) % 20}, Rank{r}, 0, 0}, {}});
  const std::string text = describe_deadlock({0.5}, waits, {});
  CHECK(
      text.starts_with("deadlock at 0.5 s: 20 of 20 ranks wait for what never comes, 20 of them "
                       "in a ring: rank 0 receives from rank 1; rank 1 "));
  CHECK(text.ends_with("rank 7 receives from rank 8; and 12 more"));
}

TEST_CASE("An exception in a rank function is told with its rank and time") {
  CHECK(message_of<RankFunctionError>([] {
          Job(4).run([](const SimulatedRank& self) {
            self.compute({2e-3});
            if (self.rank() == Rank{2}) throw std::runtime_error("no more");
            self.barrier();
          });
        }) == "rank 2 threw at 0.002 s: no more");
  if (!address_sanitizer)
    CHECK(message_of<RankFunctionError>([] {
            Job(2).run([](const SimulatedRank& self) { self.send(Rank{2}, bytes(1)); });
          }).starts_with("rank 0 threw at 0 s: "));
  CHECK(message_of<RankFunctionError>([] {
          Job(2).run([](const SimulatedRank& self) { self.compute({-1}); });
        }) == "rank 0 threw at 0 s: compute for -1 s: accepted is a number >= 0");
  CHECK(message_of<RankFunctionError>([] { Job(2).run([](const SimulatedRank&) { throw 5; }); }) ==
        "rank 0 threw at 0 s: something that is not a std::exception");
}

TEST_CASE("A rank function that ends the process is no end of the caller") {
  if (address_sanitizer) return;
  CHECK(message_of<SimulationError>([] { Job(2).run([](const SimulatedRank&) { _exit(3); }); }) ==
        "the simulation ended with exit code 3");
  CHECK(message_of<SimulationError>([] {
          Job(2).run([](const SimulatedRank&) { raise(SIGALRM); });
        }) == "the simulation was ended by signal 14 (Alarm clock)");
}

TEST_CASE("Ranks that take more than the limits of their run are ended") {
  RankOptions options;
  options.time_limit = Seconds{0.05};
  const auto for_ever = [](const SimulatedRank&) {
    for (;;) pause();
  };
  CHECK(message_of<SimulationError>([&] { Job(2).run(for_ever, options); }) ==
        "the simulation takes more than 50 ms, its time limit");
  options = {};
  options.memory_limit = Bytes{256.0 * 1048576};
  const auto hungry = [](const SimulatedRank&) {
    const std::vector<char> memory(std::size_t{1} << 30, 1);
    if (memory.back() != 1) std::abort();
  };
  if (!address_sanitizer)
    CHECK(message_of<SimulationError>([&] { Job(2).run(hungry, options); }) ==
          "the simulation needs more memory than 256 MiB, its memory limit");
  options.time_limit = Seconds{3600};
  CHECK(Job(2).run([](const SimulatedRank&) {}, options).finish.size() == 2);
}

TEST_CASE("Options of rank runs outside their range are refused") {
  RankOptions options;
  options.flops_per_second = 0;
  CHECK(message_of<UsageError>([&] { Job(2).run([](const SimulatedRank&) {}, options); }) ==
        "0 flops per second: accepted is a number > 0");
  options = {};
  options.loopback_bandwidth = {-1};
  CHECK_THROWS_AS(Job(2).run([](const SimulatedRank&) {}, options), UsageError);
  options = {};
  options.stack_kib = 8;
  CHECK(message_of<UsageError>([&] { Job(2).run([](const SimulatedRank&) {}, options); }) ==
        "stack of 8 KiB: accepted are 16 to 1048576");
  options = {};
  options.time_limit = Seconds{0};
  CHECK(message_of<UsageError>([&] { Job(2).run([](const SimulatedRank&) {}, options); }) ==
        "time limit of 0 s: accepted is a number > 0");
  options = {};
  options.memory_limit = Bytes{0.5};
  CHECK(message_of<UsageError>([&] { Job(2).run([](const SimulatedRank&) {}, options); }) ==
        "memory limit of 0.5 bytes: accepted is a number >= 1");
}
