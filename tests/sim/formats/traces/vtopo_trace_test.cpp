#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "sim/clock/programs/traces/trace.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/patterns/pattern.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Kind = Operation::Kind;

namespace {

/// Folder with a file per rank; heads and last lines are added.
std::string trace_folder(const std::vector<std::string>& ranks, bool is_ended = true) {
  std::string folder = tests::own_folder() + "/recorded";
  std::filesystem::remove_all(folder);
  std::filesystem::create_directory(folder);
  for (std::size_t r = 0; r < ranks.size(); ++r)
    std::ofstream(fmt::format("{}/rank-{}.trace", folder, r))
        << fmt::format("# vtopo-trace 1 rank {} of {}\n", r, ranks.size()) << ranks[r]
        << (is_ended ? "# end +0\n" : "");
  return folder;
}

std::vector<Kind> recorded_kinds(const Trace& trace, int rank) {
  std::vector<Kind> result;
  for (const Operation& operation : trace.program.ranks[Rank{rank}])
    result.push_back(operation.kind);
  return result;
}

/// Message about the file of rank 0.
std::string message_for_rank_0(const std::string& text, bool is_ended = true) {
  const std::string folder = trace_folder({text, ""}, is_ended);
  return tests::message_about(folder + "/rank-0.trace", [&] { read_trace(folder); });
}

}  // namespace

TEST_CASE("A recorded program keeps its loops, and its local work in them") {
  const std::string body = "repeat 10\nirecv 0 {0} 5 0 +1e-3\nisend 1 {0} 64 5 0\nwait 0 1\nend\n";
  TraceOptions options;
  options.compute_scale = 2;
  const Trace trace = read_trace(
      trace_folder({fmt::format(fmt::runtime(body), 1), fmt::format(fmt::runtime(body), 0)}),
      options);
  CHECK(trace.format == "vtopo");
  CHECK(recorded_kinds(trace, 0) == std::vector{Kind::repeat, Kind::compute, Kind::start_receive,
                                                Kind::start_send, Kind::wait_all,
                                                Kind::end_repeat});
  CHECK(trace.program.ranks[Rank{0}][1].amount == Approx(2e-3));
  CHECK(num_messages(trace.program) == 20);
  CHECK(trace.call(Rank{1}, 3) == "isend 1 0 64 5 0");
}

TEST_CASE("A receive from anywhere takes the source that its match names") {
  const Trace trace =
      read_trace(trace_folder({"irecv 0 ? -1 0\nirecv 1 1 8 0\nmatch 0 1 7\nwait 0\nwait 1\n",
                               "send 0 64 7 0\nsend 0 1 8 0\n"}));
  const Operation& receive = trace.program.ranks[Rank{0}][0];
  CHECK(receive.peer == 1);
  CHECK(receive.tag == 7);
}

TEST_CASE("Waits for any request are recorded by groups, and named where a group is not closed") {
  const std::string receives = "irecv 0 1 5 0\nirecv 1 1 5 0\nirecv 2 1 5 0\n";
  const std::string sends = "send 0 8 5 0\nsend 0 8 5 0\nsend 0 8 5 0\n";
  const auto waits = [&](const std::string& text) {
    auto kinds = recorded_kinds(read_trace(trace_folder({receives + text, sends})), 0);
    kinds.erase(kinds.begin(), kinds.begin() + 3);
    return kinds;
  };
  CHECK(waits("waitany 2 2 first\nwaitany 0 1\nwaitany 1 0\n") ==
        std::vector{Kind::wait_any, Kind::wait_any, Kind::wait_any});
  CHECK(waits("waitany 2 2 first\nwait 0\nwaitany 1 0 first\n") ==
        std::vector{Kind::wait, Kind::wait, Kind::wait_any});
  // Of two arrays by turns.
  CHECK(waits("waitany 2 1 first\nwaitany 0 0 first\nwaitany 1 0 first\n") ==
        std::vector{Kind::wait, Kind::wait_any, Kind::wait_any});
  CHECK(message_for_rank_0("irecv 0 1 5 0\nwaitany 0 0 last\n") ==
        ":3:13: rank 0: expected first or nothing");
  CHECK(message_for_rank_0("waitany 4 0 first\n") ==
        ":2:9: rank 0: wait for request 4, which is not started");
}

