#include <catch2/catch.hpp>

#include <fstream>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

namespace {

/// A zone in line 4 whose properties start in line 5, column 1.
std::string write_zone(const std::string& test, const std::string& properties) {
  std::string path = tests::own_folder() + "/platform-properties-" + test + ".xml";
  std::ofstream(path) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                         "<zone id=\"network\" routing=\"None\">\n"
                      << properties
                      << "\n<host id=\"placeholder\" speed=\"1Gf\"/></zone>\n</platform>\n";
  return path;
}

std::string prop(const std::string& id, const std::string& value) {
  return "<prop id=\"" + id + "\" value=\"" + value + "\"/>";
}

std::string properties_error(const std::string& properties) {
  const std::string path = write_zone("wrong", properties);
  return tests::message_about(path, [&] { load_platform(path, {}); });
}

}  // namespace

TEST_CASE("Properties of the zone name a modelled network") {
  const auto network = load_platform(
      write_zone("model", prop("vtopo-network", "torus:4x3m") + prop("vtopo-bandwidth", "5GBps") +
                              prop("vtopo-latency", "2us") + prop("vtopo-host-prefix", "node-") +
                              prop("vtopo-host-suffix", ".lab") + prop("color", "blue")),
      {});
  CHECK(network->description() == "torus:4x3m");
  CHECK(network->num_hosts() == 12);
  CHECK(network->host_name(HostId{11}) == "node-11.lab");
  CHECK(network->link(LinkId{0}).bandwidth.value == 5e9);
  CHECK(network->link(LinkId{0}).latency.value == Approx(2e-6));
}

TEST_CASE("Properties of interfaces are keys of the network that the file declares") {
  const auto network = load_platform(
      write_zone("nics", prop("vtopo-network", "torus:4x3") + prop("vtopo-nics", "2") +
                             prop("vtopo-injection", "3GBps") + prop("vtopo-nic", "destination")),
      {});
  const auto same = make_network("torus:4x3,nics=2,injection=3GBps,nic=destination", {}, {});
  CHECK(network->description() == same->description());
  CHECK(network->num_links() == same->num_links());
}

TEST_CASE("Hosts of any platform file have interfaces and an inside") {
  // Two hosts and a link of 3 GB/s; each is a node of two places behind two NICs of 1 GB/s. A route
  // between nodes: up from its place, NIC 0 out, the link, NIC 1 in (that of the receiving place),
  // down; inside a node up and down.
  const std::string path = tests::own_folder() + "/platform-properties-zone.xml";
  std::ofstream(path) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                         "<zone id=\"network\" routing=\"Full\">\n"
                      << prop("vtopo-nic", "rank") << prop("vtopo-nics", "2")
                      << prop("vtopo-injection", "1GBps") << prop("vtopo-node", "2:bus=5GBps")
                      << "<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>\n"
                         "<link id=\"l\" bandwidth=\"3GBps\" latency=\"1us\"/>\n<route src=\"a\" "
                         "dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>\n";
  const auto network = load_platform(path, {});
  REQUIRE(network->num_hosts() == 4);
  CHECK(network->host_name(HostId{2}) == "b.0");
  const auto names = [&](int from, int to) {
    std::vector<LinkId> links;
    network->append_route(HostId{from}, HostId{to}, links);
    std::string list;
    for (const LinkId link : links) list += network->link_name(link) + " ";
    return list;
  };
  CHECK(names(0, 3) == "a:bus.0-up a:nic0-out l b:nic1-in b:bus.1-down ");
  CHECK(names(2, 3) == "b:bus.0-up b:bus.1-down ");
}

TEST_CASE("A wrong property of interfaces is refused at its place") {
  CHECK(properties_error(prop("vtopo-network", "torus:4x3") + "\n" + prop("vtopo-nics", "x")) ==
        ":6:1: <prop id=\"vtopo-nics\" value=\"x\">: nics \"x\" in \"hosts:any,nics=x\" is not an "
        "integer");
}

TEST_CASE("A network of properties has the routing rule that is asked for") {
  const std::string path = write_zone("routing", prop("vtopo-network", "torus:4x3"));
  PlatformOptions options;
  CHECK(load_platform(path, options)->routing() == Routing::simgrid);
  options.routing = Routing::valiant;
  CHECK(load_platform(path, options)->routing() == Routing::valiant);
  const std::string tree = write_zone("no-routing", prop("vtopo-network", "tree:4:8@1:10"));
  CHECK_THROWS_AS(load_platform(tree, options), UsageError);
}

