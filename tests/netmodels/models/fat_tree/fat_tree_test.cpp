#include "netmodels/models/fat_tree/fat_tree.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <random>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "tests/support/message_of.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

template <class Destination>
double largest_load(const Network& network, const Destination& destination) {
  const auto traffic = network.make_link_traffic();
  for (int host = 0; host < network.num_hosts(); ++host)
    if (destination(host) != host) traffic->add(HostId{host}, HostId{destination(host)}, {1});
  const LinkTotals totals = traffic->totals();
  return *std::max_element(totals.traffic.begin(), totals.traffic.end());
}

/// Largest load of every cyclic shift host -> host + t, in the order of t = 1, 2, ...
std::vector<double> shift_loads(const std::string& spec) {
  const auto network = make_network(spec, {});
  const int hosts = network->num_hosts();
  std::vector<double> loads;
  for (int t = 1; t < hosts; ++t)
    loads.push_back(largest_load(*network, [&](int host) { return (host + t) % hosts; }));
  return loads;
}

/// The digits of `host` in base `radix`, last first.
int reversed(int host, int radix, int digits) {
  int result = 0;
  for (int i = 0; i < digits; ++i, host /= radix) result = result * radix + host % radix;
  return result;
}

std::string fat_tree_error(const std::string& spec, Routing rule) {
  return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
}

}  // namespace

TEST_CASE("Every cyclic shift on a full k-ary n-tree loads no link twice under D-mod-k") {
  // Zahavi, "D-Mod-K Routing Providing Non-Blocking Traffic for Shift Permutations on Real Life Fat
  // Trees" (2010).
  for (const char* spec : {"fat-tree:2;4,4;1,4;1,1", "fat-tree:3;4,4,4;1,4,4;1,1,1",
                           "fat-tree:4;2,2,2,2;1,2,2,2;1,1,1,1", "fat-tree:2;8,8;1,8;1,1"}) {
    INFO(spec);
    const auto loads = shift_loads(spec);
    CHECK(std::count(loads.begin(), loads.end(), 1.0) == static_cast<int>(loads.size()));
  }
}

TEST_CASE("Digit reversal on a k-ary n-tree loads a link k-1 times under D-mod-k") {
  // All hosts below a leaf switch but the one that stays send to hosts of the same last digits,
  // for which D-mod-k leaves by one port.
  for (const int k : {2, 3, 4, 8}) {
    const auto tree = make_network(fmt::format("fat-tree:2;{0},{0};1,{0};1,1", k), {});
    CHECK(largest_load(*tree, [&](int host) { return reversed(host, k, 2); }) == k - 1);
  }
}

TEST_CASE("Between parallel cables shifts collide as in SimGrid, and not with down=dmodk") {
  // SimGrid 3.32 chooses the cable down by the source: some shifts put two flows on a cable.
  const auto simgrid = shift_loads("fat-tree:2;4,4;1,2;1,2");
  CHECK(*std::max_element(simgrid.begin(), simgrid.end()) == 2);
  for (const char* spec : {"fat-tree:2;4,4;1,2;1,2,down=dmodk", "fat-tree:2;4,4;1,1;1,4,down=dmodk",
                           "fat-tree:3;4,4,4;1,4,2;1,1,2,down=dmodk"}) {
    INFO(spec);
    const auto dmodk = shift_loads(spec);
    CHECK(*std::max_element(dmodk.begin(), dmodk.end()) == 1);
  }
}

TEST_CASE("Sums of traffic over a fat tree are those of walking every flow") {
  for (const Routing rule : {Routing::simgrid, Routing::ecmp})
    for (const char* spec :
         {"fat-tree:1;7;1;1", "fat-tree:2;4,4;1,2;1,2", "fat-tree:3;3,4,2;2,2,3;1,2,2",
          "fat-tree:3;3,4,2;2,2,3;1,2,2,down=dmodk", "fat-tree:3;3,1,4;1,2,3;1,1,1"}) {
      INFO(spec << " " << to_string(rule));
      const auto network = make_network(spec, {}, {rule});
      const auto fast = network->make_link_traffic();
      const auto walked = network->Network::make_link_traffic();
      std::mt19937 random(1);
      const auto hosts = static_cast<unsigned>(network->num_hosts());
      for (int i = 0; i < 500; ++i) {
        const HostId a = id_at<HostId>(random() % hosts), b = id_at<HostId>(random() % hosts);
        const Bytes volume{1.0 + static_cast<double>(random() % 1000)};
        if (a == b) continue;
        fast->add(a, b, volume);
        walked->add(a, b, volume);
      }
      const LinkTotals sums = fast->totals(), expected = walked->totals();
      CHECK(sums.flows == expected.flows);
      REQUIRE(sums.traffic.size() == expected.traffic.size());
      bool same = true;
      for (std::size_t l = 0; l < sums.traffic.size(); ++l)
        same = same && sums.traffic[l] == Approx(expected.traffic[l]);
      CHECK(same);
    }
}