TEST_CASE("Communicators are the same if they have the same members and were made as often") {
  // 3 ranks; ranks 0 and 1 have a communicator, and a copy of it that rank 0 calls 5.
  const Trace trace = read_trace(trace_folder({"comm 1 1 0-1\ncomm 5 2 0-1\nsend 1 8 0 5\n",
                                               "comm 1 1 0-1\ncomm 2 2 0-1\nrecv 0 0 2\n", ""}));
  CHECK(trace.program.ranks[Rank{0}][0].communicator ==
        trace.program.ranks[Rank{1}][0].communicator);
  // Without the copy the message has no receiver.
  const std::string folder = trace_folder(
      {"comm 1 1 0-1\nsend 1 8 0 1\n", "comm 1 1 0-1\ncomm 2 2 0-1\nrecv 0 0 2\n", ""});
  CHECK(tests::message_about(folder + "/rank-0.trace", [&] { read_trace(folder); }) ==
        ":3: rank 0 sends rank 1 a message (tag 0) that it never receives: send 1 8 0 1");
}

TEST_CASE("A collective is among the members of its communicator, where it is waited for") {
  TraceOptions options;
  options.collectives.algorithms = parse_patterns("bcast:algorithm=linear");
  // Of ranks 2 and 0, in this order: the root, rank 0 of the communicator, is rank 2.
  const std::string calls = "comm 1 1 2 0\nbcast 1 4 100 0\nwait 4 +1\n";
  const Trace trace = read_trace(trace_folder({calls, "", calls}), options);
  CHECK(recorded_kinds(trace, 2) == std::vector{Kind::compute, Kind::start_send, Kind::wait_all});
  CHECK(trace.program.ranks[Rank{2}][1].peer == 0);
  CHECK(trace.program.ranks[Rank{2}][1].amount == 100);
}

TEST_CASE("A wait for some of the open requests is one call, collectives in it first") {
  // Rank 0 has a third receive open. Amounts of waits: how many of the call follow.
  const Trace trace = read_trace(trace_folder(
      {"irecv 0 1 5 0\nirecv 1 1 5 0\nirecv 2 1 5 0\nbarrier 0 3 0 0\nwait 0 3 1\nwait 2\n",
       "barrier 0 -1 0 0\nsend 0 8 5 0\nsend 0 8 5 0\nsend 0 8 5 0\n"}));
  const auto& operations = trace.program.ranks[Rank{0}];
  const auto kinds = recorded_kinds(trace, 0);
  const auto first = static_cast<std::size_t>(
      std::find(kinds.begin() + 3, kinds.end(), Kind::wait) - kinds.begin());
  // The barrier is between ranks that have an open receive: it waits for its own messages.
  REQUIRE(operations.size() == first + 5);
  CHECK(operations[first].request > 2);
  CHECK(operations[first + 2].request == 0);
  CHECK(operations[first + 2].amount == 1);
  CHECK(operations[first + 3].request == 1);
  CHECK(operations[first + 3].amount == 0);
  CHECK(operations[first + 4].request == 2);
}

TEST_CASE("Parts of unequal collectives are messages, also several to the same rank") {
  const Trace trace =
      read_trace(trace_folder({"parts 0 -1 >1:5 >1:6 <1:7\n", "parts 0 -1 <0:5 <0:6 >0:7 >0:0\n"}));
  CHECK(num_messages(trace.program) == 3);
  CHECK(trace.program.ranks[Rank{0}][3].amount == 2);  // three waits of one call
  const Trace ring =
      read_trace(trace_folder({"allgatherv 0 -1 =0:3 =1:4\n", "allgatherv 0 -1 =0:3 =1:4\n"}));
  CHECK(ring.program.ranks[Rank{0}][1].amount == 3);
  CHECK(ring.program.ranks[Rank{1}][1].amount == 4);
}

