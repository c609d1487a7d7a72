#include <catch2/catch.hpp>

#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "tests/support/text.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using tests::contains;
using vtopo::tests::route_names;

namespace {

const std::string platforms = tests::source_path("platforms/");

std::string path_of(const std::string& name) {
  return tests::own_folder() + "/platform-test-" + name + ".xml";
}

/// Writes a platform whose body starts in line 4, column 1.
std::string write_platform(const std::string& name, const std::string& body) {
  std::ofstream(path_of(name))
      << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
      << body << "\n</platform>\n";
  return path_of(name);
}

std::string cluster(const std::string& attributes) {
  return "<cluster id=\"c\" prefix=\"n\" suffix=\"\" speed=\"1Gf\" " + attributes + "/>";
}

/// The error without the path of the file in front.
std::string platform_error(const std::string& name, const std::string& body) {
  const std::string path = write_platform(name, body);
  return tests::message_about(path, [&] {
    const auto network = load_platform(path, {});
    for (int h = 0; h < network->num_hosts(); ++h) network->hops(HostId{0}, HostId{h});
  });
}

}  // namespace

TEST_CASE("A platform of one cluster becomes the closed-form model with the file's names") {
  const auto rack = load_platform(platforms + "bluegene-q-rack.xml", {});
  CHECK(rack->description() == "torus:4x4x4x8x2");
  CHECK(rack->num_hosts() == 1024);
  CHECK(rack->diameter() == 2 + 2 + 2 + 4 + 1);  // half of each ring
  CHECK(rack->host_name(HostId{1023}) == "node-1023");
  CHECK(rack->link(LinkId{0}).bandwidth.value == 2e9);
  CHECK(rack->link(LinkId{0}).latency.value == Approx(40e-9));
}

TEST_CASE("Closed form and SimGrid's own routes agree on the same platform file") {
  const std::string file = write_platform(
      "agree", cluster("radical=\"0-31\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" "
                       "topo_parameters=\"4,4,2\""));
  const auto closed = load_platform(file, {});
  const auto simgrid = load_platform(file, {.simgrid_compatible = true});
  REQUIRE(simgrid->num_hosts() == 32);
  CHECK(simgrid->num_links() == closed->num_links());
  CHECK(simgrid->diameter() == closed->diameter());
  for (int a = 0; a < 32; ++a)
    for (int b = 0; b < 32; ++b)
      CHECK(simgrid->hops(HostId{a}, HostId{b}) == closed->hops(HostId{a}, HostId{b}));
  CHECK(route_names(*simgrid, 0, 3) == std::vector<std::string>{"c_link_from_3_to_0_DOWN"});
}

TEST_CASE("Routes that SimGrid computes follow no rule but ecmp in their links") {
  CHECK_THROWS_AS(load_platform(platforms + "two-rooms.xml", {.routing = Routing::split}),
                  UsageError);
  CHECK_THROWS_WITH(load_platform(platforms + "theta.xml",
                                  {.simgrid_compatible = true, .routing = Routing::split}),
                    "routing \"split\" for \"" + platforms +
                        "theta.xml\": platform files have the routes that SimGrid computes; "
                        "accepted: simgrid, ecmp (all routes with the fewest links)");
}

TEST_CASE("An irregular zone has SimGrid's routes, hosts in the order of the file") {
  const auto rooms = load_platform(platforms + "two-rooms.xml", {});
  REQUIRE(rooms->num_hosts() == 7);
  CHECK(rooms->host_name(HostId{0}) == "alpha");
  CHECK(rooms->host_name(HostId{6}) == "eta");
  // By hand: nine split-duplex cables and one shared link; alpha to zeta by the fewest links.
  CHECK(rooms->num_links() == 2 * 9 + 1);
  CHECK(route_names(*rooms, 0, 5) == std::vector<std::string>{"alpha-room-1_UP", "room-1-attic",
                                                              "attic-room-2_UP",
                                                              "zeta-room-2_DOWN"});
  CHECK(rooms->hops(HostId{0}, HostId{5}) == 4);
  CHECK(route_names(*rooms, 3, 3).empty());
  // eta leaves by two cables of 1.25 GB/s.
  CHECK(rooms->injection_bandwidth(HostId{6}).value == Approx(2.5e9));
}

TEST_CASE("Limiter links are on routes but are no hops") {
  const auto network =
      load_platform(write_platform("limiter", cluster("radical=\"0-7\" bw=\"1GBps\" lat=\"1us\" "
                                                      "limiter_link=\"2GBps\" topology=\"TORUS\" "
                                                      "topo_parameters=\"8\"")),
                    {});
  CHECK(route_names(*network, 0, 1).size() > 1);
  CHECK(network->hops(HostId{0}, HostId{1}) == 1);
  CHECK(network->hops(HostId{0}, HostId{4}) == 4);
}

