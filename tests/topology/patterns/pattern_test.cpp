#include "topology/patterns/pattern.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <map>

#include "tests/support/edges.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/patterns/permutations.hpp"

namespace vtopo {

using namespace vtopo::detail;
namespace {

using Catch::Contains;
using tests::message_of;

std::vector<SchedulePhase> phases_of(std::string_view pattern, std::string_view topology,
                                     std::vector<Bytes> volume = {{1000}}) {
  return make_schedule(parse_patterns(pattern), parse_guest_topology(topology), volume).phases;
}

using Edges = std::vector<std::tuple<int, int, double>>;

Edges sorted_edges_of(const CommGraph& graph) {
  Edges edges = tests::edges_of(graph);
  std::sort(edges.begin(), edges.end());
  return edges;
}

std::string refusal(std::string_view pattern, std::string_view topology) {
  return message_of<UsageError>([&] { phases_of(pattern, topology); });
}

std::vector<int> composed(const std::vector<int>& first, const std::vector<int>& second) {
  std::vector<int> result;
  for (const int r : first) result.push_back(second[static_cast<std::size_t>(r)]);
  return result;
}

TEST_CASE("halo is the exchange of the topology") {
  const auto phases = phases_of("halo", "cart:3x4p", {{10}, {20}});
  REQUIRE(phases.size() == 1);
  const std::vector<Bytes> volume{{10}, {20}};
  CHECK(sorted_edges_of(phases[0].traffic) ==
        sorted_edges_of(make_comm_graph(parse_guest_topology("cart:3x4p"), volume)));
}

// MPI_Cart_shift along dimension 0 of an open 2x3 grid: down from the second row, up from the
// first.
TEST_CASE("phased is one MPI_Cart_shift after the other") {
  const auto phases = phases_of("phased", "cart:2x3p", {{10}, {20}});
  REQUIRE(phases.size() == 4);
  CHECK(phases[0].name == "phased: dimension 0, -1");
  CHECK(sorted_edges_of(phases[0].traffic) == Edges{{3, 0, 10}, {4, 1, 10}, {5, 2, 10}});
  CHECK(phases[3].name == "phased: dimension 1, +1");
  CHECK(sorted_edges_of(phases[3].traffic) ==
        Edges{{0, 1, 20}, {1, 2, 20}, {2, 0, 20}, {3, 4, 20}, {4, 5, 20}, {5, 3, 20}});
}

TEST_CASE("the phases of phased send together what halo sends") {
  for (const char* topology :
       {"cart:4x5p", "hypercube:4", "stencil:4x4:moore", "stencil:9p:hops", "shuffle:3:cart:4x5"}) {
    Schedule schedule{phases_of("phased", topology)};
    CAPTURE(topology);
    const std::vector<Bytes> volume{{1000}};
    CHECK(sorted_edges_of(aggregated(schedule)) ==
          sorted_edges_of(make_comm_graph(parse_guest_topology(topology), volume)));
  }
}

// Nodes are those of all ranks: of parallel:tp=2,dp=4 with 4 ranks on a node, a communicator of dp
// is 0 2 4 6, two ranks on each of two nodes. By hand, 4 slots of a quarter: inside nodes 2 of
// them, along rails 1, and the same way back.
TEST_CASE("ranks_per_node counts the ranks of all communicators") {
  const auto phases = phases_of("allreduce:algorithm=hierarchical,ranks_per_node=4,sub=dp",
                                "parallel:tp=2,dp=4", {{4000}});
  REQUIRE(phases.size() == 4);
  CHECK(sorted_edges_of(phases[0].traffic) == Edges{{0, 2, 2000},
                                                    {1, 3, 2000},
                                                    {2, 0, 2000},
                                                    {3, 1, 2000},
                                                    {4, 6, 2000},
                                                    {5, 7, 2000},
                                                    {6, 4, 2000},
                                                    {7, 5, 2000}});
  CHECK(sorted_edges_of(phases[1].traffic) == Edges{{0, 4, 1000},
                                                    {1, 5, 1000},
                                                    {2, 6, 1000},
                                                    {3, 7, 1000},
                                                    {4, 0, 1000},
                                                    {5, 1, 1000},
                                                    {6, 2, 1000},
                                                    {7, 3, 1000}});
  CHECK_THAT(
      refusal("allreduce:algorithm=hierarchical,ranks_per_node=3,sub=dp", "parallel:tp=2,dp=4"),
      Catch::Contains("nodes of ranks_per_node=3 do not have equally many of 4 ranks"));
  CHECK_THAT(refusal("allreduce:algorithm=hierarchical,ranks_per_node=8", "cart:12"),
             Catch::Contains("12 ranks are not full nodes of ranks_per_node=8"));
}

TEST_CASE("neighbor_alltoall sends one volume whatever the weights") {
  const auto phases = phases_of("neighbor_alltoall", "rgg:64:6:1");
  for (const auto& [from, to, bytes] : sorted_edges_of(phases.at(0).traffic)) CHECK(bytes == 1000);
}

// Hand calculation: 2x4 ranks, rows {0..3} and {4..7}; r sends a quarter to the next in its row.
TEST_CASE("a collective over MPI_Cart_sub runs in every communicator at once") {
  const auto phases = phases_of("allreduce:algorithm=ring,sub=0-1", "cart:2x4");
  REQUIRE(phases.size() == 2);
  CHECK(phases[0].repeat == 3);
  CHECK(phases[0].name == "allreduce: ring reduce-scatter");
  CHECK(sorted_edges_of(phases[0].traffic) == Edges{{0, 1, 250},
                                                    {1, 2, 250},
                                                    {2, 3, 250},
                                                    {3, 0, 250},
                                                    {4, 5, 250},
                                                    {5, 6, 250},
                                                    {6, 7, 250},
                                                    {7, 4, 250}});
  const auto columns = phases_of("alltoall:sub=1-0", "cart:2x4");
  REQUIRE(columns.size() == 1);
  for (const auto& [from, to, bytes] : sorted_edges_of(columns[0].traffic))
    CHECK(from % 4 == to % 4);
}

// Ranks of parallel:tp=2,dp=3,pp=2 are tp + 2 dp + 6 pp; dimensions are pp, dp, tp.
TEST_CASE("sub takes the names of axes, whose ranks keep the order of the topology") {
  const char* program = "parallel:tp=2,dp=3,pp=2";
  const auto traffic = [&](const std::string& sub) {
    return sorted_edges_of(phases_of("shift:sub=" + sub, program).at(0).traffic);
  };
  CHECK(traffic("dp") == traffic("0-1-0"));
  CHECK(traffic("tp-pp") == traffic("1-0-1"));
  CHECK(traffic("pp-tp") == traffic("tp-pp"));
  CHECK(traffic("dp").front() == std::tuple{0, 2, 1000.0});
  CHECK(sorted_edges_of(phases_of("shift:sub=x", "parallel:tp=2,axis.x=2").at(0).traffic) ==
        Edges{{0, 2, 1000}, {1, 3, 1000}, {2, 0, 1000}, {3, 1, 1000}});
  CHECK(phases_of("shift:sub=dp", "shuffle:1:parallel:tp=2,dp=3").size() == 1);
  CHECK_THAT(refusal("shift:sub=cp", program),
             Contains("there is no axis \"cp\"; accepted: tp, dp, pp"));
  CHECK_THAT(refusal("shift:sub=dp-dp", program), Contains("names the axis dp twice"));
  CHECK_THAT(refusal("shift:sub=dp", "cart:4x4"), Contains("which only parallel: has"));
  CHECK_THAT(refusal("shift:sub=dp", "rgg:64:8:1"), Contains("not a Cartesian grid"));
  CHECK_THAT(refusal("shift:sub=dp-1", program), Contains("not a list of whole numbers"));
}

TEST_CASE("communicators of one rank have an empty phase") {
  for (const char* pattern : {"allreduce:sub=0-1", "alltoall:sub=0-1", "shift:sub=0-1"}) {
    const auto phases = phases_of(pattern, "cart:4x1");
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].traffic.num_edges() == 0);
    CHECK(phases[0].traffic.num_ranks() == 4);
  }
}

