#include "topology/traffic/traffic.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>
#include <fstream>
#include <iterator>
#include <optional>
#include <set>

#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

#include "tests/support/folders.hpp"
#include "tests/topology/data.hpp"

using namespace vtopo;
using tests::message_of;
using tests::TemporaryFile;

namespace {

const std::string lammps = tests::source_path("examples/lammps-lj-64");

CommGraph recorded_traffic(const std::string& path, const TrafficOptions& options = {}) {
  return read_traffic(path, options);
}

TrafficOptions kinds(std::string_view list) {
  return {{}, {}, parse_prof_kinds(list)};
}

/// What the reader says about a file of the test data, without the path in front.
std::string traffic_complaint(const std::string& name, const TrafficOptions& options = {}) {
  return tests::message_about(data(name), [&] { read_traffic(data(name), options); });
}

/// Out edges of a rank as `destination:volume/messages`.
std::string edges_of(const CommGraph& graph, int source) {
  std::string text;
  for (const auto& edge : graph.out_edges(Rank{source}))
    text += fmt::format("{}{}:{}/{}", text.empty() ? "" : " ", number(edge.destination),
                        edge.volume.value, edge.messages);
  return text;
}

}  // namespace

TEST_CASE("An edge list keeps order and parallel edges, and leaves silent entries out") {
  // The file: byte order mark, CRLF, comments, blanks around fields, 1e3 and 0.5 bytes.
  const CommGraph graph = recorded_traffic(data("odd-but-valid-edges.csv"));
  CHECK(graph.num_ranks() == 6);  // largest id 5, of an entry without volume and message
  CHECK(edges_of(graph, 0) == "2:1000/1 1:0.5/4 2:8/1");
  CHECK(edges_of(graph, 1) == "1:0/1");
  CHECK(graph.num_edges() == 4);
}

TEST_CASE("Edges may stand between blanks, and a comma behind each row") {
  for (const std::string text :
       {"src dst bytes\n0 1 8\n1  2 16\n", "src,dst,bytes\n0,1,8,\n1,2,16,\n",
        "src,dst,dataVolume\n0,1,8\n1,2,16\n", "transferred bytes,src,dst\n8,0,1\n16,1,2\n"}) {
    CAPTURE(text);
    const TemporaryFile file("edges.csv", text);
    const CommGraph graph = recorded_traffic(file.path());
    CHECK(edges_of(graph, 0) + " " + edges_of(graph, 1) == "1:8/1 2:16/1");
  }
}

TEST_CASE("An edge list without messages counts one message per line") {
  const CommGraph graph = recorded_traffic(data("without-messages.csv"));
  CHECK(edges_of(graph, 0) == "1:8/1");
}

TEST_CASE("The halo example holds what its comment says") {
  // 4x4 open grid: 24 directed edges along each dimension, 24 * 65536 + 24 * 32768 = 2359296.
  const CommGraph graph = recorded_traffic(tests::source_path("examples/halo-4x4.csv"));
  CHECK(graph.num_ranks() == 16);
  CHECK(graph.num_edges() == 48);
  CHECK(graph.total_volume().value == 2359296);
}

TEST_CASE("In a dense matrix rows are senders, between commas or between blanks and tabs") {
  for (const std::string name : {"valid-dense.csv", "valid-dense.mat"}) {
    const CommGraph graph = recorded_traffic(data(name));
    CHECK(graph.num_ranks() == 3);
    CHECK(edges_of(graph, 0) == "1:10/1 2:2.5/1");
    CHECK(edges_of(graph, 1).empty());
    CHECK(edges_of(graph, 2) == "0:1000000/1 2:7/1");
  }
}

TEST_CASE("A malformed edge list is refused with its place") {
  const std::string header =
      "; accepted is src,dst,bytes or src,dst,bytes,messages, in any order, or names such as "
      "source,target,weight; --weights pattern needs no volume";
  CHECK(traffic_complaint("wrong-header.csv") == ":1:1: header \"src,dst,cost\"" + header);
  CHECK(traffic_complaint("edge-row-cut-off.csv") == ":3:4: 2 fields where the header has 3");
  CHECK(traffic_complaint("edge-row-too-long.csv") == ":2:7: 4 fields where the header has 3");
  CHECK(traffic_complaint("negative-volume.csv") ==
        ":2:5: volume \"-8\" is negative: accepted are numbers >= 0, and with --weights abs or "
        "--weights pattern any");
  CHECK(traffic_complaint("infinite-volume.csv") ==
        ":2:5: volume \"inf\" is not a number in 0..1e+24");
  CHECK(traffic_complaint("volume-with-unit.csv") ==
        ":2:5: volume \"8kB\" is not a number in 0..1e+24");
  CHECK(traffic_complaint("messages-not-an-integer.csv") ==
        ":2:7: number of messages \"0.5\" is not an integer in 0..2147483647");
  CHECK(traffic_complaint("header-alone.csv") ==
        ": no rank is named and no number of ranks is given");
  CHECK(traffic_complaint("nul-byte.csv") == ":3:3: NUL byte where text is needed: a binary file?");
  CHECK(traffic_complaint("valid-dense.csv", {TrafficFormat::edge_list_csv, {}, {"E"}}) ==
        ":1:1: header \"0,10,2.5\"" + header);
}

TEST_CASE("A rank that is no id is refused with its place") {
  const auto no_id = [](const std::string& text) {
    return "rank \"" + text + "\" is not an integer in 0..16777215";
  };
  CHECK(traffic_complaint("huge-id.csv") == ":2:3: " + no_id("2000000000"));
  CHECK(traffic_complaint("id-not-an-integer.csv") == ":2:4: " + no_id("1.5"));
  CHECK(traffic_complaint("negative-id.csv") == ":2:1: " + no_id("-1"));
  CHECK(traffic_complaint("id-over-64-bits.csv") == ":2:1: " + no_id("99999999999999999999"));
  CHECK(traffic_complaint("huge-id.prof") == ":1:5: " + no_id("2000000000"));
}

