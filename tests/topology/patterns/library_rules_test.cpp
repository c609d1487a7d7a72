#include "topology/patterns/library_rules.hpp"

#include <fmt/format.h>
#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "topology/base/error.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo {

using namespace vtopo::detail;
namespace {

std::string openmpi(std::string_view collective, int ranks, double bytes) {
  return std::string(library_choice("openmpi", collective, ranks, Bytes{bytes}));
}

std::string mpich(std::string_view collective, int ranks, double bytes) {
  return std::string(library_choice("mpich", collective, ranks, Bytes{bytes}));
}

// Open MPI 4.1.4, ompi/mca/coll/tuned/coll_tuned_decision_fixed.c, function
// ompi_coll_tuned_COLLECTIVE_intra_dec_fixed, operations that commute: the lines are quoted as
// (communicator_size, total_dsize) and the number of the algorithm there.
TEST_CASE("the choice of Open MPI 4.1 is that of its fixed decisions") {
  CHECK(openmpi("allreduce", 8, 8191) == "recursive_doubling");  // < 16, < 8192: 3
  CHECK(openmpi("allreduce", 8, 8192) == "rabenseifner");        // < 16, else: 6
  CHECK(openmpi("allreduce", 32, 127) == "recursive_doubling");  // < 64, < 128: 5, but 31 elements
  CHECK(openmpi("allreduce", 3, 100000) == "segmented_ring");    // < 4, < 262144: 5
  CHECK(openmpi("allreduce", 512, 2047) == "nonoverlapping");    // < 2048, < 2048: 2
  CHECK(openmpi("allreduce", 10000, 40000) == "rabenseifner");   // else, else: 6
  CHECK(openmpi("bcast", 512, 20000) == "split_binary_tree");    // < 1024, < 32768: 4
  CHECK(openmpi("bcast", 512, 1e9) == "knomial");                // < 1024, else: 7
  CHECK(openmpi("bcast", 16, 1048576) == "scatter_allgather");   // < 32, else: 8
  CHECK(openmpi("bcast", 7, 1e7) == "chain");                    // < 8, else: 2
  CHECK(openmpi("reduce", 300, 10000) == "in-order_binary");     // < 512, < 16384: 6
  CHECK(openmpi("reduce", 128, 1) == "binomial");                // < 256: 5
  CHECK(openmpi("alltoall", 512, 300000) == "pairwise");         // < 1024, else: 2
  CHECK(openmpi("alltoall", 32, 511) == "modified_bruck");       // < 64, < 512: 3
  CHECK(openmpi("alltoall", 2, 1 << 20) == "pairwise");          // == 2, else: 2
  CHECK(openmpi("barrier", 300, 0) == "tree");                   // < 512: 6
  CHECK(openmpi("scatter", 64, 512) == "linear_nb");             // else, else: 3
  CHECK(openmpi("gather", 300, 4000) == "basic_linear");         // < 512, < 8192: 1
}

// There, total_dsize of allgather is what one rank contributes, of reduce_scatter that of all.
TEST_CASE("the choice of Open MPI counts the volumes of a rank or of all as its source does") {
  CHECK(openmpi("allgather", 32, 65536) == "ring");                    // < 64, else: 4
  CHECK(openmpi("allgather", 512, 1e9) == "neighbor");                 // < 1024, else: 5
  CHECK(openmpi("reduce_scatter", 16, 262144.0 / 16) == "ring");       // < 32, else: 3
  CHECK(openmpi("reduce_scatter", 16, 16383) == "recursive_halving");  // < 32, < 262144: 2
  CHECK(openmpi("reduce_scatter", 512, 1e6) == "butterfly");           // < 1024, else: 4
}

// coll_base_allgather.c: recursive doubling of other numbers of ranks than powers of two is
// Bruck's, neighbour exchange of odd ones a ring; coll_base_allreduce.c: a ring of fewer elements
// than ranks is recursive doubling.
TEST_CASE("Open MPI takes another algorithm where the chosen one does not exist") {
  CHECK(openmpi("allgather", 12, 100) == "bruck");
  CHECK(openmpi("allgather", 513, 1e6) == "ring");
  CHECK(openmpi("allreduce", 20, 8) == "recursive_doubling");
}

// MPICH 4.0.2, src/mpi/coll/src/csel_json_autogen.c, MPII_coll_generic_json: `<=` there. Elements
// have 4 bytes: of 32 ranks, fewer than 32 of them are not reduced and scattered.
TEST_CASE("the choice of MPICH 4.0 is that of its generic selection file") {
  CHECK(mpich("allreduce", 32, 8) == "recursive_doubling");
  CHECK(mpich("allreduce", 32, 124) == "recursive_doubling");
  CHECK(mpich("allreduce", 32, 128) == "rabenseifner");
  CHECK(mpich("bcast", 7, 1e9) == "binomial");
  CHECK(mpich("bcast", 16, 12288) == "binomial");
  CHECK(mpich("bcast", 16, 524288) == "scatter_allgather");
  CHECK(mpich("bcast", 16, 524289) == "scatter_allgather_ring");
  CHECK(mpich("bcast", 1000, 12289) == "scatter_allgather_ring");
  CHECK(mpich("allgather", 16, 524287.0 / 16) == "recursive_doubling");
  CHECK(mpich("allgather", 16, 524288.0 / 16) == "ring");
  CHECK(mpich("allgather", 1000, 81) == "brucks");
  CHECK(mpich("allgather", 1000, 82) == "ring");
  CHECK(mpich("reduce_scatter", 1000, 525) == "pairwise");
  CHECK(mpich("reduce", 16, 2048) == "binomial");
  CHECK(mpich("reduce", 16, 2049) == "rabenseifner");
  CHECK(mpich("alltoall", 16, 256) == "brucks");
  CHECK(mpich("alltoall", 16, 32768) == "scattered");
  CHECK(mpich("alltoall", 7, 256) == "scattered");
  CHECK(mpich("barrier", 16, 0) == "dissemination");
}

// NCCL 2.30.7, src/graph/tuning.cc, by hand for 64 ranks on 8 nodes, 1 MiB. Tree, LL128: 14 +
// 2 (7 x 1.25 + 3 x 8.5) = 82.5 us; the least of 384 x 0.92, 8 x 36, that x 120/128 and 8 x 29 is
// 232 GB/s, half of it, x 0.6 from the table: 15.1 us. Ring, LL128: 14 + 14 x 4 + 112 x 1.9 = 282.8
// us and more. 1 GiB: tree, Simple, 8 x 36 / 2 GB/s take 7457 us; ring, Simple, 384 x 64/126 GB/s
// take 5505 us, and 1.4 (8.4 + 14 x 14 + 112 x 3.4) = 819 us.
TEST_CASE("the choice of NCCL between rings and trees is that of its cost model") {
  const auto nccl = [](int ranks, int per_node, double bytes) {
    return std::string(library_choice("nccl", "allreduce", ranks, Bytes{bytes}, per_node));
  };
  CHECK(nccl(64, 8, 1 << 20) == "tree");
  CHECK(nccl(64, 8, 1 << 30) == "ring");
  // Where it changes, by the same formulas: the more nodes, the later; one node has rings.
  CHECK(nccl(64, 8, 64 << 20) == "tree");
  CHECK(nccl(64, 8, 128 << 20) == "ring");
  CHECK(nccl(512, 8, 1 << 30) == "tree");
  CHECK(nccl(512, 8, 8e9) == "ring");
  CHECK(nccl(16, 8, 16 << 20) == "tree");
  CHECK(nccl(16, 8, 32 << 20) == "ring");
  CHECK(nccl(4, 1, 32 << 10) == "tree");
  CHECK(nccl(4, 1, 64 << 10) == "ring");
  CHECK(nccl(8, 8, 8) == "ring");
  CHECK(library_choice("nccl", "allgather", 64, Bytes{8}, 8) == "ring");
  CHECK_THROWS_AS(library_choice("nccl", "barrier", 64, Bytes{0}, 8), UsageError);
  CHECK_THROWS_AS(nccl(60, 8, 8), UsageError);
}

TEST_CASE("what NCCL chooses runs in channels through all ranks of a node") {
  const auto chosen = [](const std::string& pattern, double bytes) {
    return to_string(with_algorithm(parse_patterns(pattern).front(), 64, Bytes{bytes}));
  };
  const std::string automatic = ":algorithm=auto,library=nccl,ranks_per_node=8";
  CHECK(chosen("allreduce" + automatic, 1e6) ==
        "allreduce:algorithm=double_tree,channels=8,ranks_per_node=8,segment=128KiB");
  CHECK(chosen("allgather" + automatic, 1e6) ==
        "allgather:algorithm=ring,channels=8,ranks_per_node=8");
  CHECK_THROWS_AS(chosen("allreduce:algorithm=auto,library=nccl", 1e6), UsageError);
  CHECK_THROWS_AS(parse_patterns("allreduce:algorithm=auto,library=mpich,ranks_per_node=8"),
                  UsageError);
}

TEST_CASE("every choice of every rule is an algorithm that exists") {
  for (const LibraryRule& rule : library_rules())
    for (const int ranks : {2, 3, 6, 9, 16, 17, 40, 100, 200, 300, 700, 1500, 3000, 5000})
      for (double bytes = 1; bytes < 1e7; bytes *= 2) {
        const PatternSpec spec{std::string(rule.collective),
                               {{"algorithm", "auto"},
                                {"library", std::string(rule.library)},
                                {"ranks_per_node", "1"}}};
        CAPTURE(rule.library, rule.collective, ranks, bytes);
        CHECK_NOTHROW(pattern_steps(spec, {ranks, nullptr}, Bytes{bytes}));
      }
}

TEST_CASE("the names of libraries stand for algorithms that patterns have, or say why not") {
  std::set<std::string> keys;
  for (const LibraryAlgorithm& row : library_algorithms()) {
    CAPTURE(row.library, row.collective, row.name);
    CHECK(keys.insert(fmt::format("{} {} {}", row.library, row.collective, row.name)).second);
    if (row.options.empty()) CHECK(!row.note.empty());
    if (row.options.empty()) continue;
    const std::string_view collective = row.collective.empty() ? "alltoall" : row.collective;
    const std::string text = fmt::format("{}:{}", collective, row.options);
    CHECK_NOTHROW(pattern_steps(parse_patterns(text).at(0), {8, nullptr}, Bytes{1e6}));
  }
}

TEST_CASE("Cray MPICH has the names of MPICH but where it takes its own choice") {
  CHECK(find_library_algorithm("cray", "allgather", "ring") ==
        find_library_algorithm("mpich", "allgather", "ring"));
  CHECK(find_library_algorithm("cray", "allreduce", "recursive_doubling")->options ==
        find_library_algorithm("mpich", "allreduce", "default")->options);
  CHECK(find_library_algorithm("cray", "allreduce", "none") == nullptr);
}

TEST_CASE("What a library takes by itself is known of each collective that it has rules for") {
  const LibraryAlgorithm* row = find_library_algorithm("cray", "alltoall", "default");
  REQUIRE(row != nullptr);
  CHECK(row->options == "algorithm=auto,library=mpich");
  CHECK(find_library_algorithm("mpich", "gather", "non_blocking")->options == row->options);
  CHECK(find_library_algorithm("openmpi", "scatter", "default")->options ==
        "algorithm=auto,library=openmpi");
  CHECK(find_library_algorithm("mpich", "exscan", "default") == nullptr);
}

}  // namespace
}  // namespace vtopo
