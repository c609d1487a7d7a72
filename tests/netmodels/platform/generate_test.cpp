#include "netmodels/platform/generate.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

#include <fstream>
#include <functional>
#include <map>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/changed_network.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

using namespace vtopo;
using namespace vtopo::tests;

namespace {

const PlatformSource slow_source{"", "1.7GBps", "130ns", {}};

std::shared_ptr<const Network> network_from(const PlatformSource& source,
                                            Routing rule = Routing::simgrid) {
  NetworkDefaults defaults;
  defaults.bandwidth = parse_bandwidth(source.bandwidth);
  defaults.latency = parse_seconds(source.latency);
  return make_network(source.network, defaults, {rule});
}

PlatformSource source_of(const std::string& spec) {
  PlatformSource source = slow_source;
  source.network = spec;
  return source;
}

std::string written(const std::string& xml) {
  return write_file(fmt::format("generate-test-{}.xml", std::hash<std::string>{}(xml)), xml);
}

/// What SimGrid itself makes of the file.
std::shared_ptr<const Network> as_simgrid_sees(const std::string& xml) {
  return load_platform(written(xml), {.simgrid_compatible = true});
}

using Rates = std::pair<double, double>;

std::map<std::string, Rates> rates_by_name(const Network& network) {
  std::map<std::string, Rates> rates;
  for (int l = 0; l < network.num_links(); ++l) {
    const auto link = network.link(LinkId{l});
    rates[network.link_name(LinkId{l})] = {link.bandwidth.value, link.latency.value};
  }
  return rates;
}

/// Hosts, links with their names and rates, and the route of every pair.
void check_same(const Network& simgrid, const Network& own) {
  CHECK(host_names(simgrid) == host_names(own));
  CHECK(rates_by_name(simgrid) == rates_by_name(own));
  CHECK(own_routes(simgrid) == own_routes(own));
}

/// The same where SimGrid names the links: under one renaming, found along the routes.
void check_same_but_for_names(const Network& simgrid, const Network& own) {
  CHECK(host_names(simgrid) == host_names(own));
  CHECK(simgrid.num_links() == own.num_links());
  const auto theirs = own_routes(simgrid), ours = own_routes(own);
  const auto their_rates = rates_by_name(simgrid), our_rates = rates_by_name(own);
  std::map<std::string, std::string> to_ours, to_theirs;
  int differing = 0;
  for (std::size_t a = 0; a < ours.size(); ++a)
    for (std::size_t b = 0; b < ours.size(); ++b) {
      bool same = theirs[a][b].size() == ours[a][b].size();
      for (std::size_t i = 0; same && i < ours[a][b].size(); ++i) {
        const auto &left = theirs[a][b][i], &right = ours[a][b][i];
        same = to_ours.emplace(left, right).first->second == right &&
               to_theirs.emplace(right, left).first->second == left &&
               their_rates.at(left) == our_rates.at(right);
      }
      differing += same ? 0 : 1;
    }
  CHECK(differing == 0);
}

std::string generate_error(const Network& network, std::optional<PlatformForm> form) {
  return tests::message_of<UsageError>(
      [&] { generate_platform(network, source_of("spec"), form); });
}

/// Flows that split, as a rule of the networks may have it.
class SplittingNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = ChangedNetwork::make_facts();
    facts.routing = Routing::ecmp;
    facts.splits_flows = true;
    return facts;
  }
};

/// Torus routes of one rule that does not split, under its name.
class PositiveNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = ChangedNetwork::make_facts();
    facts.routing = Routing::positive;
    return facts;
  }
};

/// Without a description from which groups could be known.
class NamelessNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;

 private:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = ChangedNetwork::make_facts();
    facts.description = "nameless";
    return facts;
  }
};

/// The route from host 0 to host 3 goes by way of host 4's router: not that of host 0 to host 2.
class DetourNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;
  void append_route(HostId source, HostId destination, std::vector<LinkId>& links) const override {
    if (source != HostId{0} || destination != HostId{3})
      return ChangedNetwork::append_route(source, destination, links);
    std::vector<LinkId> first, second;
    ChangedNetwork::append_route(source, HostId{4}, first);
    ChangedNetwork::append_route(HostId{4}, destination, second);
    links.insert(links.end(), first.begin(), first.end() - 1);
    links.insert(links.end(), second.begin() + 1, second.end());
  }
  int hops(HostId source, HostId destination) const override {
    std::vector<LinkId> links;
    append_route(source, destination, links);
    return static_cast<int>(links.size());
  }
};