TEST_CASE("A malformed or truncated dense matrix is refused with its place") {
  CHECK(traffic_complaint("dense-row-missing.csv") ==
        ":2:6: the file ends after 2 rows of a matrix with 3 columns; accepted are as many rows as "
        "columns, and edges below a header src,dst,bytes[,messages]");
  CHECK(traffic_complaint("dense-row-too-many.csv") ==
        ":3:1: row 3 of a matrix with 2 columns; accepted are as many rows as columns, and edges "
        "below a header src,dst,bytes[,messages]");
  CHECK(traffic_complaint("dense-row-short.csv") ==
        ":2:4: row of 2 numbers where the first row has 3");
  CHECK(traffic_complaint("dense-row-long.csv") ==
        ":2:5: row of 3 numbers where the first row has 2");
  CHECK(traffic_complaint("dense-negative.csv") ==
        ":2:1: volume \"-3\" is negative: accepted are numbers >= 0, and with --weights abs or "
        "--weights pattern any");
  CHECK(traffic_complaint("dense-not-a-number.mat") ==
        ":2:5: volume \"x\" is not a number in 0..1e+24");
  CHECK(traffic_complaint("empty.csv", {TrafficFormat::dense_csv, 4, {"E"}}) ==
        ": no row; accepted are N lines of N volumes, rows are senders");
  CHECK(traffic_complaint("empty.csv") ==
        ": no line; accepted are an edge list with the header src,dst,bytes[,messages] and a dense "
        "matrix");
}

TEST_CASE("The LAMMPS recording has 64 ranks with 6 partners each in kind E") {
  // cat examples/lammps-lj-64/*.prof |
  //   awk -F'\t' '$1=="E"{n++; split($4,b," "); s+=b[1]; split($5,m," "); k+=m[1]}
  //               END{printf "%d %.0f %d\n",n,s,k}'
  // prints 384 174566992 18432.
  const CommGraph graph = recorded_traffic(lammps);
  CHECK(graph.num_ranks() == 64);
  CHECK(graph.num_edges() == 384);
  CHECK(graph.total_volume().value == 174566992);
  int messages = 0;
  graph.for_each_edge([&](Rank, const CommEdge& edge) { messages += edge.messages; });
  CHECK(messages == 18432);
  for (int r = 0; r < 64; ++r) {
    std::set<Rank> partners;
    for (const auto& edge : graph.out_edges(Rank{r})) partners.insert(edge.destination);
    CHECK(partners.size() == 6);
  }
  // The first lines of lj.0.prof, in their order.
  CHECK(edges_of(graph, 0) ==
        "1:667352/48 3:671840/48 4:422432/48 12:425696/48 16:267408/48 48:269448/48");
}

TEST_CASE("Every LAMMPS edge is one step in the periodic 4x4x4 grid that LAMMPS chose") {
  int slips = 0;
  recorded_traffic(lammps).for_each_edge([&](Rank source, const CommEdge& edge) {
    int steps = 0;
    for (const int stride : {1, 4, 16}) {
      const int a = number(source) / stride % 4;
      const int b = number(edge.destination) / stride % 4;
      steps += std::min((a - b + 4) % 4, (b - a + 4) % 4);
    }
    if (steps != 1) ++slips;
  });
  CHECK(slips == 0);
}

TEST_CASE("Further kinds of a recording are added up per pair of ranks") {
  // cat examples/lammps-lj-64/*.prof |
  //   awk -F'\t' '$1=="E"||$1=="I"{p[$2" "$3]; split($4,b," "); s+=b[1]}
  //               END{printf "%d %.0f\n",length(p),s}'
  // prints 672 174863203, and with C for I 4032 177406339.
  const CommGraph inside = recorded_traffic(lammps, kinds("E,I"));
  CHECK(inside.num_edges() == 672);
  CHECK(inside.total_volume().value == 174863203);
  const CommGraph collectives = recorded_traffic(lammps, kinds("E,C"));
  CHECK(collectives.num_edges() == 4032);
  CHECK(collectives.total_volume().value == 177406339);
  // lj.0.prof: E to 1 has 667352 bytes in 48 messages, I to 1 has 1201 bytes in 111.
  CHECK(inside.out_edges(Rank{0})[0].volume.value == 668553);
  CHECK(inside.out_edges(Rank{0})[0].messages == 159);
}

TEST_CASE("What a recording does not count is said, with the kinds that count it") {
  const auto remarks = [](std::string_view list) {
    return read_recorded_traffic(data("collectives-only-prof"), kinds(list)).remarks;
  };
  const std::string where = data("collectives-only-prof") + ": not counted: ";
  // By hand: two ranks, 500 bytes of I, 400 of C and 50 written each; no line of kind E.
  CHECK(remarks("E") ==
        std::vector{where +
                    "1000 B of kind I (inside the library), 800 B of kind C (the same "
                    "collectives), 100 B of kind S (one-sided writes); --prof-kinds E,I,S counts "
                    "them"});
  CHECK(remarks("E,C") ==
        std::vector{where + "100 B of kind S (one-sided writes); --prof-kinds E,C,S counts it"});
  CHECK(remarks("I,S").empty());
  CHECK(recorded_traffic(data("collectives-only-prof"), kinds("I,S")).total_volume().value == 1100);
  TrafficOptions collective;
  collective.record_kinds = RecordKinds::collective;
  CHECK_THAT(
      message_of<UsageError>([&] { recorded_traffic(data("collectives-only-prof"), collective); }),
      Catch::Contains("accepted is --prof-kinds, such as --prof-kinds E,I"));
}