TEST_CASE("patterns follow each other, each with its own volume and number of times") {
  const auto phases = phases_of("halo:repeat=5,shift:offset=2,bytes=7,broadcast", "cart:4p");
  REQUIRE(phases.size() == 4);
  CHECK(phases[0].repeat == 5);
  CHECK(sorted_edges_of(phases[1].traffic) == Edges{{0, 2, 7}, {1, 3, 7}, {2, 0, 7}, {3, 1, 7}});
  CHECK(phases[2].name == "bcast: distance 2");
}

TEST_CASE("aggregated traffic sums phases and steps") {
  const Schedule schedule{phases_of("allreduce:algorithm=ring,repeat=2", "cart:4")};
  // 2 x 2(P-1)/P x 1000 B to the next rank
  CHECK(sorted_edges_of(aggregated(schedule)) ==
        Edges{{0, 1, 3000}, {1, 2, 3000}, {2, 3, 3000}, {3, 0, 3000}});
  CHECK(aggregated(schedule).out_edges(Rank{0})[0].messages == 12);
}

// Dally and Towles, chapter 3, by hand for eight and sixteen ranks.
TEST_CASE("permutations of bits are those of the book") {
  CHECK(bit_reversal(8) == std::vector<int>{0, 4, 2, 6, 1, 5, 3, 7});
  CHECK(bit_complement(8) == std::vector<int>{7, 6, 5, 4, 3, 2, 1, 0});
  CHECK(bit_rotation(8) == std::vector<int>{0, 4, 1, 5, 2, 6, 3, 7});
  CHECK(bit_shuffle(8) == std::vector<int>{0, 2, 4, 6, 1, 3, 5, 7});
  CHECK(bit_transpose(16) ==
        std::vector<int>{0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15});
}

