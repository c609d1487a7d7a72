#include "sim/placement/embedding_files.hpp"

#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <fstream>
#include <memory>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

namespace {

/// A platform file whose hosts are called alpha, beta, ...
std::shared_ptr<const Network> two_rooms() {
  return load_platform(tests::source_path("platforms/two-rooms.xml"), {});
}

/// Ranks on hosts by number, on an allocation of `hosts` with `slots` each.
struct Placed {
  std::shared_ptr<const Network> network;
  Allocation allocation;
  Embedding embedding;

  Placed(std::shared_ptr<const Network> on, std::string_view hosts, std::vector<int> slots,
         const std::vector<int>& ids)
      : network(std::move(on)),
        allocation(make_allocation(*network, hosts, slots, 1)),
        embedding(hosts_of(ids), allocation) {}

  static std::vector<HostId> hosts_of(const std::vector<int>& ids) {
    std::vector<HostId> result;
    for (const int id : ids) result.push_back(HostId{id});
    return result;
  }

  std::string text(std::string_view format) const {
    return write_embedding(find_embedding_format(format),
                           {embedding, *network, allocation, "greedy", {{"hosts", "all"}}});
  }

  /// Sentence of the error when the embedding is written.
  std::string reason_against(std::string_view format) const {
    return tests::message_of<UsageError>([&] { text(format); });
  }

  std::string path(std::string_view format) const {
    return tests::own_folder() + "/embedding_files_test." + std::string(format);
  }

  Embedding read(std::string_view format, std::string_view content) const {
    std::ofstream(path(format)) << content;
    return read_embedding(find_embedding_format(format), path(format), embedding.num_ranks(),
                          *network, allocation);
  }

  /// Sentence of the error when `content` is read, after the path.
  std::string complaint(std::string_view format, std::string_view content) const {
    return tests::message_about(path(format), [&] { read(format, content); });
  }
};

/// Six ranks on the 4 x 3 torus, two slots per host: hosts 6, 1, 6, 11, 0, 1.
Placed on_torus() {
  return {make_network("torus:4x3", {}), "all", {2}, {6, 1, 6, 11, 0, 1}};
}

std::vector<Placed> all_placed() {
  std::vector<Placed> list{on_torus()};
  list.emplace_back(make_network("torus:2x2x3", {}), "list:3,11,4", std::vector{1},
                    std::vector{11, 3, 4});
  list.emplace_back(make_network("torus:2x3x2x2x2", {}), "all", std::vector{1},
                    std::vector{47, 0, 23, 1});
  list.emplace_back(make_network("torus:2x2x2x2x2x2", {}), "all", std::vector{3},
                    std::vector{63, 0, 63, 63});
  list.emplace_back(make_network("torus:4x3,per_router=2", {}), "all", std::vector{1},
                    std::vector{23, 0, 5});
  list.emplace_back(make_network("fat-tree:2;4,4;1,2;1,2", {}), "block:4,4", std::vector{2},
                    std::vector{7, 4, 5, 6, 4, 5, 7, 6});
  list.emplace_back(make_network("dragonfly:3,4;2,1;2,1;2", {}), "all", std::vector{1},
                    std::vector{9, 2, 23, 0});
  list.emplace_back(two_rooms(), "list:4,2,0", std::vector{1, 3, 2}, std::vector{2, 4, 2, 0, 0, 2});
  list.emplace_back(make_network("mesh:3", {}), "all", std::vector{1}, std::vector<int>{});
  return list;
}

}  // namespace

TEST_CASE("What a format can express reads back equal") {
  int round_trips = 0;
  for (const Placed& placed : all_placed())
    for (const EmbeddingFormat& format : embedding_formats()) {
      INFO(format.name << ": " << placed.network->description());
      std::string text;
      try {
        text = placed.text(format.name);
      } catch (const UsageError&) {
        continue;
      }
      if (format.name == "csv" || placed.embedding.num_ranks() > 0) {
        CHECK(placed.read(format.name, text) == placed.embedding);
        ++round_trips;
      }
    }
  // Eleven formats take any embedding of the eight with ranks, csv also the one without; rank
  // orders the three that fill their slots, taskmap the same three, which use all their hosts, bgq
  // three tori, vcoord two, torchrun the four that have one rank on each node.
  CHECK(round_trips == 11 * 8 + 1 + 3 + 3 + 3 + 2 + 4);
}