TEST_CASE("Each level of a fat tree is a kind of links with rates of its own") {
  const auto tree =
      make_network("fat-tree:2;4,4;2,2;1,2,bandwidth=1GBps/5GBps,latency=1us/90ns", {});
  const auto classes = tree->link_classes();
  REQUIRE(classes.size() == 2);
  // 16 hosts with 2 cables each; 2 * 4 leaf switches with 2 * 2.
  CHECK(classes[0].name == "hosts to s1 switches");
  CHECK(classes[0].links == 2 * 32);
  CHECK(classes[0].bandwidth == BytesPerSecond{1e9});
  CHECK(classes[1].name == "s1 to s2 switches");
  CHECK(classes[1].links == 2 * 32);
  CHECK(classes[1].latency.value == Approx(90e-9));
  for (int l = 0; l < tree->num_links(); ++l) {
    const auto& kind = classes[static_cast<std::size_t>(tree->link_class(LinkId{l}))];
    CHECK(tree->link(LinkId{l}).bandwidth == kind.bandwidth);
    CHECK(tree->link(LinkId{l}).latency == kind.latency);
    const auto ends = *tree->link_ends(LinkId{l});
    CHECK((std::min(ends.from, ends.to) < 16) == (tree->link_class(LinkId{l}) == 0));
  }
  CHECK(tree->injection_bandwidth(HostId{3}) == BytesPerSecond{2e9});
}

TEST_CASE("A taper is the ratio of bandwidth below to bandwidth above a leaf switch") {
  const auto bandwidths = [](const std::string& spec) {
    std::vector<double> result;
    for (const auto& kind : make_network(spec, {})->link_classes())
      result.push_back(kind.bandwidth.value / 1e9);
    return result;
  };
  // By hand, hosts at 10 GB/s. 18 hosts over 18 cables, half of it: 5 each.
  CHECK(bandwidths("fat-tree:2;18,4;1,18;1,1,taper=2") == std::vector<double>{10, 5});
  // 16 hosts over one thick cable, half of it: 80; the level above is not tapered: 16 * 80.
  CHECK(bandwidths("fat-tree:3;16,16,16;1,1,1;1,1,1,taper=2") == std::vector<double>{10, 80, 1280});
  CHECK(bandwidths("fat-tree:3;4,4,4;1,4,4;1,1,1,taper=2/4") == std::vector<double>{10, 5, 1.25});
  // 44 hosts over 6 * 6 cables are 22:18 already: each cable at the bandwidth of a host.
  const auto frontera = bandwidths("fat-tree:2;44,182;1,6;1,6,taper=22:18");
  CHECK(frontera[1] == Approx(10));
}

TEST_CASE("Routing rules of tori and Valiant's are refused with what to use instead") {
  const std::string tree = "fat-tree:2;4,4;1,2;1,2";
  CHECK(fat_tree_error(tree, Routing::positive) ==
        "routing \"positive\" decides ties on the rings of a torus, and a fat tree has none; "
        "accepted for a fat tree: simgrid (one route, D-mod-k), ecmp (all shortest routes)");
  CHECK(fat_tree_error(tree, Routing::split).find("routing \"split\" decides ties") == 0);
  CHECK(
      fat_tree_error(tree, Routing::valiant) ==
      "routing \"valiant\" goes by way of a random intermediate, on a fat tree a random root, and "
      "that is what ecmp does; accepted for a fat tree: simgrid (one route, D-mod-k), ecmp (all "
      "shortest routes)");
}

TEST_CASE("The specification of a fat tree says what it is made of") {
  const FatTreeSpec shape =
      parse_fat_tree(SpecText("fat-tree:2;4,6;1,2;1,3,down=dmodk,bandwidth=1GBps/2GBps"),
                     {{8e9}, {1e-7}}, {Routing::ecmp});
  REQUIRE(shape.levels.size() == 2);
  CHECK(shape.levels[1].children == 6);
  CHECK(shape.levels[1].parents == 2);
  CHECK(shape.levels[1].cables == 3);
  CHECK(shape.levels[1].rates.bandwidth == BytesPerSecond{2e9});
  CHECK(shape.down == DownCables::dmodk);
  CHECK(shape.defaults.bandwidth == BytesPerSecond{8e9});
  CHECK(shape.routing.rule == Routing::ecmp);
}
