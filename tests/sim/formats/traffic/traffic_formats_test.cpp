#include "sim/formats/traffic/foreign_traffic.hpp"

#include <catch2/catch.hpp>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;
using tests::TemporaryFile;

namespace {

TrafficOptions as(TrafficFormat format) {
  TrafficOptions options;
  options.format = format;
  return options;
}

/// Graph as `ranks: source>destination:volume/messages ...`.
std::string content(const CommGraph& graph) {
  const std::string edges = tests::edges_as_text(graph);
  return fmt::format("{}:{}{}", graph.num_ranks(), edges.empty() ? "" : " ", edges);
}

std::string read_text(TrafficFormat format, const std::string& text) {
  const TemporaryFile file("text", text);
  return content(read_traffic(file.path(), as(format)));
}

/// What the reader says, without the path in front.
std::string format_complaint(TrafficFormat format, const std::string& text) {
  const TemporaryFile file("text", text);
  return tests::message_about(file.path(), [&] { read_traffic(file.path(), as(format)); });
}

/// 0 sends 3 to 1, 1 sends 1.5 to 0, 2 nothing, 3 sends 8 to itself and 2 + 0.2 to 0.
CommGraph odd_guest() {
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{1}, {3}, 2},
                                        {Rank{1}, Rank{0}, {1.5}, 1},
                                        {Rank{3}, Rank{3}, {8}, 1},
                                        {Rank{3}, Rank{0}, {2}, 1},
                                        {Rank{3}, Rank{0}, {0.2}, 1}};
  return CommGraph(4, edges);
}

}  // namespace

TEST_CASE("METIS graphs count from 1, and a weight flows half each way") {
  // A path 1-2-3 with weights 4 and 3 and a vertex without neighbours, as in the METIS manual's
  // layout for format 001; then with sizes, two weights per vertex and comments.
  CHECK(read_text(TrafficFormat::metis_graph, "4 2 001\n2 4\n1 4 3 3\n2 3\n\n") ==
        "4: 0>1:2/1 1>0:2/1 1>2:1.5/1 2>1:1.5/1");
  CHECK(
      read_text(TrafficFormat::metis_graph,
                "\xEF\xBB\xBF%c\r\n3 1 111 2\r\n% c\r\n1 5 6 2 8\r\n1 5 6 1 8\r\n1 5 6\r\n\r\n") ==
      "3: 0>1:4/1 1>0:4/1");
  CHECK(read_text(TrafficFormat::metis_graph, "2 1\n2\n1") == "2: 0>1:0.5/1 1>0:0.5/1");
  CHECK(read_text(TrafficFormat::metis_graph, "1 0\n\n") == "1:");
}

TEST_CASE("Scotch graphs count from their base or by label, wherever lines end") {
  CHECK(read_text(TrafficFormat::scotch_graph, "0\n3 4\n0 010\n1 4 1\n2 4 0 6 2\n1 6 1\n") ==
        "3: 0>1:2/1 1>0:2/1 1>2:3/1 2>1:3/1");
  CHECK(read_text(TrafficFormat::scotch_graph, "0 2 2 1 000 1 2 1 1") == "2: 0>1:0.5/1 1>0:0.5/1");
  // Labels 70 and 50, vertex loads 9; the first vertex is rank 0.
  CHECK(read_text(TrafficFormat::scotch_graph, "0\n2 2\n0 111\n70 9 1 5 50\n50 9 1 5 70\n") ==
        "2: 0>1:2.5/1 1>0:2.5/1");
}

