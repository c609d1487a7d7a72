#include "topology/comm_graph.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <type_traits>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

/// Two parallel edges 2 -> 0 with a self loop of 2 between them, and 0 -> 1:
///
///   2 =======> 0 ---> 1
///   ^_|
const std::vector<DirectedEdge> fixture{{Rank{2}, Rank{0}, Bytes{30}, 3},
                                        {Rank{0}, Rank{1}, Bytes{8}, 1},
                                        {Rank{2}, Rank{2}, Bytes{5}, 0},
                                        {Rank{2}, Rank{0}, Bytes{7}, 2}};

}  // namespace

TEST_CASE("A communication graph keeps parallel edges, self loops and the order per source") {
  const CommGraph graph(3, fixture);
  CHECK(graph.num_ranks() == 3);
  CHECK(graph.num_edges() == 4);
  CHECK(graph.out_edges(Rank{1}).empty());
  const auto out = graph.out_edges(Rank{2});
  REQUIRE(out.size() == 3);
  CHECK(out[0].volume.value == 30);
  CHECK(out[0].messages == 3);
  CHECK(out[1].destination == Rank{2});
  CHECK(out[2].destination == Rank{0});
  CHECK(out[2].volume.value == 7);
  CHECK(graph.total_volume().value == 50);  // 30 + 8 + 5 + 7
}

TEST_CASE("Edges are visited with ascending sources") {
  std::vector<int> sources;
  CommGraph(3, fixture).for_each_edge([&](Rank source, const CommEdge&) {
    sources.push_back(number(source));
  });
  CHECK(sources == std::vector{0, 2, 2, 2});
}

TEST_CASE("Volumes per message divide by the messages, and an edge without messages stays") {
  const CommGraph graph = per_message(CommGraph(3, fixture));
  const auto out = graph.out_edges(Rank{2});
  REQUIRE(out.size() == 3);
  CHECK(out[0].volume.value == 10);   // 30 bytes in 3 messages
  CHECK(out[1].volume.value == 5);    // 0 messages
  CHECK(out[2].volume.value == 3.5);  // 7 bytes in 2 messages
  CHECK(out[0].messages == 3);
  CHECK(graph.num_ranks() == 3);
}

TEST_CASE("A graph without edges has ranks all the same") {
  CHECK(CommGraph(5).num_ranks() == 5);
  CHECK(CommGraph(5).num_edges() == 0);
  CHECK(CommGraph(5).out_edges(Rank{4}).empty());
  CHECK(CommGraph().num_ranks() == 0);
}

TEST_CASE("An edge with a foreign rank or a volume that is none is an error") {
  const auto message = [](DirectedEdge edge) {
    return message_of<InputError>([&] { CommGraph(3, std::span(&edge, 1)); });
  };
  CHECK(message({Rank{3}, Rank{0}, Bytes{1}}) == "rank 3 is outside 0..2");
  CHECK(message({Rank{0}, Rank{-1}, Bytes{1}}) == "rank -1 is outside 0..2");
  CHECK(message({Rank{0}, Rank{1}, Bytes{-8}}) ==
        "volume -8 of edge 0 -> 1 is outside 0..1e+24 bytes");
  CHECK(message({Rank{0}, Rank{1}, Bytes{std::numeric_limits<double>::infinity()}}) ==
        "volume inf of edge 0 -> 1 is outside 0..1e+24 bytes");
}

TEST_CASE("A graph of a negative number of ranks is an error") {
  CHECK(message_of<InputError>([] { CommGraph(-1); }) ==
        "a graph of -1 ranks: accepted are 0 or more");
}

// Ids never convert into each other or into numbers (must not compile).
static_assert(!std::is_convertible_v<Rank, HostId> && !std::is_convertible_v<HostId, Rank>);
static_assert(!std::is_convertible_v<LinkId, HostId> && !std::is_convertible_v<int, Rank>);
static_assert(!std::is_convertible_v<Rank, int> && !std::is_convertible_v<Rank, std::size_t>);
static_assert(!std::is_constructible_v<Bytes, Seconds> && !std::is_convertible_v<double, Bytes>);
