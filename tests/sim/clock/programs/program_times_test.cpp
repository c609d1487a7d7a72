#include "sim/clock/program_times.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/clock/simgrid/run_program.hpp"
#include "tests/sim/clock/programs/random_program.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::one_per_host;

namespace {

/// Links around the ring at 10 bytes per second and `latency`; nothing else limits.
RingNetwork ring(int hosts, double latency = 0) {
  return {hosts, {{10}, {latency}}, {{1e9}, {0}}};
}

/// Messages cost 1 s at each end, further ones 0.25 s; senders do not wait for receivers.
ProgramOptions with_gap() {
  ProgramOptions options;
  options.endpoint.overhead = {1};
  options.endpoint.gap = {0.25};
  options.endpoint.eager_limit = {100};
  return options;
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

TEST_CASE("A latency that belongs to the flow is part of the arrival") {
  // The sum of the latencies that the network itself states for this pair of peers.
  const auto network =
      load_platform(tests::source_path("tests/netmodels/platform/platforms/vivaldi.xml"), {});
  std::vector<LinkId> links;
  network->append_route(HostId{0}, HostId{1}, links);
  double latency = network->flow_latency(HostId{0}, HostId{1}).value;
  REQUIRE(latency > 0);
  for (const LinkId link : links) latency += network->link(link).latency.value;
  const auto program = program_of({{send(Rank{1}, {0})}, {receive(Rank{0}, {0})}});
  const auto times = simulate_program(program, *network, one_per_host(2));
  CHECK(finish(times, 1) == Approx(latency));
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
        Approx(5 + 2 + 3 * 1 + 10));  // request, answer and data cross the route
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
  const Embedding embedding = embedding_on({HostId{0}, HostId{1}, HostId{0}});
  const auto times = simulate_program(program, network, embedding, options);
  // 0.25 s before each send, 10 s on the link, 5 s in memory, 0.25 s after each receive, 2 s
  // reduction.
  CHECK(finish(times, 0) == Approx(0.25 + 10 + 0.25 + 5));
  CHECK(finish(times, 1) == Approx(0.25 + 10 + 0.25 + 2));
  CHECK(finish(times, 2) == Approx(0.25 + 10 + 0.25 + 5 + 0.25));
  CHECK(times.ranks[Rank{1}].computing.value == Approx(2.25));
  CHECK(times.ranks[Rank{1}].waiting.value == Approx(10.25));
}

TEST_CASE("Further messages that are under way cost the gap") {
  // By hand: rank 0 posts after 1, 1.25 and 1.5 s; each message has a link of its own or shares one
  // for 1e-9 s. Rank 3 waits for all three and takes the last one 1 s after it has come; rank 0
  // pays the overhead again when it has waited.
  const ProgramOptions options = with_gap();
  const auto network = ring(2);
  const Bytes small{1e-8};
  const auto program =
      program_of({{start_send(Rank{1}, small, 1), start_send(Rank{1}, small, 2),
                   start_send(Rank{1}, small, 3), wait_all(), send(Rank{1}, small)},
                  {start_receive(Rank{0}, small, 1), start_receive(Rank{0}, small, 2),
                   start_receive(Rank{0}, small, 3), wait_all(), receive(Rank{0}, small)}});
  const auto times = simulate_program(program, network, one_per_host(2), options);
  CHECK(finish(times, 0) == Approx(1.5 + 1));
  CHECK(finish(times, 1) == Approx(1.5 + 1 + 1));
  CHECK(times.ranks[Rank{0}].computing.value == Approx(2.5));
  CHECK(times.ranks[Rank{1}].computing.value == Approx(2.5));
  // What has long been there is taken one after the other.
  const auto late = program_of(
      {program.ranks[Rank{0}],
       {start_receive(Rank{0}, small, 1), start_receive(Rank{0}, small, 2),
        start_receive(Rank{0}, small, 3), compute({10}), wait_all(), receive(Rank{0}, small)}});
  CHECK(finish(simulate_program(late, network, one_per_host(2), options), 1) ==
        Approx(10 + 1.5 + 1));
}

TEST_CASE("Waits of one call take their messages together, whatever else is open") {
  // By hand: as above, three messages that have come are taken by 1 + 2 x 0.25 s. In calls of their
  // own they take 1 s each. Request 4 stays open until then, and takes 1 s more.
  const ProgramOptions options = with_gap();
  const auto network = ring(2);
  const Bytes small{1e-8};
  const auto time = [&](bool one_call) {
    Program program = program_of({{}, {}});
    for (int i = 1; i <= 4; ++i) {
      program.ranks[Rank{0}].push_back(start_send(Rank{1}, small, i));
      program.ranks[Rank{1}].push_back(start_receive(Rank{0}, small, i));
    }
    program.ranks[Rank{0}].push_back(wait_all());
    auto& operations = program.ranks[Rank{1}];
    operations.push_back(compute({10}));
    if (one_call) {
      append_waits(std::vector{1, 2, 3}, operations);
    } else {
      for (int i = 1; i <= 3; ++i) operations.push_back(wait(i));
    }
    operations.push_back(wait(4));
    return finish(simulate_program(program, network, one_per_host(2), options), 1);
  };
  CHECK(time(true) == Approx(10 + 1.5 + 1));
  CHECK(time(false) == Approx(10 + 3 + 1));
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

TEST_CASE("Barriers of a group hold back its ranks alone, and marks say when ranks came") {
  const auto network = ring(3);
  const auto program = program_of({{compute({4}), barrier(7), mark(1)},
                                   {mark(0), barrier(7), compute({1}), mark(1)},
                                   {compute({2}), mark(0)}});
  const auto times = simulate_program(program, network, one_per_host(3));
  CHECK(finish(times, 0) == Approx(4));
  CHECK(finish(times, 1) == Approx(5));
  CHECK(finish(times, 2) == Approx(2));
  REQUIRE(times.marks.size() == 2);
  CHECK(times.marks[0].first.value == 0);
  CHECK(times.marks[0].last.value == Approx(2));
  CHECK(times.marks[1].first.value == Approx(4));
  CHECK(times.marks[1].last.value == Approx(5));
  const auto simgrid = run_program(program, network, one_per_host(3));
  CHECK(finish(simgrid, 1) == Approx(5));
  CHECK(simgrid.marks[1].first.value == Approx(4));
  CHECK(why_not_run(program_of({{barrier(7), barrier(7)}, {barrier(7)}})) ==
        "one rank comes to 2 barriers, another one to 1");
  CHECK(why_not_run(program_of({{mark(-1)}})) ==
        "rank 0: operation 0: a mark of number -1; expected a number >= 0");
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
  CHECK(error({{start_send(Rank{1}, {1}, 7), repeat(2), wait(7), end_repeat()},
               {receive(Rank{0}, {1})}}) ==
        "rank 0: operation 3: a loop that does not leave the requests open that it found open");
  CHECK(error({{compute({-1})}, {}}) ==
        "rank 0: operation 0: -1 bytes or seconds; expected a finite number >= 0");
  CHECK(error({{barrier()}, {}}) == "one rank comes to 1 barriers, another one to 0");
  CHECK(error({{send(Rank{1}, {1}), receive(Rank{1}, {1})},
               {send(Rank{0}, {1}), receive(Rank{0}, {1})}}) ==
        "deadlock: rank 0 waits for rank 1 to receive (tag 0, communicator 0), operation 0; "
        "rank 1 waits for rank 0 to receive (tag 0, communicator 0), operation 0; "
        "messages up to an --eager-limit leave before their receiver is ready");
  const std::vector<Operation> any{start_receive(Rank{1}, {1}, 1),
                                   start_receive(Rank{1}, {1}, 2, {5}), wait_any(2, 1),
                                   wait_any(1, 0), send(Rank{1}, {1})};
  CHECK(error({any, {receive(Rank{0}, {1}), send(Rank{0}, {1}), send(Rank{0}, {1}, {5})}}) ==
        "deadlock: rank 0 waits for rank 1 to send (tag 5, communicator 0), operation 1; "
        "rank 1 waits for rank 0 to send (tag 0, communicator 0), operation 0");
  CHECK(error({{start_receive(Rank{1}, {1}, 1), wait_any(1, 1)}, {send(Rank{0}, {1})}}) ==
        "rank 0: operation 1: a wait for any of several requests that are not all waited for so");
}

TEST_CASE("Routes that follow from a whole traffic are refused") {
  const auto network = make_network("torus:4", {}, {Routing::adaptive});
  const auto program = program_of({{send(Rank{1}, {1})}, {receive(Rank{0}, {1})}});
  CHECK(tests::message_of<UsageError>([&] {
          simulate_program(program, *network, one_per_host(2));
        }).starts_with("routing \"adaptive\" follows from a whole traffic"));
}

TEST_CASE("Ranks of one host exchange whichever request they wait for first, also on SimGrid") {
  // 100 B copied at 10 B/s, from 3 s on, when the second rank comes: both ends are over after 13 s.
  const auto network = ring(2);
  const auto exchange = [](int peer) {
    return std::vector{start_send(Rank{peer}, {100}, 1), start_receive(Rank{peer}, {100}, 2),
                       wait(1), wait(2)};
  };
  auto program = program_of({exchange(1), exchange(0)});
  program.ranks[Rank{1}].insert(program.ranks[Rank{1}].begin(), compute({3}));
  const Embedding embedding = embedding_on({HostId{0}, HostId{0}});
  ProgramOptions options;
  options.endpoint.memory_bandwidth = {10};
  RankOptions on_simgrid;
  on_simgrid.loopback_bandwidth = {10};
  for (const auto& times : {simulate_program(program, network, embedding, options),
                            run_program(program, network, embedding, on_simgrid)}) {
    CHECK(finish(times, 0) == Approx(13));
    CHECK(finish(times, 1) == Approx(13));
    CHECK(times.ranks[Rank{0}].waiting.value == Approx(13));
  }
}

TEST_CASE("A wait for any request ends with the first that is over, also on SimGrid") {
  // 100 B at 10 B/s: what rank 2 sends comes after 10 s, what rank 1 sends from 10 s on after 20 s.
  // Rank 0 works for 5 s after the first, by which the second, named first, is not delayed.
  const auto network = ring(3);
  const auto program =
      program_of({{start_receive(Rank{1}, {100}, 1), start_receive(Rank{2}, {100}, 2),
                   wait_any(1, 1), compute({5}), wait_any(2, 0), compute({1})},
                  {compute({10}), send(Rank{0}, {100})},
                  {send(Rank{0}, {100})}});
  for (const auto& times : {simulate_program(program, network, one_per_host(3)),
                            run_program(program, network, one_per_host(3), {})}) {
    CHECK(finish(times, 0) == Approx(21));  // 10 + 5 + 5 + 1; in the order named 20 + 5 + 1
    CHECK(times.ranks[Rank{0}].waiting.value == Approx(15));
  }
}

TEST_CASE("Messages of a group are taken when they have come, each at its cost") {
  // Sent from 3 s on, both are there after 23 s, as they share a link; rank 0 comes after 25 s and
  // takes 3 s for each.
  const auto network = ring(3);
  const auto program =
      program_of({{start_receive(Rank{1}, {100}, 1), start_receive(Rank{2}, {100}, 2),
                   compute({25}), wait_any(2, 1), wait_any(1, 0)},
                  {start_send(Rank{0}, {100}, 1), wait(1)},
                  {start_send(Rank{0}, {100}, 1), wait(1)}});
  ProgramOptions options;
  options.endpoint.overhead = {3};
  const auto times = simulate_program(program, network, one_per_host(3), options);
  CHECK(finish(times, 0) == Approx(31));
  CHECK(times.ranks[Rank{0}].computing.value == Approx(31));
}

TEST_CASE("Waits for any request are a group where they count down to 0 in one body of a loop") {
  const auto receive_1 = start_receive(Rank{1}, {1}, 1), receive_2 = start_receive(Rank{1}, {1}, 2);
  const std::vector<Operation> closed{receive_1, receive_2, wait_any(2, 1), compute({1}),
                                      wait_any(1, 0)};
  CHECK(waits_outside_groups(closed).empty());
  CHECK(requests_of_group(closed, 2) == std::vector<std::int32_t>{2, 1});
  // Request 2 is started after the wait that counts it.
  const std::vector<Operation> later{receive_1, wait_any(1, 1), receive_2, wait_any(2, 0)};
  CHECK(waits_outside_groups(later) == std::vector<std::size_t>{1});
  const std::vector<Operation> open{receive_1, receive_2, wait_any(2, 1), wait(1)};
  CHECK(waits_outside_groups(open) == std::vector<std::size_t>{2});
  const std::vector<Operation> split{receive_1, receive_2,      wait_any(2, 1),
                                     repeat(1), wait_any(1, 0), end_repeat()};
  CHECK(waits_outside_groups(split) == std::vector<std::size_t>{2});
  auto named = open;
  name_waits_outside_groups(named);
  CHECK(named[2].kind == Operation::Kind::wait);
  CHECK(named[2].request == 2);
}

TEST_CASE("Ranks finish, compute and wait as on SimGrid") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    INFO("seed " << seed);
    const tests::RandomProgram random(seed, seed % 20 == 0 ? 64 : 16);
    const auto times = simulate_program(random.program(), random.network(), random.embedding());
    const auto run = run_program(random.program(), random.network(), random.embedding());
    REQUIRE(times.makespan.value == Approx(run.makespan.value).epsilon(1e-6));
    for (int r = 0; r < random.program().num_ranks(); ++r) {
      INFO("rank " << r);
      const RankTimes& ours = times.ranks[Rank{r}];
      const RankTimes& simgrids = run.ranks[Rank{r}];
      const double margin = 1e-6 * times.makespan.value;
      // SimGrid sends a byte at least, 1e-13 s.
      REQUIRE(ours.finish.value == Approx(simgrids.finish.value).epsilon(1e-6).margin(1e-12));
      REQUIRE(ours.computing.value == Approx(simgrids.computing.value).margin(margin));
      REQUIRE(ours.waiting.value == Approx(simgrids.waiting.value).margin(margin));
    }
  }
}
