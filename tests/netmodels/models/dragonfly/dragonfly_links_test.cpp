#include <catch2/catch.hpp>

#include <limits>
#include <map>
#include <random>
#include <set>
#include <string>

#include "netmodels/links.hpp"
#include "tests/netmodels/dragonfly_shapes.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

std::string dragonfly_error(const DragonflySpec& spec) {
  return tests::message_of<UsageError>([&] { make_dragonfly(spec); });
}

DragonflySpec with_rule(DragonflySpec spec, Routing rule, bool simgrid_compatible = false) {
  spec.routing = {rule, simgrid_compatible};
  return spec;
}

}  // namespace

TEST_CASE("Links of a dragonfly have distinct names, ends of their kind and ids by kind") {
  for (const DragonflySpec& spec : many_dragonflies(Routing::simgrid)) {
    const auto network = make_dragonfly(spec);
    INFO(network->description());
    const int hosts = network->num_hosts(), routers = spec.chassis * spec.blades;
    std::set<std::string> names;
    std::map<int, std::int64_t> counts;
    int last_class = 0, bad = 0;
    for (int l = 0; l < network->num_links(); ++l) {
      names.insert(network->link_name(LinkId{l}));
      const int kind = network->link_class(LinkId{l});
      ++counts[kind];
      if (kind < last_class) ++bad;
      last_class = kind;
      const LinkEnds ends = *network->link_ends(LinkId{l});
      const int from = ends.from - hosts, to = ends.to - hosts;
      const bool fits = kind == 0   ? (from < 0) != (to < 0)
                        : kind == 1 ? from != to && from / spec.blades == to / spec.blades
                        : kind == 2 ? from != to && from / routers == to / routers &&
                                          from % spec.blades == to % spec.blades
                                    : from / routers != to / routers;
      if (!fits) ++bad;
    }
    CHECK(bad == 0);
    CHECK(names.size() == static_cast<std::size_t>(network->num_links()));
    const auto classes = network->link_classes();
    REQUIRE(classes.size() == 4);
    for (int kind = 0; kind < 4; ++kind)
      CHECK(classes[static_cast<std::size_t>(kind)].links == counts[kind]);
  }
}

TEST_CASE("Parallel cables between two groups are numbered in their names") {
  // By hand: three groups of four blades; simgrid: cable n from group 0 to group 2 starts at blade
  // 2 + 2n modulo 4 and ends at blade 0 + 2n.
  const auto network = make_dragonfly(dragonfly(3, 1, 4, 1, GlobalArrangement::simgrid, 2));
  std::set<std::string> names;
  for (int l = 0; l < network->num_links(); ++l) names.insert(network->link_name(LinkId{l}));
  CHECK(names.count("r0.0.2->r2.0.0#0") == 1);
  CHECK(names.count("r0.0.0->r2.0.2#1") == 1);
}

TEST_CASE("Each colour of a dragonfly has its own rates, times its links per cable") {
  DragonflySpec spec = dragonfly(3, 2, 3, 1);
  spec.green_links = 2;
  spec.blue_links = 4;
  spec.host_rates.bandwidth = BytesPerSecond{1e9};
  spec.green_rates = {BytesPerSecond{2e9}, Seconds{5e-9}};
  spec.blue_rates = {BytesPerSecond{4.7e9}, Seconds{300e-9}};
  const auto network = make_dragonfly(spec);
  const auto classes = network->link_classes();
  CHECK(classes[0].bandwidth.value == 1e9);
  CHECK(classes[1].bandwidth.value == 4e9);
  CHECK(classes[2].bandwidth.value == 10e9);
  CHECK(classes[3].bandwidth.value == Approx(4 * 4.7e9));
  CHECK(classes[1].latency.value == 5e-9);
  CHECK(classes[2].latency.value == 100e-9);
  CHECK(classes[3].latency.value == 300e-9);
  CHECK(network->injection_bandwidth(HostId{0}).value == 1e9);
  for (int l = 0; l < network->num_links(); ++l) {
    const LinkClass& kind = classes[static_cast<std::size_t>(network->link_class(LinkId{l}))];
    CHECK(network->link(LinkId{l}).bandwidth == kind.bandwidth);
    CHECK(network->link(LinkId{l}).latency == kind.latency);
  }
}

