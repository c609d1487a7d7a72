#include "sim/formats/traffic/interchange_graph.hpp"

#include <catch2/catch.hpp>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/traffic/traffic.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Catch::Contains;
using tests::TemporaryFile;

namespace {

using Names = std::vector<std::string>;

std::vector<int> ranks_by_name(const Names& names) {
  std::vector<int> ranks;
  for (const Rank rank : ranks_of_names(names).ranks) ranks.push_back(number(rank));
  return ranks;
}

bool say_the_ranks(const Names& names) {
  return ranks_of_names(names).remark.empty();
}

/// Edges as `source>destination:volume/messages`, and behind them the remarks without the path.
std::string read_as(TrafficFormat format, const std::string& text) {
  const TemporaryFile file("text", text);
  TrafficOptions options;
  options.format = format;
  const RecordedTraffic recorded = read_recorded_traffic(file.path(), options);
  std::string result =
      fmt::format("{}: {}", recorded.graph.num_ranks(), tests::edges_as_text(recorded.graph));
  for (const std::string& sentence : recorded.remarks) {
    CHECK_THAT(sentence, Catch::StartsWith(file.path() + ": "));
    result += " |" + sentence.substr(file.path().size() + 1);
  }
  return result;
}

std::string complaint(TrafficFormat format, const std::string& text) {
  const TemporaryFile file("text", text);
  TrafficOptions options;
  options.format = format;
  return tests::message_about(file.path(), [&] { read_traffic(file.path(), options); });
}

/// GraphML with nodes in the order given, and what stands behind them.
std::string graphml(const Names& nodes, const std::string& edges,
                    const std::string& keys = "<key id='w' for='edge' attr.name='weight'/>") {
  std::string text = "<graphml>" + keys + "<graph edgedefault='directed'>";
  for (const std::string& node : nodes) text += "<node id='" + node + "'/>";
  return text + edges + "</graph></graphml>";
}

std::string graphml_edge(const std::string& from, const std::string& to, int bytes) {
  return fmt::format("<edge source='{}' target='{}'><data key='w'>{}</data></edge>", from, to,
                     bytes);
}

}  // namespace

TEST_CASE("Names that are the numbers 0 to N-1 are the ranks, bare or behind one prefix") {
  CHECK(ranks_by_name({"2", "0", "1"}) == std::vector{2, 0, 1});
  CHECK(ranks_by_name({"n2", "n0", "n1"}) == std::vector{2, 0, 1});
  CHECK(ranks_by_name({"rank-02", "rank-00", "rank-01"}) == std::vector{2, 0, 1});
  CHECK(ranks_by_name({"p 1", "p 0"}) == std::vector{1, 0});
  CHECK(say_the_ranks({"0"}));
  CHECK(say_the_ranks({"2", "n1.0", "x"}) == false);
}

TEST_CASE("All other names are ranks in the order of the file, and a remark says so") {
  for (const Names& names :
       {Names{"2", "1"}, Names{"0", "2"}, Names{"1", "n0"}, Names{"a1", "b0"}, Names{"b", "a"},
        Names{"n1", "n01"}, Names{"-1", "0"}, Names{"1.0", "0.0"}, Names{"", "0"}}) {
    CAPTURE(names);
    CHECK(ranks_by_name(names) == std::vector{0, 1});
    CHECK_FALSE(say_the_ranks(names));
  }
  CHECK(ranks_of_names(Names{"d", "b", "c", "e", "a"}).remark ==
        "the names of the nodes are not the numbers 0 to 4: nodes are ranks in the order of the "
        "file, \"d\" is rank 0, \"b\" is rank 1, \"c\" is rank 2, ..., \"a\" is rank 4");
  CHECK_THAT(ranks_of_names(Names{"1", "2", "3", "4"}).remark,
             Contains("\"3\" is rank 2, \"4\" is rank 3"));
}