TEST_CASE("A network of properties has the rule that the file states unless another is asked for") {
  PlatformOptions automatic, simgrid;
  simgrid.routing = Routing::simgrid;
  const auto rules = [&](const std::string& network, const std::string& rule) {
    const std::string path =
        write_zone("rule-" + rule, prop("vtopo-network", network) + prop("vtopo-routing", rule));
    CHECK(load_platform(path, simgrid)->routing() == Routing::simgrid);
    return load_platform(path, automatic)->routing();
  };
  for (const char* const rule : {"auto", "positive", "split", "ecmp", "valiant", "adaptive"})
    CHECK(to_string(rules("torus:4x3", rule)) == rule);
  CHECK(rules("hyperx:3x3", "auto") == Routing::simgrid);
  // A rule that follows from the traffic: flows of 1 and 3 bytes meet other routes.
  const auto adaptive = load_platform(write_zone("adaptive", prop("vtopo-network", "hyperx:3x3") +
                                                                 prop("vtopo-routing", "adaptive")),
                                      automatic);
  const std::vector<HostFlow> flows{{HostId{0}, HostId{4}, {1}}, {HostId{0}, HostId{8}, {3}}};
  CHECK(adaptive->routed(flows) != nullptr);
}

TEST_CASE("A torus cluster of SimGrid has SimGrid's routes unless another rule is asked for") {
  PlatformOptions options;
  const std::string path = tests::write_file(
      "torus-cluster.xml",
      "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
      "<platform version=\"4.1\"><cluster id=\"c\" prefix=\"h\" suffix=\"\" radical=\"0-15\" "
      "speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" topology=\"TORUS\" topo_parameters=\"4,4\"/>"
      "</platform>\n");
  CHECK(load_platform(path, options)->routing() == Routing::simgrid);
  options.routing = Routing::split;
  CHECK(load_platform(path, options)->routing() == Routing::split);
}

TEST_CASE("Plain SimGrid accepts a zone with these properties") {
  const auto plain = load_platform(write_zone("plain", prop("color", "blue")), {});
  CHECK(plain->num_hosts() == 1);
}

TEST_CASE("A wrong value of a property is an error at its place") {
  CHECK(properties_error(prop("vtopo-network", "torus:0x4")).substr(0, 54) ==
        ":5:1: <prop id=\"vtopo-network\" value=\"torus:0x4\">: tor");
  CHECK(properties_error(prop("vtopo-network", "torus:4") + prop("vtopo-latency", "soon"))
            .substr(0, 58) == ":5:43: <prop id=\"vtopo-latency\" value=\"soon\">: time \"soon\"");
  CHECK(properties_error(prop("vtopo-bandwidth", "1GBps")) ==
        ":5:1: <prop id=\"vtopo-bandwidth\"> without <prop id=\"vtopo-network\">");
  CHECK(properties_error(prop("vtopo-net", "torus:4")) ==
        ":5:1: <prop id=\"vtopo-net\" value=\"torus:4\">: accepted are vtopo-network, "
        "vtopo-bandwidth, vtopo-latency, vtopo-host-names, vtopo-host-prefix, "
        "vtopo-host-suffix, vtopo-routing, vtopo-job-network, vtopo-machine, vtopo-assumes, "
        "vtopo-process-injection, vtopo-process-extraction; of hosts, vtopo-nics, "
        "vtopo-injection, vtopo-extraction, vtopo-nic, vtopo-node, vtopo-rail; of the ends of "
        "messages, "
        "vtopo-overhead, vtopo-gap, vtopo-eager-limit, vtopo-handshake, vtopo-memory-bandwidth, "
        "vtopo-reduction-bandwidth, vtopo-noise");
}

TEST_CASE("A property lists the names of the hosts, in the order of their ids") {
  const auto network =
      load_platform(write_zone("names", prop("vtopo-network", "torus:4") +
                                            prop("vtopo-host-names", "lab[08-09],x1c0s[3-4]b0n0")),
                    {});
  CHECK(network->host_name(HostId{0}) == "lab08");
  CHECK(network->host_name(HostId{3}) == "x1c0s4b0n0");
  CHECK(properties_error(prop("vtopo-network", "torus:4") + prop("vtopo-host-names", "n[1-3]"))
            .ends_with("3 host names for the 4 hosts of \"torus:4\": expected as many"));
  CHECK(properties_error(prop("vtopo-network", "torus:4") + prop("vtopo-host-names", "n[1-3],n2"))
            .ends_with("host name \"n2\" is listed twice"));
  CHECK(properties_error(prop("vtopo-network", "torus:4") + prop("vtopo-host-names", "n[1-"))
            .starts_with(":5:"));
}

TEST_CASE("Properties say what messages cost at their ends, of any platform") {
  EndpointProperties said;
  PlatformOptions options;
  options.properties = [&said](const PlatformProperties& heard) { said = heard.endpoint; };
  const auto plain = load_platform(
      write_zone("endpoint", prop("vtopo-overhead", "1us") + prop("vtopo-eager-limit", "8KiB") +
                                 prop("vtopo-memory-bandwidth", "10GBps") +
                                 prop("vtopo-gap", "0.3us")),
      options);
  CHECK(plain->num_hosts() == 1);
  CHECK(said.overhead->value == Approx(1e-6));
  CHECK(said.gap->value == Approx(3e-7));
  CHECK(said.eager_limit->value == 8192);
  CHECK(!said.handshake);
  CHECK(said.memory_bandwidth->value == 1e10);
  CHECK(!said.reduction_bandwidth);
  load_platform(write_zone("modelled", prop("vtopo-network", "torus:4") +
                                           prop("vtopo-reduction-bandwidth", "8GBps") +
                                           prop("vtopo-handshake", "2us")),
                options);
  CHECK(said.reduction_bandwidth->value == 8e9);
  CHECK(said.handshake->value == Approx(2e-6));
  CHECK(properties_error(prop("vtopo-overhead", "soon"))
            .starts_with(":5:1: <prop id=\"vtopo-overhead\" value=\"soon\">: time \"soon\""));
}

