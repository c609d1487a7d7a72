#include "topology/mpi/virtual_topology.hpp"

#include <catch2/catch.hpp>

#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;

namespace {

std::string topology_error(std::string_view spec) {
  return message_of<UsageError>([&] { parse_virtual_topology(spec); });
}

Cartesian parsed_grid(std::string_view spec) {
  return std::get<Cartesian>(parse_virtual_topology(spec));
}

const std::string example_files = tests::source_path("examples/");

}  // namespace

TEST_CASE("A grid is open unless p stands behind a size") {
  const Cartesian grid = parsed_grid("cart:8x4px2");
  REQUIRE(grid.dimensions().size() == 3);
  CHECK(grid.num_ranks() == 64);
  CHECK(grid.dimensions()[0].size == 8);
  CHECK(grid.dimensions()[1].size == 4);
  CHECK_FALSE(grid.dimensions()[0].periodic());
  CHECK(grid.dimensions()[1].periodic());
  CHECK_FALSE(grid.dimensions()[2].periodic());
}

TEST_CASE("A grid may have as many ranks as an int can number") {
  CHECK(parsed_grid("cart:2147483647").num_ranks() == 2147483647);
}

TEST_CASE("A hypercube joins ranks that differ in one bit") {
  // 12 dimensions: 4096 ranks, each with 12 neighbours, hence 49152 directed edges.
  const Bytes volume[] = {Bytes{1}};
  const CommGraph graph = make_comm_graph(parse_virtual_topology("hypercube:12"), volume);
  CHECK(graph.num_ranks() == 4096);
  CHECK(graph.num_edges() == 49152);
  int slips = 0;
  graph.for_each_edge([&](Rank source, const CommEdge& edge) {
    const auto bits = static_cast<unsigned>(number(source) ^ number(edge.destination));
    if (bits == 0 || (bits & (bits - 1)) != 0) ++slips;
  });
  CHECK(slips == 0);
}

TEST_CASE("A hypercube has 0 to 30 dimensions") {
  CHECK(parsed_grid("hypercube:0").num_ranks() == 1);
  CHECK(parsed_grid("hypercube:30").num_ranks() == 1073741824);  // 2^30
  CHECK(topology_error("hypercube:31") ==
        "number of dimensions \"31\" in \"hypercube:31\" is not an integer in 0..30");
  CHECK(topology_error("hypercube:-1") ==
        "number of dimensions \"-1\" in \"hypercube:-1\" is not an integer in 0..30");
  CHECK(topology_error("hypercube:3x") ==
        "number of dimensions \"3x\" in \"hypercube:3x\" is not an integer in 0..30");
  CHECK(topology_error("hypercube:") ==
        "number of dimensions \"\" in \"hypercube:\" is not an integer in 0..30");
}

TEST_CASE("A size below 1 or above an int is a sentence that quotes the specification") {
  CHECK(topology_error("cart:8x0x8") == "size 0 in \"cart:8x0x8\": each size must be >= 1");
  CHECK(topology_error("cart:-3") == "size -3 in \"cart:-3\": each size must be >= 1");
  CHECK(topology_error("cart:2147483648") ==
        "size 2147483648 in \"cart:2147483648\": each size must be <= 2147483647");
}

TEST_CASE("A product of sizes above an int is a sentence") {
  CHECK(topology_error("cart:65536x65536") ==
        "\"cart:65536x65536\": the grid has more than 2147483647 ranks");
  // 2^32 ranks twice over: the product of four sizes leaves 64 bits too if it is not watched.
  CHECK(topology_error("cart:65536x65536x65536x65536x65536") ==
        "\"cart:65536x65536x65536x65536x65536\": the grid has more than 2147483647 ranks");
}

TEST_CASE("Empty sizes and junk are a sentence that shows the accepted form") {
  CHECK(topology_error("cart:8x") ==
        "size \"\" in \"cart:8x\" is not an integer in 1..2147483647, with p behind it where the "
        "dimension is periodic, such as 8x8p");
  for (const std::string junk :
       {"", "p", "8q", "8pp", "8.5", "+8", " 8", "8 ", "8X8", "1e3", "99999999999999999999"})
    CHECK_THAT(
        topology_error("cart:" + junk),
        Catch::StartsWith("size \"" + junk + "\" in \"cart:" + junk + "\" is not an integer"));
}

TEST_CASE("An unknown kind names the known ones and the nearest") {
  const std::string accepted =
      "accepted are cart:8x8p, hypercube:12, graph:FILE, dist:FILE, stencil:8x8p:moore, "
      "rgg:4096:8:SEED, parallel:tp=8,dp=4, shuffle:SEED:cart:8x8";
  CHECK(topology_error("carts:8x8") ==
        "kind \"carts\" of virtual topology \"carts:8x8\" is unknown; " + accepted +
            "; did you mean \"cart\"?");
  CHECK(topology_error("stencils:64x64:moore") ==
        "kind \"stencils\" of virtual topology \"stencils:64x64:moore\" is unknown; " + accepted +
            "; did you mean \"stencil\"?");
  CHECK(topology_error("") == "kind \"\" of virtual topology \"\" is unknown; " + accepted);
  CHECK_THAT(topology_error("8x8x8"), Catch::StartsWith("kind \"8x8x8\""));
  CHECK_THAT(topology_error("cart"), Catch::StartsWith("size \"\" in \"cart\""));
}

TEST_CASE("A file must be named and exist") {
  CHECK(topology_error("graph:") == "no file in \"graph:\"; accepted is graph:FILE");
  CHECK(topology_error("dist:") == "no file in \"dist:\"; accepted is dist:FILE");
  CHECK(topology_error("shuffle") ==
        "nothing follows \"shuffle\"; accepted is shuffle:SEED:cart:8x8");
  CHECK(topology_error("rgg") == "nothing follows \"rgg\"; accepted is rgg:4096:8:SEED");
  CHECK(topology_error("stencil") == "nothing follows \"stencil\"; accepted is stencil:8x8p:moore");
  CHECK(message_of<InputError>([] { parse_virtual_topology("graph:/no/such.graph"); }) ==
        "/no/such.graph: no such file");
}

TEST_CASE("The example files are read through their specifications") {
  const Bytes volume[] = {Bytes{1000}};
  const auto ring = parse_virtual_topology("graph:" + example_files + "ring.graph");
  CHECK(make_comm_graph(ring, volume).num_edges() == 16);  // 8 ranks, 2 neighbours each
  const auto pipeline = parse_virtual_topology("dist:" + example_files + "pipeline.dist");
  const CommGraph graph = make_comm_graph(pipeline, volume);
  CHECK(graph.num_ranks() == 6);
  // Weights 4 + 4 + 2 + 2 + 1 + 1 + 0.001 times 1000 bytes.
  CHECK(graph.total_volume().value == Approx(14001));
}

TEST_CASE("Only a grid takes a volume per dimension") {
  const Bytes volumes[] = {Bytes{1}, Bytes{2}};
  const auto ring = parse_virtual_topology("graph:" + example_files + "ring.graph");
  CHECK(message_of<UsageError>([&] { make_comm_graph(ring, volumes); }) ==
        "2 volumes for a virtual topology without dimensions: accepted is 1");
  CHECK_THROWS_AS(make_comm_graph(ring, {}), UsageError);
  // A 2x3 grid has 2*3 directed edges along dimension 0 and 2*2*2 along dimension 1.
  const CommGraph graph = make_comm_graph(parse_virtual_topology("cart:2x3"), volumes);
  CHECK(graph.total_volume().value == 6 * 1 + 8 * 2);
}