TEST_CASE("MatrixMarket counts from 1, rows are senders") {
  CHECK(read_text(TrafficFormat::matrix_market,
                  "%%MatrixMarket matrix coordinate real general\n% c\n\n3 3 3\n1 2 2.5\n3 1 1e3\n"
                  "2 2 0\n") == "3: 0>1:2.5/1 2>0:1000/1");
  CHECK(read_text(TrafficFormat::matrix_market,
                  "%%matrixmarket MATRIX Coordinate Integer Symmetric\n2 2 2\n2 1 7\n2 2 1\n") ==
        "2: 0>1:7/1 1>0:7/1 1>1:1/1");
  CHECK(read_text(TrafficFormat::matrix_market,
                  "%%MatrixMarket matrix coordinate pattern general\n2 2 1\n2 1\n") ==
        "2: 1>0:1/1");
  // Solvers write the sizes alone in front.
  const TemporaryFile bare("bare", "3 3 2\n1 2 2.5D0\n3 1 +8\n");
  const RecordedTraffic read = read_recorded_traffic(bare.path(), as(TrafficFormat::matrix_market));
  CHECK(content(read.graph) == "3: 0>1:2.5/1 2>0:8/1");
  REQUIRE(read.remarks.size() == 1);
  CHECK_THAT(read.remarks[0], Catch::Contains("read as coordinate real general"));
  // NIST's description: an array has its columns one after the other, a symmetric one from the
  // diagonal on, a skew-symmetric one below it.
  CHECK(read_text(TrafficFormat::matrix_market,
                  "%%MatrixMarket matrix array real general\n%\n2 2\n0\n3\n2.5\n1\n") ==
        "2: 0>1:2.5/1 1>0:3/1 1>1:1/1");
  CHECK(read_text(TrafficFormat::matrix_market,
                  "%%MatrixMarket matrix array integer symmetric\n3 3\n0\n1\n2\n4\n5\n0\n") ==
        "3: 0>1:1/1 0>2:2/1 1>0:1/1 1>1:4/1 1>2:5/1 2>0:2/1 2>1:5/1");
}

TEST_CASE("GraphML and DOT have weights and messages, halved where they have no directions") {
  CHECK(read_text(TrafficFormat::graphml,
                  "<graphml><key id='k' for='edge' attr.name='weight' attr.type='double'/>"
                  "<graph edgedefault='undirected'><node id='a'/><node id='b'/><node id='c'/>"
                  "<edge source='c' target='a'><data key='k'>5</data></edge></graph></graphml>") ==
        "3: 0>2:2.5/1 2>0:2.5/1");
  // A node that only an edge names is a rank too.
  CHECK(
      read_text(TrafficFormat::graphml,
                "<graphml><graph edgedefault='directed'><node id='a'/><edge source='a' target='b'/>"
                "</graph></graphml>") == "2: 0>1:1/1");
  CHECK(read_text(TrafficFormat::dot, "graph { 1 -- 0 [weight=3, color=red]; 2 }") ==
        "3: 0>1:1.5/1 1>0:1.5/1");
  CHECK(read_text(TrafficFormat::dot, "digraph g { edge [messages=4]; 1 -> 0 -> 2; 0 -> 2 }") ==
        "3: 0>2:1/4 0>2:1/4 1>0:1/4");
}

// The DOT language: an edge to a group is one to each node of it, whatever separates them.
TEST_CASE("Edges of DOT may end in groups of nodes") {
  for (const std::string group :
       {"{1 2}", "{1; 2}", "{ 1 2; }", "subgraph {1 2}", "subgraph s {1 2}"})
    CHECK(read_text(TrafficFormat::dot, "digraph g { 0 -> " + group + " [weight=6] }") ==
          "3: 0>1:6/1 0>2:6/1");
  CHECK(read_text(TrafficFormat::dot, "strict graph { {0 1} -- {2} [weight=6] // {\n }") ==
        "3: 0>2:3/1 1>2:3/1 2>0:3/1 2>1:3/1");
  CHECK(read_text(TrafficFormat::dot, "digraph \"a {\" { 0 -> {1 2}\n subgraph x {1 -> 2} }") ==
        "3: 0>1:1/1 0>2:1/1 1>2:1/1");
  for (const std::string edge :
       {"0 -> {1 -> 2}", "{{0 -> 1} 3} -> 2", "subgraph x {0 -> 1}->2", "0 -> subgraph x {1 -> 2}"})
    CHECK(format_complaint(TrafficFormat::dot, "digraph { " + edge + " }") ==
          ": an edge ends in a group with edges of its own; accepted are groups of nodes such as "
          "{1 2}");
}

