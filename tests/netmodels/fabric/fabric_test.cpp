#include "netmodels/fabric/fabric.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <map>
#include <set>

#include "netmodels/network_spec.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::message_of;
using vtopo::tests::route_names;

namespace {

/// The wiring of a closed-form model as a fabric: its routes are an independent oracle of hops.
FabricSpec wiring_of(const Network& model, Routing rule = Routing::simgrid) {
  FabricSpec spec{model.description(), {}, {}, {}, {rule}};
  for (int h = 0; h < model.num_hosts(); ++h) spec.hosts.push_back(model.host_name(HostId{h}));
  int vertices = 0;
  for (int l = 0; l < model.num_links(); l += 2) {
    const LinkEnds ends = *model.link_ends(LinkId{l});
    vertices = std::max({vertices, ends.from + 1, ends.to + 1});
    spec.cables.push_back({ends.from, ends.to, {1e9}, {1e-6}});
  }
  for (int v = model.num_hosts(); v < vertices; ++v) spec.switches.push_back(fmt::format("s{}", v));
  return spec;
}

/// Two leaves of two hosts each, joined by `uplinks` cables to one spine.
FabricSpec two_leaves(int uplinks, Routing rule = Routing::simgrid) {
  FabricSpec spec{"two leaves", {"a", "b", "c", "d"}, {"leaf1", "leaf2", "spine"}, {}, {rule}};
  for (int h = 0; h < 4; ++h) spec.cables.push_back({h, 4 + h / 2, {1e9}, {1e-6}});
  for (int leaf = 4; leaf < 6; ++leaf)
    for (int k = 0; k < uplinks; ++k) spec.cables.push_back({leaf, 6, {2e9}, {1e-6}});
  return spec;
}

/// Whether the route is a path from host to host: no vertex twice.
bool is_path(const Network& network, int source, int destination) {
  std::vector<LinkId> links;
  network.append_route(HostId{source}, HostId{destination}, links);
  int here = source;
  std::set<int> seen{here};
  for (const LinkId link : links) {
    const LinkEnds ends = *network.link_ends(link);
    if (ends.from != here || !seen.insert(ends.to).second) return false;
    here = ends.to;
  }
  return here == destination;
}

}  // namespace

TEST_CASE("A fabric wired as a fat tree has its distances, and routes that are walks") {
  const auto* spec = GENERATE("fat-tree:2;4,4;1,2;1,2", "fat-tree:3;2,3,2;1,2,2;1,1,1");
  const auto tree = make_network(spec, {});
  const auto fabric = make_fabric(wiring_of(*tree));
  CHECK(fabric->diameter() == tree->diameter());
  for (int a = 0; a < tree->num_hosts(); ++a)
    for (int b = 0; b < tree->num_hosts(); ++b) {
      REQUIRE(fabric->hops(HostId{a}, HostId{b}) == tree->hops(HostId{a}, HostId{b}));
      REQUIRE(is_path(*fabric, a, b));
    }
}

TEST_CASE("Destinations take turns on the cables of a switch") {
  // By hand: leaf1 meets c before d, gives c the first uplink and d the second; one uplink serves
  // both.
  const auto two = make_fabric(two_leaves(2));
  CHECK(route_names(*two, 0, 2) ==
        std::vector<std::string>{"a->leaf1", "leaf1->spine#0", "spine->leaf2#0", "leaf2->c"});
  CHECK(route_names(*two, 1, 3) ==
        std::vector<std::string>{"b->leaf1", "leaf1->spine#1", "spine->leaf2#1", "leaf2->d"});
  const auto one = make_fabric(two_leaves(1));
  CHECK(route_names(*one, 0, 3) ==
        std::vector<std::string>{"a->leaf1", "leaf1->spine", "spine->leaf2", "leaf2->d"});
  CHECK(route_names(*one, 0, 0).empty());
}

TEST_CASE("Every cyclic shift on a fabric that blocks nothing puts one flow on each link") {
  // Zahavi 2010: D-mod-k does this on full k-ary trees; with two levels balancing by count gives
  // the same spread.
  const auto fabric = make_fabric(wiring_of(*make_network("fat-tree:2;4,4;1,4;1,1", {})));
  for (int shift = 1; shift < fabric->num_hosts(); ++shift) {
    const auto traffic = fabric->make_link_traffic();
    for (int h = 0; h < fabric->num_hosts(); ++h)
      traffic->add(HostId{h}, HostId{(h + shift) % fabric->num_hosts()}, {1});
    const LinkTotals totals = traffic->totals();
    CHECK(*std::max_element(totals.flows.begin(), totals.flows.end()) == 1);
  }
}

