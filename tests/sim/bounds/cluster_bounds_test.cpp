#include <fmt/format.h>

#include <catch2/catch.hpp>
#include <iterator>
#include <string>
#include <vector>

#include "netmodels/platform/platform.hpp"
#include "sim/bounds/network_cuts.hpp"
#include "tests/sim/bounds/bounds_brute_force.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/random.hpp"
#include "topology/guests/guest_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// A cluster of few hosts and the host or router that zone routes go through.
struct Cluster {
  int hosts;
  std::string element, gateway;
};

Cluster cluster(int number, const std::string& topology, const std::string& parameters, int hosts,
                const std::string& bandwidth, const std::string& more = {}) {
  const bool is_flat = topology.empty();
  const std::string name = fmt::format("c{}", number);
  return {hosts,
          fmt::format("<cluster id=\"{0}\" prefix=\"{0}n\" suffix=\"\" radical=\"0-{1}\" "
                      "speed=\"1Gf\" bw=\"{2}\" lat=\"1us\"{3}{4}/>\n",
                      name, hosts - 1, bandwidth, more,
                      is_flat ? fmt::format(" router_id=\"{}r\"", name)
                              : fmt::format(" topology=\"{}\" topo_parameters=\"{}\"", topology,
                                            parameters)),
          name + (is_flat ? "r" : "n0")};
}

/// Clusters whose gateways are joined in pairs by a link each; by hand: links are as given.
std::shared_ptr<const Network> joined(const std::vector<Cluster>& clusters,
                                      const std::vector<std::string>& bandwidths,
                                      const std::string& sharing) {
  std::string body, routes;
  std::size_t link = 0;
  for (std::size_t a = 0; a < clusters.size(); ++a) {
    body += clusters[a].element;
    for (std::size_t b = a + 1; b < clusters.size(); ++b, ++link) {
      routes += fmt::format(
          "<zoneRoute src=\"c{0}\" dst=\"c{1}\" gw_src=\"{2}\" gw_dst=\"{3}\"><link_ctn "
          "id=\"w{0}{1}\"{4}/></zoneRoute>\n",
          a, b, clusters[a].gateway, clusters[b].gateway,
          sharing == "SPLITDUPLEX" ? " direction=\"UP\"" : "");
      routes = fmt::format(
                   "<link id=\"w{}{}\" bandwidth=\"{}\" latency=\"1ms\" sharing_policy=\"{}\"/>\n",
                   a, b, bandwidths[link], sharing) +
               routes;
    }
  }
  return load_platform(
      tests::write_file("clusters.xml",
                        "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                        "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                        "<zone id=\"world\" routing=\"Full\">\n" +
                            body + routes + "</zone>\n</platform>\n"),
      {});
}

CommGraph grid(const std::string& name) {
  const Bytes one{1048576};
  return make_comm_graph(parse_guest_topology("cart:" + name), {&one, 1});
}

Cluster random_cluster(int number, Random& random) {
  const char* const bandwidths[] = {"1GBps", "2GBps", "10GBps"};
  const std::string bandwidth = bandwidths[random.below(3)];
  switch (random.below(5)) {
    case 0:
      return cluster(number, "", "", 2, bandwidth);
    case 1:
      return cluster(number, "", "", 3, bandwidth, " bb_bw=\"2GBps\" bb_lat=\"1us\"");
    case 2:
      return cluster(number, "TORUS", "2", 2, bandwidth);
    case 3:
      return cluster(number, "FAT_TREE", "1;3;1;1", 3, bandwidth);
    default:
      return cluster(number, "DRAGONFLY", "1,1;2,1;1,1;1", 2, bandwidth);
  }
}

}  // namespace

TEST_CASE("The link between two clusters of any kind bounds what crosses it, by hand") {
  // 24 ranks of 4x6 on 16 and 8 hosts: 8 ranks exchange 8 MiB with the others at least (two columns
  // of four, both ways), over 12.5 MB/s that both ways share.
  const auto network =
      joined({cluster(0, "", "", 16, "10GBps"), cluster(1, "TORUS", "2,2,2", 8, "10GBps")},
             {"100Mbps"}, "SHARED");
  const Bounds bounds = lower_bounds(grid("4x6"), *network, tests::all_hosts(*network, 1));
  CHECK(bounds.congestion.value == Approx(8 * 1048576 / 12.5e6));
}

TEST_CASE("A link between clusters that is no narrower than their hosts' bounds too, by hand") {
  // 8 and 8 hosts of 1 GB/s, a link of 2 GB/s each way: a row of 8 of 2x8 sends 8 MiB, but a half
  // of it, 2x4, only 2 MiB, less than the 3 MiB that a rank in the middle sends by its own link.
  const auto wide = joined({cluster(0, "", "", 8, "1GBps"), cluster(1, "", "", 8, "1GBps")},
                           {"2GBps"}, "SPLITDUPLEX");
  CHECK(lower_bounds(grid("2x8"), *wide, tests::all_hosts(*wide, 1)).congestion.value ==
        Approx(3 * 1048576 / 1e9));
  // A complete graph of 16: 64 messages each way.
  std::vector<DirectedEdge> edges;
  for (int source = 0; source < 16; ++source)
    for (int destination = 0; destination < 16; ++destination)
      if (source != destination) edges.push_back({Rank{source}, Rank{destination}, {1048576}});
  const CommGraph all(16, edges);
  const Bounds bounds = lower_bounds(all, *wide, tests::all_hosts(*wide, 1));
  CHECK(bounds.congestion.value == Approx(64 * 1048576 / 2e9));
}

TEST_CASE("Hosts of two speeds: ranks that send most go to the faster ones at best, by hand") {
  // 2x4: four ranks of three neighbours, four of two; two fast hosts and six slow ones.
  const auto network = joined({cluster(0, "", "", 2, "10GBps"), cluster(1, "", "", 6, "1GBps")},
                              {"10GBps"}, "SPLITDUPLEX");
  const Bounds bounds = lower_bounds(grid("2x4"), *network, tests::all_hosts(*network, 1));
  CHECK(bounds.congestion.value == Approx(3 * 1048576 / 1e9));
}

TEST_CASE(
    "Bounds of 49 of 50 random clusters joined in twos and threes are within 5 % of the optimum") {
  Random random(45);
  const char* const links[] = {"100Mbps", "1Gbps", "10Gbps", "4GBps"};
  int tight = 0, cases = 0;
  while (cases < 50) {
    std::vector<Cluster> clusters;
    int hosts = 0;
    for (std::size_t c = 0; c < 2 + random.below(2); ++c) {
      clusters.push_back(random_cluster(static_cast<int>(c), random));
      hosts += clusters.back().hosts;
    }
    if (hosts > 7) continue;
    std::vector<std::string> bandwidths;
    for (int l = 0; l < 3; ++l) bandwidths.emplace_back(links[random.below(std::size(links))]);
    const auto network =
        joined(clusters, bandwidths, random.below(2) == 0 ? "SHARED" : "SPLITDUPLEX");
    const CommGraph guest =
        grid(hosts % 2 == 0 ? fmt::format("2x{}", hosts / 2) : fmt::format("{}p", hosts));
    const Allocation allocation = tests::all_hosts(*network, 1);
    const Bounds bounds = lower_bounds(guest, *network, allocation);
    const Bounds least = BruteForce(guest, *network, allocation).least();
    CHECK(bounds.congestion.value <= least.congestion.value * (1 + 1e-12));
    ++cases;
    if (bounds.congestion.value >= 0.95 * least.congestion.value) ++tight;
  }
  CHECK(tight >= 49);  // the optimum of each by brute force; of one the bound is two thirds
}