TEST_CASE("What a format cannot hold is summed or left out, and told") {
  const auto losses = [](TrafficFormat format) {
    return fit_traffic(odd_guest(), traffic_format_info(format)).losses;
  };
  const auto fitted = [](TrafficFormat format) {
    return content(fit_traffic(odd_guest(), traffic_format_info(format)).graph);
  };
  for (const auto format : {TrafficFormat::edge_list_csv, TrafficFormat::vtopo_record,
                            TrafficFormat::graphml, TrafficFormat::dot})
    CHECK(losses(format).empty());
  CHECK(fitted(TrafficFormat::matrix_market) == "4: 0>1:3/1 1>0:1.5/1 3>0:2.2/1 3>3:8/1");
  CHECK(losses(TrafficFormat::matrix_market) ==
        std::vector<std::string>{
            "format mtx holds no numbers of messages: 1 of 5 edges count as one message",
            "format mtx holds one edge per pair of ranks: 5 edges are summed up to 4"});
  CHECK(fitted(TrafficFormat::treematch) == "4: 0>1:3/1 1>0:2/1 3>0:2/1 3>3:8/1");
  // 3 + 1.5 is 4.5, rounded away from zero to 5, half of it each way; 2.2 is 2.
  CHECK(fitted(TrafficFormat::metis_graph) == "4: 0>1:2.5/1 0>3:1/1 1>0:2.5/1 3>0:1/1");
  CHECK(losses(TrafficFormat::metis_graph) ==
        std::vector<std::string>{
            "format metis holds no traffic of a rank with itself: 1 of 5 edges are left out",
            "format metis holds no numbers of messages: 1 of 4 edges count as one message",
            "format metis holds one edge per pair of ranks: 4 edges are summed up to 3",
            ("format metis holds no directions: 3 of 3 edges differ from the opposite one; each "
             "gets half of their sum"),
            "format metis holds whole numbers from 1: 4 of 4 edges are rounded"});
}

TEST_CASE("Volumes above 32 bits ask for a unit") {
  const CommGraph guest(2, std::vector<DirectedEdge>{{Rank{0}, Rank{1}, {4294967296.0}}});
  CHECK(message_of<UsageError>([&] { write_traffic(guest, TrafficFormat::scotch_graph); }) ==
        "volume 4294967296 between ranks 0 and 1 is above 2147483647, the largest of format "
        "scotch: divide all by a larger unit, such as --unit 1024");
  CHECK(write_traffic(guest, TrafficFormat::scotch_graph, {1024}).text ==
        "0\n2 2\n0 010\n1\t4194304 1\n1\t4194304 0\n");
  CHECK(message_of<UsageError>([&] { write_traffic(guest, TrafficFormat::openmpi_prof); }) ==
        "format prof is only read: the program that is traced writes it");
}

TEST_CASE("A malformed METIS graph is refused with its place") {
  const auto metis = [](const std::string& text) {
    return format_complaint(TrafficFormat::metis_graph, text);
  };
  const std::string accepted =
      "; accepted is \"vertices edges [format [weights per vertex]]\", format 1, 10, 11, 100 to "
      "111 or 0";
  CHECK(metis("") == ": no line" + accepted);
  CHECK(metis("3\n") == ":1:1: header of 1 words" + accepted);
  CHECK(metis("2 1 2\n") == ":1:5: format \"2\"" + accepted);
  CHECK(metis("99999999999 1\n") ==
        ":1:1: number of vertices \"99999999999\" is not an integer in 1..16777216");
  CHECK(metis("16777216 9\n2\n1\n") == ":3:2: the file ends after 2 of 16777216 vertices");
  CHECK(metis("2 1\n0\n1\n") == ":2:1: neighbour \"0\" is not an integer in 1..2");
  CHECK(metis("2 1\n3\n1\n") == ":2:1: neighbour \"3\" is not an integer in 1..2");
  CHECK(metis("2 1 1\n2\n1 1\n") == ":2:2: no weight behind neighbour 2");
  CHECK(metis("2 1 1\n2 -1\n1 1\n") ==
        ":2:3: volume \"-1\" is negative: accepted are numbers >= 0, and with --weights abs or "
        "--weights pattern any");
  CHECK(metis("2 1 1\n2 nan\n1 1\n") ==
        ":2:3: weight \"nan\" is not an integer in 1..9007199254740992");
  CHECK(metis("2 1 1\n2 3\n1 4\n") ==
        ":2: the edge of ranks 0 and 1 (counted from 0) has weight 3 here and 4 at its other end");
  CHECK(metis("2 1\n2\n\n") ==
        ": 1 neighbours; the header says 1 edges, each to be named at both ends");
  CHECK(metis("3 1\n2\n3\n\n") ==
        ":2: the edge of ranks 0 and 1 (counted from 0) is missing at its other end; accepted are "
        "edges named at both ends");
  CHECK(metis("2 1\n1 1\n\n") ==
        ":2: the edge of ranks 0 and 0 (counted from 0) is a loop; accepted are edges of two "
        "vertices");
  CHECK(metis("2 2\n2 2\n1 1\n") ==
        ":2: the edge of ranks 0 and 1 (counted from 0) is named twice at one end");
  CHECK(metis("1 0\n\n1\n") == ":3:1: a line behind the last of the 1 vertices");
  CHECK(metis(std::string("2 1\n\0\n", 6)) ==
        ":2:1: NUL byte where text is needed: a binary file?");
}