TEST_CASE("Properties say what the machine is, what it assumes, and whether names are known") {
  PlatformProperties said;
  PlatformOptions options;
  options.properties = [&said](const PlatformProperties& heard) { said = heard; };
  const std::string network = prop("vtopo-network", "torus:4");
  load_platform(
      write_zone("said", prop("vtopo-machine", "four in a ring") +
                             prop("vtopo-assumes", "one cable") + prop("vtopo-assumes", " 1 us ") +
                             prop("vtopo-noise", "0.04")),
      options);
  CHECK(said.endpoint.noise == 0.04);
  CHECK(said.title == "four in a ring");
  CHECK(said.assumptions == std::vector<std::string>{"one cable", "1 us"});
  CHECK(said.knows_host_names);  // the file's own host
  load_platform(write_zone("unknown", prop("vtopo-host-names", "unknown")), options);
  CHECK_FALSE(said.knows_host_names);
  load_platform(write_zone("numbered", network), options);
  CHECK_FALSE(said.knows_host_names);
  load_platform(write_zone("named", network + prop("vtopo-host-names", "n[1-4]")), options);
  CHECK(said.knows_host_names);
  CHECK(properties_error(prop("vtopo-assumes", " ")).find("accepted is a sentence") !=
        std::string::npos);
  for (const char* wrong : {"much", "-0.1", "11", "nan"})
    CHECK(properties_error(prop("vtopo-noise", wrong)).find("expected a number from 0 to 10") !=
          std::string::npos);
}

TEST_CASE("What one process sends is not a limit of the network") {
  const std::string path =
      write_zone("process", prop("vtopo-network", "torus:4") + prop("vtopo-injection", "25GBps") +
                                prop("vtopo-process-injection", "6GBps/1us") +
                                prop("vtopo-process-extraction", "6GBps"));
  CHECK(load_platform(path, {})->description() == "torus:4,injection=25GBps");
  const PlatformProperties said = read_platform_properties(path);
  CHECK(said.process_interfaces == ",injection=6GBps/1us,extraction=6GBps");
  CHECK(properties_error(prop("vtopo-process-injection", "fast"))
            .starts_with(":5:1: <prop id=\"vtopo-process-injection\""));
}

TEST_CASE("Any platform file takes other names of its hosts") {
  const auto names = std::make_shared<const std::vector<std::string>>(
      std::vector<std::string>{"a", "b", "c", "d"});
  const auto load = [&](const std::string& path) {
    PlatformOptions options;
    options.host_names = names;
    return load_platform(path, options);
  };
  const auto torus = load(write_zone("renamed", prop("vtopo-network", "torus:4")));
  CHECK(torus->host_name(HostId{3}) == "d");
  const PlatformSource source{"torus:4", "10GBps", "100ns", {}};
  for (const auto form : {PlatformForm::cluster, PlatformForm::zones}) {
    const std::string path =
        tests::own_folder() + "/renamed-" + std::to_string(static_cast<int>(form)) + ".xml";
    std::ofstream(path)
        << generate_platform(*make_network("torus:4", {}, {Routing::simgrid}), source, form).xml;
    const auto network = load(path);
    CHECK(network->host_name(HostId{3}) == "d");
    CHECK(network->vertex_name(3) == "d");
    CHECK(network->hops(HostId{0}, HostId{2}) == 2);
  }
  CHECK_THROWS_WITH(load(tests::source_path("platforms/two-rooms.xml")),
                    Catch::Contains("4 host names for the 7 hosts"));
}

TEST_CASE("Properties limit the interfaces of hosts as keys of the network do") {
  const std::string file = prop("vtopo-network", "torus:4x3") +
                           prop("vtopo-injection", "3GBps/1us") + prop("vtopo-extraction", "2GBps");
  const std::string path = write_zone("interfaces", file + prop("vtopo-routing", "valiant"));
  CHECK(load_platform(path, {})->description() == "torus:4x3,injection=3GBps/1us,extraction=2GBps");
  PlatformOptions options;
  options.interfaces = ",injection=7GBps";
  CHECK(load_platform(path, options)->description() == "torus:4x3,injection=7GBps");
  CHECK(read_platform_properties(path).routing == Routing::valiant);
  CHECK(read_platform_properties(path).interfaces == ",injection=3GBps/1us,extraction=2GBps");
  CHECK(read_platform_properties(write_zone("no-rule", file)).routing == std::nullopt);
  CHECK(properties_error(prop("vtopo-routing", "valient"))
            .starts_with(":5:1: <prop id=\"vtopo-routing\" value=\"valient\">: "));
}
