#include <catch2/catch.hpp>

#include <set>
#include <string>

#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "tests/netmodels/static_routings.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Every network of the table makes its example and says what it is") {
  REQUIRE(all_networks().size() >= 4);  // torus, mesh, fat-tree, dragonfly
  std::set<std::string> names, topologies;
  for (const NetworkInfo& network : all_networks()) {
    CAPTURE(network.name);
    CHECK(names.insert(network.name).second);
    CHECK(network.name == *names.rbegin());  // sorted
    CHECK(!network.syntax.empty());
    CHECK(!network.source.empty());
    CHECK(network.example.starts_with(network.name + ':'));
    const auto made = make_network(network.example, {});
    CHECK(made->num_hosts() > 1);
    CHECK(make_network(made->description(), {})->description() == made->description());
    for (const NetworkKey& key : network.keys) {
      CHECK(!key.values.empty());
      CHECK(!key.meaning.empty());
    }
    if (!network.from_cluster.empty()) CHECK(topologies.insert(network.from_cluster).second);
  }
}

TEST_CASE("Every network of the table names the keys that it accepts") {
  for (const NetworkInfo& network : all_networks()) {
    const std::string error = tests::message_of<UsageError>(
        [&] { make_network(network.example + ",no_such_key=1", {}); });
    CHECK_THAT(error, Catch::Contains("unknown key \"no_such_key\"; accepted for " + network.name));
    for (const NetworkKey& key : network.keys) CHECK_THAT(error, Catch::Contains(key.name));
  }
}

TEST_CASE("An unknown network is answered with an example of each") {
  std::string accepted;
  for (const NetworkInfo& network : all_networks())
    accepted += (accepted.empty() ? "" : ", ") + network.example;
  CHECK(tests::message_of<UsageError>([] { make_network("tours:8x8", {}); }) ==
        "unknown network \"tours\" in \"tours:8x8\"; accepted: " + accepted +
            "; did you mean \"torus\"?");
}

TEST_CASE("A network is read back from the cluster of SimGrid that it says it is") {
  int clusters = 0;
  for (const NetworkInfo& network : all_networks()) {
    const auto made = make_network(network.example, {});
    const auto cluster = made->simgrid_cluster();
    if (!cluster) continue;
    ++clusters;
    const std::string spec = spec_of_cluster(cluster->topology, cluster->parameters);
    REQUIRE(!spec.empty());
    CHECK(make_network(spec, {})->description() == made->description());
  }
  CHECK(clusters >= 3);  // SimGrid 3.32 has tori, fat trees and dragonflies
  CHECK(spec_of_cluster("FLAT", "4").empty());
  CHECK(spec_of_cluster("", "4").empty());
}

TEST_CASE("Runs of links are the shares of a flow, in their order") {
  // Rings of odd and even size, of two and of one, without wrap, with several hosts per router.
  for (const char* spec : {"torus:4x5", "torus:2x6m,per_router=2", "torus:1x8",
                           "fat-tree:2;4,4;1,2;1,2", "dragonfly:3,1;2,1;2,1;2"})
    for (const auto& network : tests::under_static_routings(spec))
      for (int a = 0; a < network->num_hosts(); ++a)
        for (int b = 0; b < network->num_hosts(); ++b)
          tests::check_runs(*network, HostId{a}, HostId{b});
}