/// Every link with rates of its own, every second one a fatpipe, and names that need escapes.
class OddLinksNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;
  LinkProperties link(LinkId link) const override {
    return {{1e9 / (number(link) + 3)},
            {1e-7 / (number(link) + 3)},
            number(link) % 2 == 0 ? LinkSharing::shared : LinkSharing::fatpipe};
  }
  std::string link_name(LinkId link) const override {
    return fmt::format("<{}> & \"cable\"\t'{}'", number(link), ChangedNetwork::link_name(link));
  }
};

class EndlessNetwork final : public ChangedNetwork {
 public:
  using ChangedNetwork::ChangedNetwork;
  LinkProperties link(LinkId) const override {
    return {{std::numeric_limits<double>::infinity()}, {0}};
  }
};

}  // namespace

TEST_CASE("A generated cluster is the same network in SimGrid, route by route") {
  for (const std::string spec :
       {"torus:4x3x2", "torus:2x2", "torus:5", "fat-tree:2;4,4;1,2;1,2",
        "fat-tree:3;3,4,2;1,2,3;1,2,2", "fat-tree:1;8;1;1", "dragonfly:3,4;1,3;5,2;2",
        "dragonfly:4,1;1,1;4,1;1", "dragonfly:1,1;1,1;1,1;1", "dragonfly:1,1;1,1;4,2;2",
        "fat-tree:1;1;1;1", "fat-tree:2;1,3;1,1;1,1", "torus:2x3x2"}) {
    INFO(spec);
    const PlatformSource source = source_of(spec);
    const auto network = network_from(source);
    const auto platform = generate_platform(*network, source, std::nullopt);
    CHECK(platform.form == PlatformForm::cluster);
    check_same_but_for_names(*as_simgrid_sees(platform.xml), *network);
    // Loaded as closed form it is the network itself, names of links and all.
    check_same(*load_platform(written(platform.xml), {}), *network);
  }
}

TEST_CASE("Generated explicit routes are the same network in SimGrid, names of links and all") {
  for (const std::string spec :
       {"torus:4x3m", "mesh:3x3", "torus:4x2x2", "torus:1x4", "torus:1x1x3", "torus:1",
        "fat-tree:2;4,4;1,2;1,2", "fat-tree:3;3,4,2;1,2,3;1,2,2", "dragonfly:1,1;1,1;1,1;4"}) {
    INFO(spec);
    const PlatformSource source = source_of(spec);
    const auto network = network_from(source);
    const auto platform = generate_platform(*network, source, PlatformForm::zones);
    CHECK(platform.sentence.ends_with("in one zone"));
    check_same(*as_simgrid_sees(platform.xml), *network);
  }
}

TEST_CASE("Keys of a specification survive in explicit routes") {
  for (const std::string spec :
       {"torus:4x3m,per_router=2,bandwidth=9.4GBps/4.7GBps,host_latency=90ns",
        "mesh:3x2,per_router=3,latency=70ns/1.5us,host_bandwidth=5GBps",
        "torus:4x3,bandwidth=9.4GBps/4.7GBps,latency=105ns", "fat-tree:2;4,4;1,4;1,1,taper=3",
        "fat-tree:2;4,4;1,2;1,2,down=dmodk",
        "fat-tree:3;3,2,2;1,2,3;1,2,2,bandwidth=1GBps/7GBps/0.3Gbps,latency=90ns/1us/130ns",
        "dragonfly:5,1;2,1;3,1;2,arrangement=absolute",
        "dragonfly:4,1;1,1;6,1;2,arrangement=relative,pair_links=2",
        "dragonfly:5,2;1,1;4,1;1,arrangement=circulant,pair_links=2",
        "dragonfly:3,2;2,3;4,5;2,bandwidth=1GBps/5.25GBps/3GBps/4.7GBps,latency=1us/2ns/3ns/4ps"}) {
    INFO(spec);
    const PlatformSource source = source_of(spec);
    const auto network = network_from(source);
    const auto platform = generate_platform(*network, source, std::nullopt);
    CHECK(platform.form == PlatformForm::zones);
    check_same(*as_simgrid_sees(platform.xml), *network);
    check_same(*load_platform(written(platform.xml), {}), *network);
    // Without SimGrid's help, from the property.
    const auto property = generate_platform(*network, source, PlatformForm::property);
    check_same(*load_platform(written(property.xml), {}), *network);
  }
}

