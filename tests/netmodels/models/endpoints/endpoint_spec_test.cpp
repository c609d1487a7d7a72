#include <catch2/catch.hpp>

#include <string>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/endpoints/endpoint_spec.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using Catch::Contains;

namespace {

std::string refusal(const std::string& keys) {
  return tests::message_of<UsageError>([&] { make_network("torus:4x4" + keys, {}); });
}

}  // namespace

TEST_CASE("A network with endpoints describes itself by keys that make it again") {
  for (const NetworkInfo& info : all_networks())
    for (const char* keys :
         {",injection=25GBps", ",nics=4,nic=round_robin,injection=25GBps,extraction=20GBps/1us",
          ",node=2x4:nvlink=450GBps,numa=100GBps", ",node=8", ",node=1:pcie=inf/1us",
          (",node=2x4:l3=450GBps/20ns,numa=inf,nics=4,nic=destination,injection=inf,"
           "extraction=9.4GBps")}) {
      const auto network = make_network(info.example + keys, {});
      CHECK(network->description() == make_network(info.example, {})->description() + keys);
      const auto again = make_network(network->description(), {});
      REQUIRE(again->num_links() == network->num_links());
      for (int l = number(LinkId{0}); l < network->num_links(); ++l) {
        REQUIRE(again->link_name(LinkId{l}) == network->link_name(LinkId{l}));
        REQUIRE(again->link(LinkId{l}).bandwidth == network->link(LinkId{l}).bandwidth);
      }
    }
}

TEST_CASE("Keys of endpoints stand anywhere among those of the network") {
  const auto description = [](const char* spec) { return make_network(spec, {})->description(); };
  CHECK(
      description("torus:4x4,nics=2,per_router=2,node=2:pcie=16GBps,latency=1us,injection=1GBps") ==
      "torus:4x4,per_router=2,latency=1us,node=2:pcie=16GBps,nics=2,nic=rank,injection=1GBps");
  CHECK(description("torus:4x4,extraction=10GB/s") == "torus:4x4,injection=10GBps");
}

TEST_CASE("The file that says what is inside of a node is known by its specification alone") {
  CHECK(node_file_of("torus:4x4,nics=2,node=rack/node.xml:l3=400GBps,latency=1us") ==
        "rack/node.xml");
  CHECK(node_file_of("torus:4x4,node=node.xml") == "node.xml");
  CHECK(node_file_of("torus:4x4,node=2x4:nvlink=450GBps,numa=100GBps").empty());
  CHECK(node_file_of("torus:4x4").empty());
}

TEST_CASE("Hosts, links and kinds of links of endpoints have names") {
  const auto network =
      make_network("torus:4,node=2x2:nvlink=9GBps,numa=8GBps,nics=2,injection=1GBps", {});
  CHECK(network->host_name(HostId{7}) == "host-1.3");
  CHECK(network->host_place(HostId{7}).node == "host-1");
  CHECK(network->host_place(HostId{7}).core == 3);
  CHECK(tests::route_names(*network, 3, 4) ==
        std::vector<std::string>{"host-0:nvlink.3-up", "host-0:numa.1-up", "host-0:nic1-out",
                                 "d0+:0->1", "host-1:nic0-in", "host-1:numa.0-down",
                                 "host-1:nvlink.0-down"});
  std::vector<std::string> kinds;
  for (const LinkClass& kind : network->link_classes()) kinds.push_back(kind.name);
  CHECK(kinds ==
        std::vector<std::string>{"dimension 0", "injection", "extraction", "nvlink", "numa"});
  std::vector<std::int64_t> counts(kinds.size());
  for (int l = 0; l < network->num_links(); ++l) ++counts[index(network->link_class(LinkId{l}))];
  for (std::size_t kind = 0; kind < kinds.size(); ++kind)
    CHECK(counts[kind] == network->link_classes()[kind].links);
  CHECK(counts == std::vector<std::int64_t>{8, 8, 8, 32, 16});  // by hand
}

