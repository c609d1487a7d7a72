#include "topology/guests/guest_topology.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

CommGraph traffic_of(std::string_view spec) {
  const Bytes volume{1000};
  return make_comm_graph(parse_guest_topology(spec), {&volume, 1});
}

/// `destination:volume` of all that a rank sends.
std::vector<std::pair<int, double>> sent(const CommGraph& graph, int rank) {
  std::vector<std::pair<int, double>> result;
  for (const CommEdge& edge : graph.out_edges(Rank{rank}))
    result.emplace_back(number(edge.destination), edge.volume.value);
  return result;
}

using Sent = std::vector<std::pair<int, double>>;

std::string refusal(std::string_view spec) {
  return message_of<UsageError>([&] { parse_parallel_program(spec); });
}

}  // namespace

TEST_CASE("the first axis of a parallel program has consecutive ranks") {
  const auto program = parse_parallel_program("parallel:tp=4,cp=2,pp=3");
  REQUIRE(program);
  CHECK(axis_order(*program) == "tp-cp-pp");
  std::vector<int> sizes;
  for (const Dimension& dimension : program->grid.dimensions()) sizes.push_back(dimension.size);
  CHECK(sizes == std::vector{3, 2, 4});  // row-major: the last dimension varies fastest
  // Communicators of MPI_Cart_sub: those of tp are 0..3, 4..7, ...
  CHECK(program->grid.sub_place({false, false, true}, Rank{6}) == SubgridPlace{1, Rank{2}});
  CHECK(axis_order(*parse_parallel_program("parallel:tp=4,cp=2,pp=3,order=pp-tp-cp")) ==
        "pp-tp-cp");
  CHECK_FALSE(parse_parallel_program("cart:4"));
}

// Rings send 2(n-1)/n of an allreduced vector to the next rank: Thakur et al. (IJHPCA 2005).
TEST_CASE("every axis sends what its exchange does") {
  CHECK(sent(traffic_of("parallel:tp=4"), 3) == Sent{{0, 1500}});
  CHECK(sent(traffic_of("parallel:cp=4"), 1) == Sent{{2, 1000}});
  CHECK(sent(traffic_of("parallel:ep=3"), 1) == Sent{{2, 1000}, {0, 1000}});
  CHECK(sent(traffic_of("parallel:pp=3"), 1) == Sent{{0, 1000}, {2, 1000}});
  CHECK(sent(traffic_of("parallel:pp=3"), 2) == Sent{{1, 1000}});
  CHECK(sent(traffic_of("parallel:axis.x=4:allgather:10"), 0) == Sent{{1, 30}});
  CHECK(sent(traffic_of("parallel:axis.x=4:reduce_scatter:10"), 0) == Sent{{1, 30}});
  CHECK(sent(traffic_of("parallel:axis.x=4:none"), 0).empty());
  CHECK(sent(traffic_of("parallel:tp=2,pp=2:p2p:7"), 1) == Sent{{0, 1000}, {3, 7}});
  CHECK(sent(traffic_of("parallel:tp=1,cp=1"), 0).empty());
}

TEST_CASE("volumes are given to axes in the order of rank numbers") {
  const std::vector<Bytes> volumes{{10}, {20}};
  const auto topology = parse_guest_topology("parallel:cp=2,pp=2");
  CHECK(sent(make_comm_graph(topology, volumes), 0) == Sent{{1, 10}, {2, 20}});
  const std::vector<Bytes> three{{1}, {2}, {3}};
  CHECK(message_of<UsageError>([&] { make_comm_graph(topology, three); }) ==
        "3 volumes for 2 axes: accepted is 1 or 2");
}

TEST_CASE("a model gives the volumes of its axes") {
  const auto program = parse_parallel_program(
      "parallel:tp=2,cp=2,ep=2,dp=2,pp=2,layers=4,hidden=8,sequence=16,micro_batches=3,experts=2");
  REQUIRE(program);
  // By hand: 2 layers per stage; activation 1 x 16/2 x 8 x 2 bytes = 128, a shard of it 64.
  const auto volume = [&](std::size_t axis) { return program->axes[axis].volume->value; };
  CHECK(volume(0) == 4 * 2 * 3 * 128);         // tp: 4 all-reduces per layer and micro-batch
  CHECK(volume(1) == 3 * 2 * 3 * 1 * 2 * 64);  // cp: K and V forward, twice as much backward
  CHECK(volume(2) == 4 * 2 * 3 * 2 * 64 / 2);  // ep: two experts per token, half of them elsewhere
  CHECK(volume(3) == (4 + 8) * 8 * 8 * 2 / 2 * 2);  // dp: gradients of a rank's parameters
  CHECK(volume(4) == 3 * 64);                       // pp: a shard per micro-batch
}

TEST_CASE("a key that is neither an axis nor one of a model is refused, not made an axis") {
  const std::string accepted =
      " is neither an axis nor a key of a model; accepted are the axes tp, cp, ep, dp, pp and "
      "axis.NAME, the keys bytes_per_value, experts, experts_per_token, hidden, layers, "
      "micro_batch, micro_batches, sequence, order and model";
  const auto refused = [](const std::string& keys) { return refusal("parallel:tp=2," + keys); };
  CHECK(refused("heads=4") == "\"heads\" in \"parallel:tp=2,heads=4\"" + accepted);
  CHECK(refused("layer=8") ==
        "\"layer\" in \"parallel:tp=2,layer=8\"" + accepted + "; did you mean \"layers\"?");
  for (const std::string key : {"TP", "x", "microbatches", "vocab", "zp", "dp2"})
    CHECK_THAT(refused(key + "=2"), Catch::Contains("\"" + key + "\" in "));
  CHECK(refused("axis.=2").find("axis name \"\", which is not") == 0);
  CHECK(refused("axis.2=2").find("axis name \"2\", which is not") == 0);
  CHECK(refused("axis.a-b=2").find("axis name \"a-b\", which is not") == 0);
  CHECK(refused("axis.tp=2").find("\"tp\" twice") == 0);
  const auto program = parse_parallel_program("parallel:axis.layers=4,tp=2,order=tp-layers");
  CHECK(axis_order(*program) == "tp-layers");
  CHECK(program->grid.num_ranks() == 8);
}

TEST_CASE("malformed parallel programs are refused in a sentence") {
  CHECK(refusal("parallel:").find("accepted is parallel:AXIS=SIZE") != std::string::npos);
  CHECK(refusal("parallel:tp").find("\"tp\" in \"parallel:tp\"") == 0);
  CHECK(refusal("parallel:tp=0").find("size \"0\" of axis tp") == 0);
  CHECK(refusal("parallel:tp=2,tp=2").find("\"tp\" twice") == 0);
  CHECK(refusal("parallel:tp=2:all").find("exchange \"all\"") == 0);
  CHECK(refusal("parallel:tp=2:ring:1:2").find("\"2:ring:1:2\"") == 0);
  CHECK(refusal("parallel:tp=2,dp=2,order=tp").find("order tp, which") == 0);
  CHECK(refusal("parallel:tp=2,dp=2,order=tp-tp").find("order tp-tp, which") == 0);
  CHECK(refusal("parallel:tp=2,layers=4").find("a model without hidden=") == 0);
  CHECK(refusal("parallel:axis.a=16777216,axis.b=16777216").find("2.81e+14 ranks") == 0);
}
