#include "netmodels/machines/node_map.hpp"

#include <catch2/catch.hpp>

#include "netmodels/host_names.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::message_of;
using tests::TemporaryFile;

namespace {

const std::string machine_files = tests::source_path("examples/machines/");

std::string map_error(const std::string& text) {
  const TemporaryFile file("nodes.xname", text);
  return tests::message_about(file.path(), [&] { read_node_map(file.path()); });
}

}  // namespace

// By hand: ordered by cabinet, chassis, slot, board and node as numbers, so slot 2 is before 10.
TEST_CASE("Xnames put nodes in the order of cabinets, chassis, slots, boards and nodes") {
  const NodeMap map = read_node_map(machine_files + "nodes.xname");
  CHECK(map.part == "cabinet");
  CHECK(map.names == std::vector<std::string>{"nid005000", "nid005001", "nid005004", "nid005002",
                                              "nid005005", "nid005003", "nid005006", "nid005007"});
  CHECK(map.part_of == std::vector<int>{0, 0, 0, 0, 1, 1, 1, 1});
  CHECK(map.parts == std::vector<std::string>{"x1300", "x1301"});
  CHECK(*parse_host_names("map:" + machine_files + "nodes.xname") == map.names);
}

TEST_CASE("A topology file of Slurm puts nodes in the order of leaf switches") {
  const TemporaryFile file("nodes.conf",
                           "SwitchName=top Switches=l[1-2]\nSwitchName=l1 Nodes=a3,b[1-2]\n"
                           "SwitchName=l2 Nodes=a[1-2]\n");
  const NodeMap map = read_node_map(file.path());
  CHECK(map.names == std::vector<std::string>{"a3", "b1", "b2", "a1", "a2"});
  CHECK(map.part_of == std::vector<int>{0, 0, 0, 1, 1});
  CHECK(map.parts == std::vector<std::string>{"l1", "l2"});
}

TEST_CASE("A map fits a network that has its parts, and says the nodes of each if none has") {
  const NodeMap map = read_node_map(machine_files + "nodes.xname");
  check_node_map(map, *make_network("dragonfly:2,1;1,1;2,1;2", {}));
  check_node_map(map, *make_network("dragonfly-plus:2;2,2;2", {}));
  // With places inside, a node is several hosts.
  check_node_map(map, *make_network("dragonfly:2,1;1,1;2,1;2,node=4", {}));
  CHECK(message_of<UsageError>([&] {
          check_node_map(map, *make_network("dragonfly:4,1;1,1;2,1;1", {}));
        }) == "\"" + map.path +
                  "\" has nodes by cabinet, 4 in x1300 to x1301: dragonfly:4,1;1,1;2,1;1 has no "
                  "parts with just these hosts (looked at: groups, chassis, routers)");
}

TEST_CASE("Errors of maps name line and column") {
  CHECK(map_error("nid1 x1c0s0b0\n") ==
        ":1: \"nid1 x1c0s0b0\": expected a node and its place, such as \"nid001000 "
        "x1000c0s0b0n0\"");
  CHECK(map_error("a,x1c0s0b0n0\nb x1c0s0b0n0\n") == ":2:3: x1c0s0b0n0 is the place of a already");
  CHECK(map_error("a x1c0s0b0n0\na x1c0s0b0n1\n") == ":2:1: a has a place already");
  CHECK(map_error("# none\n") == ": the file names no node");
}