TEST_CASE("Launchers find the text that they expect") {
  // By hand: host = x + 4 y on the 4 x 3 torus, so 6 = (2,1), 1 = (1,0), 11 = (3,2).
  const Placed placed = on_torus();
  CHECK(placed.text("csv") ==
        "rank,host,slot\n0,host-6,0\n1,host-1,0\n2,host-6,1\n3,host-11,0\n4,host-0,0\n"
        "5,host-1,1\n");
  CHECK(placed.text("rankfile") ==
        "rank 0=host-6 slot=0\nrank 1=host-1 slot=0\nrank 2=host-6 slot=1\n"
        "rank 3=host-11 slot=0\nrank 4=host-0 slot=0\nrank 5=host-1 slot=1\n");
  CHECK(placed.text("slurm") == "host-6\nhost-1\nhost-6\nhost-11\nhost-0\nhost-1\n");
  for (const char* format : {"smpi", "flux", "prrte"})
    CHECK(placed.text(format) == placed.text("slurm"));
  CHECK(placed.text("hydra") == "host-6:1\nhost-1:1\nhost-6:1\nhost-11:1\nhost-0:1\nhost-1:1\n");
  CHECK(placed.text("map") == "6\n0\t6\n1\t1\n2\t6\n3\t11\n4\t0\n5\t1\n");
  CHECK(placed.text("bgq") ==
        "2 1 0 0 0 0\n1 0 0 0 0 0\n2 1 0 0 0 1\n3 2 0 0 0 0\n0 0 0 0 0 0\n1 0 0 0 0 1\n");
  CHECK(placed.text("vcoord") == "(2,1)\n(1,0)\n(2,1)\n(3,2)\n(0,0)\n(1,0)\n");
  const Placed full(make_network("torus:4", {}), "list:2,0", {2}, {0, 2, 2, 0});
  // Slots in the order of the allocation: two of host 2, two of host 0.
  CHECK(full.text("mpich_rank_order") == "1,2\n0,3\n");
  CHECK(full.text("hydra") == "host-0:1\nhost-2:2\nhost-0:1\n");
}

TEST_CASE("The JSON document tells names, numbers and the scenario") {
  const Placed placed(make_network("torus:4", {}), "all", {1}, {3, 1});
  CHECK(placed.text("json") == R"({
  "schema": "vtopo/embedding/v1",
  "mapper": "greedy",
  "network": "torus:4",
  "num_ranks": 2,
  "scenario": {
    "hosts": "all"
  },
  "ranks": [
    {"rank": 0, "host": "host-3", "host_id": 3, "slot": 0},
    {"rank": 1, "host": "host-1", "host_id": 1, "slot": 0}
  ]
}
)");
}

TEST_CASE("A format that cannot express an embedding says why") {
  using Catch::Contains;
  const Placed tree(make_network("fat-tree:2;4,4;1,2;1,2", {}), "all", {1}, {0});
  CHECK_THAT(tree.reason_against("bgq"), Contains("is not a torus or mesh"));
  CHECK_THAT(tree.reason_against("vcoord"), Contains("is not a torus or mesh"));
  const Placed six(make_network("torus:2x2x2x2x2x2", {}), "all", {65}, std::vector<int>(65, 0));
  CHECK_THAT(six.reason_against("bgq"), Contains("has 5 coordinates") && Contains("6 dimensions"));
  const Placed crowded(make_network("torus:2", {}), "all", {65}, std::vector<int>(65, 0));
  CHECK_THAT(crowded.reason_against("bgq"), Contains("rank 64 is number 65 on its host"));
  const Placed pairs(make_network("torus:4x3,per_router=2", {}), "all", {1}, {0});
  CHECK_THAT(pairs.reason_against("vcoord"), Contains("one host at each coordinate"));
  const Placed hole(make_network("torus:4", {}), "all", {2}, {0, 1, 1});
  CHECK_THAT(hole.reason_against("mpich_rank_order"),
             Contains("host \"host-0\" has 1 of 2 ranks while 2 more sit behind it"));
  // Open MPI reads +n0 as the first node of the job.
  const tests::TemporaryFile file("plus.xml", R"(<?xml version='1.0'?>
<!DOCTYPE platform SYSTEM "https://simgrid.org/simgrid.dtd">
<platform version="4.1"><zone id="z" routing="Full"><host id="+n0" speed="1f"/></zone></platform>
)");
  const Placed plus(load_platform(file.path(), {}), "all", {1}, {0});
  CHECK_THAT(plus.reason_against("rankfile"),
             Contains("\"+n0\", where \"+\" means something else"));
  CHECK_THAT(plus.reason_against("prrte"), Contains("\"+n0\", where \"+\" means something else"));
}

