// One line per network of the table, on its example: routes checked against walks in the links,
// closed forms against searches, and speed. Nothing here names a network. Exit code 1 if a check
// fails.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

#include "netmodels/fabric/bisection.hpp"
#include "netmodels/graph/bisection_bound.hpp"
#include "netmodels/graph/distances.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/network_table.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/processor_time.hpp"
#include "tests/netmodels/walks.hpp"
#include "topology/base/narrow.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr int routes_wanted = 200'000;  ///< of all pairs, or of a sample

struct Checks {
  std::int64_t routes = 0, wrong_routes = 0;
  int forms = 0, wrong_forms = 0;
};

/// Ordered pairs of different hosts: all, or random ones with a fixed seed.
std::vector<std::pair<HostId, HostId>> pairs_of(int hosts) {
  std::vector<std::pair<HostId, HostId>> pairs;
  if (std::int64_t{hosts} * (hosts - 1) <= routes_wanted) {
    for (int a = 0; a < hosts; ++a)
      for (int b = 0; b < hosts; ++b)
        if (a != b) pairs.emplace_back(HostId{a}, HostId{b});
    return pairs;
  }
  Random random(1);
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  while (std::ssize(pairs) < routes_wanted) {
    const int a = below(hosts), b = below(hosts - 1);
    pairs.emplace_back(HostId{a}, HostId{b + (b >= a ? 1 : 0)});
  }
  return pairs;
}

/// Routes are walks from host to host, as long as the network says.
void check_routes(const Network& network, Checks& checks) {
  const std::vector<bool> none(static_cast<std::size_t>(network.num_links()));
  std::vector<LinkId> route;
  for (const auto& [from, to] : pairs_of(network.num_hosts())) {
    route.clear();
    network.append_route(from, to, route);
    double hops = 0;
    for (const LinkId link : route) hops += network.link(link).hops;
    const bool right = is_walk(network, route, from, to, none) && hops == network.hops(from, to);
    ++checks.routes;
    checks.wrong_routes += right ? 0 : 1;
  }
}

constexpr int max_hosts_of_examples = 4096;

/// Closed forms against what needs none: all pairs of hops, breadth-first searches, cuts found and
/// the bandwidth that uniform traffic proves.
void check_forms(const Network& network, Checks& checks) {
  const auto check = [&](bool right) {
    ++checks.forms;
    checks.wrong_forms += right ? 0 : 1;
  };
  const DistanceSummary by_routes = route_distances(network, max_hosts_of_examples);
  if (by_routes.exact) check(by_routes.diameter == network.diameter());
  const auto graph = LinkGraph::of(network);
  const std::int64_t hosts = network.num_hosts();
  const auto profile = network.distance_profile(hosts);
  if (by_routes.exact && !profile.empty()) {  // a host has no more hosts near than it says
    std::vector<std::int64_t> near(static_cast<std::size_t>(by_routes.diameter) + 1);
    for (int h = 0; h < hosts; ++h)
      ++near[static_cast<std::size_t>(network.hops(HostId{0}, HostId{h}))];
    std::int64_t sum = 0, most = 0;
    bool right = true;
    for (std::size_t d = 0; d < near.size(); ++d) {
      sum += near[d];
      most = d < profile.size() ? most + profile[d] : hosts;
      right = right && sum <= most;
    }
    check(right);
  }
  if (const auto closed = network.bisection(); closed && graph) {
    constexpr double rounding = 1e-9;
    check(closed->bandwidth.value <=
          estimate_bisection(*graph, network).bandwidth.value * (1 + rounding));
    if (const auto bound = bisection_lower_bound(*graph, network))
      check(bound->value <= closed->bandwidth.value * (1 + rounding));
  }
}

template <class Run>
double best_of(int runs, double items, const Run& run) {
  double best = 0;
  for (int i = 0; i < runs; ++i) {
    const double start = tests::processor_seconds();
    run();
    const double time = 1e9 * (tests::processor_seconds() - start) / items;
    best = i == 0 ? time : std::min(best, time);
  }
  return best;
}

double hop_nanoseconds(const Network& network) {
  const auto pairs = pairs_of(network.num_hosts());
  std::int64_t sum = 0;
  const int rounds = 1 + 1'000'000 / int_size(pairs);
  const double time = best_of(5, static_cast<double>(pairs.size()) * rounds, [&] {
    for (int round = 0; round < rounds; ++round)
      for (const auto& [from, to] : pairs) sum += network.hops(from, to);
  });
  return sum > 0 ? time : 0;
}

/// Six random partners per rank, a rank per host.
double evaluate_nanoseconds(const Network& network) {
  const int hosts = network.num_hosts();
  Random random(1);
  std::vector<DirectedEdge> edges;
  for (int h = 0; h < hosts; ++h)
    for (int i = 0; i < 6; ++i) {
      const int other = static_cast<int>(random.below(static_cast<std::uint64_t>(hosts - 1)));
      edges.push_back({Rank{h}, Rank{other + (other >= h ? 1 : 0)}, {1048576}});
    }
  const double routes = static_cast<double>(edges.size());
  const CommGraph guest(hosts, edges);
  const Allocation allocation = whole_machine(network);
  std::vector<HostId> places;
  for (int h = 0; h < hosts; ++h) places.push_back(HostId{h});
  const Embedding embedding(places, allocation);
  const int rounds = 1 + 20'000 / hosts;
  double sum = 0;
  const double time = best_of(5, routes * rounds, [&] {
    for (int round = 0; round < rounds; ++round)
      sum += evaluate(guest, network, embedding).hop_bytes.value;
  });
  return sum > 0 ? time : 0;
}

}  // namespace

int main() {
  fmt::print(
      "| network | hosts | routes that are walks | closed forms right | hops, ns per pair | "
      "evaluate, ns per route |\n|---|---|---|---|---|---|\n");
  bool all_right = true;
  for (const NetworkInfo& info : all_networks()) {
    const auto network = make_network(info.example, {});
    Checks checks;
    check_routes(*network, checks);
    check_forms(*network, checks);
    fmt::print("| `{}` | {} | {} of {} | {} of {} | {:.1f} | {:.0f} |\n", info.example,
               network->num_hosts(), checks.routes - checks.wrong_routes, checks.routes,
               checks.forms - checks.wrong_forms, checks.forms, hop_nanoseconds(*network),
               evaluate_nanoseconds(*network));
    all_right = all_right && checks.wrong_routes == 0 && checks.wrong_forms == 0;
  }
  return all_right ? 0 : 1;
}
