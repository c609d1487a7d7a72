#include <fmt/format.h>
#include <catch2/catch.hpp>

#include "sim/formats/traces/foreign_traces.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/patterns/pattern.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Kind = Operation::Kind;

namespace {

/// Reads a merged trace: lines of all ranks in one file.
Trace read_lines_as_trace(const std::string& text, const TraceOptions& options = {}) {
  return read_trace(tests::write_file("merged.txt", text), options);
}

std::string message_for(const std::string& text) {
  const std::string path = tests::write_file("wrong.txt", text);
  return tests::message_about(path, [&] { read_trace(path); });
}

std::vector<Kind> kinds(const Trace& trace, int rank) {
  std::vector<Kind> result;
  for (const Operation& operation : trace.program.ranks[Rank{rank}])
    result.push_back(operation.kind);
  return result;
}

}  // namespace

TEST_CASE("Messages of a time-independent trace keep partner, tag, bytes and line") {
  const Trace trace = read_lines_as_trace(
      "0 init\n0 send 1 7 10 0\n0 compute 2e9\n0 finalize\n"
      "1 init\n1 recv 0 7 10 0\n1 sleep 0.5\n1 finalize\n");
  CHECK(trace.format == "smpi");
  const auto& first = trace.program.ranks[Rank{0}];
  REQUIRE(kinds(trace, 0) == std::vector{Kind::send, Kind::compute});
  CHECK(first[0].peer == 1);
  CHECK(first[0].tag == 7);
  CHECK(first[0].amount == 80);  // datatype 0 of SMPI is MPI_DOUBLE, 8 bytes
  CHECK(first[1].amount == 2);   // 2e9 flops at 1e9 per second
  CHECK(trace.lines[Rank{0}] == std::vector<std::int32_t>{2, 3});
  CHECK(trace.call(Rank{1}, 0) == "1 recv 0 7 10 0");
  REQUIRE(kinds(trace, 1) == std::vector{Kind::receive, Kind::compute});
  CHECK(trace.program.ranks[Rank{1}][1].amount == 0.5);
}

TEST_CASE("Local work is scaled and flops take the time of the given speed") {
  TraceOptions options;
  options.compute_scale = 3;
  options.flops_per_second = 1e6;
  const Trace trace =
      read_lines_as_trace("0 init\n0 compute 5e6\n0 sleep 2\n0 finalize\n", options);
  CHECK(trace.program.ranks[Rank{0}][0].amount == 15);
  CHECK(trace.program.ranks[Rank{0}][1].amount == 6);
}

TEST_CASE("Waits find their request by source, destination and tag, in the order of the starts") {
  const Trace trace = read_lines_as_trace(
      "0 isend 1 1 8 6\n0 isend 1 1 8 6\n0 irecv 1 2 8 6\n0 wait 1 0 2\n0 wait 0 1 1\n"
      "0 test 0 1 1\n0 wait 0 1 1\n"
      "1 recv 0 1 8 6\n1 recv 0 1 8 6\n1 isend 0 2 8 6\n1 finalize\n");
  const auto& first = trace.program.ranks[Rank{0}];
  REQUIRE(kinds(trace, 0) == std::vector{Kind::start_send, Kind::start_send, Kind::start_receive,
                                         Kind::wait, Kind::wait, Kind::wait});
  CHECK(first[3].request == first[2].request);
  CHECK(first[4].request == first[0].request);
  CHECK(first[5].request == first[1].request);
  // What is never waited for ends with the program.
  CHECK(kinds(trace, 1).back() == Kind::wait_all);
}

TEST_CASE("A collective becomes the messages of the algorithm that is named") {
  TraceOptions options;
  options.collectives.algorithms = parse_patterns("allreduce:algorithm=recursive_doubling");
  std::string text;
  for (int r = 0; r < 4; ++r)
    text += fmt::format("{0} init\n{0} allreduce 100 0 6 \n{0} finalize\n", r);
  const Trace trace = read_lines_as_trace(text, options);
  // log2(4) steps, each a message to and one from a partner, and its reduction.
  const std::vector<Kind> ends{Kind::start_send, Kind::start_receive, Kind::wait_all, Kind::reduce,
                               Kind::start_send, Kind::start_receive, Kind::wait_all, Kind::reduce};
  for (int r = 0; r < 4; ++r) {
    auto found = kinds(trace, r);  // which of the two comes first is free
    std::sort(found.begin(), found.begin() + 2);
    std::sort(found.begin() + 4, found.begin() + 6);
    CHECK(found == ends);
  }
  CHECK(num_messages(trace.program) == 8);
  CHECK(trace.lines[Rank{2}] == std::vector<std::int32_t>(8, 8));
}

TEST_CASE("A collective leaves the open requests of its rank alone") {
  std::string text;
  for (int r = 0; r < 2; ++r)
    text += fmt::format(
        "{0} irecv {1} 5 8 6\n{0} bcast 8 0 6 \n{0} isend {1} 5 8 6\n{0} waitall 2\n{0} finalize\n",
        r, 1 - r);
  const Trace trace = read_lines_as_trace(text);
  CHECK(kinds(trace, 0) == std::vector{Kind::start_receive, Kind::start_send, Kind::wait,
                                       Kind::start_send, Kind::wait_all});
  const auto& operations = trace.program.ranks[Rank{0}];
  CHECK(operations[2].request == operations[1].request);
  CHECK(operations[1].communicator != operations[0].communicator);
}

