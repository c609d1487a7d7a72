#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"

using namespace vtopo;

namespace {

void check_same_links(const Network& network, const Network& again) {
  bool same = true;
  for (int l = 0; same && l < network.num_links(); ++l) {
    const LinkId link{l};
    const auto a = network.link(link), b = again.link(link);
    const auto ends = network.link_ends(link), ends_again = again.link_ends(link);
    same = a.bandwidth == b.bandwidth && a.latency == b.latency && ends->from == ends_again->from &&
           ends->to == ends_again->to && network.link_name(link) == again.link_name(link) &&
           network.link_class(link) == again.link_class(link);
  }
  CHECK(same);
}

void check_same_routes(const Network& network, const Network& again) {
  std::mt19937 random(1);
  const auto hosts = static_cast<unsigned>(network.num_hosts());
  bool same = true;
  for (int i = 0; same && i < 200; ++i) {
    const HostId a = id_at<HostId>(random() % hosts), b = id_at<HostId>(random() % hosts);
    std::vector<LinkId> route, route_again;
    network.append_route(a, b, route);
    again.append_route(a, b, route_again);
    same = route == route_again;
  }
  CHECK(same);
}

}  // namespace

TEST_CASE("The description of a network, with the same defaults, makes the same network") {
  const std::string spec = GENERATE(
      as<std::string>(), "torus:8x8x4m", "torus:4,4,8", "mesh:3x2", "torus:1",
      "torus:5x2,per_router=2", "torus:6x4x2,bandwidth=9.4GBps/4.7GBps/9.4GBps",
      "torus:6x4x2,bandwidth=9.4GBps,latency=105ns/33ns/1.5us",
      "mesh:3x5,per_router=4,latency=70ns,host_bandwidth=5GBps",
      "torus:4m,per_router=2,host_bandwidth=1e9,host_latency=0", "fat-tree:2;4,4;1,2;1,2",
      "fat-tree:1;7;1;1", "fat-tree:3;3,4,2;1,2,3;1,2,2,bandwidth=12.5GBps",
      "fat-tree:3;3,4,2;1,2,3;1,2,2,bandwidth=1GBps/7GBps/0.3Gbps",
      "fat-tree:2;4,4;1,2;1,2,down=dmodk,latency=90ns/130ns", "fat-tree:2;4,4;1,4;1,1,taper=3",
      "fat-tree:3;4,4,4;1,2,2;1,1,1,bandwidth=7GBps,taper=22:18/1.7", "dragonfly:9,4;6,3;16,1;4",
      "dragonfly:1,1;1,1;1,1;4", "dragonfly:5,1;2,1;3,1;2,arrangement=absolute",
      "dragonfly:5,1;2,1;3,1;2,arrangement=relative,pair_links=1",
      "dragonfly:5,2;1,1;4,1;1,arrangement=circulant",
      "dragonfly:3,2;2,3;4,5;2,bandwidth=1GBps/5.25GBps/3GBps/4.7GBps",
      "dragonfly:3,2;2,3;4,5;2,bandwidth=7GBps,latency=1us/2ns/3ns/4ps",
      "dragonfly:4,1;1,1;6,1;2,arrangement=absolute,pair_links=2");
  const NetworkDefaults defaults{{7e9 / 3}, {1e-7 / 3}};
  const auto network = make_network(spec, defaults);
  const auto again = make_network(network->description(), defaults);
  INFO(spec << " describes itself as " << network->description());
  CHECK(again->description() == network->description());
  CHECK(again->num_hosts() == network->num_hosts());
  REQUIRE(again->num_links() == network->num_links());
  check_same_links(*network, *again);
  check_same_routes(*network, *again);
}

TEST_CASE("A fat tree describes itself with its keys in one order") {
  const auto description = [](const std::string& spec) {
    return make_network(spec, {})->description();
  };
  CHECK(description("fat-tree:2;4,4;1,2;1,2,latency=90ns/130ns,bandwidth=12.5GB/s,down=dmodk") ==
        "fat-tree:2;4,4;1,2;1,2,down=dmodk,bandwidth=12.5GBps,latency=90ns/130ns");
  CHECK(description("fat-tree:2;4,4;1,4;1,1,down=simgrid,taper=2") ==
        "fat-tree:2;4,4;1,4;1,1,bandwidth=10GBps/5GBps");
}