// Files as in test/monitoring/prof of Open MPI: two phases of two ranks, of which rank 1 is silent
// in the second. By hand: 100 + 20 bytes from rank 0 to rank 1, 7 back.
TEST_CASE("Files of older versions have a phase in front of the rank, and phases are added up") {
  const auto recorded = read_recorded_traffic(data("prof-phases"), kinds("E"));
  CHECK(edges_of(recorded.graph, 0) == "1:120/3");
  CHECK(edges_of(recorded.graph, 1) == "0:7/1");
  REQUIRE(recorded.remarks.size() == 2);
  CHECK(recorded.remarks[1] == data("prof-phases") + ": the phases 1, 2 are added up");
  CHECK(traffic_complaint("prof-phase-without-rank-0") ==
        ": no file of rank 0; accepted is one .prof file of each rank in 0..1");
  CHECK(traffic_complaint("prof-two-recordings") ==
        "/b_1_0.prof: another recording, \"b\", besides \"a\"; accepted is one");
}

// ompi/mca/pml/monitoring/pml_monitoring.c of Open MPI 2: messages with the library's negative tags
// are filtered and written as E, all others as I, and there are no headings.
TEST_CASE("Lines I of Open MPI before 3.0 are what the application sends") {
  const auto recorded = [](const std::string& text, std::string_view list) {
    const TemporaryFile file("old.prof", text);
    return read_recorded_traffic(file.path(), kinds(list));
  };
  const std::string old =
      "I\t0\t1\t216 bytes\t9 msgs sent\nI\t0\t2\t30 bytes\t1 msgs sent\n"
      "E\t0\t1\t5 bytes\t4 msgs sent\n";
  const auto user = recorded(old, "E");
  CHECK(edges_of(user.graph, 0) == "1:216/9 2:30/1");
  REQUIRE(user.remarks.size() == 2);
  CHECK_THAT(user.remarks[0],
             Catch::Contains("lines I count as kind E (point-to-point), lines E as "
                             "kind I (inside the library)"));
  CHECK_THAT(user.remarks[1],
             Catch::EndsWith("not counted: 5 B of kind I (inside the library); --prof-kinds E,I "
                             "counts it"));
  CHECK(edges_of(recorded(old, "I").graph, 0) == "1:5/4");
  CHECK(edges_of(recorded(old, "E,I").graph, 0) == "1:221/13 2:30/1");  // 216 + 5, 9 + 4
  const auto all = recorded("I\t0\t1\t216 bytes\t9 msgs sent\n", "E");
  CHECK(edges_of(all.graph, 0) == "1:216/9");
  CHECK_THAT(all.remarks.at(0), Catch::Contains("collectives may be among them"));
  // With a heading, or kinds that only later versions have, the letters mean what they say.
  CHECK(edges_of(recorded("# POINT TO POINT\n" + old, "E").graph, 0) == "1:5/4");
  CHECK(edges_of(recorded(old + "C\t0\t1\t8 bytes\t1 msgs sent\n", "E").graph, 0) == "1:5/4");
}

TEST_CASE("A few lines that may be edges just as well are not taken for a matrix") {
  const auto complaint = [](const std::string& text) {
    const TemporaryFile file("list.csv", text);
    return tests::message_about(file.path(), [&] { recorded_traffic(file.path()); });
  };
  CHECK(complaint("0,1,1000\n1,2,1000\n2,0,1000\n") ==
        ": 3 lines of 3 numbers are a matrix or 3 edges; accepted are a matrix whose format is "
        "named (dense), and edges below a header src,dst,bytes[,messages]");
  CHECK_THAT(complaint("0 1 5 1\n1 2 5 1\n2 3 5 1\n3 0 5 1\n"),
             Catch::Contains("4 lines of 4 numbers are a matrix or 4 edges"));
  CHECK_THAT(complaint("5,7,0.5\n7,9,0.5\n9,5,0.5\n"), Catch::Contains("are a matrix or"));
  CHECK_THAT(complaint("0,1\n1,2\n"), Catch::Contains("are a matrix or"));
  // No traffic of a rank with itself, fractions or equal ends: a matrix.
  for (const std::string text :
       {"0,1,1\n1,0,1\n1,1,0\n", "8,1.5,1\n1,8,1\n1,1,8\n", "8,8,1\n1,8,1\n1,2,8\n", "7\n",
        "0,1,5,0.5\n1,2,5,1\n2,3,5,1\n3,0,5,1\n",
        "0,1,1,1,1\n1,2,1,1,1\n2,3,1,1,1\n3,4,1,1,1\n4,0,1,1,1\n"})
    CHECK(complaint(text) == "no error");
  const TemporaryFile named("list.csv", "0,1,1000\n1,2,1000\n2,0,1000\n");
  CHECK(recorded_traffic(named.path(), {TrafficFormat::dense_csv, {}, {"E"}}).num_ranks() == 3);
  const TemporaryFile mat("list.mat", "0 1 1000\n1 2 1000\n2 0 1000\n");
  CHECK(recorded_traffic(mat.path()).num_edges() == 7);
}