TEST_CASE("Under ecmp a flow splits evenly and nothing is lost on the way") {
  const auto fabric = make_fabric(two_leaves(2, Routing::ecmp));
  REQUIRE(fabric->splits_flows());
  std::vector<LinkShare> shares;
  fabric->append_shares(HostId{0}, HostId{3}, shares);
  std::map<std::string, double> by_name;
  for (const auto& [link, share] : shares) by_name[fabric->link_name(link)] += share;
  CHECK(by_name == std::map<std::string, double>{{"a->leaf1", 1},
                                                 {"leaf1->spine#0", 0.5},
                                                 {"leaf1->spine#1", 0.5},
                                                 {"spine->leaf2#0", 0.5},
                                                 {"spine->leaf2#1", 0.5},
                                                 {"leaf2->d", 1}});
}

TEST_CASE("A fabric without some links finds other ways, or says that there is none") {
  const auto fabric = make_fabric(two_leaves(2));
  std::map<std::string, LinkId> ids;
  for (int l = 0; l < fabric->num_links(); ++l) ids[fabric->link_name(LinkId{l})] = LinkId{l};
  const auto rerouted = fabric->without_links(std::vector{ids.at("leaf1->spine#1")});
  CHECK(route_names(*rerouted, 1, 3)[1] == "leaf1->spine#0");
  CHECK(route_names(*rerouted, 3, 1)[2] == "spine->leaf1#1");
  const auto cut =
      fabric->without_links(std::vector{ids.at("leaf1->spine#0"), ids.at("leaf1->spine#1")});
  std::vector<LinkId> links;
  const std::string sentence = "two leaves: there is no route from \"a\" to \"c\"";
  CHECK(message_of<InputError>([&] { cut->append_route(HostId{0}, HostId{2}, links); }) ==
        sentence);
  CHECK(message_of<InputError>([&] { cut->hops(HostId{0}, HostId{2}); }) == sentence);
  CHECK(cut->hops(HostId{2}, HostId{0}) == 4);
  CHECK(cut->injection_bandwidth(HostId{0}).value == 1e9);
}

TEST_CASE("Hosts with several cables spread their destinations and forward nothing") {
  // Two rails: every host has a cable to either switch; by hand, destination id modulo 2.
  FabricSpec spec{"rails", {"a", "b", "c"}, {"rail0", "rail1"}, {}, {}};
  for (int h = 0; h < 3; ++h)
    for (int rail = 3; rail < 5; ++rail) spec.cables.push_back({h, rail, {1e9}, {1e-6}});
  const auto fabric = make_fabric(spec);
  CHECK(route_names(*fabric, 0, 1) == std::vector<std::string>{"a->rail1", "rail1->b"});
  CHECK(route_names(*fabric, 0, 2) == std::vector<std::string>{"a->rail0", "rail0->c"});
  CHECK(fabric->injection_bandwidth(HostId{0}).value == 2e9);
  CHECK(fabric->diameter() == 2);

  FabricSpec chain{
      "chain", {"a", "b", "c"}, {}, {{0, 1, {1e9}, {1e-6}}, {1, 2, {1e9}, {1e-6}}}, {}};
  const auto hosts_only = make_fabric(chain);
  CHECK(route_names(*hosts_only, 0, 1) == std::vector<std::string>{"a->b"});
  CHECK_THROWS_AS(hosts_only->hops(HostId{0}, HostId{2}), InputError);
}

TEST_CASE("Links of a fabric are classified by place and by what they carry") {
  const auto fabric = make_fabric(two_leaves(2));
  const auto classes = fabric->link_classes();
  REQUIRE(classes.size() == 2);
  CHECK(classes[0].name == "hosts to switches");
  CHECK(classes[0].links == 8);
  CHECK(classes[1].name == "between switches");
  CHECK(classes[1].links == 8);
  CHECK(classes[1].bandwidth.value == 2e9);
  CHECK(fabric->link_class(LinkId{0}) == 0);
  CHECK(fabric->link_class(LinkId{15}) == 1);
}

TEST_CASE("Rules that switches do not know are refused") {
  CHECK(message_of<UsageError>([] { make_fabric(two_leaves(1, Routing::valiant)); }) ==
        "routing valiant on two leaves: switches of a real machine know simgrid (one shortest "
        "route) and ecmp");
}

TEST_CASE("A cable of a vertex that there is not is refused") {
  for (const int end : {-1, 7}) {  // four hosts and three switches
    FabricSpec spec = two_leaves(1);
    spec.cables.push_back({0, end, {1e9}, {1e-6}});
    CHECK(message_of<UsageError>([&] { make_fabric(spec); }) ==
          fmt::format("two leaves: cable {} at vertex {} of 7 hosts and switches",
                      spec.cables.size() - 1, end));
  }
}