TEST_CASE("every permutation is one, and some are their own inverse") {
  const Cartesian grid({{4, Periodicity::periodic}, {4, Periodicity::periodic}});
  std::vector<int> identity(16);
  for (int r = 0; r < 16; ++r) identity[static_cast<std::size_t>(r)] = r;
  for (const auto& permutation : {bit_reversal(16), bit_complement(16), bit_rotation(16),
                                  bit_shuffle(16), bit_transpose(16), grid_transpose(grid, {0, 1}),
                                  tornado(grid), rank_shift(16, -5), random_permutation(16, 9)}) {
    auto sorted = permutation;
    std::sort(sorted.begin(), sorted.end());
    CHECK(sorted == identity);
  }
  for (const auto& involution :
       {bit_reversal(16), bit_complement(16), grid_transpose(grid, {0, 1})})
    CHECK(composed(involution, involution) == identity);
  CHECK(composed(bit_rotation(16), bit_shuffle(16)) == identity);
  CHECK(composed(rank_shift(16, 5), rank_shift(16, -5)) == identity);
  CHECK(grid_transpose(grid, {0, 1}) ==
        bit_transpose(16));  // row and column are half the bits each
}

// ceil(k/2) - 1: 3 of 8, 2 of 5, 0 of 2.
TEST_CASE("a tornado blows just short of half way around") {
  const Cartesian grid({{8, Periodicity::periodic}, {5, Periodicity::periodic}, {2}});
  const auto destinations = tornado(grid);
  CHECK(destinations[0] == 3 * 10 + 2 * 2);
  CHECK(destinations[79] == 2 * 10 + 1 * 2 + 1);  // from (7, 4, 1)
}

TEST_CASE("random permutations are the same for the same seed") {
  CHECK(random_permutation(100, 1) == random_permutation(100, 1));
  CHECK(random_permutation(100, 1) != random_permutation(100, 2));
  CHECK(sorted_edges_of(phases_of("random", "cart:100")[0].traffic) ==
        sorted_edges_of(phases_of("random:seed=1", "cart:100")[0].traffic));
}

TEST_CASE("a pattern in a shuffled topology is that of the topology with ranks renamed") {
  const auto inside = phases_of("tornado", "cart:8p");
  const auto shuffled_phases = phases_of("tornado", "shuffle:5:cart:8p");
  CHECK(sorted_edges_of(shuffled_phases[0].traffic) ==
        sorted_edges_of(shuffled(inside[0].traffic, 5)));
}

TEST_CASE("patterns that do not apply say why") {
  CHECK_THAT(refusal("bit_reversal", "cart:12"),
             Contains("12 ranks are not a power of two") && Contains("8 and 16"));
  CHECK_THAT(refusal("transpose:dims=0-1", "cart:4x8"), Contains("sizes 4 and 8"));
  CHECK_THAT(refusal("transpose:dims=0-2", "cart:4x4"),
             Contains("dimension 2") && Contains("0 to 1"));
  CHECK_THAT(refusal("transpose", "cart:8"), Contains("not a square number"));
  CHECK_THAT(refusal("phased", "rgg:64:8:1"), Contains("not a Cartesian grid"));
  CHECK_THAT(refusal("tornado", "rgg:64:8:1"), Contains("not a Cartesian grid"));
  CHECK_THAT(refusal("alltoall:sub=1-0", "rgg:64:8:1"), Contains("not a Cartesian grid"));
  CHECK_THAT(refusal("alltoall:sub=1-0", "cart:4x4x4"),
             Contains("a list of 2; accepted is 0 or 1 for each of 3 dimensions"));
  CHECK_THAT(refusal("broadcast:root=4,sub=0-1", "cart:8x4"),
             Contains("root 4 is none of 4 ranks"));
  CHECK_THAT(refusal("allgather:algorithm=neighbor", "cart:7"), Contains("7 ranks"));
  CHECK_THAT(refusal("allgather:algorithm=recursive_doubling,order=distance_halving", "cart:6"),
             Contains("6 ranks are not a power of two"));
  CHECK_THAT(refusal("alltoall", "cart:100000"), Contains("1e+10") && Contains("bruck"));
  CHECK_THAT(message_of<UsageError>([] {
               phases_of("shift", "cart:4x4", {{1}, {2}});
             }),
             Contains("bytes="));
}

