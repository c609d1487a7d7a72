#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>
#include <optional>

#include "netmodels/network_spec.hpp"
#include "sim/clock/sharing/flows.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/listed_routes.hpp"
#include "tests/sim/split_ring.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using tests::one_per_host;

namespace {

std::vector<double> flow_times(const Network& network, const std::vector<DirectedEdge>& edges,
                               Solver solver = Solver::fast) {
  SimulationOptions options;
  options.solver = solver;
  const CommGraph guest(network.num_hosts(), edges);
  std::vector<double> times;
  for (const Seconds time :
       simulate(guest, network, one_per_host(network.num_hosts()), options).flow_finish)
    times.push_back(time.value);
  return times;
}

/// Shares of every flow as k/n with one n for all; nothing if n is above 360.
std::optional<int> common_denominator(const std::vector<std::vector<LinkShare>>& flows) {
  for (int n = 1; n <= 360; ++n) {
    const bool fits = std::all_of(flows.begin(), flows.end(), [&](const auto& shares) {
      return std::all_of(shares.begin(), shares.end(), [&](const LinkShare& on) {
        return std::abs(on.share * n - std::round(on.share * n)) < 1e-9;
      });
    });
    if (fits) return n;
  }
  return std::nullopt;
}

/// The same flows as SimGrid replays them: each with an n-th of its volume, over a route that lists
/// a link k times for a share of k/n.
std::vector<double> simgrid_times(const Network& network, const std::vector<DirectedEdge>& edges,
                                  const std::vector<std::vector<LinkShare>>& flows, int n) {
  std::vector<std::vector<LinkId>> routes;
  std::vector<DirectedEdge> sent;
  for (std::size_t f = 0; f < flows.size(); ++f) {
    routes.emplace_back();
    for (const auto& [link, share] : flows[f])
      routes.back().insert(routes.back().end(), static_cast<std::size_t>(std::lround(share * n)),
                           link);
    const int host = 2 * static_cast<int>(f);
    sent.push_back({Rank{host}, Rank{host + 1}, edges[f].volume * (1.0 / n)});
  }
  return flow_times(ListedRoutes(network, routes, n), sent, Solver::simgrid);
}

struct SplitCase {
  std::string spec;
  Routing rule;
};

const std::vector<SplitCase> split_cases{{"torus:4x4", Routing::split},
                                         {"torus:3x4", Routing::ecmp},
                                         {"torus:2x3x2", Routing::ecmp},
                                         {"torus:2x2", Routing::valiant},
                                         {"torus:5", Routing::valiant},
                                         {"mesh:3x3", Routing::ecmp},
                                         {"fat-tree:2;3,4;1,2;1,2", Routing::ecmp},
                                         {"dragonfly:3,1;2,1;2,1;2", Routing::ecmp},
                                         {"dragonfly:3,1;1,1;2,1;2", Routing::valiant},
                                         {"hyperx:3x3", Routing::ecmp}};

}  // namespace

TEST_CASE("A flow that splits sends over all its routes at once, by hand") {
  // Ring of 4, 10 B/s and 1 s per link. 0->1 (20 B): half over one link, half over three, so that
  // it runs at 20 B/s; mean latency (1 + 3) / 2 = 2 s.
  const SplitRing ring(4, Splitting::both_ways, {{10}, {1}});
  CHECK(flow_times(ring, {{Rank{0}, Rank{1}, {20}}})[0] == Approx(1 + 2));
}

TEST_CASE("Rates of flows that split are max-min fair as those of whole flows, by hand") {
  // Ring of 4, 10 B/s. 0->2 (20 B) puts half on 0->1, where 0->1 (6 B) is whole: 1.5 r = 10 B/s.
  // The short flow ends after 0.9 s; the long one has 14 B left and runs at 20 B/s, till 1.6 s:
  // link 0->1 was busy all the time with its 16 B.
  const SplitRing ring(4, Splitting::at_half);
  const auto times = flow_times(ring, {{Rank{0}, Rank{1}, {6}}, {Rank{0}, Rank{2}, {20}}});
  CHECK(times[0] == Approx(0.9));
  CHECK(times[1] == Approx(1.6));
}