TEST_CASE("What other programs write is read as well") {
  const Placed placed(make_network("torus:4", {}), "list:2,0,3", {2}, {2, 2, 0, 0, 3, 3});
  CHECK(placed.read("mpich_rank_order", "# two by two\n0-2,\n3,4-5 # end\n") == placed.embedding);
  CHECK(placed.read("slurm", "host-[2,2]\nhost-0,host-0\nhost-3\r\nhost-3") == placed.embedding);
  CHECK(placed.read("hydra", "host-2:2\n\nhost-0:2 # first\nhost-3\nhost-3\n") == placed.embedding);
  CHECK(placed.read("csv",
                    "rank,host\n5,host-3\n4,host-3\n3,host-0\n2,host-0\n1,host-2\n0,host-2"
                    "\n") == placed.embedding);
  CHECK(placed.read("rankfile",
                    "rank 5=host-3 slot=1:0-3\nrank 4=host-3 slot=0\nrank 3=host-0 slot=0,1\n"
                    "rank 2=host-0 slot=7\nrank 1=host-2 slot=0\nrank 0=host-2 slot=1\n") ==
        placed.embedding);
}

// torchrun(1): global rank = node rank x processes per node + local rank; local rank i has the i-th
// device of CUDA_VISIBLE_DEVICES.
TEST_CASE("torchrun gets node ranks and the order of devices") {
  const Placed placed(make_network("torus:2,node=4", {}), "all", {1}, {5, 4, 7, 6, 0, 1, 3, 2});
  CHECK(placed.text("torchrun") == "host-1 0 1,0,3,2\nhost-0 1 0,1,3,2\n");
  CHECK(placed.read("torchrun", placed.text("torchrun")) == placed.embedding);
  const Placed mixed(make_network("torus:2,node=4", {}), "all", {1}, {0, 4, 1, 5});
  CHECK_THAT(mixed.reason_against("torchrun"),
             Catch::Contains("ranks of a node do not follow each other"));
  const Placed crowded(make_network("torus:2,node=4", {}), "node:0", {2}, {0, 0, 1, 1});
  CHECK_THAT(crowded.reason_against("torchrun"),
             Catch::Contains("one of the 4 devices of host-0; accepted is --ranks-per-node 1"));
  CHECK_THAT(placed.complaint("torchrun", "host-0 0\n"), Catch::StartsWith(":1:1: \"host-0 0\""));
}

TEST_CASE("Embeddings in CSV have their columns in any order") {
  const Placed placed(make_network("torus:4", {}), "list:2,0", {2}, {2, 0, 2});
  CHECK(placed.read("csv", "host,rank\nhost-0,1\nhost-2,0\nhost-2,2\n") == placed.embedding);
  CHECK(placed.read("csv", ",Node,Slot,Task ID\n0,host-0,0,1\n1,host-2,0,0\n2,host-2,1,2\n") ==
        placed.embedding);
  for (const std::string text :
       {"rank;hostname;core\n1;host-0;0\n0;host-2;0\n2;host-2;1\n",
        "\"rank\",\"host\",\"slot\"\n\"1\",\"host-0\",\"0\"\n0,\"host-2\",0\n2,host-2,1\n",
        "host\tRank ID\txname\nhost-0\t1\tx1\nhost-2\t0\tx2\nhost-2\t2\tx2\n"}) {
    CAPTURE(text);
    CHECK(placed.read("csv", text) == placed.embedding);
  }
}

