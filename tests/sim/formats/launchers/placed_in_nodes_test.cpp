#include <catch2/catch.hpp>

#include <fstream>
#include <sstream>
#include <string>

#include "netmodels/network_spec.hpp"
#include "sim/placement/embedding_files.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

// Embeddings on places inside nodes, in the files of launchers, which know nodes and their slots.

using namespace vtopo;
using Catch::Contains;

namespace {

struct Machine {
  std::shared_ptr<const Network> network = make_network("torus:2,node=2x2", {});
  Allocation allocation = make_allocation(*network, "all", std::vector{1}, 1);

  std::string write(const std::string& format, std::vector<int> hosts) const {
    std::vector<HostId> places;
    for (const int host : hosts) places.push_back(HostId{host});
    const Embedding embedding(places, allocation);
    return write_embedding(find_embedding_format(format), {embedding, *network, allocation});
  }

  std::vector<int> read(const std::string& format, const std::string& text) const {
    const std::string path = tests::own_folder() + "/placed";
    std::ofstream(path) << text;
    std::vector<int> hosts;
    const auto embedding =
        read_embedding(find_embedding_format(format), path, {}, *network, allocation);
    for (const HostId host : embedding.hosts()) hosts.push_back(number(host));
    return hosts;
  }
};

}  // namespace

TEST_CASE("Files of launchers name the node and the slot of a place") {
  const Machine machine;
  CHECK(machine.write("rankfile", {6, 0, 1}) ==
        "rank 0=host-1 slot=2\nrank 1=host-0 slot=0\nrank 2=host-0 slot=1\n");
  CHECK(machine.write("csv", {6, 0}) == "rank,host,slot\n0,host-1,2\n1,host-0,0\n");
  CHECK_THAT(machine.write("json", {6}),
             Contains("\"host\": \"host-1.2\", \"host_id\": 6, \"slot\": 0, \"node\": \"host-1\", "
                      "\"core\": 2}"));
  CHECK(machine.write("slurm", {0, 4, 1}) == "host-0\nhost-1\nhost-0\n");
  CHECK(machine.write("hydra", {0, 1, 4}) == "host-0:2\nhost-1:1\n");
}

TEST_CASE("Embeddings on places are read back from every format that can say them") {
  const Machine machine;
  const std::vector<int> scattered{6, 0, 3, 4}, in_order{4, 5, 0, 6, 1};
  for (const char* format : {"rankfile", "csv", "json", "map", "smpi", "part"})
    CHECK(machine.read(format, machine.write(format, scattered)) == scattered);
  for (const char* format : {"slurm", "hydra", "rankfile"})
    CHECK(machine.read(format, machine.write(format, in_order)) == in_order);
  CHECK(machine.read("csv", "rank,host\n0,host-1.2\n1,host-1\n") == std::vector{6, 4});
}

TEST_CASE("Formats without slots refuse places out of order, others slots that no node has") {
  const Machine machine;
  CHECK(tests::message_of<UsageError>([&] {
          machine.write("slurm", {1, 0});
        }) ==
        "embedding format slurm: it names nodes alone, whose places are filled in the order of "
        "ranks, and rank 0 is at \"host-0.1\" where \"host-0.0\" is next; rankfile, csv and json "
        "can say so");
  CHECK_THAT(
      tests::message_of<InputError>([&] { machine.read("rankfile", "rank 0=host-0 slot=4\n"); }),
      Contains("slot \"4\" of node \"host-0\": accepted are 0 to 3"));
  CHECK_THAT(tests::message_of<InputError>([&] { machine.read("slurm", "host-0.7\n"); }),
             Contains("unknown host \"host-0.7\""));
}

TEST_CASE("Slots of a node count those of its places one after the other") {
  const auto network = make_network("torus:2,node=2", {});
  const Allocation allocation = make_allocation(*network, "all", std::vector{2}, 1);
  const Embedding embedding({HostId{0}, HostId{1}, HostId{1}, HostId{3}}, allocation);
  CHECK(write_embedding(find_embedding_format("csv"), {embedding, *network, allocation}) ==
        "rank,host,slot\n0,host-0,0\n1,host-0,2\n2,host-0,3\n3,host-1,2\n");
}

TEST_CASE("Nodes are allocated with all their places") {
  const Machine machine;
  const auto hosts = [&](const std::string& spec, const std::string& file = "") {
    if (!file.empty()) std::ofstream(tests::own_folder() + "/hosts") << file;
    std::ostringstream text;
    const auto allocation = make_allocation(*machine.network, spec, std::vector{1}, 1);
    for (std::size_t i = 0; i < allocation.hosts.size(); ++i)
      text << (i > 0 ? " " : "") << number(allocation.hosts[i]) << ':' << allocation.slots[i];
    return text.str();
  };
  const std::string file = "file:" + tests::own_folder() + "/hosts";
  CHECK(hosts("node:1") == "4:1 5:1 6:1 7:1");
  CHECK(hosts("slurm:host-[1]") == "4:1 5:1 6:1 7:1");
  CHECK(hosts(file, "host-1\n") == "4:1 5:1 6:1 7:1");
  CHECK(hosts(file, "host-1.cluster.org slots=6\n") == "4:2 5:2 6:1 7:1");
  CHECK(hosts(file, "host-1:2\nhost-0.3\n") == "4:1 5:1 3:1");
  CHECK(hosts(file, "rank,host,slot\n0,host-1,2\n1,host-0,0\n") == "6:1 0:1");
  CHECK(hosts(file, "rank,host\n0,host-1\n1,host-1\n") == "4:1 5:1");
}