TEST_CASE("A generated dragonfly has zones in zones and still the same routes") {
  // Several chassis, whose routes SimGrid's own cluster gets wrong, and more groups than blades,
  // which it cannot build.
  for (const std::string spec : {"dragonfly:3,4;4,3;5,1;2", "dragonfly:5,2;1,1;2,1;2",
                                 "dragonfly:4,1;2,3;2,2;3", "dragonfly:7,1;1,1;1,1;2"}) {
    INFO(spec);
    const PlatformSource source = source_of(spec);
    const auto network = network_from(source);
    const auto platform = generate_platform(*network, source, std::nullopt);
    CHECK(platform.form == PlatformForm::zones);
    CHECK(platform.sentence.ends_with("in a zone per router and a zone per group"));
    check_same(*as_simgrid_sees(platform.xml), *network);
  }
}

TEST_CASE("SimGrid asked directly has the generated routes") {
  for (const std::string spec : {"torus:4x3m", "dragonfly:3,4;2,3;2,1;2"}) {
    INFO(spec);
    const PlatformSource source = source_of(spec);
    const auto network = network_from(source);
    const auto platform = generate_platform(*network, source, std::nullopt);
    CHECK(simgrid_platform_routes(written(platform.xml), host_names(*network)) ==
          own_routes(*network));
  }
}

TEST_CASE("Files of a torus under auto and positive have its routes, in SimGrid and read back") {
  for (const Routing rule : {Routing::automatic, Routing::positive})
    for (const std::string spec :
         {"torus:4", "torus:4x6", "torus:2x4x3m", "torus:4x3,per_router=2,bandwidth=2GBps/3GBps",
          "torus:4x4,nics=2,injection=1GBps", "torus:3x4x4,twist=2"}) {
      if (rule == Routing::positive && spec.ends_with("twist=2")) continue;
      INFO(spec);
      const PlatformSource source = source_of(spec);
      const auto network = network_from(source, rule);
      REQUIRE(network->routing() == rule);
      const bool is_plain = spec == "torus:4" || spec == "torus:4x6";
      CHECK_THAT(generate_error(*network, PlatformForm::cluster),
                 Catch::Contains(is_plain ? "do not know the routing \"" + to_string(rule) + "\""
                                          : "cannot be written as a cluster"));
      const auto zones = generate_platform(*network, source, std::nullopt);
      CHECK(zones.form == PlatformForm::zones);
      CHECK(simgrid_platform_routes(written(zones.xml), host_names(*network)) ==
            own_routes(*network));
      check_same(*as_simgrid_sees(zones.xml), *network);
      const auto property = generate_platform(*network, source, PlatformForm::property);
      const auto again = load_platform(written(property.xml), {});
      CHECK(again->routing() == rule);
      check_same(*again, *network);
    }
}

TEST_CASE("Where auto has SimGrid's routes, files are those of SimGrid's rule") {
  for (const std::string spec : {"torus:5x3", "torus:2x2x2", "fat-tree:2;4,4;1,2;1,2"}) {
    const PlatformSource source = source_of(spec);
    const auto file = generate_platform(*network_from(source, Routing::automatic), source, {});
    CHECK(file.form == PlatformForm::cluster);
    CHECK(file.xml == generate_platform(*network_from(source), source, {}).xml);
    for (const auto form : {PlatformForm::zones, PlatformForm::property})
      CHECK(generate_platform(*network_from(source, Routing::automatic), source, form).xml ==
            generate_platform(*network_from(source), source, form).xml);
  }
}