TEST_CASE("A backbone with fatpipe sharing keeps its policy") {
  const auto network = load_platform(
      write_platform("backbone", cluster("radical=\"0-3\" bw=\"1GBps\" lat=\"1us\" bb_bw=\"2GBps\" "
                                         "bb_lat=\"1us\" bb_sharing_policy=\"FATPIPE\"")),
      {});
  std::vector<LinkId> route;
  network->append_route(HostId{0}, HostId{1}, route);
  REQUIRE(route.size() == 3);
  CHECK(network->link(route[0]).sharing == LinkSharing::shared);
  CHECK(network->link(route[1]).sharing == LinkSharing::fatpipe);
}

TEST_CASE("The router behind a backbone is the switch of its cluster") {
  const auto half = [](const std::string& name) {
    return "<cluster id=\"" + name + "\" prefix=\"" + name +
           "-\" suffix=\"\" radical=\"0-2\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" "
           "bb_bw=\"4GBps\" bb_lat=\"1us\" router_id=\"" +
           name + "-router\"/>";
  };
  const auto network = load_platform(
      write_platform("two-halves",
                     "<zone id=\"all\" routing=\"Full\">" + half("east") + half("west") +
                         "<link id=\"wan\" bandwidth=\"1GBps\" latency=\"1ms\"/>"
                         "<zoneRoute src=\"east\" dst=\"west\" gw_src=\"east-router\" "
                         "gw_dst=\"west-router\"><link_ctn id=\"wan\"/></zoneRoute></zone>"),
      {});
  // up, backbone, wan, backbone, down: each link begins where the one before ends.
  std::vector<LinkId> route;
  network->append_route(HostId{0}, HostId{5}, route);
  REQUIRE(route.size() == 5);
  const auto sides = [&](std::size_t link) { return network->link_sides(route[link]).value(); };
  const auto name = [&](int vertex) { return network->vertex_name(vertex); };
  CHECK(name(sides(0).to) == "east-router");
  CHECK(name(sides(1).from) == "east-router");
  CHECK(name(sides(1).to) == "east-router");
  CHECK(std::set{name(sides(2).from), name(sides(2).to)} ==
        std::set<std::string>{"east-router", "west-router"});
  CHECK(name(sides(3).from) == "west-router");
  CHECK(name(sides(4).from) == "west-router");
}

TEST_CASE("What SimGrid would abort on, or run with nonsense, is one sentence with its place") {
  const std::string torus = "radical=\"0-3\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" ";
  CHECK(platform_error("zone", "<!-- nothing -->") == ":3:1: the platform has no zone");
  CHECK(platform_error("malformed", "<zone id=\"z\" routing=\"Full\">").substr(0, 2) == ":5");
  CHECK(platform_error("include",
                       "<include file=\"x\"/>" + cluster(torus + "topo_parameters=\"4\"")) ==
        ":4:1: <include> is not accepted: a platform for vtopo only describes zones, hosts, links "
        "and routes");
  for (const char* bandwidth : {"-1GBps", "0", "NaN", "inf", "1e308GBps", "1Bq"})
    CHECK(contains(
        platform_error("bandwidth", cluster("radical=\"0-3\" bw=\"" + std::string(bandwidth) +
                                            "\" lat=\"1us\" topology=\"TORUS\" "
                                            "topo_parameters=\"4\"")),
        ":4:1: bw=\"" + std::string(bandwidth) + "\" of <cluster>: bandwidth"));
  CHECK(contains(platform_error("latency", cluster("radical=\"0-3\" bw=\"1GBps\" lat=\"-1us\"")),
                 ":4:1: lat=\"-1us\" of <cluster>: time \"-1us\" is out of range"));
  CHECK(contains(
      platform_error("billion", cluster("radical=\"0-999999999\" bw=\"1GBps\" lat=\"1us\"")),
      "names 1000000000 hosts; SimGrid is asked to build at most 4194304"));
  for (const char* sizes : {"-2,-2", "3,3x", "2x2m", "a,b", ""})
    CHECK(contains(platform_error("sizes", cluster(torus + "topo_parameters=\"" + sizes + "\"")),
                   ":4:1: topo_parameters \"" + std::string(sizes) + "\" of <cluster>"));
  for (const char* sizes : {"0", "65536,65536", "4,,4"})
    CHECK(contains(platform_error("sizes", cluster(torus + "topo_parameters=\"" + sizes + "\"")),
                   ":4:1: torus"));
  CHECK(platform_error("radical", cluster(torus + "topo_parameters=\"5\"")) ==
        ":4:1: radical \"0-3\" names 4 hosts, but torus:5 has 5");
  CHECK(
      contains(platform_error("radical-text", cluster("radical=\"0-x\" bw=\"1GBps\" lat=\"1us\" "
                                                      "topology=\"TORUS\" topo_parameters=\"4\"")),
               "radical \"0-x\" of <cluster>"));
}

