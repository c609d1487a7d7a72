#include <catch2/catch.hpp>

#include <fstream>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/clock/estimate.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/folders.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr double gigabyte = 1e9;
const NetworkDefaults no_latency{.bandwidth = {1e9}, .latency = {0}};

struct Edge {
  int source;
  int destination;
  double volume = gigabyte;
};

CommGraph graph_of(int num_ranks, const std::vector<Edge>& edges) {
  std::vector<DirectedEdge> list;
  for (const auto& [source, destination, volume] : edges)
    list.push_back({Rank{source}, Rank{destination}, {volume}});
  return CommGraph(num_ranks, list);
}

/// Every host has a rank, that of its number.
Embedding identity(const Network& network) {
  return tests::one_per_host(network.num_hosts());
}

Embedding shuffled(const Network& network, std::uint64_t seed) {
  std::vector<HostId> hosts = tests::first_hosts(network.num_hosts());
  Random random(seed);
  shuffle(std::span(hosts), random);
  return embedding_on(hosts);
}

SimulationOptions options_of(NetworkModel model = NetworkModel::cm02) {
  return {model, {std::numeric_limits<double>::infinity()}, {}};
}

/// Finish time of every rank, in seconds.
std::vector<double> finish_times(const CommGraph& guest, const Network& network,
                                 const Embedding& embedding) {
  std::vector<double> times;
  for (const Seconds finish : simulate(guest, network, embedding, options_of()).rank_finish)
    times.push_back(finish.value);
  return times;
}

std::vector<double> finish_times(const std::string& spec, const std::vector<int>& hosts,
                                 const std::vector<Edge>& edges) {
  const auto network = make_network(spec, no_latency);
  std::vector<HostId> places;
  for (const int host : hosts) places.push_back(HostId{host});
  return finish_times(graph_of(static_cast<int>(hosts.size()), edges), *network,
                      embedding_on(places));
}

std::shared_ptr<const Network> platform_of(const std::string& name, const std::string& body) {
  const std::string path = tests::own_folder() + "/simulate-test-" + name + ".xml";
  std::ofstream(path) << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
                         "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\">\n"
                      << body << "\n</platform>\n";
  return load_platform(path, {});
}

void check_near(const std::vector<double>& times, const std::vector<double>& expected) {
  REQUIRE(times.size() == expected.size());
  for (std::size_t i = 0; i < times.size(); ++i)
    CHECK(times[i] == Approx(expected[i]).epsilon(1e-9));
}

}  // namespace

// Expected times of this file are hand calculations of max-min fair sharing: 1 GB over 1 GB/s is 1
// s.

TEST_CASE("One flow takes its volume over the bandwidth") {
  check_near(finish_times("mesh:2", {0, 1}, {{0, 1}}), {1, 1});
}

TEST_CASE("Flows over one link share it, opposite ways of a cable do not") {
  check_near(finish_times("mesh:2", {0, 0, 1, 1}, {{0, 2}, {1, 3}}), {2, 2, 2, 2});
  check_near(finish_times("mesh:2", {0, 0, 1, 1}, {{0, 2}, {1, 3, gigabyte / 2}}),
             {1.5, 1, 1.5, 1});
  check_near(finish_times("mesh:2", {0, 1}, {{0, 1}, {1, 0}}), {1, 1});
}

TEST_CASE("A shared link carries both ways at half speed") {
  const auto network = platform_of(
      "shared",
      "<zone id=\"z\" routing=\"Full\"><host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"
      "<link id=\"l\" bandwidth=\"1GBps\" latency=\"0\"/>"
      "<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone>");
  check_near(finish_times(graph_of(2, {{0, 1}, {1, 0}}), *network, identity(*network)), {2, 2});
}

TEST_CASE("Parking lot: a long flow halves every short one on its way") {
  // Ranks 0..3 on hosts 0..3 of a line; 4..6 receive the one-hop flows of hosts 0, 1, 2.
  check_near(finish_times("mesh:4", {0, 1, 2, 3, 1, 2, 3}, {{0, 3}, {0, 4}, {1, 5}, {2, 6}}),
             {2, 2, 2, 2, 2, 2, 2});
}

TEST_CASE("A flow takes what the bottleneck of others leaves") {
  // 0->1 twice and 0->2 share the first link in three; 1->2 gets the other two thirds: 1.5 s.
  check_near(finish_times("mesh:3", {0, 1, 2, 1, 2}, {{0, 1}, {0, 1}, {0, 2}, {3, 4}}),
             {3, 3, 3, 1.5, 1.5});
}

TEST_CASE("Ring of 8, everybody to the third next: three flows per link") {
  std::vector<Edge> edges;
  for (int i = 0; i < 8; ++i) edges.push_back({i, (i + 3) % 8});
  check_near(finish_times("torus:8", {0, 1, 2, 3, 4, 5, 6, 7}, edges), std::vector<double>(8, 3));
}