// By hand: rank 0 sends 1 to 1 and 2 to 2, rank 1 sends 3 to 0 and 4 to 2, rank 2 sends 5 and 6.
TEST_CASE("A matrix may have the names of its columns above and of its rows in front") {
  const auto read = [](const std::string& text, std::optional<TrafficFormat> format = {}) {
    const TemporaryFile file("matrix.csv", text);
    const auto recorded = read_recorded_traffic(file.path(), {format, {}, {"E"}});
    std::string all = edges_of(recorded.graph, 0) + " | " + edges_of(recorded.graph, 1) + " | " +
                      edges_of(recorded.graph, 2);
    for (const std::string& remark : recorded.remarks)
      all += " !" + remark.substr(file.path().size() + 2);
    return all;
  };
  const std::string expected = "1:1/1 2:2/1 | 0:3/1 2:4/1 | 0:5/1 1:6/1";
  for (const std::string text :
       {",n0,n1,n2\nn0,0,1,2\nn1,3,0,4\nn2,5,6,0\n",          // pandas
        "rank;n0;n1;n2\r\nn0;0;1;2\r\nn1;3;0;4\r\nn2;5;6;0",  // a word in the corner
        ",0,1,2\n0,0,1,2\n1,3,0,4\n2,5,6,0\n",                // pandas without names
        "from/to,0,1,2\n0,0,1,2\n1,3,0,4\n2,5,6,0\n",
        "\"\",\"n0\",\"n1\",\"n2\"\n\"n0\",0,1,2\n\"n1\",3,0,4\n\"n2\",5,6,0\n",
        "\xEF\xBB\xBFn0,n1,n2\n0,1,2\n3,0,4\n5,6,0\n",                         // a header alone
        "\"\",\"V1\",\"V2\",\"V3\"\n\"1\",0,1,2\n\"2\",3,0,4\n\"3\",5,6,0\n",  // R, without names
        "\"0\",\"1\",\"2\"\n\"3\",\"0\",\"4\"\n\"5\",\"6\",\"0\"\n",           // no name, in quotes
        "n0,0,1,2\nn1,3,0,4\nn2,5,6,0\n",                                      // rows alone
        "n0,n1,n2,\n0,1,2,\n3,0,4,\n5,6,0,\n",        // every line ended by a comma
        ",n0,n1,n2\nn2,5,6,0\nn0,0,1,2\nn1,3,0,4\n",  // rows in another order
        ",to0,to1,to2\nfrom0,0,1,2\nfrom1,3,0,4\nfrom2,5,6,0\n"}) {
    CAPTURE(text);
    CHECK(read(text).substr(0, expected.size()) == expected);
    CHECK((read(text) == expected || text.find("V1") != text.npos));
  }
  // Edges stand as the file has them.
  CHECK(read(",n2,n0,n1\nn2,0,5,6\nn0,2,0,1\nn1,4,3,0\n") ==
        "2:2/1 1:1/1 | 2:4/1 0:3/1 | 0:5/1 1:6/1");
  // R's write.table: the corner has no field.
  const std::string r = "\"n0\" \"n1\" \"n2\"\n\"n0\" 0 1 2\n\"n1\" 3 0 4\n\"n2\" 5 6 0\n";
  CHECK(read(r, TrafficFormat::treematch) == expected);
  CHECK(read("\tn0\tn1\tn2\nn0\t0\t1\t2\nn1\t3\t0\t4\nn2\t5\t6\t0\n", TrafficFormat::dense_csv) ==
        expected);
  // What spreadsheets add: sums, which are not ranks, and empty cells.
  const std::string sums = " !\"total\" is left out: sums are not ranks";
  CHECK(read(",n0,n1,n2,total\nn0,0,1,2,3\nn1,3,0,4,7\nn2,5,6,0,11\n") == expected + sums);
  CHECK(read("n0;n1;n2;total\n0;1;2;3\n3;0;4;7\n5;6;0;11\n") == expected + sums);
  CHECK(read("sep=;\n;n0;n1;n2\nn0;0;1;2\nn1;3;0;4\nn2;5;6;0\ntotal;8;7;6\n") == expected + sums);
  CHECK(read("\"\",'n0','n1','n2','Row Sum'\n'n0',0,1,2,3\n'n1',3,0,4,7\n'n2',5,6,0,11\n"
             "'Column sum',8,7,6,21\n") ==
        expected + " !\"Column sum\" is left out: sums are not ranks");
  CHECK(read("total,n0,n1,n2\nn2,5,6,0\nn0,0,1,2\nn1,3,0,4\n") == expected);  // a corner
  CHECK(read("total,8,7,6\nn0,0,1,2\nn1,3,0,4\nn2,5,6,0\n") == expected + sums);
  CHECK(read(",n0,n1,n2\nn0,,1,2\nn1,3,,4\nn2,5,6,\n") == expected + " !3 empty cells taken as 0");
  CHECK(read("0,1,2\n3,,4\n5,6,0\n") == expected + " !1 empty cell taken as 0");
  CHECK(read("% of a solver\n+0|1.0D0|2\n// second\n3|0|4\n5|6|0.0\n") == expected);
  CHECK(read(",c,a,b\nc,0,1,2\na,3,0,4\nb,5,6,0\n") ==
        expected +
            " !the names of the nodes are not the numbers 0 to 2: nodes are ranks in the order of "
            "the file, \"c\" is rank 0, \"a\" is rank 1, \"b\" is rank 2");
  // More columns than edges have: the numbers above five rows of five are names.
  CHECK(read("0,1,2,3,4\n0,1,2,0,0\n3,0,4,0,0\n5,6,0,0,0\n0,0,0,0,0\n0,0,0,0,0\n") ==
        expected + " !the first line, the numbers 0 to 4, names the columns");
}