TEST_CASE("What lint knows of a platform that SimGrid refuses is said with its place") {
  const auto refused = [](const std::string& link) {
    return platform_error("units",
                          "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/>"
                          "<host id=\"b\" speed=\"1Gf\"/><link id=\"l\" " +
                              link + "/></zone>");
  };
  CHECK_THAT(refused("bandwidth=\"1 GBps\" latency=\"0\""),
             Catch::Contains("SimGrid does not accept this platform: bandwidth \"1 GBps\"") &&
                 Catch::Contains("instead: 1GBps"));
  CHECK_THAT(refused("bandwidth=\"1GB/s\" latency=\"0\""), Catch::Contains("instead: 1GBps"));
  CHECK_THAT(refused("bandwidth=\"1GBps\" latency=\"1 us\""), Catch::Contains("instead: 1us"));
  CHECK_THAT(refused("bandwidth=\"1,5GBps\" latency=\"0\""),
             Catch::Contains("SimGrid takes one value"));
}

TEST_CASE("What SimGrid refuses is a sentence, and does not end this process") {
  const std::string hosts = "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>";
  CHECK(contains(platform_error("routing", "<zone id=\"z\" routing=\"Fool\">" + hosts + "</zone>"),
                 "SimGrid does not accept this platform"));
  CHECK(contains(
      platform_error("unknown", "<zone id=\"z\" routing=\"Full\"><hosst id=\"a\"/></zone>"),
      "SimGrid does not accept this platform"));
  CHECK_THAT(
      platform_error("link-twice", "<zone id=\"z\" routing=\"Full\">" + hosts +
                                       "<link id=\"l\" bandwidth=\"1GBps\" latency=\"0\"/>"
                                       "<link id=\"l\" bandwidth=\"1GBps\" latency=\"0\"/></zone>"),
      Catch::Contains("a second link \"l\""));
  CHECK(
      contains(platform_error("twice",
                              "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host "
                              "id=\"a\" speed=\"1Gf\"/></zone>"),
               "SimGrid does not accept this platform"));
  CHECK(platform_error("no-route", "<zone id=\"z\" routing=\"Full\">" + hosts + "</zone>") ==
        ": there is no route from \"a\" to \"b\"");
}

TEST_CASE("A platform that is no regular file is an error") {
  CHECK_THROWS_WITH(load_platform("/nowhere/x.xml", {}),
                    "/nowhere/x.xml: cannot read the platform: No such file or directory");
  CHECK_THROWS_WITH(load_platform(tests::own_folder(), {}),
                    tests::own_folder() + ": the platform is not a regular file");
}

TEST_CASE("More groups than blades load as closed form and are refused to SimGrid") {
  const std::string file = write_platform(
      "groups", cluster("radical=\"0-9\" bw=\"1GBps\" lat=\"1us\" topology=\"DRAGONFLY\" "
                        "topo_parameters=\"5,1 ; 1,1 ; 2,1 ; 1\""));
  CHECK(load_platform(file, {})->num_hosts() == 10);
  CHECK_THROWS_WITH(load_platform(file, {.simgrid_compatible = true}),
                    file +
                        ":4:1: SimGrid cannot build a dragonfly with more groups (5) than blades "
                        "per chassis (2)");
}

TEST_CASE("Other files that SimGrid does not survive are one sentence") {
  std::string deep = "<host id=\"a\" speed=\"1Gf\"/>";
  for (int i = 0; i < 500; ++i)
    deep = "<zone id=\"z" + std::to_string(i) + "\" routing=\"Full\">" + deep + "</zone>";
  CHECK(contains(platform_error("deep", deep), "elements nested more than 64 deep"));
  CHECK_THROWS_WITH(load_platform("platform.so", {}),
                    "platform.so: a platform must be an XML file, not a program");
  const std::string ones =
      write_platform("ones", cluster("radical=\"0-3\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" "
                                     "topo_parameters=\"4,1,1\""));
  CHECK_THROWS_WITH(load_platform(ones, {.simgrid_compatible = true}),
                    ones +
                        ":4:1: SimGrid cannot build a torus with 2 dimensions of size 1 "
                        "(\"4,1,1\"); leave them out");
  const std::string route = "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route>";
  CHECK(
      contains(platform_error("route-twice",
                              "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host "
                              "id=\"b\" speed=\"1Gf\"/><link id=\"l\" bandwidth=\"1GBps\" "
                              "latency=\"0\"/>" +
                                  route + route + "</zone>"),
               "route"));
}

TEST_CASE("The sentence on a bandwidth of a platform does not offer inf") {
  const std::string error =
      platform_error("no-inf", cluster("radical=\"0-3\" bw=\"0\" lat=\"1us\""));
  CHECK(contains(error, "bandwidth \"0\""));
  CHECK_FALSE(contains(error, "inf"));
}
