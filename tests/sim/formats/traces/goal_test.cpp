#include <catch2/catch.hpp>

#include "sim/clock/program_times.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Kind = Operation::Kind;

namespace {

Trace read_schedule_text(const std::string& text) {
  return read_trace(tests::write_file("schedule.goal", text));
}

std::string message_for_goal(const std::string& text) {
  const std::string path = tests::write_file("wrong.goal", text);
  return tests::message_about(path, [&] { read_trace(path); });
}

std::vector<Kind> kinds_of(const Trace& trace, int rank) {
  std::vector<Kind> result;
  for (const Operation& operation : trace.program.ranks[Rank{rank}])
    result.push_back(operation.kind);
  return result;
}

double makespan(const Program& program) {
  Allocation allocation;
  for (int r = 0; r < program.num_ranks(); ++r) {
    allocation.hosts.push_back(HostId{r});
    allocation.slots.push_back(1);
  }
  const RingNetwork ring{program.num_ranks(), {{10}, {0.5}}, {{1e9}, {0}}};
  return simulate_program(program, ring, {allocation.hosts, allocation}).makespan.value;
}

}  // namespace

TEST_CASE("A schedule in GOAL becomes operations in the order of their requirements") {
  // Written by hand after the grammar of LogGOPSim's txt2bin.
  const Trace trace = read_schedule_text(
      "/* two ranks */\nnum_ranks 2\n\n"
      "rank 0 {\nl1: calc 2000 cpu 0 // nanoseconds\nl2: send 10b to 1 tag 4 cpu 0 nic 1\n"
      "l2 requires l1\n}\n"
      "rank 1 {\nr: recv 10b from 0 tag 4\nc: calc 100\nd: calc 50\nc requires r\nd irequires r\n"
      "}\n");
  CHECK(trace.format == "goal");
  CHECK(kinds_of(trace, 0) == std::vector{Kind::compute, Kind::start_send, Kind::wait_all});
  CHECK(trace.program.ranks[Rank{0}][0].amount == Approx(2e-6));
  CHECK(trace.program.ranks[Rank{0}][1].amount == 10);
  CHECK(trace.program.ranks[Rank{0}][1].tag == 4);
  CHECK(trace.lines[Rank{0}] == std::vector<std::int32_t>{5, 6, 6});
  // The calculation that needs only the start of the receive comes first.
  CHECK(kinds_of(trace, 1) ==
        std::vector{Kind::start_receive, Kind::compute, Kind::wait, Kind::compute});
  CHECK(trace.program.ranks[Rank{1}][1].amount == Approx(50e-9));
}

TEST_CASE("Messages start before calculations that nothing holds back either") {
  const Trace trace = read_schedule_text(
      "num_ranks 2\nrank 0 {\ncalc 5\nsend 1b to 1\n}\nrank 1 {\nrecv 1b from 0\n}\n");
  CHECK(kinds_of(trace, 0) == std::vector{Kind::start_send, Kind::compute, Kind::wait_all});
}

TEST_CASE("A wrong schedule is refused with line and rank") {
  const std::string begin = "num_ranks 2\nrank 0 {\n";
  CHECK(message_for_goal("num_ranks 0\n") == ":1:11: 0 ranks; expected at least 1");
  CHECK(message_for_goal(begin + "l1: send 5b to 1\n") ==
        ":3:17: the schedule of rank 0 is cut off: expected \"}\"");
  CHECK(message_for_goal(begin + "l1: send 5b to 1\n}\n") ==
        ": rank 1 has no schedule; expected 2 ranks");
  CHECK(message_for_goal(begin + "l1: send 5b to 1\n}\nrank 1 {\n}\n") ==
        ":3: rank 0 sends rank 1 a message (tag 0) that it never receives: l1: send 5b to 1");
  CHECK(message_for_goal(begin + "l1: send 5b to 2\n}\n") ==
        ":3:16: rank 0: rank \"2\"; expected an integer in 0..1");
  CHECK(message_for_goal(begin + "l1: send 5 to 1\n}\n") ==
        ":3:10: rank 0: \"5\"; expected bytes as 10b");
  CHECK(message_for_goal(begin + "recv 5b from -1\n}\n") ==
        ":3:14: rank 0: a message from any source: which one it is is known only in LogGOPSim");
  CHECK(message_for_goal(begin + "a: calc 1\na: calc 1\n}\n") ==
        ":4:1: rank 0: label \"a\" is used twice");
  CHECK(message_for_goal(begin + "a: calc 1\na requires b\n}\n") ==
        ":4:12: rank 0: label \"b\" is not that of an operation above");
  CHECK(message_for_goal(begin + "a: calc 1\nb: calc 1\na requires b\nb requires a\n}\n") ==
        ":3: rank 0: an operation that requires itself");
  CHECK(message_for_goal(begin + "calc 1 cpu 1\n}\n") ==
        ":3:12: rank 0: a calculation on a second processor; a rank has one, cpu 0");
  CHECK(message_for_goal(begin + "}\nrank 2 {\n}\n") ==
        ":4:6: rank \"2\"; expected an integer in 0..1");
}