TEST_CASE("A table that may be edges, or whose names do not match, is not read as a matrix") {
  const auto complaint = [](const std::string& text) {
    const TemporaryFile file("matrix.csv", text);
    return tests::message_about(file.path(), [&] { recorded_traffic(file.path()); });
  };
  const std::string names =
      ": rows and columns of the matrix have different names, or a name twice; accepted are the "
      "same names of both, each once";
  CHECK(complaint(",n0,n1,n2\nn0,0,1,2\nn1,3,0,4\nn3,5,6,0\n") == names);
  CHECK(complaint(",n0,n1,n1\nn0,0,1,2\nn1,3,0,4\nn1,5,6,0\n") == names);
  CHECK(complaint(",n0,n1,n2\nn0,0,1,2\nn1,3,0,4\nn1,5,6,0\n") == names);
  CHECK(complaint("n0,0,1\nn0,3,0\n") == names);
  CHECK_THAT(complaint("from0,to0,load\n0,1,5\n1,2,5\n2,0,5\n"),
             Catch::Contains("3 lines of 3 numbers are a matrix or 3 edges"));
  CHECK_THAT(complaint("0,1,2\n1,2,5\n2,0,5\n0,2,5\n"), Catch::Contains("row 4 of a matrix"));
  CHECK_THAT(complaint("0,8\n0,0,1\n4,0,0\n"), Catch::Contains("row of 3 numbers"));
  CHECK_THAT(complaint("a,b,c\n0,1,2\n3,0,4\n"), Catch::Contains("header \"a,b,c\"; accepted"));
  CHECK_THAT(complaint("0,x,2\n3,0,4\n5,6,0\n"), Catch::Contains("header \"0,x,2\"; accepted"));
  CHECK_THAT(complaint("src,dst,bytes\n0,1,2\n3,0,4\n5,6,x\n"),
             Catch::Contains("volume \"x\" is not a number"));
}

TEST_CASE("A single .prof file is a recording too, with the ranks of its communicators") {
  const CommGraph graph = recorded_traffic(lammps + "/lj.17.prof");
  CHECK(graph.num_ranks() == 64);
  CHECK(graph.num_edges() == 6);
  CHECK(graph.out_edges(Rank{17}).size() == 6);
}

TEST_CASE("One-sided reads count from the target to the reader, silent members are ranks") {
  // Rank 1 reads 100 bytes from rank 0 and writes 7 to rank 2; rank 3 only belongs to the world.
  const CommGraph graph = recorded_traffic(data("one-sided.prof"), kinds("S,R"));
  CHECK(graph.num_ranks() == 4);
  CHECK(edges_of(graph, 0) == "1:100/1");
  CHECK(edges_of(graph, 1) == "2:7/1");
  CHECK(graph.num_edges() == 2);
}

TEST_CASE("A malformed or cut off .prof file is refused with its place") {
  CHECK(traffic_complaint("cut-off-in-line.prof") ==
        ":2:10: the file ends inside this line: the recording is cut off, Open MPI ends every line "
        "with a line end");
  CHECK(traffic_complaint("field-missing.prof") ==
        ":2:10: the line ends after 4 of at least 5 fields; accepted is kind, source, destination, "
        "\"N bytes\", \"N msgs sent\" between tabs");
  CHECK(traffic_complaint("unit-cut-off.prof") ==
        ":2:7: \"100 byt\" is not a number with \" bytes\" behind it");
  const std::string accepted =
      "is unknown; accepted are E I S R C D O2A A2O A2A, with tabs between fields";
  CHECK(traffic_complaint("unknown-kind.prof") == ":2:1: line kind \"X\" " + accepted);
  CHECK(traffic_complaint("blanks-for-tabs.prof") ==
        ":1:1: line kind \"E 0 1 5 bytes 1 msgs sent\" " + accepted);
  CHECK(traffic_complaint("negative-volume.prof") ==
        ":1:7: volume \"-5\" is not a number in 0..1e+24");
  CHECK(traffic_complaint("messages-not-an-integer.prof") ==
        ":1:15: number of messages \"1.5\" is not an integer in 0..2147483647");
  CHECK(traffic_complaint("empty.prof") == ": no line: the recording of this rank is cut off");
  CHECK(traffic_complaint("too-many-messages.prof") ==
        ": 4294967294 messages from rank 0 to rank 1; accepted are up to 2147483647");
}

TEST_CASE("A recording cut off anywhere inside a line is refused") {
  std::ifstream stream(lammps + "/lj.17.prof");
  const std::string whole{std::istreambuf_iterator<char>(stream), {}};
  REQUIRE(whole.size() > 4000);
  int slips = 0;
  for (std::size_t length = 1; length < whole.size(); ++length) {
    const TemporaryFile cut("cut.prof", whole.substr(0, length));
    const bool accepted =
        message_of<InputError>([&] { recorded_traffic(cut.path()); }) == "no error";
    if (accepted != (whole[length - 1] == '\n')) ++slips;
  }
  // The first line is a heading: what is cut right behind it names no rank and is refused too.
  CHECK(slips == 1);
}

TEST_CASE("A folder must hold one file of each rank") {
  CHECK(traffic_complaint("prof-missing-rank-1") ==
        ": no file of rank 1; accepted is one .prof file of each rank in 0..2");
  CHECK(traffic_complaint("prof-silent-partner") ==
        ": no file of rank 1; accepted is one .prof file of each rank in 0..1");
  CHECK(traffic_complaint("prof-second-file-of-rank-1") ==
        "/run.1.prof: second file of rank 1 besides " + data("prof-second-file-of-rank-1") +
            "/run.01.prof; accepted is one per rank");
  CHECK(traffic_complaint("prof-line-of-other-rank") ==
        "/run.1.prof:1:3: rank 0 in the file of rank 1; accepted are lines of the rank in the file "
        "name");
  CHECK(traffic_complaint("prof-name-without-rank") ==
        "/run.prof: no rank in the file name; accepted in a folder are names such as run.17.prof "
        "with ranks 0..16777215");
  CHECK(traffic_complaint("folder-without-prof") == ": no .prof file in the folder");
  CHECK(traffic_complaint("folder-without-prof", {TrafficFormat::dense_csv, {}, {"E"}}) ==
        ": is a folder where a file is needed");
}

