#include <catch2/catch.hpp>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/traffic/traffic.hpp"

using namespace vtopo;
using tests::TemporaryFile;

namespace {

const std::string columns =
    "source,destination,bytes,messages,collective_bytes,collective_messages\n";
const std::string top = "# vtopo-record 1\n# ranks 4\n" + columns;

/// Edges of a recording as text.
std::string recorded_edges(const std::string& text, RecordKinds kinds) {
  const TemporaryFile file("record.csv", text);
  TrafficOptions options;
  options.record_kinds = kinds;
  const CommGraph graph = read_traffic(file.path(), options);
  CHECK(graph.num_ranks() == 4);
  return tests::edges_as_text(graph);
}

/// What the reader says, without the path in front.
std::string record_complaint(const std::string& text) {
  const TemporaryFile file("record-complaint.csv", text);
  TrafficOptions options;
  options.format = TrafficFormat::vtopo_record;
  return tests::message_about(file.path(), [&] { read_traffic(file.path(), options); });
}

}  // namespace

TEST_CASE("A recording is known by its first line, and its columns are chosen by kind") {
  const std::string text = top + "0,1,8000,10,64,9\n1,3,0,0,5,1\n3,3,0,2,0,0\n# end 3\n";
  CHECK(recorded_edges(text, RecordKinds::all) == "0>1:8064/19 1>3:5/1 3>3:0/2");
  CHECK(recorded_edges(text, RecordKinds::point_to_point) == "0>1:8000/10 3>3:0/2");
  CHECK(recorded_edges(text, RecordKinds::collective) == "0>1:64/9 1>3:5/1");
  CHECK(recorded_edges(top + "# end 0\n", RecordKinds::all).empty());
}

TEST_CASE("Kinds of a recording have names") {
  CHECK(parse_record_kinds("all") == RecordKinds::all);
  CHECK(parse_record_kinds("p2p") == RecordKinds::point_to_point);
  CHECK(parse_record_kinds("collective") == RecordKinds::collective);
  CHECK(tests::message_of<UsageError>([] { parse_record_kinds("collectives"); }) ==
        "unknown kind of recorded traffic \"collectives\"; accepted: p2p, collective, all; "
        "did you mean \"collective\"?");
}

TEST_CASE("A recording that is malformed or cut off is a sentence with its place") {
  CHECK(record_complaint("") == ": the file ends before its first line: the recording is cut off");
  CHECK(record_complaint("0,1,2\n") ==
        ":1:1: \"0,1,2\" stands where \"# vtopo-record N\" belongs, with N in 0..1000000");
  CHECK(record_complaint("# vtopo-record 2\n") ==
        ":1:1: version 2 of the format; accepted is version 1");
  CHECK(record_complaint("# vtopo-record 1\n# ranks -4\n") ==
        ":2:1: \"# ranks -4\" stands where \"# ranks N\" belongs, with N in 0..16777216");
  CHECK(
      record_complaint("# vtopo-record 1\n# ranks 4\nsrc,dst,bytes\n")
          .starts_with(":3:1: columns \"src,dst,bytes\"; accepted are source,destination,bytes,"));
  CHECK(record_complaint(top + "0,1,2,3\n").starts_with(":4:8: 4 fields; accepted are 6: source,"));
  CHECK(record_complaint(top + "0,4,1,1,0,0\n") == ":4:3: rank 4 in a recording of 4 ranks");
  CHECK(record_complaint(top + "0,1,1,x,0,0\n") ==
        ":4:7: number of messages \"x\": accepted is an integer in 0..2^63-1");
  CHECK(record_complaint(top + "0,1,1,2147483647,0,1\n") ==
        ":4:7: 2147483648 messages from rank 0 to rank 1; accepted are up to 2147483647");
  CHECK(record_complaint(top + "0,1,1,1,0,0\n") ==
        ":4:12: the file ends before its last line \"# end N\": the recording is cut off");
  CHECK(record_complaint(top + "0,1,1,1,0,0\n# end 2\n") ==
        ":5:1: \"# end 2\" after 1 lines: lines are missing or added");
  CHECK(record_complaint(top + "0,1,1,1,0,0\n# end 1\n\n1,0,9,9,0,0\n") ==
        ":7:1: \"1,0,9,9,0,0\" behind the last line \"# end 1\"; accepted is one recording per "
        "file");
}