// Open MPI, mpirun(1), "Rankfiles": slot=SOCKET:CORE, lists and ranges of cores; +nX is host X of
// the job. A node of 4x2 places has two sockets of four cores.
TEST_CASE("Rankfiles name sockets, lists of cores and relative nodes") {
  const Placed placed(make_network("torus:2,node=4x2", {}), "all", {1}, {4, 0, 7, 10});
  CHECK(placed.read("rankfile",
                    "rank 0=host-0 slot=1:0\nrank 1=+n0 slot=0:0-3\nrank 2=host-0 slot=1:3\n"
                    "rank 3=+n1 slot=2,5\n") == placed.embedding);
  CHECK(placed.read("rankfile",
                    "rank 0=host-0 slot=p4\nrank 1=host-0 slot=0-1\nrank 2=host-0 slot=7\n"
                    "rank 3=host-1 slot=0:2,1:0\n") == placed.embedding);
  CHECK(
      placed.read("rankfile",
                  "rank 0 = host-0 slot = 4\nrank 1= host-0 slot =0:0;1:0\nrank 2 =host-0 slot= 7\n"
                  "rank  3=+n1  slot=0:2\n") == placed.embedding);
  CHECK_THAT(placed.complaint("rankfile", "rank 0 = host-0 slot =\n"),
             Catch::StartsWith(":1:22: slot \"\": accepted are"));
  CHECK(placed.complaint("rankfile", "rank 0=host-0 slot=2:0\n") ==
        ":1:20: slot \"2:0\" of node \"host-0\": accepted are sockets 0 to 1 and cores 0 to 3 of "
        "each");
  CHECK(placed.complaint("rankfile", "rank 0=host-0 slot=8\n") ==
        ":1:20: slot \"8\" of node \"host-0\": accepted are 0 to 7");
}

TEST_CASE("The hint to raise slots is what the whole file needs") {
  const Placed placed(make_network("mesh:3", {}), "all", {2}, {0, 0, 1, 1, 2, 2});
  std::ofstream(placed.path("hydra")) << "host-0:2\nhost-1\nhost-0 slots=3\n";
  CHECK_THROWS_WITH(
      read_embedding(find_embedding_format("hydra"), placed.path("hydra"), 6, *placed.network,
                     placed.allocation),
      Catch::Contains(":3:1: rank 3 is one more than the slots of host \"host-0\" (2): "
                      "raise --slots to 5"));
}

// The test vectors of Flux's RFC 34: node of each rank, and the map.
TEST_CASE("Task maps are those of Flux's RFC 34") {
  const auto map_of = [](int hosts, int slots, const std::vector<int>& nodes) {
    const Placed placed(make_network("torus:8", {}), fmt::format("first:{}", hosts), {slots},
                        nodes);
    CHECK(placed.read("taskmap", placed.text("taskmap")) == placed.embedding);
    return placed.text("taskmap");
  };
  CHECK(map_of(1, 1, {0}) == "[[0,1,1,1]]\n");
  CHECK(map_of(2, 1, {0, 1}) == "[[0,2,1,1]]\n");
  CHECK(map_of(1, 2, {0, 0}) == "[[0,1,2,1]]\n");
  CHECK(map_of(2, 2, {0, 0, 1, 1}) == "[[0,2,2,1]]\n");
  CHECK(map_of(2, 2, {0, 1, 0, 1}) == "[[0,2,1,2]]\n");
  CHECK(map_of(2, 1, {1, 0}) == "[[1,1,1,1],[0,1,1,1]]\n");
  CHECK(map_of(4, 4, {0, 0, 1, 1, 2, 2, 3, 3, 0, 0, 1, 1, 2, 2, 3, 3}) == "[[0,4,2,2]]\n");
  CHECK(map_of(6, 4, {0, 1, 2, 3, 4, 5, 0, 1, 2, 3, 4, 5, 4, 5, 4, 5}) ==
        "[[0,6,1,2],[4,2,1,2]]\n");
  CHECK(map_of(6, 4, {5, 5, 5, 5, 4, 4, 4, 4, 3, 3, 2, 2, 1, 1, 0, 0}) ==
        "[[5,1,4,1],[4,1,4,1],[3,1,2,1],[2,1,2,1],[1,1,2,1],[0,1,2,1]]\n");
  CHECK(map_of(8, 2, {0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 6, 6, 5, 5, 7, 7}) ==
        "[[0,5,2,1],[6,1,2,1],[5,1,2,1],[7,1,2,1]]\n");
}