TEST_CASE("A larger number of ranks adds silent ones, a smaller one is a sentence") {
  const std::string file = data("valid-dense.csv");
  CHECK(recorded_traffic(file, {{}, 10, {"E"}}).num_ranks() == 10);
  CHECK(recorded_traffic(file, {{}, 3, {"E"}}).num_ranks() == 3);
  CHECK(message_of<UsageError>([&] {
          recorded_traffic(file, {{}, 2, {"E"}});
        }) == "2 ranks for " + file + ", which names 3 ranks: accepted are 3..16777216");
  CHECK_THROWS_AS(recorded_traffic(file, {{}, 16777217, {"E"}}), UsageError);
  CHECK(recorded_traffic(data("header-alone.csv"), {{}, 4, {"E"}}).num_ranks() == 4);
  CHECK_THROWS_AS(recorded_traffic(data("header-alone.csv"), {{}, 0, {"E"}}), UsageError);
}

TEST_CASE("A format that is not known is a sentence, unless the file is missing") {
  CHECK(message_of<UsageError>([] { recorded_traffic(data("traffic.unknown")); }) ==
        "no traffic format known for the extension \".unknown\" of " + data("traffic.unknown") +
            "; --traffic-format NAME (of convert --from NAME) says it: edges, dense, mat, prof, "
            "record, smpi, metis, scotch, mtx, graphml, dot; rows of numbers, as there, are "
            "--traffic-format dense");
  CHECK(recorded_traffic(data("traffic.unknown"), {TrafficFormat::dense_csv, {}, {"E"}})
            .num_edges() == 1);
  CHECK(message_of<InputError>([] { recorded_traffic("/no/such.unknown"); }) ==
        "/no/such.unknown: no such file");
  CHECK(message_of<InputError>([] { recorded_traffic("/no/such.prof"); }) ==
        "/no/such.prof: no such file");
}

TEST_CASE("Formats have names, with a suggestion for a slip") {
  CHECK(parse_traffic_format("edges") == TrafficFormat::edge_list_csv);
  CHECK(parse_traffic_format("dense") == TrafficFormat::dense_csv);
  CHECK(parse_traffic_format("prof") == TrafficFormat::openmpi_prof);
  CHECK(parse_traffic_format("record") == TrafficFormat::vtopo_record);
  CHECK(message_of<UsageError>([] { parse_traffic_format("dens"); }) ==
        "unknown traffic format \"dens\"; accepted: edges, dense, mat, prof, record, smpi, "
        "metis, scotch, mtx, graphml, dot; did you mean \"dense\"?");
}

TEST_CASE("Line kinds are a comma list in which I and C exclude each other") {
  using Kinds = std::vector<std::string>;
  CHECK(parse_prof_kinds("E") == Kinds{"E"});
  CHECK(parse_prof_kinds("E,C") == Kinds{"E", "C"});
  CHECK(parse_prof_kinds("E,I,E") == Kinds{"E", "I"});
  CHECK(message_of<UsageError>([] { parse_prof_kinds("E,I,C"); }) ==
        "line kinds I and C in \"E,I,C\" both count collectives; accepted is one of them, such as "
        "E,I or E,C");
  CHECK(message_of<UsageError>([] { parse_prof_kinds("E,,X"); }) ==
        "line kind \"\" in \"E,,X\" is unknown; accepted are E, I, C, S and R between commas");
  CHECK_THROWS_AS(parse_prof_kinds("e"), UsageError);
  CHECK_THROWS_AS(recorded_traffic(lammps, {{}, {}, {"I", "C"}}), UsageError);
}

namespace {

RecordedTraffic weighed(const std::string& name, const std::string& text,
                        WeightRule rule = WeightRule::value) {
  TrafficOptions options;
  options.weights = rule;
  return read_recorded_traffic(tests::write_file(name, text), options);
}

std::vector<std::string> edges_of(const RecordedTraffic& traffic) {
  std::vector<std::string> edges;
  traffic.graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back(fmt::format("{}>{} {} {}", number(source), number(edge.destination),
                                edge.volume.value, edge.messages));
  });
  return edges;
}

using Lines = std::vector<std::string>;

}  // namespace

TEST_CASE("Columns of an edge list have any order and the names that people give them") {
  const Lines edges{"0>1 8 2", "1>2 4 1"};
  for (const std::string text :
       {"bytes,messages,dst,src\n8,2,1,0\n4,1,2,1\n",
        ",Source,Target,Volume (bytes),Count\n"
        "0,0,1,8,2\n1,1,2,4,1\n",
        "from;to;volume;msgs\n0;1;8;2\n1;2;4;1\n",
        "Sender rank,Receiver rank,Bytes,Messages\n\"0\",\"1\",\"8\",\"2\"\n1,2,\"4\",1\n",
        "\"src_rank\",\"dst_rank\",\"total_bytes\",\"num_messages\"\n0,1,8,2\n1,2,4,1\n",
        "index,rank,peer,n_bytes,calls\n7,0,1,8,2\n8,1,2,4,1\n",
        "idx,edge_volume,rank_to,from_process,Messages sent\n0,8,1,0,2\n1,4,2,1,1\n",
        "FromNodeId\tToNodeId\tBytes [B]\tMsgs\n0\t1\t8\t2\n1\t2\t4\t1\n"}) {
    CAPTURE(text);
    const auto traffic = weighed("edges.csv", text);
    CHECK(edges_of(traffic) == edges);
    if (!text.starts_with("idx")) CHECK(traffic.remarks.empty());
  }
}