TEST_CASE("A receive in GOAL takes the message that it has room for") {
  // MPI 4.1, 3.2.4: a message may be shorter than its buffer. LogGOPSim matches by source and tag
  // alone and gives the message the size of its send: 10 B at 10 B/s and a latency of 0.5 s.
  const auto text = [](const std::string& received) {
    return "num_ranks 2\nrank 0 {\nsend 10b to 1\n}\nrank 1 {\nrecv " + received + "b from 0\n}\n";
  };
  for (const std::string received : {"10", "11", "9007199254740992"}) {
    const Trace trace = read_schedule_text(text(received));
    CHECK(trace.program.ranks[Rank{1}][0].amount == 10);
    CHECK(makespan(trace.program) == Approx(1.5));
  }
  for (const std::string received : {"9", "0"})
    CHECK(
        message_for_goal(text(received)) ==
        ":6: rank 1 has room for " + received +
            " bytes of the message of 10 bytes that rank 0 sends in line 3; expected a receive of "
            "10b or more");
}

TEST_CASE("Sizes in GOAL are those of messages that match: by tag, then in the order of posts") {
  // The second message of tag 1 starts first, and so its receive is the one that is posted first.
  const std::string sends =
      "num_ranks 2\nrank 0 {\na: send 8b to 1 tag 1\nb: send 3b to 1 tag 1\nsend 9b to 1 tag 2\n"
      "a requires b\n}\nrank 1 {\n";
  const Trace trace = read_schedule_text(
      sends + "recv 9b from 0 tag 2\nrecv 4b from 0 tag 1\nrecv 8b from 0 tag 1\n}\n");
  const auto& receives = trace.program.ranks[Rank{1}];
  CHECK(receives[0].amount == 9);
  CHECK(receives[1].amount == 3);
  CHECK(receives[2].amount == 8);
  CHECK(message_for_goal(sends +
                         "recv 9b from 0 tag 2\nrecv 8b from 0 tag 1\nrecv 4b from 0 tag 1\n}\n") ==
        ":11: rank 1 has room for 4 bytes of the message of 8 bytes that rank 0 sends in line 3; "
        "expected a receive of 8b or more");
}

TEST_CASE("A receive is written as GOAL with the bytes of its message") {
  // Recordings do not say how much a receive has room for: 0. Two sends in turn, three times.
  Program program{IdVector<Rank, std::vector<Operation>>(2)};
  program.ranks[Rank{0}] = {repeat(3), send(Rank{1}, {7}), send(Rank{1}, {5}), end_repeat()};
  program.ranks[Rank{1}] = {repeat(6), receive(Rank{0}, {0}), end_repeat()};
  const Trace again = read_schedule_text(to_goal(program));
  std::vector<double> received;
  for (const Operation& operation : again.program.ranks[Rank{1}])
    if (operation.kind == Kind::start_receive) received.push_back(operation.amount);
  CHECK(received == std::vector<double>{7, 5, 7, 5, 7, 5});
  CHECK(makespan(again.program) == Approx(makespan(program)));
  CHECK(to_goal(program).find("recv 0b") == std::string::npos);

  // What never ends to be written is refused before it is unrolled, messages or not.
  program.ranks[Rank{0}] = {repeat(1'000'000'000'000), compute({1}), end_repeat()};
  program.ranks[Rank{1}] = {};
  CHECK_THROWS_AS(to_goal(program), InputError);
}

TEST_CASE("What is written as GOAL takes as long when it is read again") {
  Random random(3);
  constexpr int ranks = 5;
  for (int i = 0; i < 20; ++i) {
    // Rounds of messages along shifts, as in tests of patterns; loops, works and a barrier.
    Program program{IdVector<Rank, std::vector<Operation>>(ranks)};
    for (int round = 0; round < 4; ++round) {
      const int shift = 1 + static_cast<int>(random.below(ranks - 1));
      const double bytes = 1 + static_cast<double>(random.below(100));
      for (int r = 0; r < ranks; ++r) {
        auto& operations = program.ranks[Rank{r}];
        const MessageTag tag{round, round % 2};
        operations.push_back(repeat(1 + round));
        operations.push_back(start_receive(Rank{(r + ranks - shift) % ranks}, {bytes}, 1, tag));
        operations.push_back(compute({static_cast<double>(random.below(4))}));
        operations.push_back(start_send(Rank{(r + shift) % ranks}, {bytes}, 2, tag));
        operations.push_back(wait(1));
        operations.push_back(wait_all());
        operations.push_back(end_repeat());
      }
    }
    const std::string path = tests::write_file("again.goal", to_goal(program));
    CHECK(makespan(read_trace(path).program) == Approx(makespan(program)));
  }
}

TEST_CASE("A barrier is written as messages that let nobody pass before the last") {
  Program program{IdVector<Rank, std::vector<Operation>>(3)};
  for (int r = 0; r < 3; ++r)
    program.ranks[Rank{r}] = {compute({static_cast<double>(r)}), barrier(), compute({1})};
  const std::string path = tests::write_file("barrier.goal", to_goal(program));
  // 2 s of work before, 1 s behind it, and two rounds of a byte (0.1 s) over one or two links.
  const double time = makespan(read_trace(path).program);
  CHECK(time > 3);
  CHECK(time < 3 + 2 * (0.2 + 1.0) + 1e-9);
  program.ranks[Rank{0}].push_back(barrier(1));
  CHECK_THROWS_AS(to_goal(program), UsageError);
}
