#include "sim/placement/allocation.hpp"

#include <catch2/catch.hpp>
#include <set>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/placement/host_selection.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const auto ring_of_ten = make_torus({{{10}}, {}});

std::vector<int> hosts_of(std::string_view spec, std::uint64_t seed = 1) {
  const int one[] = {1};
  return tests::numbers_of(make_allocation(*ring_of_ten, spec, one, seed).hosts);
}

std::string complaint_of(std::string_view spec, std::vector<int> slots = {1}) {
  return tests::message_of<UsageError>([&] { make_allocation(*ring_of_ten, spec, slots, 1); });
}

}  // namespace

TEST_CASE("A selection of hosts means what it says") {
  // By hand, on a ring of ten hosts; spaced:4 takes floor(i*10/4).
  CHECK(hosts_of("all") == std::vector{0, 1, 2, 3, 4, 5, 6, 7, 8, 9});
  CHECK(hosts_of("first:3") == std::vector{0, 1, 2});
  CHECK(hosts_of("block:7,3") == std::vector{7, 8, 9});
  CHECK(hosts_of("spaced:4") == std::vector{0, 2, 5, 7});
  CHECK(hosts_of("spaced:10") == hosts_of("all"));
  CHECK(hosts_of("list:9,0,5") == std::vector{9, 0, 5});
}

TEST_CASE("Random hosts are distinct, ascending and a function of the seed") {
  const auto hosts = hosts_of("random:6", 3);
  CHECK(std::set(hosts.begin(), hosts.end()).size() == 6);
  CHECK(std::is_sorted(hosts.begin(), hosts.end()));
  CHECK(hosts == hosts_of("random:6", 3));
  std::set<std::vector<int>> selections;
  for (std::uint64_t seed = 0; seed < 50; ++seed) selections.insert(hosts_of("random:5", seed));
  CHECK(selections.size() > 25);  // of 252 subsets
  CHECK(hosts_of("random:10", 8) == hosts_of("all"));
}

TEST_CASE("Slots are one number for all hosts or one per host") {
  const int two[] = {2};
  CHECK(make_allocation(*ring_of_ten, "first:3", two, 1).slots == std::vector{2, 2, 2});
  CHECK(make_allocation(*ring_of_ten, "first:3", two, 1).num_slots() == 6);
  const int each[] = {1, 4, 2};
  CHECK(make_allocation(*ring_of_ten, "first:3", each, 1).slots == std::vector{1, 4, 2});
  CHECK(complaint_of("first:4", {1, 2}) == "2 slot counts for 4 hosts: accepted are 1 or 4");
  CHECK(complaint_of("first:1", {0}) == "slots 0: each count must be >= 1");
  CHECK(complaint_of("all", {}) == "0 slot counts for 10 hosts: accepted are 1 or 10");
}

TEST_CASE("Slots of a large machine add up beyond 31 bits") {
  const int many[] = {2147483647};
  CHECK(make_allocation(*ring_of_ten, "all", many, 1).num_slots() == 21474836470);
}

TEST_CASE("A wrong selection is an error that names the value and the range") {
  CHECK(complaint_of("first:11") ==
        "host count \"11\" in \"first:11\": accepted are 1..10, as the network has 10 hosts");
  CHECK(complaint_of("block:8,3") ==
        "host count \"3\" in \"block:8,3\": accepted are 1..2, as the network has 10 hosts");
  CHECK(
      complaint_of("list:0,5,0") ==
      "host 0 (\"host-0\") in \"list:0,5,0\" is named twice: several ranks on a host are a matter "
      "of slots");
  // Parts of networks that no linked library has are not among those that are named.
  CHECK_THAT(complaint_of("frist:3"),
             Catch::StartsWith("hosts \"frist:3\": accepted are all, first:N, block:START,N, "
                               "random:N[:seed=S], spaced:N, list:0,5,9, slurm:node[1-4], "
                               "file:FILE, names such as host-0:4 and the parts ") &&
                 Catch::Contains("chassis:LIST, group:LIST, leaf:LIST, node:LIST, plane:LIST") &&
                 Catch::EndsWith("router:LIST, subtree:LIST; did you mean \"first\"?"));
  const auto wrong = GENERATE(as<std::string>(), "", "first", "first:0", "first:-1", "first:x",
                              "first:99999999999999999999", "block:3", "block:10,1", "block:0,1,2",
                              "random:11", "spaced:0", "list:", "list:10", "list:1,,2", "all:3");
  CHECK_THROWS_AS(hosts_of(wrong), UsageError);
}