TEST_CASE("A wrong task map is refused with its block") {
  const Placed placed(make_network("torus:4", {}), "list:2,0,3", {2}, {2, 2, 0, 0, 3, 3});
  CHECK(placed.read("taskmap", "{\"version\":1, \"map\":\n[[0,3,2,1]]}") == placed.embedding);
  using Catch::Contains;
  using Catch::StartsWith;
  for (const char* text : {"", "[", "7", "{}", "{\"version\":2,\"map\":[]}"})
    CHECK_THAT(placed.complaint("taskmap", text), StartsWith(": expected a task map of Flux"));
  for (const char* block :
       {"[0,1,2]", "[0,0,1,1]", "[0,1,-1,1]", "[0,1,1,1.5]", "{}", "[0,1,1,99999999999999999999]"})
    CHECK_THAT(placed.complaint("taskmap", fmt::format("[[0,1,2,1],{}]", block)),
               StartsWith(": block 2 is "));
  CHECK(placed.complaint("taskmap", "[[2,2,1,1]]") ==
        ": block 1 has node 3: the allocation has nodes 0 to 2");
  CHECK_THAT(placed.complaint("taskmap", "[[0,3,2,16000000]]"), Contains("rank 6"));
  const Placed hole(make_network("torus:4", {}), "all", {2}, {0, 2, 2});
  CHECK_THAT(hole.reason_against("taskmap"), Contains("node \"host-1\" has no rank"));
}

TEST_CASE("The commands that start a program name ranks, file and nodes") {
  const Placed placed(make_network("torus:4", {}), "list:2,0,3", {2}, {2, 2, 0, 0, 3});
  const auto line = [&](std::string_view format) {
    const EmbeddingDocument document{placed.embedding, *placed.network, placed.allocation};
    return find_embedding_format(format).launch(document, "job").front().second;
  };
  CHECK(line("rankfile") == "mpirun -np 5 -rf job ./program");
  CHECK(line("prrte") == "mpirun -np 5 --map-by seq:file=job ./program");
  CHECK(line("slurm") == "SLURM_HOSTFILE=job srun -n 5 --distribution=arbitrary ./program");
  CHECK(line("hydra") == "mpiexec.hydra -f job -n 5 ./program");
  CHECK(line("bgq") == "runjob --np 5 --ranks-per-node 2 --mapping job : ./program");
  CHECK(line("vcoord") == "mpiexec --vcoordfile job -n 5 ./program");
  // Nodes in the order of the allocation, which compressed lists keep.
  CHECK(line("flux") ==
        "flux run -N 3 -n 5 --requires='hosts:host-[2,0,3]' --taskmap=hostfile:job ./program");
  CHECK(line("taskmap") ==
        "flux run -N 3 -n 5 --requires='hosts:host-[2,0,3]' --taskmap=manual:\"$(cat job)\" "
        "./program");
  CHECK(line("mpich_rank_order") ==
        "cp job MPICH_RANK_ORDER && MPICH_RANK_REORDER_METHOD=3 srun -n 5 ./program");
}