TEST_CASE("Collectives of unequal parts send each part once") {
  // As SMPI 3.32 writes them for parts of 1, 2 and 3 elements of 4 bytes.
  std::string text;
  for (int r = 0; r < 3; ++r)
    text += fmt::format(
        "{0} init\n{0} gatherv {1} {2} 0 1 1\n{0} scatterv {3} {1} 0 1 1\n"
        "{0} allgatherv {1} 1 2 3 1 1\n{0} alltoallv 6 2 2 2 6 2 2 2 1 1\n{0} scan 2 0 1 \n"
        "{0} reducescatter 1 1 1 0 1\n{0} finalize\n",
        r, r + 1, r == 0 ? "1 2 3" : "0 0 0", r == 0 ? "1 2 3" : "0 0 0");
  TraceOptions options;
  options.collectives.algorithms = parse_patterns("reduce_scatter:algorithm=pairwise");
  const Trace trace = read_lines_as_trace(text, options);
  double bytes = 0;
  for (const auto& operations : trace.program.ranks)
    for (const Operation& operation : operations)
      if (is_send(operation.kind)) bytes += operation.amount;
  // gatherv and scatterv: 2 + 3 elements each; allgatherv: 6 elements to 2 others; alltoallv: 6
  // messages of 2; scan: 2 messages of 2; reduce_scatter: each rank's 1 element from 2 others.
  CHECK(bytes == 4 * (5 + 5 + 12 + 12 + 4 + 6));
}

TEST_CASE("A list names one trace per rank, and each must end with finalize") {
  tests::write_file("rank-0.txt", "0 init\n0 send 1 0 8 6\n0 finalize\n");
  tests::write_file("rank-1.txt", "1 init\n1 recv 0 0 8 6\n1 finalize\n");
  const std::string list = tests::write_file("list.txt", "rank-0.txt\nrank-1.txt\n");
  CHECK(read_trace(list).program.num_ranks() == 2);
  const std::string cut = tests::write_file("rank-1.txt", "1 init\n1 recv 0 0 8 6\n");
  CHECK(tests::message_about(cut, [&] { read_trace(list); }) ==
        ": the trace of rank 1 is cut off after line 2: it does not end with finalize; --prefix "
        "replays what all ranks have reached");
  TraceOptions options;
  options.prefix = true;
  CHECK(num_messages(read_trace(list, options).program) == 1);
  tests::write_file("rank-1.txt",
                    "1 init\n1 recv 0 0 8");  // of a line without its end nothing counts
  CHECK(num_messages(read_trace(list, options).program) == 0);
}

TEST_CASE("A wrong trace is refused with line, rank and action") {
  CHECK(message_for("0 init\n0 send 1 3 8 6\n1 init\n") ==
        ":2: rank 0 sends rank 1 a message (tag 3) that it never receives: 0 send 1 3 8 6");
  CHECK(message_for("0 init\n1 recv 0 3 8 6\n") ==
        ":2: rank 1 expects from rank 0 a message (tag 3) that it never sends: 1 recv 0 3 8 6");
  CHECK(message_for("0 init\n0 recv -555 3 8 6\n") ==
        ":2:3: rank 0: a receive from any source: the trace does not say which message came; a "
        "trace of vtopo_record does");
  CHECK(message_for("0 init\n0 waitany 2\n").starts_with(":2:3: rank 0: \"waitany\" cannot be "));
  CHECK(message_for("0 init\n0 send 9 3 8 6\n") == ":2:8: rank 9 in a trace of 1 ranks");
  CHECK(message_for("0 init\n0 bcast\n").starts_with(":2:8: the line ends where"));
  CHECK(message_for("1 init\n") == ": no action of rank 0, but one of rank 1");
  CHECK(message_for("nothing\n") ==
        ": not a trace: accepted are a folder of VTOPO_RECORD_TRACE, a list of SMPI's "
        "time-independent traces or one such file, "
        "and GOAL (num_ranks ...)");
}

TEST_CASE("A library without rules and a pattern that is not a collective are refused") {
  TraceOptions options;
  options.collectives.library = "mpi";
  const std::string path = tests::write_file("tiny.txt", "0 init\n");
  CHECK(tests::message_of<UsageError>([&] {
          read_trace(path, options);
        }).starts_with("library \"mpi\"; accepted: openmpi, mpich"));
  options.collectives = {"mpich", parse_patterns("halo")};
  CHECK(tests::message_of<UsageError>([&] { read_trace(path, options); }) ==
        "\"halo\" is not a collective with algorithms");
}

TEST_CASE("Collectives that depend on nodes are refused, unless the ranks of a node are given") {
  TraceOptions options;
  const std::string path = tests::write_file("tiny.txt", "0 init\n");
  options.collectives.library = "nccl";
  CHECK(tests::message_of<UsageError>([&] { read_trace(path, options); })
            .starts_with("library nccl chooses by the nodes of a communicator, which a trace does "
                         "not have; name an algorithm"));
  options.collectives = {"mpich", parse_patterns("allreduce:algorithm=hierarchical")};
  CHECK(tests::message_of<UsageError>([&] { read_trace(path, options); }) ==
        "allreduce:algorithm=hierarchical needs the ranks of a node, which a trace does not have: "
        "give it ranks_per_node=");
  options.collectives.algorithms =
      parse_patterns("allreduce:algorithm=hierarchical,ranks_per_node=4");
  CHECK_NOTHROW(CollectiveCalls(options.collectives));
}