// One graph, its nodes declared as 2, 3, 0, 1: rank 2 sends 1000000 to rank 3, rank 0 sends 1 to 1.
TEST_CASE("One graph has the same ranks in every format that names its nodes") {
  const std::string expected = "4: 0>1:1/1 2>3:1000000/1";
  for (const std::string prefix : {"", "n", "rank "}) {
    const auto name = [&](int rank) { return fmt::format("{}{}", prefix, rank); };
    CHECK(read_as(TrafficFormat::graphml, graphml({name(2), name(3), name(0), name(1)},
                                                  graphml_edge(name(2), name(3), 1000000) +
                                                      graphml_edge(name(0), name(1), 1))) ==
          expected);
    CHECK(read_as(TrafficFormat::dot,
                  fmt::format("digraph {{ \"{}\"; \"{}\" -> \"{}\" [weight=1000000]; "
                              "\"{}\" -> \"{}\" [weight=1] }}",
                              name(2), name(2), name(3), name(0), name(1))) == expected);
  }
  // Without directions: half of the load each way.
  CHECK(read_as(TrafficFormat::scotch_graph,
                "0\n4 4\n0 110\n2 1 2000000 3\n3 1 2000000 2\n0 1 2 1\n1 1 2 0\n") ==
        "4: 0>1:1/1 1>0:1/1 2>3:1000000/1 3>2:1000000/1");
  CHECK(read_as(TrafficFormat::scotch_graph, "0\n2 2\n1 110\n2 1 6 1\n1 1 6 2\n") ==
        "2: 0>1:3/1 1>0:3/1");
}

// By hand: three nodes c, a, b in this order; c sends 5 to b.
TEST_CASE("Other names take the same order in every format, with a remark") {
  const std::string expected =
      "3: 0>2:5/1 | the names of the nodes are not the numbers 0 to 2: nodes are ranks in the "
      "order of the file, \"c\" is rank 0, \"a\" is rank 1, \"b\" is rank 2";
  CHECK(read_as(TrafficFormat::graphml, graphml({"c", "a", "b"}, graphml_edge("c", "b", 5))) ==
        expected);
  for (const std::string text :
       {"digraph { c; a; b; c -> b [weight=5] }", "digraph b { c a\nc:b -> b [label=a, weight=5] }",
        "digraph { rankdir=b; /* a */ \"c\" // b\n subgraph s { a b }\n# a\nc -> b [weight=5] }"})
    CHECK(read_as(TrafficFormat::dot, text) == expected);
  // Labels 70 and 50: the first vertex is rank 0.
  CHECK_THAT(read_as(TrafficFormat::scotch_graph, "0\n2 2\n0 100\n70 1 50\n50 1 70\n"),
             Contains("\"70\" is rank 0, \"50\" is rank 1"));
}

TEST_CASE("The volume of an edge is its weight, or the only attribute that can be meant") {
  CHECK(read_as(TrafficFormat::dot, "digraph { 0 -> 1 [weight=7, penwidth=2, label=\"x\"] }") ==
        "2: 0>1:7/1");
  const std::string bytes = "<key id='w' for='edge' attr.name='bytes'/>";
  CHECK(read_as(TrafficFormat::graphml, graphml({"0", "1"}, graphml_edge("0", "1", 7), bytes)) ==
        "2: 0>1:7/1 | the volume of an edge is its attribute \"bytes\", as none is called "
        "\"weight\"");
  for (const std::string attributes :
       {"Weight=7", "\"Edge Weight\"=7", "volume=7, count=3", "comm=7, color=3", "label=7"})
    CHECK_THAT(read_as(TrafficFormat::dot, "digraph { 0 -> 1 [" + attributes + "] }"),
               Catch::StartsWith("2: 0>1:7/1 | the volume of an edge is its attribute"));
  CHECK(read_as(TrafficFormat::dot, "digraph { 0 -> 1 [weight=1, bytes=7] }") ==
        "2: 0>1:1/1 | the volume of an edge is its attribute \"weight\": \"bytes\" is not read");
}