TEST_CASE("patterns are parsed strictly") {
  const auto error = [](std::string_view list) {
    return message_of<UsageError>([&] { parse_patterns(list); });
  };
  CHECK_THAT(error("haloo"), Contains("did you mean \"halo\""));
  CHECK_THAT(error("halo:repeats=2"), Contains("did you mean \"repeat\""));
  CHECK_THAT(error("halo:sub=1"), Contains("halo has no option \"sub\""));
  CHECK_THAT(error("halo:repeat=0"), Contains("1 to 1000000000"));
  CHECK_THAT(error("allreduce:algorithm=rign"), Contains("did you mean \"ring\""));
  CHECK_THAT(error("allreduce:algorithm=auto"), Contains("library=openmpi|mpich"));
  CHECK_THAT(error("allreduce:library=mpich"), Contains("algorithm=auto"));
  CHECK_THAT(error("allreduce:algorithm=auto,library=ompi"), Contains("accepted: openmpi, mpich"));
  CHECK_THAT(error("allreduce:algorithm=auto,library=mpich,window=2"),
             Contains("auto has no option"));
  CHECK_THAT(error("allreduce:algorithm=ring,segments=2"),
             Contains("ring has no option \"segments\""));
  CHECK_THAT(error("bcast:algorithm=chain,segments=2,segment=1KiB"), Contains("one of them"));
  CHECK_THAT(error("bcast:algorithm=chain,segment=0"), Contains("more than 0 bytes"));
  CHECK_THAT(error("bcast:segments=0"), Contains("1 to 1000000000"));
  CHECK_THAT(error("bcast:children=at_once"), Contains("together, in_turn"));
  CHECK_THAT(error("barrier:root=0"), Contains("barrier has no option \"root\""));
  CHECK_THAT(error("allreduce:sub=2-0"), Contains("1 or 0 per dimension"));
  CHECK_THAT(error("allreduce:sub="), Contains("not a list of whole numbers"));
  CHECK_THAT(error("transpose:dims=1-1"), Contains("two dimensions"));
  CHECK_THAT(error("halo:repeat=1,repeat=2"), Contains("twice"));
  CHECK_THAT(error("repeat=2,halo"), Contains("before the first pattern"));
  CHECK_THAT(error("halo:repeat"), Contains("key=value"));
  CHECK_THAT(error(""), Contains("unknown pattern"));
  CHECK_THAT(error("halo,"), Contains("unknown pattern"));
  CHECK_THAT(error("halo:bytes=-1"), Contains("pattern halo, bytes"));
}

TEST_CASE("broadcast stands for bcast") {
  CHECK(to_string(parse_patterns("broadcast:root=1").at(0)) == "bcast:root=1");
}

// 1000 B in segments of 300 B are 4 of 250 B; a ring's are of its blocks of 125 B.
TEST_CASE("segments are given by number or by size") {
  for (const char* segments : {"segments=4", "segment=300"}) {
    const auto phases =
        phases_of("bcast:algorithm=chain," + std::string(segments), "cart:2", {{1000}});
    REQUIRE(phases.size() == 1);
    CHECK(phases[0].repeat == 4);
    CHECK(sorted_edges_of(phases[0].traffic) == Edges{{0, 1, 250}});
  }
  const auto ring = phases_of("allreduce:algorithm=segmented_ring,segment=50", "cart:8", {{1000}});
  CHECK(ring.at(0).repeat == 3 * 7);
}

TEST_CASE("pipelines too long to be listed are refused") {
  CHECK_THAT(refusal("bcast:algorithm=chain,segments=2", "cart:20000"),
             Contains("20000 ranks") && Contains("2e+07"));
}

TEST_CASE("a barrier sends messages without volume") {
  const auto phases = phases_of("barrier:algorithm=linear", "cart:4");
  REQUIRE(phases.size() == 2);
  CHECK(sorted_edges_of(phases[0].traffic) == Edges{{1, 0, 0}, {2, 0, 0}, {3, 0, 0}});
}

// MPICH 4.0.2, src/mpi/coll/src/csel_json_autogen.c: a broadcast of more than 524288 bytes among
// at least 8 ranks.
TEST_CASE("a library chooses the algorithm of a pattern by its volume") {
  const auto names = [](std::string_view bytes) {
    return phases_of("bcast:algorithm=auto,library=mpich,bytes=" + std::string(bytes), "cart:8")
        .back()
        .name;
  };
  CHECK(names("12288") == "bcast: distance 1");
  CHECK(names("12289") == "bcast: allgather, distance 4");
  CHECK(names("524289") == "bcast: ring allgather");
}

TEST_CASE("patterns are written as they are read") {
  for (const char* list : {"halo", "allreduce:algorithm=ring,sub=1-0", "random:bytes=8,seed=3"}) {
    CHECK(to_string(parse_patterns(list).at(0)) == list);
    CHECK(parse_patterns(std::string(list) + ",halo").size() == 2);
  }
}

}  // namespace
}  // namespace vtopo