// Megatron-LM, megatron/training/initialize.py: order tp-cp-ep-dp-pp, with --use-tp-pp-dp-mapping
// tp-cp-ep-pp-dp; any other one is an argument of initialize_model_parallel.
TEST_CASE("Megatron gets an order of axes and the options that have it") {
  const auto program = parse_parallel_program("parallel:tp=2,dp=2,pp=2");
  const Placed placed(make_network("torus:4", {}), "all", {2}, {0, 0, 1, 1, 2, 2, 3, 3});
  const auto file = [&](const Embedding& embedding, std::string_view format) {
    EmbeddingDocument document{embedding, *placed.network, placed.allocation};
    document.program = &*program;
    const EmbeddingFormat& form = find_embedding_format(format);
    return std::pair(write_embedding(form, document), form.launch(document, "job").front().second);
  };
  const auto on = [&](std::vector<int> hosts) {
    return Placed(make_network("torus:4", {}), "all", {2}, hosts).embedding;
  };
  const std::string torchrun =
      "torchrun --nnodes=4 --node-rank=$NODE_RANK --nproc-per-node=2 --master-addr=host-0 "
      "pretrain_gpt.py --tensor-model-parallel-size 2 --pipeline-model-parallel-size 2";
  CHECK(file(placed.embedding, "megatron") ==
        std::pair<std::string, std::string>{"tp-dp-pp\n", torchrun});
  // Ranks tp, dp, pp from the fastest: with pp before dp, ranks 4 and 5 are on the second node.
  CHECK(file(on({0, 0, 2, 2, 1, 1, 3, 3}), "megatron") ==
        std::pair<std::string, std::string>{"tp-pp-dp\n", torchrun + " --use-tp-pp-dp-mapping"});
  CHECK(file(on({0, 2, 0, 2, 1, 3, 1, 3}), "megatron") ==
        std::pair<std::string, std::string>{
            "dp-pp-tp\n",
            "megatron.core.parallel_state.initialize_model_parallel(tensor_model_parallel_size=2, "
            "pipeline_model_parallel_size=2, order=\"dp-pp-tp\")"});
  CHECK_THROWS_WITH(file(on({0, 1, 0, 1, 2, 3, 3, 2}), "megatron"),
                    Catch::Contains("no order of the axes alone is this embedding"));
  CHECK(file(placed.embedding, "jax").second ==
        "Mesh(numpy.array(jax.devices())[json.load(open(\"job\"))].reshape(2, 2, 2), "
        "(\"pp\", \"dp\", \"tp\"))");
  CHECK_THAT(placed.reason_against("megatron"), Catch::Contains("only parallel:AXIS=SIZE"));
  CHECK_THROWS_WITH(placed.read("megatron", "tp-dp-pp\n"), Catch::Contains("written, not read"));
}

// Devices are numbered as slots of the allocation: two per host here.
TEST_CASE("A mesh of JAX names the device of every rank") {
  const Placed placed = on_torus();
  CHECK(placed.text("jax") == "[\n12,\n2,\n13,\n22,\n0,\n3\n]\n");
  CHECK(placed.read("jax", "[\n12,\n2,\n13,\n22,\n0,\n3\n]\n") == placed.embedding);
  CHECK(placed.complaint("jax", "[\n24\n]\n").find(":2:1: device \"24\"") == 0);
}

TEST_CASE("A partition of METIS counts the hosts of the allocation") {
  const Placed placed(make_network("torus:4", {}), "list:2,0,3", {2}, {2, 2, 0, 0, 3, 3});
  CHECK(placed.text("part") == "0\n0\n1\n1\n2\n2\n");
  CHECK(placed.read("part", "0\n0\n1\n1\n2\n2\n") == placed.embedding);
  CHECK(placed.complaint("part", "0\n3\n") ==
        ":2:1: part \"3\": accepted is the position of a host in the allocation, 0 to 2");
  CHECK(embedding_format_of("a/halo.graph.part.16", {}).name == "part");
}

TEST_CASE("The ranks that a file places are counted where nobody says how many there are") {
  const Placed placed(make_network("torus:4", {}), "all", {1}, {3, 1});
  const auto read_open = [&](std::string_view format, std::string_view content) {
    std::ofstream(placed.path(format)) << content;
    return read_embedding(find_embedding_format(format), placed.path(format), std::nullopt,
                          *placed.network, placed.allocation);
  };
  CHECK(read_open("csv", "rank,host\n1,host-1\n0,host-3\n") == placed.embedding);
  CHECK(read_open("map", "2\n0\t3\n1\t1\n") == placed.embedding);
  CHECK(read_open("part", "3\n1\n") == placed.embedding);
  CHECK_THROWS_AS(read_open("csv", "rank,host\n1,host-1\n"), InputError);
  CHECK_THROWS_AS(read_open("csv", "rank,host\n"), InputError);
  CHECK_THROWS_AS(read_open("csv", "rank,host\n4,host-1\n"), InputError);
}