TEST_CASE("A fatpipe gives each part of a flow its bandwidth whole, by hand") {
  // 0->2 (20 B): 10 B each way at 10 B/s, whoever else is there.
  const SplitRing ring(4, Splitting::at_half, {{10}, {0}, LinkSharing::fatpipe});
  const auto times = flow_times(ring, {{Rank{0}, Rank{1}, {6}}, {Rank{0}, Rank{2}, {20}}});
  CHECK(times[0] == Approx(0.6));
  CHECK(times[1] == Approx(1));
}

TEST_CASE("Flows that split finish when SimGrid says, whose routes list links several times") {
  // Oracle: SimGrid on 100 random cases; each time that a route lists a link costs its bandwidth
  // once.
  int compared = 0;
  for (std::uint64_t seed = 1; compared < 100 && seed <= 400; ++seed) {
    Random random(seed);
    const auto below = [&](std::size_t bound) { return static_cast<int>(random.below(bound)); };
    const SplitCase& is = split_cases[static_cast<std::size_t>(below(split_cases.size()))];
    INFO("seed " << seed << ", " << is.spec << " " << to_string(is.rule));
    const auto network =
        make_network(is.spec, {.bandwidth = {1e9}, .latency = {below(2) * 1e-4}}, {is.rule});
    const auto hosts = static_cast<std::size_t>(network->num_hosts());
    std::vector<DirectedEdge> edges;
    std::vector<std::vector<LinkShare>> flows;
    for (int r = 0; r < network->num_hosts(); ++r)
      for (int k = below(4); k > 0; --k) {
        const Rank to{below(hosts)};
        if (to != Rank{r}) edges.push_back({Rank{r}, to, {1e5 * (1 + below(9))}});
      }
    if (edges.empty()) continue;
    const CommGraph guest(network->num_hosts(), edges);
    edges.clear();
    for_each_split_flow(guest, *network, one_per_host(network->num_hosts()),
                        [&](Rank source, const CommEdge& edge, const auto& shares) {
                          edges.push_back({source, edge.destination, edge.volume});
                          flows.push_back(shares);
                        });
    const auto n = common_denominator(flows);
    if (!n) continue;
    const auto times = flow_times(*network, edges);
    const auto expected = simgrid_times(*network, edges, flows, *n);
    REQUIRE(times.size() == expected.size());
    for (std::size_t f = 0; f < times.size(); ++f)
      CHECK(times[f] == Approx(expected[f]).epsilon(1e-6));
    ++compared;
  }
  CHECK(compared == 100);
}

TEST_CASE(
    "Where all parts of flows are equally fast, a SimGrid flow for each part ends as the whole") {
  // Ring of 2h, every host sends to the opposite one, half each way: each link carries h halves.
  // The oracle has two SimGrid flows per flow, one over the links of each way.
  for (const int half : {2, 3, 4}) {
    const int size = 2 * half;
    const SplitRing ring(size, Splitting::at_half, {{1e9}, {1e-6}});
    std::vector<DirectedEdge> edges, parts;
    std::vector<std::vector<LinkId>> routes;
    for (int r = 0; r < size; ++r) {
      edges.push_back({Rank{r}, Rank{(r + half) % size}, {8e6}});
      std::vector<LinkId> forth, back;
      for (int s = 0; s < half; ++s) {
        forth.push_back(LinkId{2 * ((r + s) % size)});
        back.push_back(LinkId{2 * ((r - s + size) % size) + 1});
      }
      for (const auto& route : {forth, back}) {
        const int host = 2 * static_cast<int>(routes.size());
        parts.push_back({Rank{host}, Rank{host + 1}, {4e6}});
        routes.push_back(route);
      }
    }
    const auto whole = flow_times(ring, edges);
    const auto halves = flow_times(ListedRoutes(ring, routes), parts, Solver::simgrid);
    for (const double time : whole) CHECK(time == Approx(half * 4e6 / 1e9 + half * 1e-6));
    for (const double time : halves) CHECK(time == Approx(whole[0]).epsilon(1e-6));
  }
}