TEST_CASE("Four flows through one fat-tree uplink") {
  std::vector<int> hosts(16);
  std::iota(hosts.begin(), hosts.end(), 0);
  const auto times =
      finish_times("fat-tree:2;4,4;1,1;1,1", hosts, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  CHECK(times[0] == Approx(4).epsilon(1e-9));
  CHECK(times[15] == 0);
}

TEST_CASE("Four flows over a shared backbone take four times one, over a fatpipe backbone one") {
  const std::string cluster =
      "<cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-7\" speed=\"1Gf\" bw=\"1GBps\" "
      "lat=\"0\" bb_bw=\"1GBps\" bb_lat=\"0\" bb_sharing_policy=\"";
  const auto guest = graph_of(8, {{0, 4}, {1, 5}, {2, 6}, {3, 7}});
  const auto shared = platform_of("backbone", cluster + "SHARED\"/>");
  check_near(finish_times(guest, *shared, identity(*shared)), std::vector<double>(8, 4));
  CHECK(evaluate(guest, *shared, identity(*shared)).max_congestion.value == Approx(4));
  const auto fatpipe = platform_of("fatpipe", cluster + "FATPIPE\"/>");
  check_near(finish_times(guest, *fatpipe, identity(*fatpipe)), std::vector<double>(8, 1));
  CHECK(evaluate(guest, *fatpipe, identity(*fatpipe)).max_congestion.value == Approx(1));
}

TEST_CASE("Latencies of the route are added to the finish of a flow") {
  const auto network = make_network("mesh:4", {.bandwidth = {1e9}, .latency = {1e-3}});
  const auto times = finish_times(graph_of(4, {{0, 3}, {1, 0}}), *network, identity(*network));
  check_near(times, {1.003, 1.001, 0, 1.003});
}

TEST_CASE("Messages inside a host finish at once, or after volume over loopback bandwidth") {
  const auto network = make_network("mesh:2", no_latency);
  const auto guest = graph_of(3, {{0, 1}, {1, 1}, {0, 2, 0.0}});
  const auto embedding = embedding_on({HostId{0}, HostId{0}, HostId{1}});
  auto options = options_of();
  CHECK(simulate(guest, *network, embedding, options).makespan.value == 0);
  options.loopback_bandwidth = {4e9};
  const auto result = simulate(guest, *network, embedding, options);
  CHECK(result.makespan.value == Approx(0.25));
  CHECK(result.rank_finish[2].value == 0);
}

TEST_CASE("With equal volumes and no latency the makespan is the static bound") {
  for (const char* spec : {"torus:4x4x4", "torus:8x2x4m", "fat-tree:2;8,8;1,4;1,2",
                           "dragonfly:4,1;2,1;4,1;2", "dragonfly:8,1;1,1;4,1;2"}) {
    const auto network = make_network(spec, no_latency);
    const Bytes volume[] = {Bytes{1e6}};
    const auto guest = make_comm_graph(
        Cartesian({{4, Periodicity::periodic}, {network->num_hosts() / 4}}), volume);
    for (const auto& embedding :
         {identity(*network), shuffled(*network, 1), shuffled(*network, 2)}) {
      INFO(spec);
      const double bound = evaluate(guest, *network, embedding).max_congestion.value;
      const double makespan = simulate(guest, *network, embedding, options_of()).makespan.value;
      CHECK(makespan == Approx(bound).epsilon(1e-9));
    }
  }
}

TEST_CASE("The static bound is never above the makespan, whatever the volumes") {
  Random random(3);
  for (int round = 0; round < 20; ++round) {
    const auto network = make_network(round % 2 == 0 ? "torus:3x4" : "dragonfly:3,1;2,1;2,1;1",
                                      {.bandwidth = {1e9}, .latency = {1e-7}});
    std::vector<Edge> edges;
    for (int e = 0; e < 40; ++e)
      edges.push_back({static_cast<int>(random.below(12)), static_cast<int>(random.below(12)),
                       static_cast<double>(1 + random.below(1'000'000))});
    const auto guest = graph_of(12, edges);
    const auto embedding = shuffled(*network, static_cast<std::uint64_t>(round));
    const double bound = evaluate(guest, *network, embedding).max_congestion.value;
    const double makespan = simulate(guest, *network, embedding, options_of()).makespan.value;
    CHECK(bound > 0);
    CHECK(makespan >= bound * (1 - 1e-9));
  }
}

TEST_CASE("The default model of SimGrid is 1.08247 times slower than plain sharing") {
  // LV08 takes 0.97 of the bandwidth; its 5 % cross traffic counts where both ways of a cable are
  // used: 1.05 / 0.97 on a ring with flows in both directions.
  const auto network = make_network("torus:8", {.bandwidth = {1e9}, .latency = {1e-9}});
  std::vector<Edge> edges;
  for (int i = 0; i < 8; ++i) {
    edges.push_back({i, (i + 1) % 8});
    edges.push_back({(i + 1) % 8, i});
  }
  const auto guest = graph_of(8, edges);
  const double plain = simulate(guest, *network, identity(*network), options_of()).makespan.value;
  const double tcp =
      simulate(guest, *network, identity(*network), options_of(NetworkModel::lv08)).makespan.value;
  CHECK(tcp / plain == Approx(1.05 / 0.97).epsilon(1e-3));
  CHECK(
      simulate(guest, *network, identity(*network), options_of(NetworkModel::smpi)).makespan.value >
      plain);
}

TEST_CASE(
    "Two simulations of one process do not see each other, and equal input gives equal times") {
  const auto network = make_network("torus:4x4", no_latency);
  const Bytes volume[] = {Bytes{1e6}};
  const auto guest = make_comm_graph(Cartesian({{4}, {4}}), volume);
  const auto embedding = shuffled(*network, 5);
  CHECK(finish_times(guest, *network, embedding) == finish_times(guest, *network, embedding));
}

TEST_CASE("A static bound that is known already changes no time") {
  const auto network = make_network("torus:4x4", no_latency);
  const auto guest = graph_of(16, {{0, 5, 1e3}, {1, 5, 2e5}, {3, 8, 7e4}});
  const auto embedding = shuffled(*network, 2);
  auto known = options_of();
  known.static_bound = evaluate(guest, *network, embedding).max_congestion;
  const auto result = simulate(guest, *network, embedding, known);
  CHECK(result.makespan.value > 0);
  CHECK(result.rank_finish == simulate(guest, *network, embedding, options_of()).rank_finish);
}

TEST_CASE("The estimate of the simulation time grows with contention") {
  const auto network = make_network("torus:8x8x8", no_latency);
  const Bytes volume[] = {Bytes{1e6}};
  const Dimension ring{8, Periodicity::periodic};
  const auto guest = make_comm_graph(Cartesian({ring, ring, ring}), volume);
  const double aligned = estimate_simulation_time(guest, *network, identity(*network)).value;
  const double random = estimate_simulation_time(guest, *network, shuffled(*network, 1)).value;
  CHECK(aligned > 0);
  CHECK(random > 10 * aligned);
  CHECK(format_duration({42}) == "42 s");
  CHECK(format_duration({240}) == "4 min");
  CHECK(format_duration({2.2e4}) == "6 h");
  CHECK(format_duration({8e5}) == "9 days");
}

TEST_CASE("A network model is named CM02, LV08 or SMPI") {
  CHECK(parse_network_model("LV08") == NetworkModel::lv08);
  CHECK(to_string(NetworkModel::smpi) == "SMPI");
  CHECK_THROWS_WITH(parse_network_model("TCP"),
                    "unknown network model \"TCP\"; accepted: CM02, LV08, SMPI");
  CHECK(simgrid_version().find('.') != std::string::npos);
}

// 1, 2, 5 and 1000 bytes, each alone on its link, take 1/B, 2/B, 5/B and 1000/B at bandwidth B; a
// rank is over when both of its flows are.
TEST_CASE("Slow and fast links are exact over 12 decades of bandwidth and volume") {
  for (double bandwidth = 1e-3; bandwidth < 2e9; bandwidth *= 10)
    for (const double most : {1e3, 1e6, 1e12}) {
      const auto network = make_network("torus:4", {.bandwidth = {bandwidth}, .latency = {0}});
      const auto guest = graph_of(4, {{0, 1, 1}, {1, 2, 2}, {2, 3, 5}, {3, 0, most}});
      for (const auto solver : {Solver::simgrid, Solver::automatic}) {
        SimulationOptions options = options_of();
        options.solver = solver;
        const auto result = simulate(guest, *network, identity(*network), options);
        const std::vector<double> bytes{most, 2, 5, most};
        for (std::size_t r = 0; r < bytes.size(); ++r)
          CHECK(result.rank_finish[r].value == Approx(bytes[r] / bandwidth).epsilon(1e-6));
        CHECK(result.makespan.value == Approx(most / bandwidth).epsilon(1e-6));
      }
    }
}

TEST_CASE("Volumes too far apart for SimGrid's whole bytes are refused") {
  const auto network = make_network("torus:4", no_latency);
  SimulationOptions options = options_of();
  options.solver = Solver::simgrid;
  CHECK_THROWS_WITH(
      simulate(graph_of(4, {{0, 1, 0.3}, {1, 2, 1e14}}), *network, identity(*network), options),
      Catch::StartsWith(
          "volumes of 0.3 to 100000000000000 bytes at the same time: SimGrid counts"));
}

// By hand: a message of 0 bytes crosses one link of 1 ms, or none if it is not a message.
TEST_CASE("Messages without a volume take their latency, edges without messages take nothing") {
  const auto network = make_network("torus:4", {.bandwidth = {1}, .latency = {1e-3}});
  for (const auto solver : {Solver::simgrid, Solver::automatic}) {
    SimulationOptions options = options_of();
    options.solver = solver;
    const auto time = [&](int messages) {
      const DirectedEdge edge{Rank{0}, Rank{1}, Bytes{0}, messages};
      return simulate(CommGraph(4, {&edge, 1}), *network, identity(*network), options).makespan;
    };
    CHECK(time(1).value == 1e-3);
    CHECK(time(0).value == 0);
  }
}