TEST_CASE("A malformed Scotch graph is refused with its place") {
  const auto scotch = [](const std::string& text) {
    return format_complaint(TrafficFormat::scotch_graph, text);
  };
  CHECK(scotch("") == ": the file ends where the version of the format is due");
  CHECK(scotch("1\n") == ":1:1: version of the format \"1\" is not an integer in 0..0");
  CHECK(scotch("0 2 2 2 000") == ":1:7: base value \"2\" is not an integer in 0..1");
  CHECK(scotch("0 2 2 0 020") ==
        ":1:9: flag 20; accepted are digits 0 and 1 for labels, loads of edges, loads of vertices");
  CHECK(scotch("0\n2 2\n0 000\n1 1\n1 2\n") == ":5:3: neighbour \"2\" is not an integer in 0..1");
  CHECK(scotch("0\n16777216 9000000000000000000\n0 000\n9000000000000000000 1\n") ==
        ":4:22: the file ends where the neighbour is due");
  CHECK(scotch("0\n2 2\n0 010\n1 0 1\n1 0 0\n") ==
        ":4:3: load of an edge \"0\" is not an integer in 1..9007199254740992");
  CHECK(scotch("0\n2 2\n0 000\n1 1\n1 0\n7") == ":6:1: a number behind the last of the 2 vertices");
  CHECK(scotch("0\n2 4\n0 000\n1 1\n1 0\n") ==
        ": 2 neighbours; the header says 4 arcs, two per edge");
  CHECK(scotch("0\n2 2\n0 100\n5 1 6\n5 1 6\n") == ":5:1: second vertex with the label 5");
  CHECK(scotch("0\n2 2\n0 100\n5 1 6\n7 1 5\n") == ": no vertex has the label 6 of a neighbour");
}

