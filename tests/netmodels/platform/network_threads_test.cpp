#include <catch2/catch.hpp>

#include <random>
#include <string>
#include <thread>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "tests/netmodels/static_routings.hpp"
#include "tests/support/folders.hpp"

using namespace vtopo;

namespace {

constexpr int num_threads = 4;

/// What one reader saw of a network: routes, distances and the loads of some flows.
struct Reading {
  std::vector<std::vector<LinkId>> routes;
  std::vector<double> distances;
  std::vector<double> shares;
  std::vector<double> traffic;
  std::vector<std::int32_t> flows;
  int diameter = 0;

  bool operator==(const Reading&) const = default;
};

Reading read_all(const Network& network) {
  Reading reading;
  std::mt19937 random(1);
  const auto hosts = static_cast<unsigned>(network.num_hosts());
  const auto traffic = network.make_link_traffic();
  for (int i = 0; i < 300; ++i) {
    const HostId a = id_at<HostId>(random() % hosts), b = id_at<HostId>(random() % hosts);
    network.append_route(a, b, reading.routes.emplace_back());
    reading.distances.push_back(network.hops(a, b));
    reading.distances.push_back(network.mean_hops(a, b));
    std::vector<LinkShare> shares;
    network.append_shares(a, b, shares);
    for (const auto& [link, share] : shares) reading.shares.push_back(number(link) + share);
    if (a != b) traffic->add(a, b, Bytes{static_cast<double>(1 + random() % 1000)});
  }
  const LinkTotals totals = traffic->totals();
  reading.traffic = totals.traffic;
  reading.flows = totals.flows;
  reading.diameter = network.diameter();
  return reading;
}

/// What each of several threads reads at the same time, the network untouched before.
std::vector<Reading> read_at_once(const Network& network) {
  std::vector<Reading> readings(num_threads);
  std::vector<std::thread> threads;
  for (Reading& reading : readings)
    threads.emplace_back([&network, &reading] { reading = read_all(network); });
  for (std::thread& thread : threads) thread.join();
  return readings;
}

/// `network` read by several threads, `fresh` (the same, but untouched) by one.
void check_equal_readings(const Network& network, const Network& fresh) {
  const Reading alone = read_all(fresh);
  int differing = 0;
  for (const Reading& reading : read_at_once(network)) differing += reading == alone ? 0 : 1;
  CHECK(differing == 0);
}

}  // namespace

TEST_CASE("Threads that read one network at the same time read what one alone reads") {
  for (const std::string spec :
       {"torus:6x5x4m", "torus:4x4,per_router=3", "fat-tree:3;3,4,2;1,2,3;1,2,2",
        "fat-tree:2;4,4;1,2;1,2,down=dmodk", "dragonfly:9,4;2,3;4,1;2",
        "dragonfly:5,1;2,1;6,1;2,arrangement=absolute,pair_links=2"})
    for (const Routing rule : tests::static_routings) {
      const bool torus = spec.starts_with("torus");
      if (!torus && (rule == Routing::positive || rule == Routing::split)) continue;
      if (spec.starts_with("fat-tree") && rule == Routing::valiant) continue;
      INFO(spec << " " << to_string(rule));
      check_equal_readings(*make_network(spec, {}, {rule}), *make_network(spec, {}, {rule}));
    }
}

TEST_CASE("Threads that read one platform file at the same time share its routes") {
  const std::string folder = tests::source_path("platforms/");
  for (const std::string file : {"two-rooms.xml", "teaching-dragonfly.xml"}) {
    INFO(file);
    check_equal_readings(*load_platform(folder + file, {}), *load_platform(folder + file, {}));
  }
}
