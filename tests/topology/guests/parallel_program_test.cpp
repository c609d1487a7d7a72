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
      "axis.NAME, the keys bytes_per_value, experts, ffn, gated, heads, hidden, interleave, "
      "kv_heads, layers, micro_batch, micro_batches, sequence, sequence_parallel, tied, top_k, "
      "vocab, "
      "zero, order and model";
  const auto refused = [](const std::string& keys) { return refusal("parallel:tp=2," + keys); };
  CHECK(refused("width=4") == "\"width\" in \"parallel:tp=2,width=4\"" + accepted);
  CHECK(refused("layer=8") ==
        "\"layer\" in \"parallel:tp=2,layer=8\"" + accepted + "; did you mean \"layers\"?");
  for (const std::string key : {"TP", "x", "microbatches", "words", "zp", "dp2"})
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
  CHECK(refusal("parallel:tp=2:all").find("\"parallel:tp=2:all\": exchange \"all\"") == 0);
  CHECK(refusal("parallel:tp=2:ring:1:2").find("\"2:ring:1:2\"") == 0);
  CHECK(refusal("parallel:tp=2,dp=2,order=tp").find("order tp, which") == 0);
  CHECK(refusal("parallel:tp=2,dp=2,order=tp-tp").find("order tp-tp, which") == 0);
  CHECK(refusal("parallel:tp=2,layers=4").find("a model without hidden=") == 0);
  CHECK(refusal("parallel:axis.a=16777216,axis.b=16777216").find("2.81e+14 ranks") == 0);
}

namespace {

/// Volume of an axis.
double volume_of(const std::string& spec, std::string_view axis) {
  const auto program = parse_parallel_program(spec);
  for (const ParallelAxis& one : program->axes)
    if (one.name == axis) return one.volume->value;
  return -1;
}

}  // namespace

// Parameters as the papers and cards of the models count them, without norms and biases: Brown et
// al. (2020), Touvron et al. (2023), "The Llama 3 Herd of Models" (2024), Jiang et al. (2024).
TEST_CASE("Models of a name have the parameters that their papers say") {
  const auto parameters = [](const std::string& model) {
    return volume_of("parallel:dp=2,bytes_per_value=1,model=" + model, "dp");
  };
  CHECK(parameters("gpt-3") == Approx(175e9).epsilon(0.005));
  CHECK(parameters("llama-2-7b") == Approx(6.74e9).epsilon(0.005));
  CHECK(parameters("llama-2-70b") == Approx(68.98e9).epsilon(0.005));
  CHECK(parameters("llama-3-8b") == Approx(8.03e9).epsilon(0.005));
  CHECK(parameters("llama-3-70b") == Approx(70.6e9).epsilon(0.005));
  CHECK(parameters("llama-3-405b") == Approx(405.9e9).epsilon(0.005));
  CHECK(parameters("mixtral-8x7b") == Approx(46.7e9).epsilon(0.005));
  CHECK(parameters("mixtral-8x22b") == Approx(141e9).epsilon(0.005));
}

// S. Rajbhandari et al., "ZeRO" (SC20), section 7: stages 1 and 2 send as much as data parallelism,
// stage 3 one and a half times as much. A ring of n sends 2 (n-1)/n V for an all-reduce of V.
TEST_CASE("ZeRO sends what its paper counts") {
  const std::string model = "parallel:dp=4,layers=2,hidden=16,sequence=8,micro_batches=1,zero=";
  const double parameters = 2 * 12 * 16 * 16 * 2;  // bytes of 12 h^2 in two layers
  CHECK(volume_of(model + "0", "dp") == parameters);
  CHECK(volume_of(model + "2", "dp") == parameters);
  CHECK(volume_of(model + "3", "dp") == 1.5 * parameters);
  CHECK(sent(traffic_of(model + "3"), 0) == Sent{{1, 3 * 3 * parameters / 4}});
}

// M. Shoeybi et al., "Megatron-LM" (2019): four all-reduces of b s h in a layer and micro-batch; V.
// Korthikanti et al. (2022): with sequence parallelism reduce-scatters and all-gathers of as much.
// D. Narayanan et al. (SC21): with v chunks on a device pipelines send v times as much, b s h / t
// at a time, from the last stage to the first too.
TEST_CASE("Tensor and pipeline parallelism send what Megatron's papers count") {
  const std::string model =
      ",layers=12,hidden=64,sequence=32,micro_batch=2,micro_batches=5,heads=8,kv_heads=2,vocab=100";
  const double activation = 2 * 32 * 64 * 2;
  CHECK(volume_of("parallel:tp=4,pp=3" + model, "tp") == 4 * 4 * 5 * activation);
  CHECK(volume_of("parallel:tp=4,pp=3,sequence_parallel=1" + model, "tp") ==
        4 * 4 * 5 * activation);
  CHECK(volume_of("parallel:tp=4,pp=3" + model, "pp") == 5 * activation / 4);
  const std::string interleaved = "parallel:pp=3,interleave=2" + model;
  CHECK(sent(traffic_of(interleaved), 0) == Sent{{1, 2 * 5 * activation}, {2, 1 * 5 * activation}});
  CHECK(sent(traffic_of(interleaved), 2) == Sent{{1, 2 * 5 * activation}, {0, 1 * 5 * activation}});
  // A quarter of the heads has keys and values: h^2 for Q and O each, h^2/4 for K and V each.
  CHECK(volume_of("parallel:dp=2,bytes_per_value=1,ffn=100,gated=1" + model, "dp") ==
        12 * (2.5 * 64 * 64 + 3 * 64 * 100) + 2 * 100 * 64);
  CHECK(volume_of("parallel:cp=2" + model, "cp") ==
        volume_of("parallel:cp=2,layers=12,hidden=64,sequence=32,micro_batch=2,micro_batches=5",
                  "cp") /
            4);
}

TEST_CASE("Numbers of a model that cannot be are refused") {
  const std::string rest = ",layers=4,hidden=8,sequence=8,micro_batches=1";
  CHECK_THAT(refusal("parallel:tp=2,zero=4" + rest),
             Catch::StartsWith("zero \"4\", which is not a number from 0 to 3,"));
  CHECK_THAT(refusal("parallel:tp=2,heads=4,kv_heads=8" + rest),
             Catch::StartsWith("kv_heads 8 of 4 heads,"));
  CHECK_THAT(refusal("parallel:pp=4,interleave=2" + rest),
             Catch::StartsWith("interleave 2 of 4 layers in 4 stages,"));
  CHECK_THAT(refusal("parallel:tp=2,top_k=2,experts_per_token=2" + rest),
             Catch::StartsWith("\"experts_per_token\" twice"));
  CHECK_THAT(refusal("parallel:tp=2,model=lama-3-70b"),
             Catch::EndsWith("did you mean \"llama-3-70b\"?"));
}