TEST_CASE("A wrong line is named with its column and what is accepted") {
  // Ranks 0 and 1 on a ring of four, hosts 1 to 3 allocated, one slot each.
  const Placed placed(make_network("torus:4", {}), "list:1,2,3", {1}, {1, 2});
  using Catch::StartsWith;
  const auto complaint = [&](std::string_view format, std::string_view content) {
    return placed.complaint(format, content);
  };
  CHECK_THAT(complaint("csv", "rank,host,slot\n0,host-l,0\n"),
             StartsWith(":2:3: unknown host \"host-l\": accepted are the 4 hosts \"host-0\" to "
                        "\"host-3\"; did you mean \"host-"));
  CHECK(complaint("csv", "rank,host\n0,host-1\n0,host-2\n") ==
        ":3:1: rank 0 is placed twice (first in line 2)");
  CHECK(complaint("csv", "rank,host\n0,host-1\n1,host-0\n") ==
        ":3:1: rank 1 on host \"host-0\", which is not in the allocation of 3 hosts");
  CHECK(
      complaint("csv", "rank,host\n0,host-1\n1,host-1\n") ==
      ":3:1: rank 1 is one more than the slots of host \"host-1\" (1): raise --slots to 2, as the "
      "file has 2 ranks on \"host-1\"");
  CHECK(complaint("csv", "rank,host\n1,host-1\n") ==
        ": rank 0 is missing: the file places 1 of the 2 ranks of the virtual topology");
  CHECK(complaint("smpi", "host-1\nhost-2\nhost-3\n") ==
        ":3:1: rank 2: the virtual topology has 2 ranks, from 0");
  CHECK(
      complaint("csv", "rank,socket\n") ==
      ":1:1: header \"rank,socket\"; accepted is rank,host,slot or rank,host, in any order; slots "
      "are counted in the whole host");
  CHECK_THAT(complaint("csv", "rank,host,socket,core\n"), StartsWith(":1:1: header"));
  CHECK_THAT(complaint("csv", "rank,host,slot\n0,host-1,-1\n"), StartsWith(":2:10: slot \"-1\""));
  CHECK_THAT(complaint("csv", "rank,host,slot\n0,host-1\n"), StartsWith(":2:9: 2 fields"));
  CHECK_THAT(complaint("rankfile", "rank 0=host-1\n"), StartsWith(":1:6: \"rank 0=host-1\""));
  CHECK(complaint("csv", "rank,host,slot\n0,host-1,1000000\n") ==
        ":2:3: slot \"1000000\" of host \"host-1\": accepted are 0 to 0; --slots counts them");
  CHECK(complaint("rankfile", "rank 0=host-1 slot=banana\n") ==
        ":1:20: slot \"banana\": accepted are cores such as 1, 0,2 or 0:2-3");
  CHECK(complaint("rankfile", "rank 0=host-1 slot=0:1-3,5\nrank 1=host-2 slot=p1:*\n") ==
        "no error");
  CHECK(complaint("rankfile", "rank 0=+n3 slot=0\n") ==
        ":1:8: host \"+n3\": accepted are +n0 to +n2, the nodes of the job in their order");
  CHECK_THAT(complaint("mpich_rank_order", "1-0\n"), StartsWith(":1:1: range \"1-0\""));
  CHECK_THAT(complaint("mpich_rank_order", "0,1,1\n"), StartsWith(":1:5: rank 1 is one more"));
  CHECK_THAT(complaint("slurm", "host-1\nhost-[2\n"), StartsWith(":2:1: "));
  CHECK_THAT(complaint("hydra", "host-1:3\n"),
             StartsWith(":1:1: 3 ranks on host \"host-1\" where 2"));
  CHECK_THAT(complaint("hydra", "host-1:x\n"), StartsWith(":1:8: slots \"x\""));
  CHECK_THAT(complaint("map", "3\n"), StartsWith(":1:1: \"3\" vertices"));
  CHECK_THAT(complaint("map", "2\n0\t4\n"), StartsWith(":2:3: host number 4: accepted are 0 to 3"));
  CHECK_THAT(complaint("map", "2\n0\t-1\n"), StartsWith(":2:3: host number -1"));
  CHECK_THAT(complaint("bgq", "1 0 0 0 1 0\n"), StartsWith(":1:9: coordinate E \"1\""));
  CHECK_THAT(complaint("bgq", "1 0 0\n"), StartsWith(":1:1: 3 numbers"));
  CHECK_THAT(complaint("vcoord", "(1)\n (4)\n"), StartsWith(":2:3: coordinate \"4\""));
  CHECK_THAT(complaint("vcoord", "(1,0)\n"), StartsWith(":1:1: \"(1,0)\": accepted are 1 coord"));
}