TEST_CASE("The volume of edges is what all of them have, and other numbers are said") {
  CHECK(read_as(
            TrafficFormat::dot,
            "digraph { 0 -> 1 [traffic=70]; 1 -> 2 [traffic=50, weight=2]; 2 -> 0 [traffic=9] }") ==
        "3: 0>1:70/1 1>2:50/1 2>0:9/1 | the volume of an edge is its attribute \"traffic\", as not "
        "all have one called \"weight\" | the volume of an edge is its attribute \"traffic\": "
        "\"weight\" is not read");
  CHECK_THAT(
      complaint(TrafficFormat::dot,
                "digraph { 0 -> 1 [bytes=70]; 1 -> 2 [bytes=5, weight=2]; 2 -> 0 [weight=3] }"),
      Contains("not all edges have \"weight\", and \"bytes\" could be their volume"));
  const std::string keys =
      "<key id='w' for='edge' attr.name='size'/><key id='c' for='edge' attr.name='count'/>";
  CHECK(read_as(TrafficFormat::graphml,
                graphml({"0", "1"},
                        "<edge source='0' target='1'><data key='w'>64</data><data key='c'>3</data>"
                        "</edge>",
                        keys)) ==
        "2: 0>1:64/1 | the volume of an edge is its attribute \"size\", as none is called "
        "\"weight\" | the volume of an edge is its attribute \"size\": \"count\" is not read");
}

TEST_CASE("Attributes that leave the volume open are refused, and no weight is a remark") {
  const auto dot = [](const std::string& edges) {
    return complaint(TrafficFormat::dot, "digraph { " + edges + " }");
  };
  CHECK(dot("0 -> 1 [latency=7, comm=3]") ==
        ": the edges have no attribute \"weight\", and \"comm\" or \"latency\" could be their "
        "volume: accepted is one of them, or one that is called \"weight\"");
  CHECK_THAT(dot("0 -> 1 [bytes=7, volume=3]"), Contains("\"bytes\" or \"volume\" could be"));
  CHECK(dot("0 -> 1 [bytes=7]; 1 -> 0") ==
        ": 1 of 2 edges without \"bytes\", the volume of the others; accepted is one attribute of "
        "all edges");
  CHECK_THAT(dot("0 -> 1 [bytes=\"64KiB\"]"), Contains("weight \"64KiB\" of the edge"));
  CHECK(read_as(TrafficFormat::dot, "digraph { 0 -> 1 [label=x]; 1 -> 0 [weight=5] }") ==
        "2: 0>1:1/1 1>0:5/1 | 1 of 2 edges without \"weight\": each counts as 1 B");
  CHECK(read_as(TrafficFormat::graphml, graphml({"0", "1"}, "<edge source='0' target='1'/>")) ==
        "2: 0>1:1/1 | 1 of 1 edge without \"weight\": each counts as 1 B");
}

TEST_CASE("GraphML has defaults, undeclared keys and directions of single edges") {
  // By hand: the default 3, a value of its own, and half of 8 each way.
  CHECK(read_as(TrafficFormat::graphml,
                graphml({"0", "1"},
                        "<edge source='0' target='1'/><edge source='1' target='0'>"
                        "<data key='w'>4</data></edge><edge directed='false' source='0' "
                        "target='1'><data key='w'>8</data></edge>",
                        "<key id='w' for='edge' attr.name='weight'><default>3</default></key>")) ==
        "2: 0>1:3/1 0>1:4/1 1>0:4/1 1>0:4/1");
  CHECK_THAT(read_as(TrafficFormat::graphml, graphml({"0", "1"}, graphml_edge("0", "1", 9), "")),
             Catch::StartsWith("2: 0>1:9/1 | the volume of an edge is its attribute \"w\""));
  const auto refused = [](const std::string& text) {
    return complaint(TrafficFormat::graphml, text);
  };
  CHECK(refused("<graph/>") == ": no element <graphml>");
  CHECK(refused("<graphml/>") == ": 0 graphs; accepted is one");
  CHECK(refused("<graphml><graph edgedefault='directed'/><graph/></graphml>") ==
        ": 2 graphs; accepted is one");
  CHECK(refused("<graphml><graph/></graphml>") == ": <graph> without edgedefault=");
  CHECK(refused(graphml({"0"}, "<edge source='0'/>")) == ": <edge> without target=");
  CHECK(refused(graphml({"0"}, "<hyperedge/>")) ==
        ": a <hyperedge>; accepted are edges of two nodes");
  CHECK(refused(graphml({}, "<node id='0'><graph/></node>")) ==
        ": a <graph> inside a <node>; accepted is one graph");
}
