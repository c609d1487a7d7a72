#include "topology/guests/graph_files.hpp"

#include <catch2/catch.hpp>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

#include "tests/topology/data.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// What the reader says about a file of the test data, without the path in front.
template <class Reader>
std::string file_complaint(Reader read, const std::string& name) {
  return tests::message_about(data(name), [&] { read(data(name)); });
}

std::string graph_complaint(const std::string& name) {
  return file_complaint(read_graph_file, name);
}
std::string dist_complaint(const std::string& name) {
  return file_complaint(read_dist_graph_file, name);
}

}  // namespace

TEST_CASE("A graph file keeps the order of neighbours, self loops and repeated neighbours") {
  const Graph graph = read_graph_file(data("odd-but-valid.graph"));
  REQUIRE(graph.num_ranks() == 3);
  const auto first = graph.neighbours(Rank{0});
  CHECK(std::vector(first.begin(), first.end()) == std::vector{Rank{2}, Rank{0}, Rank{2}});
  CHECK(graph.neighbours(Rank{1}).empty());
  CHECK(graph.neighbours(Rank{2}).size() == 1);
}

TEST_CASE("A malformed graph file is refused with its place") {
  CHECK(graph_complaint("rank-out-of-order.graph") ==
        ":3:1: rank 2 where rank 1 is due; accepted is one line per rank, in rank order from 0");
  CHECK(graph_complaint("no-colon.graph") ==
        ":2:4: no colon in the line of rank 1; accepted is \"rank: neighbour neighbour ...\"");
  CHECK(graph_complaint("neighbour-without-line.graph") ==
        ":2:6: neighbour 7 is outside 0..1: the file has lines for 2 ranks");
  CHECK(graph_complaint("neighbour-not-a-number.graph") ==
        ":2:6: rank \"x\" is not an integer in 0..16777215");
  CHECK(graph_complaint("negative-neighbour.graph") ==
        ":1:6: rank \"-1\" is not an integer in 0..16777215");
  CHECK(graph_complaint("no-rank.graph") ==
        ": no rank; accepted is one line \"rank: neighbour ...\" per rank");
}

TEST_CASE("A dist file without weights gives weight 1 to each edge") {
  const DistGraph graph = read_dist_graph_file(data("without-weights.dist"));
  CHECK(graph.num_ranks() == 5);  // largest id 4
  CHECK(graph.weighting() == Weighting::unweighted);
  CHECK(graph.num_edges() == 2);
  REQUIRE(graph.destinations(Rank{4}).size() == 1);
  CHECK(graph.destinations(Rank{4})[0].rank == Rank{0});
  CHECK(graph.destinations(Rank{4})[0].weight == 1);
}

TEST_CASE("A malformed dist file is refused with its place") {
  CHECK(dist_complaint("weight-missing.dist") ==
        ":2:4: edge without weight, unlike those before; accepted are weights on all lines or on "
        "none");
  CHECK(dist_complaint("weight-extra.dist") ==
        ":2:5: edge with a weight, unlike those before; accepted are weights on all lines or on "
        "none");
  CHECK(dist_complaint("negative-weight.dist") ==
        ":1:5: weight \"-3\" is not a number in 0..1e+24");
  CHECK(dist_complaint("weight-nan.dist") == ":1:5: weight \"nan\" is not a number in 0..1e+24");
  CHECK(dist_complaint("one-word.dist") ==
        ":1:2: number of words is 1; accepted is \"source destination [weight]\"");
  CHECK(dist_complaint("four-words.dist") ==
        ":1:7: number of words is 4; accepted is \"source destination [weight]\"");
  CHECK(dist_complaint("id-not-an-integer.dist") ==
        ":1:3: rank \"1.5\" is not an integer in 0..16777215");
  CHECK(dist_complaint("huge-id.dist") ==
        ":1:3: rank \"2000000000\" is not an integer in 0..16777215");
  CHECK(dist_complaint("no-edge.dist") ==
        ": no edge; accepted is one line \"source destination [weight]\" each");
}