TEST_CASE("A malformed MatrixMarket file is refused with its place") {
  const auto mtx = [](const std::string& text) {
    return format_complaint(TrafficFormat::matrix_market, text);
  };
  const std::string general = "%%MatrixMarket matrix coordinate real general\n";
  CHECK(mtx("2 2 1\n") == ":1:6: the file ends after 0 of 1 entries");
  CHECK(mtx("2 2 x\n") ==
        ":1:1: first line \"2 2 x\"; accepted is %%MatrixMarket matrix "
        "coordinate|array real|integer|pattern|complex general|symmetric|skew-symmetric|hermitian");
  const std::string array = "%%MatrixMarket matrix array real ";
  CHECK_THAT(mtx("%%MatrixMarket matrix array pattern general\n"),
             Catch::StartsWith(":1:1: first"));
  CHECK(mtx(array + "general\n2 2 4\n") == ":2:1: 3 words; accepted are the sizes: rows, columns");
  CHECK(mtx(array + "general\n2 2\n1\n2\n3\n") == ":5:2: the file ends after 3 of 4 entries");
  CHECK(mtx(array + "general\n2 2\n1 2\n") == ":3:3: entry of 2 words; accepted are 1: volume");
  CHECK(mtx(general) == ":1:46: the file ends where the sizes are due: rows, columns, entries");
  CHECK(mtx(general + "2 3 1\n") ==
        ":2:3: 3 columns and 2 rows; accepted are as many rows as columns");
  CHECK(mtx(general + "2 2 9000000000000000000\n1 2 3\n") ==
        ":3:6: the file ends after 1 of 9000000000000000000 entries");
  CHECK(mtx(general + "2 2 1\n0 1 3\n") == ":3:1: row \"0\" is not an integer in 1..2");
  CHECK(mtx(general + "2 2 1\n1 2\n") ==
        ":3:4: entry of 2 words; accepted are 3: row, column, volume");
  CHECK(mtx(general + "2 2 1\n1 2 -1\n") ==
        ":3:5: volume \"-1\" is negative: accepted are numbers >= 0, and with --weights abs or "
        "--weights pattern any");
  CHECK(mtx(general + "2 2 1\n1 2 1e400\n") ==
        ":3:5: volume \"1e400\" is not a number in 0..1e+24");
  CHECK(mtx(general + "2 2 1\n1 2 1\n1 2 1\n") == ":4:1: a line behind the last of the 1 entries");
  CHECK(mtx("%%MatrixMarket matrix coordinate integer general\n2 2 1\n1 2 1.5\n") ==
        ":3:5: volume \"1.5\" is not an integer; the first line promises integers");
  CHECK(mtx("%%MatrixMarket matrix coordinate real skew-symmetric\n2 2 1\n2 1 1\n") ==
        ":1:39: entries of a skew-symmetric matrix are not volumes: accepted with --weights abs or "
        "--weights pattern");
}

TEST_CASE("Malformed GraphML and DOT are refused, however deep they are nested") {
  const auto graphml = [](const std::string& text) {
    return format_complaint(TrafficFormat::graphml, text);
  };
  const auto dot = [](const std::string& text) {
    return format_complaint(TrafficFormat::dot, text);
  };
  std::string deep;
  for (int i = 0; i < 100000; ++i) deep += "<a>\n";
  CHECK(graphml(deep) == ":65: elements nested more than 64 deep");
  CHECK(graphml("<!DOCTYPE x>") ==
        ":1: a declaration or CDATA; accepted are elements and comments");
  CHECK_THAT(graphml("<graphml>\n<graph"), Catch::EndsWith("; accepted is GraphML"));
  CHECK(graphml("") != "no error");
  CHECK(dot(std::string(100000, '{')) ==
        ": 100000 opening braces; accepted are up to 256, a communication graph needs one");
  CHECK(dot("digraph { 0 -> 1 [weight=-1] }") ==
        ": weight \"-1\" of the edge from rank 0 to rank 1 is not a number in 0..1e+24");
  CHECK(dot("digraph { 0 -> 1 [messages=1.5] }") ==
        ": number of messages \"1.5\" of the edge from rank 0 to rank 1 is not an integer in "
        "0..2147483647");
  for (const std::string number : {"1e6", "2.5e3", "5MiB", "0x10"})
    CHECK(dot("digraph {\n0 -> 1 [weight=" + number + "] }") ==
          ":2: \"" + number +
              "\" is two words in DOT; accepted are numbers without letters, or with "
              "exponents in quotes");
  CHECK(read_text(TrafficFormat::dot,
                  "digraph { /* 1e6 */ 0 -> 1 [weight=\"1e6\", label=\"5MiB\"] }") ==
        "2: 0>1:1000000/1");
  CHECK(graphml("<graphml><graph edgedefault='directed'/></graphml>\n<!-- end -->\n<graphml/>") ==
        ":3: something behind the end of the document; accepted is one document per file");
  CHECK_THAT(dot("digraph { 0 -> "), Catch::StartsWith(": no DOT that is understood: "));
  CHECK_THAT(dot(std::string(200000, '[')), Catch::StartsWith(": no DOT that is understood: "));
}