TEST_CASE("The description of a dragonfly lists what is not the default, in a fixed order") {
  DragonflySpec spec = dragonfly(9, 6, 16, 4);
  spec.blue_links = 4;
  CHECK(make_dragonfly(spec)->description() == "dragonfly:9,4;6,1;16,1;4");
  spec.arrangement = GlobalArrangement::absolute;
  spec.cables_per_pair = 4;
  CHECK(make_dragonfly(spec)->description() ==
        "dragonfly:9,4;6,1;16,1;4,arrangement=absolute,pair_links=4");
  spec.defaults.latency = parse_seconds("100ns");
  spec.blue_rates = {parse_bandwidth("4.7GBps"), parse_seconds("300ns")};
  CHECK(make_dragonfly(spec)->description() ==
        "dragonfly:9,4;6,1;16,1;4,arrangement=absolute,pair_links=4,"
        "bandwidth=10GBps/10GBps/10GBps/4.7GBps,latency=100ns/100ns/100ns/300ns");
  spec.blue_rates = {BytesPerSecond{1e9 / 3}, {}};
  CHECK(make_dragonfly(spec)->description().find(
            "=10GBps/10GBps/10GBps/" + exact_text(BytesPerSecond{1e9 / 3})) != std::string::npos);
  const std::string text = make_dragonfly(spec)->description();
  CHECK(make_dragonfly(parse_dragonfly(SpecText(text), spec.defaults, {}))->description() == text);
}

TEST_CASE("Impossible dragonflies are refused in a sentence") {
  const DragonflySpec sound = dragonfly(3, 2, 3, 1);
  CHECK(dragonfly_error(with_rule(sound, Routing::positive)) ==
        "routing positive is a rule for ties on tori; a dragonfly accepts simgrid, ecmp, valiant");
  CHECK(dragonfly_error(with_rule(sound, Routing::split)).find("routing split") == 0);
  CHECK(dragonfly_error(with_rule(sound, Routing::ecmp, true)).find("routing ecmp") !=
        std::string::npos);
  CHECK(dragonfly_error(with_rule(dragonfly(4, 2, 3, 1), Routing::simgrid, true)) ==
        "SimGrid 3.32 has no routes for a dragonfly with more groups (4) than blades per chassis "
        "(3)");
  CHECK(dragonfly_error(
            with_rule(dragonfly(3, 2, 3, 1, GlobalArrangement::absolute), Routing::simgrid, true))
            .find("arrangement absolute; accepted: simgrid") != std::string::npos);
  CHECK(dragonfly_error(
            with_rule(dragonfly(3, 2, 3, 1, GlobalArrangement::simgrid, 2), Routing::simgrid, true))
            .find("2 cables between two groups; accepted: 1") != std::string::npos);
  CHECK(dragonfly_error(dragonfly(3, 2, 3, 1, GlobalArrangement::simgrid, 0)) ==
        "dragonfly number 0: each must be >= 1");
  CHECK(dragonfly_error(dragonfly(3, 2, 3, 1, GlobalArrangement::simgrid, 1025)) ==
        "dragonfly with 1025 cables between two groups: accepted are 1 to 1024");
  for (const double bad : {0.0, -1.0, std::numeric_limits<double>::infinity(),
                           std::numeric_limits<double>::quiet_NaN()}) {
    DragonflySpec spec = sound;
    spec.black_rates.bandwidth = BytesPerSecond{bad};
    CHECK(dragonfly_error(spec).find("bandwidth ") == 0);
    if (bad == 0) continue;
    spec = sound;
    spec.black_rates.latency = Seconds{bad};
    CHECK(dragonfly_error(spec).find("latency ") == 0);
  }
}

TEST_CASE("Dragonflies too large for ids are refused, whatever number makes them so") {
  const int huge = std::numeric_limits<int>::max();
  for (const DragonflySpec& spec :
       {dragonfly(huge, 1, 1, 1), dragonfly(1, huge, 2, 1), dragonfly(1, 1, huge, 1),
        dragonfly(1, 1, 1, huge), dragonfly(2, 1, 1, 1, GlobalArrangement::simgrid, huge),
        dragonfly(1, 1, 1, 1, GlobalArrangement::absolute, huge),
        dragonfly(huge, huge, huge, huge)})
    CHECK(dragonfly_error(spec).find("2147483647") != std::string::npos);
}