TEST_CASE("A wrong JSON document is named with its place") {
  const Placed placed(make_network("torus:4", {}), "list:1,2,3", {1}, {1, 2});
  using Catch::StartsWith;
  const auto complaint = [&](const std::string& ranks) {
    return placed.complaint("json", "{\"schema\": \"vtopo/embedding/v1\",\n\"ranks\": [\n" + ranks);
  };
  CHECK(complaint("{\"rank\": 0, \"host\": \"host-1\", \"more\": {\"rank\": [7]}},\n"
                  "{\"host\": \"host-2\", \"rank\": 1}]}") == "no error");
  CHECK_THAT(complaint("{\"rank\": 0, \"host\": \"host-9\"}]}"),
             StartsWith(":3:22: unknown host \"host-9\""));
  CHECK_THAT(
      complaint("{\"rank\": 0, \"host\": \"host-1\"},\n{\"rank\": 0, \"host\": \"host-2\"}]}"),
      StartsWith(":4:1: rank 0 is placed twice (first in line 3)"));
  CHECK_THAT(complaint("{\"rank\": -1, \"host\": \"host-1\"}]}"), StartsWith(":3:"));
  CHECK_THAT(complaint("{\"host\": \"host-1\"}]}"),
             StartsWith(":3:1: this object has no \"rank\""));
  CHECK_THAT(complaint("7]}"), StartsWith(":3:"));
  CHECK_THAT(complaint("{\"rank\": 0,"), StartsWith(":3:"));
  CHECK_THAT(placed.complaint("json", ""), StartsWith(":1:1: this is not a JSON document"));
  CHECK_THAT(placed.complaint("json", "[]"), StartsWith(": no key \"schema\""));
  CHECK_THAT(placed.complaint("json", "{\"schema\": \"vtopo/compare/v1\"}"),
             StartsWith(":1:13: schema \"vtopo/compare/v1\"; accepted is"));
}

TEST_CASE("A JSON document that contradicts itself is refused, names decide on other networks") {
  const Placed placed(make_network("torus:4", {}), "list:1,2,3", {1}, {1, 2});
  const auto complaint = [&](int num_ranks, const std::string& network, int host_id) {
    return placed.complaint(
        "json", fmt::format("{{\"schema\": \"vtopo/embedding/v1\", \"network\": \"{}\", "
                            "\"num_ranks\": {}, \"ranks\": [\n"
                            "{{\"rank\": 0, \"host\": \"host-1\", \"host_id\": {}}},\n"
                            "{{\"rank\": 1, \"host\": \"host-2\", \"host_id\": 2}}]}}",
                            network, num_ranks, host_id));
  };
  CHECK(complaint(2, "torus:4", 1) == "no error");
  CHECK(complaint(7, "torus:4", 1) == ": \"num_ranks\" is 7, but the array \"ranks\" has 2");
  CHECK(complaint(2, "torus:4", 3) ==
        ":2:1: \"host_id\" 3 is not host \"host-1\", which has number 1");
  CHECK(complaint(2, "mesh:4", 3) == "no error");
}

TEST_CASE("The extension names the format") {
  CHECK(embedding_format_of("a/b.RankFile", {}).name == "rankfile");
  CHECK(embedding_format_of("a/MPICH_RANK_ORDER", {}).name == "mpich_rank_order");
  CHECK(embedding_format_of("-", {}).name == "csv");
  CHECK(embedding_format_of("x.csv", "smpi").name == "smpi");
  CHECK_THROWS_AS(embedding_format_of("a.d/b", {}), UsageError);
  CHECK_THROWS_AS(embedding_format_of("x.xml", {}), UsageError);
  CHECK_THROWS_WITH(find_embedding_format("rankfil"),
                    Catch::EndsWith("did you mean \"rankfile\"?"));
}

TEST_CASE("The mapper file places ranks as the file says and needs a path") {
  const Placed placed = on_torus();
  const CommGraph guest(6);
  const MappingProblem problem{guest, *placed.network, placed.allocation};
  CHECK(placed.read("csv", placed.text("csv")) == placed.embedding);
  CHECK(run_mapper({"file", {{"path", placed.path("csv")}}}, problem) == placed.embedding);
  CHECK(unsupported_reason({"file", {}}, problem) == "needs path=FILE");
  CHECK_THROWS_AS(run_mapper({"file", {}}, problem), UsageError);
}