TEST_CASE("A rule that is given as a property is the one in the file") {
  PlatformSource source = source_of("torus:4x4");
  source.properties = {{"routing", "split"}};
  const auto network = network_from(source, Routing::automatic);
  const auto file = generate_platform(*network, source, PlatformForm::property);
  CHECK(load_platform(written(file.xml), {})->routing() == Routing::split);
}

TEST_CASE("The sentence says so where hops are not the links of a route") {
  const auto sentence = [](const std::string& spec) {
    const PlatformSource source = source_of(spec);
    return generate_platform(*network_from(source), source, std::nullopt).sentence;
  };
  CHECK(sentence("tree:3:5@1:4").find("; hops of the file are links") != std::string::npos);
  CHECK(sentence("mesh:3x3,injection=4GBps/1us").find("; hops of the file are links") !=
        std::string::npos);  // the link of an interface is none
  CHECK(sentence("tree:3:5@2:4").find("hops") == std::string::npos);  // 2 and 4 links
}

TEST_CASE("Zones follow the routes that the network has, whatever it is called") {
  const auto dragonfly = make_network("dragonfly:3,1;2,1;2,1;2", {});
  const NamelessNetwork nameless(dragonfly);
  const auto by_router = generate_platform(nameless, source_of("spec"), std::nullopt);
  CHECK(by_router.sentence.ends_with("in a zone per router"));
  check_same(*as_simgrid_sees(by_router.xml), nameless);
  const DetourNetwork detour(dragonfly);
  const auto all_pairs = generate_platform(detour, source_of("spec"), std::nullopt);
  CHECK(all_pairs.sentence == "written as explicit links and 552 routes, in one zone");  // 24 * 23
  check_same(*as_simgrid_sees(all_pairs.xml), detour);
}

TEST_CASE("Rates of every link and names that need escapes arrive unchanged") {
  const OddLinksNetwork odd(make_network("torus:3x2", {}));
  const auto platform = generate_platform(odd, source_of("torus:3x2"), std::nullopt);
  CHECK(platform.form == PlatformForm::zones);  // no cluster has these rates
  const auto loaded = as_simgrid_sees(platform.xml);
  check_same(*loaded, odd);
  int fatpipes = 0;
  for (int l = 0; l < loaded->num_links(); ++l)
    fatpipes += loaded->link(LinkId{l}).sharing == LinkSharing::fatpipe ? 1 : 0;
  CHECK(fatpipes == odd.num_links() / 2);
}

TEST_CASE("Quantities are written in the largest unit that is exact") {
  for (const auto& [bandwidth, latency, expected] : std::vector<std::array<std::string, 3>>{
           {"5.25GBps", "90ns", "bw=\"5.25GBps\" lat=\"90ns\""},
           {"100Gbps", "1.5us", "bw=\"12.5GBps\" lat=\"1.5us\""},
           {"0.001", "0", "bw=\"0.001Bps\" lat=\"0s\""},
           {"1e18", "1e9", "bw=\"1000000000GBps\" lat=\"1000000000000ms\""}}) {
    const PlatformSource source{"torus:4", bandwidth, latency, {}};
    CHECK_THAT(generate_platform(*network_from(source), source, std::nullopt).xml,
               Catch::Contains(expected));
  }
}

TEST_CASE("A network too large for explicit routes becomes properties") {
  PlatformSource source{"dragonfly:74,4;1,1;32,1;16", "25 GB/s", "350ns", {"Frontier & others"}};
  const auto network = network_from(source);
  const auto platform = generate_platform(*network, source, std::nullopt);
  CHECK(platform.form == PlatformForm::property);
  CHECK_THAT(platform.sentence, Catch::Contains("plain SimGrid sees 74 groups"));
  pugi::xml_document document;
  REQUIRE(document.load_string(platform.xml.c_str()));
  const auto zone = document.child("platform").child("zone");
  const auto value = [&zone](const char* name) {
    return std::string(zone.find_child_by_attribute("prop", "id", name).attribute("value").value());
  };
  CHECK(value("vtopo-network") == source.network);
  CHECK(value("vtopo-bandwidth") == source.bandwidth);
  CHECK(value("vtopo-latency") == source.latency);
  // Plain SimGrid has all hosts; from group to group it takes the cables between the two.
  const std::string file = written(platform.xml);
  CHECK(simgrid_host_names(file).size() == static_cast<std::size_t>(network->num_hosts()));
  const auto routes = simgrid_platform_routes(file, {"host-0", "host-511", "host-512"});
  CHECK(routes[0][1].size() == 2);
  REQUIRE(routes[0][2].size() == 3);
  CHECK(routes[0][2][1] == "cables-0-1_UP");
}