TEST_CASE("Columns that may mean the same, and other units than bytes, are refused") {
  const auto error = [](const std::string& header) {
    return message_of<InputError>([&] { weighed("edges.csv", header + "\n0,1,2,3\n"); });
  };
  CHECK_THAT(error("src,dst,src,bytes"),
             Catch::Contains(":1:1: columns \"src\" and \"src\" mean the same: accepted is one"));
  CHECK_THAT(error("src,dst,volume (KiB),tag"),
             Catch::Contains(":1:1: column \"volume (KiB)\": accepted are volumes in bytes"));
  // Ranks count where a line also names nodes.
  CHECK(edges_of(weighed("edges.csv", "src_node,src_rank,dst_node,dst_rank,bytes\n7,0,8,1,2\n")) ==
        Lines{"0>1 2 1"});
}

// As in GraphML and DOT.
TEST_CASE("Names of ranks in an edge list are numbers behind one prefix, or count as they come") {
  const auto numbered = weighed("edges.csv", "src,dst,bytes\nn2,n1,8\nn0,n2,4\n");
  CHECK(edges_of(numbered) == Lines{"0>2 4 1", "2>1 8 1"});
  CHECK(numbered.remarks.empty());
  const auto named = weighed("edges.csv", "src,dst,bytes\nhost,gpu,8\ngpu,disk,0\ndisk,host,4\n");
  CHECK(edges_of(named) == Lines{"0>1 8 1", "1>2 0 1", "2>0 4 1"});
  REQUIRE(named.remarks.size() == 1);
  CHECK_THAT(named.remarks[0], Catch::Contains("\"host\" is rank 0, \"gpu\" is rank 1, \"disk\" is "
                                               "rank 2"));
  CHECK_THAT(message_of<InputError>([] { weighed("e.csv", "src,dst,bytes\nn0,n1,8\nn0,,8\n"); }),
             Catch::Contains(":3:4: rank \"\" is not an integer"));
  CHECK_THAT(message_of<InputError>([] { weighed("e.csv", "src,dst,bytes\n0,1,8\nn0,1,8\n"); }),
             Catch::Contains(":3:1: rank \"n0\" is not an integer"));
}

TEST_CASE("An edge list says what it took for bytes and what it left out") {
  const auto traffic = weighed("weights.csv", "source,target,weight,tag,time\n1,2,8,0,0.5\n");
  REQUIRE(traffic.remarks.size() == 3);
  CHECK_THAT(traffic.remarks[0], Catch::EndsWith(": column \"weight\" counts as bytes"));
  CHECK_THAT(traffic.remarks[1], Catch::EndsWith(": columns \"tag\", \"time\" not read"));
  CHECK_THAT(traffic.remarks[2], Catch::EndsWith(": no line names rank 0: ranks count from 0"));
  for (const char* heading :
       {"sent_volume_bytes", "Volume (Bytes)", "trafficBytes", "size_in_bytes", "number of bytes",
        "byte_count", "Communication Volume", "'bytes'"})
    CHECK(edges_of(weighed("bytes.csv", fmt::format("src,dst,{}\n0,1,8\n", heading))) ==
          Lines{"0>1 8 1"});
  for (const char* heading : {"number_of_messages", "message count", "msgs_sent", "numCalls"})
    CHECK(edges_of(weighed("calls.csv", fmt::format("src,dst,bytes,{}\n0,1,8,2\n", heading))) ==
          Lines{"0>1 8 2"});
  for (const char* heading : {"MB", "bytes_per_second", "mean_bytes", "volume [MB]"})
    CHECK_THROWS_AS(weighed("none.csv", fmt::format("src,dst,{}\n0,1,8\n", heading)), InputError);
  CHECK_THROWS_AS(weighed("none.csv", "src,dst\n0,1\n"), InputError);
  CHECK(edges_of(weighed("none.csv", "src,dst\n0,1\n", WeightRule::pattern)) == Lines{"0>1 1 1"});
}

TEST_CASE("Where the size of messages may be meant, it is said how it counts") {
  const auto together = weighed("size.csv", "src,dst,count,size\n0,1,3,90\n");
  CHECK(edges_of(together) == Lines{"0>1 90 3"});
  REQUIRE(together.remarks.size() == 1);
  CHECK_THAT(together.remarks[0], Catch::Contains("bytes of all messages (\"count\") of a line"));
  // By hand: 3 messages of 90 bytes.
  const auto each = weighed("each.csv", "src;dst;msg_size;num_messages\n0;1;90;3\n");
  CHECK(edges_of(each) == Lines{"0>1 270 3"});
  REQUIRE(each.remarks.size() == 1);
  CHECK_THAT(each.remarks[0], Catch::Contains("is the size of one message"));
  CHECK(edges_of(weighed("each.csv", "src,dst,message_bytes,messages\n0,1,90,3\n")) ==
        Lines{"0>1 270 3"});
  const auto alone = weighed("each.csv", "src,dst,message_bytes\n0,1,90\n");
  CHECK(edges_of(alone) == Lines{"0>1 90 1"});
  CHECK_THAT(alone.remarks.at(0), Catch::Contains("no column says how many messages"));
}