TEST_CASE("Who names hosts that the network does not have is told how it could have them") {
  const auto ring = make_network("torus:10", {});
  const int one[] = {1};
  CHECK(
      tests::message_of<UsageError>([&] { make_allocation(*ring, "slurm:node[01-04]", one, 1); }) ==
      "unknown host \"node01\" in \"slurm:node[01-04]\": accepted are the 10 hosts \"host-0\" to "
      "\"host-9\"; --host-names gives them other names");
}

TEST_CASE("Names of hosts may have their slots behind them") {
  const auto torus = make_network("torus:10", {});
  const auto made = [&](std::string_view hosts, std::vector<int> slots = {1}) {
    return make_allocation(*torus, hosts, slots, 1);
  };
  CHECK(made("host-1:2").slots == std::vector{2});
  CHECK(made("host-1:2,host-[3-4]:3,host-0").hosts ==
        std::vector{HostId{1}, HostId{3}, HostId{4}, HostId{0}});
  CHECK(made("host-1:2,host-[3-4]:3,host-0").slots == std::vector{2, 3, 3, 1});
  CHECK(made("host-1:2, host-2*3").slots == std::vector{2, 3});
  CHECK(made("host-[3-4]:3,host-0", {5}).slots == std::vector{3, 3, 5});
  CHECK(made("slurm:host-[1-9:4]:2").hosts == std::vector{HostId{1}, HostId{5}, HostId{9}});
  CHECK(made("host-[1-9:4]").hosts == std::vector{HostId{1}, HostId{5}, HostId{9}});
  // A node of two places: 3 slots are 2 and 1, a single one is of the first place.
  const auto nodes = make_network("torus:3,node=2", {});
  CHECK(make_allocation(*nodes, "host-1:3", std::vector{1}, 1).slots == std::vector{2, 1});
  CHECK(make_allocation(*nodes, "host-1:1", std::vector{1}, 1).hosts == std::vector{HostId{2}});
  CHECK(tests::message_of<UsageError>([&] { made("host-1:0"); }) ==
        "slots \"0\" in \"slurm:host-1:0\": each count must be >= 1");
  CHECK(tests::message_of<UsageError>([&] { made("host-1:2,host-2:x"); }) ==
        "slots \"x\" in \"slurm:host-1:2,host-2:x\": each count must be >= 1");
  CHECK(tests::message_of<UsageError>([&] { made("host-1:2", {4}); }) ==
        "--slots 4 contradicts \"host-1:2\", which gives host \"host-1\" 2 slots: accepted is one "
        "of them");
}

TEST_CASE("A host list needs no kind in front") {
  CHECK(hosts_of("host-[2-4]") == std::vector{2, 3, 4});
  CHECK(hosts_of("host-7,host-[1,0]") == std::vector{7, 1, 0});
  CHECK(hosts_of("host-6") == std::vector{6});
  CHECK_THAT(complaint_of("cn[001-004]"),
             Catch::StartsWith("unknown host \"cn001\" in \"slurm:cn"));
  // What follows two dots is not a domain.
  CHECK(hosts_of("host-1.site.org") == std::vector{1});
  CHECK_THAT(complaint_of("host-1..host-4"), Catch::Contains("\"host-1..host-4\""));
}
