#include "sim/placement/host_selection.hpp"

#include <catch2/catch.hpp>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/allocation.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::vector<int> selected_hosts(const std::string& network, std::string_view spec) {
  const int one[] = {1};
  return tests::numbers_of(make_allocation(*make_network(network, {}, {}), spec, one, 1).hosts);
}

std::string parts_complaint(const std::string& network, std::string_view spec) {
  return tests::message_of<UsageError>([&] { selected_hosts(network, spec); });
}

/// 3 groups of 2 chassis of 2 blades with 2 hosts each: 8 hosts per group.
const std::string dragonfly = "dragonfly:3,1;2,1;2,1;2";
/// 3 leaves of 4 hosts in each of 2 pods.
const std::string fat_tree = "fat-tree:3;4,3,2;1,2,2;1,1,1";

}  // namespace

TEST_CASE("Parts of a machine are hosts in a row") {
  // By hand, from the numbering of DragonflySpec.
  CHECK(selected_hosts(dragonfly, "group:2,0") ==
        std::vector{16, 17, 18, 19, 20, 21, 22, 23, 0, 1, 2, 3, 4, 5, 6, 7});
  CHECK(selected_hosts(dragonfly, "chassis:3") == std::vector{12, 13, 14, 15});
  CHECK(selected_hosts(dragonfly, "router:1-2,11") == std::vector{2, 3, 4, 5, 22, 23});
  CHECK(selected_hosts(fat_tree, "leaf:5") == std::vector{20, 21, 22, 23});
  CHECK(selected_hosts(fat_tree, "pod:1") ==
        std::vector{12, 13, 14, 15, 16, 17, 18, 19, 20, 21, 22, 23});
}

TEST_CASE("Hosts of a leaf share a switch, hosts of a pod are four links apart at most") {
  const auto network = make_network(fat_tree, {}, {});
  const auto max_hops = [&](std::string_view spec) {
    int most = 0;
    const auto hosts = hosts_of_parts(*network, spec);
    for (const HostId a : hosts)
      for (const HostId b : hosts) most = std::max(most, network->hops(a, b));
    return most;
  };
  CHECK(max_hops("leaf:4") == 2);
  CHECK(max_hops("pod:1") == 4);
  CHECK(max_hops("pod:0-1") == 6);
}

TEST_CASE("Planes of a torus are the hosts of equal coordinates") {
  // host = x + 3y + 6z.
  CHECK(selected_hosts("torus:3x2x2", "plane:0=2") == std::vector{2, 5, 8, 11});
  CHECK(selected_hosts("torus:3x2x2", "plane:1=1") == std::vector{3, 4, 5, 9, 10, 11});
  CHECK(selected_hosts("torus:3x2x2", "plane:2=0-1").size() == 12);
}

TEST_CASE("Parts that are not there are refused with what is") {
  CHECK(parts_complaint(dragonfly, "group:3") ==
        "\"3\" in \"group:3\": accepted are 0..2, as the network has 3 groups");
  CHECK(parts_complaint(dragonfly, "group:") ==
        "\"\" in \"group:\": accepted are 0..2, as the network has 3 groups");
  CHECK(parts_complaint(dragonfly, "group:2-1") == "range \"2-1\" in \"group:2-1\" runs backwards");
  CHECK(parts_complaint(dragonfly, "group:1,0-1") == "1 is named twice in \"group:1,0-1\"");
  CHECK(parts_complaint(dragonfly, "leaf:0") ==
        "hosts \"leaf:0\": this network has no leaves; its parts are: group, chassis, router");
  CHECK(parts_complaint("fat-tree:1;4;1;1", "pod:0") ==
        "hosts \"pod:0\": this network has no pods; its parts are: leaf");
  CHECK(parts_complaint("torus:4x4", "plane:2=0") ==
        "dimension \"2\" in \"plane:2=0\": accepted are 0..1");
  CHECK(parts_complaint("torus:4x4", "plane:2") ==
        "hosts \"plane:2\": accepted is plane:DIMENSION=0,2-3");
}

TEST_CASE("Hosts that are out of order are left out of parts") {
  NetworkEdits edits;
  edits.failed_hosts = {"host-1"};
  const auto network = apply_edits(make_network(fat_tree, {}, {}), edits);
  CHECK(hosts_of_parts(*network, "leaf:0") == std::vector{HostId{0}, HostId{2}, HostId{3}});
}

TEST_CASE("A host list of Slurm names hosts") {
  CHECK(selected_hosts("torus:10x2", "slurm:host-[12-14,3],host-0") ==
        std::vector{12, 13, 14, 3, 0});
  CHECK(parts_complaint("torus:4", "slurm:host-[2-4]") ==
        "unknown host \"host-4\" in \"slurm:host-[2-4]\": accepted are the 4 hosts \"host-0\" to "
        "\"host-3\"; did you mean \"host-0\"?");
  CHECK(parts_complaint("torus:4", "slurm:host-[2,2]") ==
        "host 2 (\"host-2\") in \"slurm:host-[2,2]\" is named twice: several ranks on a host are a "
        "matter of slots");
  CHECK(parts_complaint("torus:4", "slurm:host-[2") != "no error");
}