TEST_CASE("Edges come as spreadsheets, solvers and data frames write them") {
  for (const char* text : {"sep=;\nsrc;dst;bytes\n0;1;8\n", "'src','dst','bytes'\n'0','1','8'\n",
                           "% by a solver\nsrc|dst|bytes\n// and its edges\n+0|1|+8\n",
                           "src,dst,bytes\n0.0,1.0,8.0\n", "src dst bytes\n0 1 0.8D+01\n"}) {
    CAPTURE(text);
    CHECK(edges_of(weighed("edges.csv", text)) == Lines{"0>1 8 1"});
  }
  CHECK_THAT(
      message_of<InputError>([] { weighed("e.csv", "src,dst,bytes\na,b,8\ntotal,total,8\n"); }),
      Catch::Contains(":3:1: rank \"total\" is not an integer"));
}

// Gephi's table of edges has the direction of each in the column Type. By hand: half of 12 each
// way.
TEST_CASE("Edges of Gephi go both ways where their type is Undirected") {
  const std::string header = "Source,Target,Type,Id,Label,timeset,Weight\n";
  const auto mixed = weighed("gephi.csv", header + "0,1,Undirected,0,,,12\n1,2,Directed,1,a,,7\n");
  CHECK(edges_of(mixed) == Lines{"0>1 6 1", "1>0 6 1", "1>2 7 1"});
  REQUIRE(mixed.remarks.size() == 3);
  CHECK_THAT(mixed.remarks[2], Catch::Contains("1 of 2 lines are undirected"));
  CHECK(edges_of(weighed("gephi.csv", header + "2,0,Directed,0,,,12\n")) == Lines{"2>0 12 1"});
  const auto other = weighed("type.csv", "src,dst,type,bytes\n0,1,rdma,12\n");
  CHECK(edges_of(other) == Lines{"0>1 12 1"});
  CHECK_THAT(other.remarks.at(0), Catch::Contains("\"type\" is read only where it is Directed"));
}

// A stiffness matrix: the diagonal is positive, what couples is negative.
TEST_CASE("Matrices with negative entries are read by their values or their pattern") {
  const std::string lower =
      "%%MatrixMarket matrix coordinate real symmetric\n3 3 4\n1 1 2.5\n2 1 -1.5\n3 2 -1\n3 1 0\n";
  CHECK(edges_of(weighed("k.mtx", lower, WeightRule::abs)) ==
        Lines{"0>0 2.5 1", "0>1 1.5 1", "1>0 1.5 1", "1>2 1 1", "2>1 1 1"});
  CHECK(edges_of(weighed("k.mtx", lower, WeightRule::pattern)) ==
        Lines{"0>0 1 1", "0>1 1 1", "0>2 1 1", "1>0 1 1", "1>2 1 1", "2>1 1 1", "2>0 1 1"});
  CHECK(edges_of(weighed("k.mat", "0 -3\n2 0\n", WeightRule::abs)) == Lines{"0>1 3 1", "1>0 2 1"});
  CHECK(edges_of(weighed("k.csv", "src,dst,bytes\n0,1,-3\n", WeightRule::pattern)) ==
        Lines{"0>1 1 1"});
  CHECK(edges_of(weighed("k.mtx",
                         "%%MatrixMarket matrix coordinate complex hermitian\n2 2 1\n2 1 -3 4\n",
                         WeightRule::abs)) == Lines{"0>1 5 1", "1>0 5 1"});
  CHECK(edges_of(weighed("k.dot", "digraph { 0 -> 1 [bytes=-3]; 1 -> 0 [bytes=2] }",
                         WeightRule::abs)) == Lines{"0>1 3 1", "1>0 2 1"});
  CHECK(edges_of(weighed("k.dot", "digraph { 0 -> 1 [weight=-3] }", WeightRule::pattern)) ==
        Lines{"0>1 1 1"});
  CHECK_THROWS_AS(weighed("k.dot", "digraph { 0 -> 1 [weight=-3] }"), InputError);
  CHECK(edges_of(weighed("k.graph", "2 1 1\n2 -6\n1 -6\n", WeightRule::abs)) ==
        Lines{"0>1 3 1", "1>0 3 1"});
}

TEST_CASE("A symmetric matrix may have its upper half, or both") {
  const std::string head = "%%MatrixMarket matrix coordinate integer symmetric\n";
  const auto upper = weighed("u.mtx", head + "3 3 2\n1 2 4\n2 3 6\n");
  CHECK(edges_of(upper) == Lines{"0>1 4 1", "1>0 4 1", "1>2 6 1", "2>1 6 1"});
  REQUIRE(upper.remarks.size() == 1);
  CHECK_THAT(upper.remarks[0], Catch::Contains("with 2 entries above the diagonal"));
  const auto both = weighed("b.mtx", head + "3 3 3\n1 2 4\n2 1 4\n3 2 6\n");
  CHECK(edges_of(both) == Lines{"0>1 4 1", "1>0 4 1", "1>2 6 1", "2>1 6 1"});
  CHECK_THAT(both.remarks.at(0), Catch::Contains("both halves: 2 entries have an opposite one"));
}

TEST_CASE("Fractional weights of METIS are rounded, which is said") {
  const auto traffic = weighed("f.graph", "3 2 1\n2 2.0\n1 2.0 3 0.2\n2 0.2\n");
  // Half of a weight flows each way.
  CHECK(edges_of(traffic) == Lines{"0>1 1 1", "1>0 1 1", "1>2 0.5 1", "2>1 0.5 1"});
  REQUIRE(traffic.remarks.size() == 1);
  CHECK_THAT(traffic.remarks[0], Catch::Contains("2 weights are not whole and rounded"));
  CHECK(weighed("f.graph", "2 1 1\n2 0.2\n1 0.2\n", WeightRule::pattern).remarks.empty());
}