TEST_CASE("Wrong endpoints are refused with what is accepted") {
  CHECK(refusal(",nics=0") == "nics 0 in \"torus:4x4,nics=0\": accepted are 1 to 2147483647");
  CHECK(refusal(",node=0x2") ==
        "node size 0 in \"torus:4x4,node=0x2\": accepted are 1 to 2147483647");
  CHECK_THAT(refusal(",node="), Contains("node size \"\""));
  CHECK_THAT(refusal(",node"), Contains("key \"node\" has no value"));
  CHECK_THAT(refusal(",injection=fast"), Contains("bandwidth \"fast\""));
  CHECK_THAT(refusal(",injection=0"), Contains("accepted"));
  CHECK_THAT(refusal(",injection=1GBps,injection=1GBps"), Contains("given twice"));
  CHECK_THAT(refusal(",nic=random"), Contains("accepted: rank, round_robin, destination"));
  CHECK_THAT(refusal(",nics=2,nic=rank"), Contains("only 1 would be used"));
  CHECK_THAT(refusal(",nics=2"), Contains("but not what one carries"));
  CHECK_THAT(refusal(",node=2x4:nvlink=9GBps"), Contains("2 levels, of which 1 are named"));
  CHECK_THAT(refusal(",node=2x4:nvlink=9GBps,nvlink=8GBps"), Contains("given twice"));
  CHECK_THAT(refusal(",node=2,node=4"), Contains("\"node\" is given twice"));
  // The name of the second would stand behind the only level of the first.
  CHECK_THAT(refusal(",node=2:nvlink=9GBps,node=4:numa=8GBps"),
             Contains("\"node\" is given twice"));
  CHECK_THAT(refusal(",node=2:nv link=9GBps"), Contains("node level \"nv link=9GBps\""));
  CHECK_THAT(refusal(",node=2:latency=9GBps"), Contains("is a key"));
  CHECK_THAT(refusal(",node=2x2:numa=9GBps,injecton=1GBps"), Contains("key \"injection\""));
  CHECK_THAT(refusal(",node=2:numa=9GBps,injecton=1GBps"), Contains("did you mean \"injection\"?"));
  CHECK_THAT(refusal(",node=65536x65536"), Contains("hosts; accepted: up to 2147483647"));
  CHECK_THAT(refusal(",injection=1GBps,nics=2147483647,nic=destination"),
             Contains("links; accepted: up to 2147483647"));
}

TEST_CASE("Messages take the next interface that works, and the way of the network around links") {
  const auto network = make_network("torus:4,node=2:pcie=9GBps,nics=2,injection=1GBps", {});
  const auto failed = apply_edits(network, NetworkEdits{{"host-0:nic0-out", "d0+:0->1"}, {}, {}});
  // Without endpoints 0 goes to 1 the other way around: d0-:0->3, ...
  CHECK(tests::route_names(*failed, 0, 2) ==
        std::vector<std::string>{"host-0:pcie.0-up", "host-0:nic1-out", "d0-:0->3", "d0-:3->2",
                                 "d0-:2->1", "host-1:nic0-in", "host-1:pcie.0-down"});
  CHECK(failed->hops(HostId{0}, HostId{2}) == 5);
  CHECK(failed->description() == network->description() + ", 2 links failed");
}

TEST_CASE("A node whose interfaces or inner links have failed has no route") {
  const auto network = make_network("torus:4,node=2:pcie=9GBps,nics=2,injection=1GBps", {});
  for (const char* link : {"host-0:nic*-out", "host-0:pcie.0-up"}) {
    const auto failed = apply_edits(network, NetworkEdits{{link}, {}, {}});
    CHECK_THAT(tests::message_of<InputError>([&] { tests::route_of(*failed, 0, 2); }),
               Contains("there is no route from \"host-0.0\" to \"host-1.0\""));
    CHECK(tests::route_names(*failed, 2, 3).size() == 2);
  }
  const auto failed = apply_edits(network, NetworkEdits{{}, {"host-0.0"}, {}});
  CHECK_THROWS_AS(tests::route_of(*failed, 0, 2), InputError);
  CHECK(tests::route_names(*failed, 1, 2).size() == 5);
}