TEST_CASE("The limit between explicit routes and properties is 512 hosts where all pairs count") {
  CHECK(max_routes_unasked == std::size_t{512} * 512);
  const auto form = [](const std::string& spec) {
    const PlatformSource source = source_of(spec);
    return generate_platform(*network_from(source), source, std::nullopt).form;
  };
  CHECK(form("mesh:16x16") == PlatformForm::zones);
  CHECK(form("mesh:513") == PlatformForm::property);
}

TEST_CASE("What no file can hold is an error that says why") {
  const auto torus = make_network("torus:4x4", {});
  CHECK(generate_error(SplittingNetwork(torus), std::nullopt) ==
        "routing \"ecmp\" splits flows over several routes, but a platform file holds one route "
        "per pair of hosts; accepted are rules that do not split: auto, simgrid, positive");
  CHECK(generate_error(EndlessNetwork(torus), std::nullopt) ==
        "link \"d0+:0->1\" has bandwidth inf, which SimGrid cannot hold; accepted are finite "
        "numbers > 0");
  CHECK(generate_platform(PositiveNetwork(torus), slow_source, std::nullopt).form ==
        PlatformForm::zones);
  CHECK(generate_error(*make_network("mesh:40x40", {}), PlatformForm::zones) ==
        "torus:40mx40m needs 2558400 explicit routes: accepted are up to 1048576; take the form "
        "property");  // 1600 * 1599
}

TEST_CASE("A cluster that SimGrid cannot build, or routes otherwise, is refused with the reason") {
  const auto reason = [](const std::string& spec) {
    const std::string error = generate_error(*make_network(spec, {}), PlatformForm::cluster);
    const auto colon = error.find("cluster: ") + 9;
    return error.substr(colon, error.find("; accepted") - colon);
  };
  CHECK(reason("torus:4x4m") ==
        "SimGrid's clusters have no mesh dimensions and none of the keys of a specification");
  CHECK(reason("torus:1x1x3") ==
        "SimGrid gives a dimension of size 1 links that vtopo has not, and cannot build two");
  CHECK(reason("dragonfly:3,4;4,3;5,1;2") ==
        "SimGrid's routes inside a dragonfly group of several chassis are not valid paths");
  CHECK(reason("dragonfly:5,2;1,1;2,1;2") ==
        "SimGrid cannot build a dragonfly with more groups (5) than blades per chassis (2)");
  const auto torus = make_network("torus:4x4", {});
  CHECK_THAT(generate_error(PositiveNetwork(torus), PlatformForm::cluster),
             Catch::Contains("SimGrid's clusters do not know the routing \"positive\""));
  CHECK_THAT(generate_error(OddLinksNetwork(torus), PlatformForm::cluster),
             Catch::Contains("one bandwidth and one latency for all cables"));
}

TEST_CASE("Comments stand in the head of the file, those that XML cannot hold are errors") {
  PlatformSource source = source_of("torus:4");
  source.comments = {"A ring & <four> hosts."};
  const auto network = network_from(source);
  CHECK_THAT(generate_platform(*network, source, std::nullopt).xml,
             Catch::Contains("<!-- A ring & <four> hosts.\n"));
  for (const std::string bad : {"a -- b", "two\nlines", "end -"}) {
    source.comments = {bad};
    CHECK_THROWS_AS(generate_platform(*network, source, std::nullopt), UsageError);
  }
}

TEST_CASE("Forms are parsed by name") {
  CHECK(!parse_platform_form("auto"));
  CHECK(parse_platform_form("explicit") == PlatformForm::zones);
  CHECK_THROWS_WITH(parse_platform_form("explicitt"),
                    "form \"explicitt\"; accepted: auto, cluster, explicit, property; did you mean "
                    "\"explicit\"?");
}