TEST_CASE("A wrong recording is refused with rank, line and call") {
  CHECK(
      message_for_rank_0("barrier 0 -1 0 0\n", false) ==
      ": the trace of rank 0 is cut off after line 2 (barrier 0 -1 0 0): the program did not come "
      "to MPI_Finalize; --prefix replays what all ranks have reached");
  CHECK(message_for_rank_0("wait 3\n") == ":2:6: rank 0: wait for request 3, which is not started");
  CHECK(message_for_rank_0("send 2 8 0 0\n") == ":2:6: rank 0: rank 2 in a trace of 2 ranks");
  CHECK(message_for_rank_0("send 1 8 0 3\n") ==
        ":2:12: rank 0: communicator 3 has no line \"comm\" before");
  CHECK(message_for_rank_0("send 1 8\n") == ":2:9: rank 0: \"send\" ends too early");
  CHECK(message_for_rank_0("comm 1 1 0-4\n").starts_with(":2:10: rank 0: members \"0-4\""));
  CHECK(message_for_rank_0("comm 1 1 1\n") == ":2:1: rank 0: a communicator without this rank");
  CHECK(message_for_rank_0("unsupported MPI_Cancel\n") ==
        ":2:1: rank 0: the program used MPI_Cancel, which cannot be replayed");
  CHECK(message_for_rank_0("repeat 2\nisend 0 1 8 0 0\nend\n") ==
        ":4:1: rank 0: a loop that does not leave the requests open that it found open");
  CHECK(message_for_rank_0("end\n") == ":2:1: rank 0: end without repeat");
  CHECK(message_for_rank_0("jump\n") == ":2:5: rank 0: \"jump\" ends too early");
  CHECK(message_for_rank_0("barrier 0 -1 0 0\n") ==
        ":2: rank 0 expects from rank 1 a message (tag 0) that it never sends: barrier 0 -1 0 0");
}

TEST_CASE("A trace that is cut off is replayed as far as all ranks came, if that is asked for") {
  TraceOptions options;
  options.prefix = true;
  // Rank 1 was killed in its fourth line, and what it received last is not written.
  const std::string folder =
      trace_folder({"send 1 8 0 0\nsend 1 16 0 0 +1\nrecv 1 0 0\nsend 1 32 0 0\n# end +0\n",
                    "recv 0 0 0 +2\nrecv 0 0 0\nsend 0 4 0"},
                   false);
  const Trace trace = read_trace(folder, options);
  CHECK(recorded_kinds(trace, 0) == std::vector{Kind::send, Kind::compute, Kind::send});
  CHECK(recorded_kinds(trace, 1) == std::vector{Kind::compute, Kind::receive, Kind::receive});
  CHECK(trace.call(Rank{0}, 2) == "send 1 16 0 0 +1");
  REQUIRE(trace.cuts.size() == 1);
  CHECK(trace.cuts[0] == folder +
                             "/rank-1.trace: the trace of rank 1 is cut off after line 3 (recv 0 0 "
                             "0): the program did not come to MPI_Finalize; replayed is what all "
                             "ranks have reached: 2 of 3 messages");
}

TEST_CASE("Loops of a trace that is cut off keep the rounds that all ranks have reached") {
  TraceOptions options;
  options.prefix = true;
  // Rank 1 has received 2 * 3 + 1 messages: rank 0 has sent as many, three rounds of two and one.
  const Trace trace = read_trace(trace_folder({"repeat 10\nsend 1 8 0 0\nsend 1 9 0 0\nend\n",
                                               "repeat 7\nrecv 0 0 0\nend\nrepeat 5\nrecv 0 0 0\n"},
                                              false),
                                 options);
  CHECK(recorded_kinds(trace, 0) ==
        std::vector{Kind::repeat, Kind::send, Kind::send, Kind::end_repeat, Kind::send});
  CHECK(trace.program.ranks[Rank{0}][0].amount == 3);
  CHECK(trace.program.ranks[Rank{0}][4].amount == 8);
  CHECK(trace.lines[Rank{0}] == std::vector<std::int32_t>{2, 3, 4, 5, 3});
  CHECK(num_messages(trace.program) == 7);
}

TEST_CASE(
    "A receive whose source is not known yet, and a collective that some did not reach, end it") {
  TraceOptions options;
  options.prefix = true;
  options.collectives.algorithms = parse_patterns("bcast:algorithm=linear");
  // Rank 0 waits for anyone when it is killed; ranks 1 and 2 are already in the next broadcast.
  const Trace trace = read_trace(trace_folder({"bcast 0 -1 8 0\nirecv 0 ? 5 0\n",
                                               "bcast 0 -1 8 0\nsend 0 8 5 0\nbcast 0 -1 8 0\n",
                                               "bcast 0 -1 8 0\nbcast 0 -1 8 0\n"},
                                              false),
                                 options);
  CHECK(num_messages(trace.program) == 2);  // of the first broadcast
  CHECK(trace.cuts[0].find("as those of 2 more ranks") != std::string::npos);
}
