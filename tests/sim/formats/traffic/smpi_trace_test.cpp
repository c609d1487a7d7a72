#include <catch2/catch.hpp>
#include <fstream>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/traffic/formats.hpp"

#include "tests/topology/data.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::edges_as_text;
using tests::message_of;
using tests::TemporaryFile;

namespace {

/// Recorded by SMPI 3.32 (`smpirun -np 4 -trace-ti`), most `compute` actions taken out.
const std::string recorded = data("ti-trace/trace.txt");

TrafficOptions of_kinds(RecordKinds kinds) {
  TrafficOptions options;
  options.format = TrafficFormat::smpi_trace;
  options.record_kinds = kinds;
  return options;
}

/// What is read from a trace of two ranks, or the complaint without the path in front.
std::string read_trace(const std::string& first, RecordKinds kinds = RecordKinds::all) {
  const TemporaryFile rank0("rank-0.txt", first);
  const TemporaryFile rank1("rank-1.txt", "1 init\n1 finalize\n");
  const TemporaryFile list("list.txt", rank0.path() + "\n" + rank1.path() + "\n");
  std::string result;
  const std::string message = message_of<InputError>(
      [&] { result = edges_as_text(read_traffic(list.path(), of_kinds(kinds))); });
  if (message == "no error") return result;
  return message.starts_with(rank0.path()) ? message.substr(rank0.path().size()) : message;
}

}  // namespace

TEST_CASE("Sends of a time-independent trace are added up per pair of ranks") {
  // By hand from the program: each rank sends 100 doubles and 50 ints to the next; 0 sends 1000
  // bytes to 1, 10 chars, 10 floats and 77 bytes to 2, 5 longs to 3 (Start, which has bytes for
  // elements); 1 sends 77 bytes to 3.
  CHECK(edges_as_text(read_traffic(recorded, of_kinds(RecordKinds::point_to_point))) ==
        "0>1:2000/3 0>2:127/3 0>3:40/1 1>2:1000/2 1>3:77/1 2>3:1000/2 3>0:1000/2");
}

TEST_CASE("Collectives of a time-independent trace count as sent straight to their receivers") {
  // By hand: from r to d allreduce 160, alltoall 20, allgather 24, allgatherv 4 (r + 1), alltoallv
  // and reduce_scatter 4 (d + 1) each; bcast from 2 80, reduce to 1 80, gather to 2 20, scatter
  // from 0 28, gatherv to 0 4 (r + 1), scatterv from 1 4 (d + 1), scan to the next 12.
  const CommGraph collectives = read_traffic(recorded, of_kinds(RecordKinds::collective));
  CHECK(edges_as_text(collectives) ==
        "0>1:344/9 0>2:280/8 0>3:268/7 1>0:232/8 1>2:280/9 1>3:260/7 2>0:316/8 2>1:392/8 "
        "2>3:340/8 3>0:244/7 3>1:316/7 3>2:264/7");
  const CommGraph all = read_traffic(recorded, {});
  CHECK(all.total_volume().value == collectives.total_volume().value + 5244);
  CHECK(all.num_ranks() == 4);
}

TEST_CASE("One-sided traffic counts as the data flow, nothing is sent to MPI_PROC_NULL") {
  CHECK(read_trace("0 init\n0 Put 1 0 10 6\n0 Get 1 0 5 1\n0 Win_fence\n0 send -333 0 3 11\n"
                   "0 Start 0 9 40 4\n") == "0>1:10/1 1>0:20/1");
  // Without a datatype: bytes, or doubles after an init with a number.
  CHECK(read_trace("0 init\n0 send 1 0 3\n") == "0>1:3/1");
  CHECK(read_trace("0 init 1\n0 send 1 0 1e3\n") == "0>1:8000/1");
}

TEST_CASE("A malformed trace is refused with its place") {
  CHECK(read_trace("0 send 1 0\n") ==
        ":1:11: the line ends where the number of elements of send is due");
  CHECK(read_trace("0 send 2 0 5 6\n") == ":1:8: rank 2 in a trace of 2 ranks");
  CHECK(read_trace("0 send 1 0 -5 6\n") ==
        ":1:12: number of elements \"-5\" is not a number in 0..1e+24");
  CHECK(read_trace("0 send 1 0 5 99\n") ==
        ":1:14: datatype \"99\" is unknown; accepted are SMPI's 0 to 50, 57 and 59");
  CHECK(read_trace("0 send 1 0 5 -1\n") ==
        ":1:14: datatype -1 is a derived one, whose size a trace does not tell; vtopo record "
        "counts bytes");
  CHECK(read_trace("1 send 1 0 5 6\n") ==
        ":1:1: rank 1 in the file of rank 0; accepted is one file per rank, in rank order in the "
        "list");
  CHECK(read_trace("0\n") == ":1:2: no action; accepted is \"rank action argument...\"");
  CHECK(read_trace("0 init\n0 teleport 1\n") ==
        ":2:3: unknown action \"teleport\"; accepted is what SMPI 3.32 traces, such as send, "
        "isend, sendRecv, Put, bcast, allreduce");
  CHECK(read_trace("0 Startall\n") ==
        ":1:3: a trace does not tell what Startall starts; vtopo record counts it");
  CHECK(read_trace("0 bcast 10 -333 6\n") == ":1:12: the root of a collective is not a rank");
  CHECK(read_trace("") == ": no action: the trace of this rank is cut off");
  const std::string short_list = "0 reducescatter 0 \n";
  CHECK(read_trace(short_list, RecordKinds::point_to_point).empty());
  CHECK_THAT(read_trace(short_list),
             Catch::StartsWith(":1:18: reducescatter with 1 arguments, which "
                               "needs one per rank, 2;"));
}

TEST_CASE("A list that names no file is refused") {
  const TemporaryFile list("list.txt", "files/none.txt\n");
  TrafficOptions options;
  options.format = TrafficFormat::smpi_trace;
  CHECK(
      message_of<InputError>([&] { read_traffic(list.path(), options); }) ==
      list.path() +
          ":1:1: \"files/none.txt\" is not a file; accepted are paths from the folder of the list "
          "or the working folder");
}
