// Speed of network models: link loads, routes and hop counts of random flows, per route; and
// SimGrid's own routing, alone and with the same sum. Best and median of several runs, as machines
// are noisy; then whether the best meets the targets of the README.
#include <fmt/format.h>

#include <algorithm>
#include <cstdint>
#include <ctime>
#include <functional>
#include <numeric>
#include <simgrid/s4u.hpp>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/process/memory_file.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

namespace s4u = simgrid::s4u;

struct Flow {
  HostId source;
  HostId destination;
};

/// Best and median nanoseconds per item over several runs.
struct Figure {
  double best;
  double median;
};

/// Processor time of this thread: the machine has others to serve.
double nanoseconds() {
  std::timespec time{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec);
}

Figure measure(int runs, std::size_t items, const std::function<void()>& run) {
  std::vector<double> times;
  for (int i = 0; i < runs; ++i) {
    const double start = nanoseconds();
    run();
    times.push_back((nanoseconds() - start) / static_cast<double>(items));
  }
  std::sort(times.begin(), times.end());
  return {times.front(), times[times.size() / 2]};
}

void print(std::string_view what, const Figure& figure, std::string_view unit) {
  fmt::print("{:<56} {:>9.2f} {} (median {:.2f})\n", what, figure.best, unit, figure.median);
}

/// Six flows from every host to hosts in no order: a halo under a random embedding.
std::vector<Flow> random_flows(int num_hosts) {
  Random random(1);
  std::vector<HostId> sources(static_cast<std::size_t>(num_hosts));
  for (std::size_t h = 0; h < sources.size(); ++h) sources[h] = id_at<HostId>(h);
  shuffle(std::span(sources), random);
  std::vector<Flow> flows;
  for (const HostId source : sources)
    for (int i = 0; i < 6; ++i) {
      const auto other = random.below(static_cast<std::uint64_t>(num_hosts) - 1);
      const int host = static_cast<int>(other) + (static_cast<int>(other) >= number(source));
      flows.push_back({source, HostId{host}});
    }
  return flows;
}

constexpr Bytes volume{1048576};

double largest(const LinkTotals& totals) {
  return *std::max_element(totals.traffic.begin(), totals.traffic.end());
}

double largest_load(const Network& network, std::span<const Flow> flows) {
  const auto traffic = network.make_link_traffic();
  for (const auto& [source, destination] : flows) traffic->add(source, destination, volume);
  return largest(traffic->totals());
}

/// Link loads of all flows, totals included.
Figure time_loads(const std::string& spec, Routing rule, int runs) {
  const auto network = make_network(spec, {}, {rule});
  const auto flows = random_flows(network->num_hosts());
  double load = 0;
  const Figure figure = measure(runs, flows.size(), [&] { load = largest_load(*network, flows); });
  print(fmt::format("link loads, {} {}", network->description(), to_string(rule)), figure,
        fmt::format("ns per route, largest {:.0f} MiB", load / volume.value));
  return figure;
}

struct RouteTimes {
  Figure hops;     ///< per pair
  Figure per_hop;  ///< of a route
};

RouteTimes time_routes(const std::string& spec) {
  const auto network = make_network(spec, {});
  const auto flows = random_flows(network->num_hosts());
  std::int64_t hops = 0;
  const auto count = [&] {
    hops = 0;
    for (const auto& [source, destination] : flows) hops += network->hops(source, destination);
  };
  const Figure hops_alone = measure(7, flows.size(), count);
  print("hops, " + spec, hops_alone,
        fmt::format("ns per pair, mean {:.3f}",
                    static_cast<double>(hops) / static_cast<double>(flows.size())));
  std::vector<LinkId> route;
  std::int64_t sum = 0;
  const auto walk = [&] {
    for (const auto& [source, destination] : flows) {
      route.clear();
      network->append_route(source, destination, route);
      for (const LinkId link : route) sum += number(link);
    }
  };
  const Figure per_hop = measure(5, static_cast<std::size_t>(hops), walk);
  print("append_route and a look at each link, " + spec, per_hop,
        fmt::format("ns per hop (check {})", sum % 1000));
  return {hops_alone, per_hop};
}

/// Hosts of SimGrid's own zone for a torus.
std::vector<s4u::Host*> make_simgrid_torus(const std::string& spec, int num_hosts) {
  const auto torus = make_network(spec, {}, {Routing::simgrid});
  PlatformSource source;
  source.network = spec;
  const MemoryFile file(generate_platform(*torus, source, PlatformForm::cluster).xml);
  s4u::Engine::get_instance()->load_platform(fmt::format("/proc/self/fd/{}", file.descriptor()));
  std::vector<s4u::Host*> hosts;
  for (int h = 0; h < num_hosts; ++h)
    hosts.push_back(s4u::Engine::get_instance()->host_by_name(fmt::format("host-{}", h)));
  return hosts;
}

/// Host::route_to of every flow and no more.
Figure time_route_to(const std::vector<s4u::Host*>& hosts, std::span<const Flow> flows) {
  std::vector<s4u::Link*> links;
  std::size_t hops = 0;
  const Figure figure = measure(5, flows.size(), [&] {
    hops = 0;
    for (const auto& [source, destination] : flows) {
      links.clear();
      hosts[index(source)]->route_to(hosts[index(destination)], links, nullptr);
      hops += links.size();
    }
  });
  print("SimGrid's Host::route_to alone", figure,
        fmt::format("ns per route, mean {:.3f} hops",
                    static_cast<double>(hops) / static_cast<double>(flows.size())));
  return figure;
}

/// Link loads of the flows by route_to and a number per link.
Figure time_simgrid_loads(const std::vector<s4u::Host*>& hosts, std::span<const Flow> flows) {
  double load = 0;
  const Figure figure = measure(5, flows.size(), [&] {
    std::unordered_map<const s4u::Link*, double> loads;
    std::vector<s4u::Link*> links;
    for (const auto& [source, destination] : flows) {
      links.clear();
      hosts[index(source)]->route_to(hosts[index(destination)], links, nullptr);
      for (const auto* link : links) loads[link] += volume.value;
    }
    load = 0;
    for (const auto& [link, traffic] : loads) load = std::max(load, traffic);
  });
  print("link loads through SimGrid's Host::route_to", figure,
        fmt::format("ns per route, largest {:.0f} MiB", load / volume.value));
  return figure;
}

struct Ratios {
  double route_to;  ///< Host::route_to alone over vtopo's link loads
  double loads;     ///< SimGrid's link loads over vtopo's
};

Ratios compare_with_simgrid() {
  const Figure own = time_loads("torus:16x16x16", Routing::simgrid, 21);
  const auto hosts = make_simgrid_torus("torus:16x16x16", 4096);
  const auto flows = random_flows(4096);
  const Figure route_to = time_route_to(hosts, flows);
  const Figure loads = time_simgrid_loads(hosts, flows);
  const auto ratio = [&own](std::string_view what, const Figure& simgrid) {
    fmt::print("{:<56} {:>9.1f} times (median {:.1f})\n", what, simgrid.best / own.best,
               simgrid.median / own.median);
    return simgrid.best / own.best;
  };
  return {ratio("Host::route_to alone over vtopo's link loads", route_to),
          ratio("SimGrid's link loads over vtopo's", loads)};
}

void judge(std::string_view what, double value, std::string_view comparison, double target,
           std::string_view unit) {
  const bool met = comparison == "<=" ? value <= target : value >= target;
  fmt::print("{:<56} {:>9.2f} {} {} {} {}\n", what, value, comparison, target, unit,
             met ? "met" : "MISSED");
}

}  // namespace

int main(int argc, char** argv) {
  s4u::Engine engine(&argc, argv);
  const Figure torus = time_loads("torus:64x64x64", Routing::simgrid, 9);
  time_loads("torus:64x64x64", Routing::split, 5);
  time_loads("torus:64x64x64", Routing::valiant, 5);
  time_loads("torus:16x16x16", Routing::ecmp, 3);
  const Figure tree = time_loads("fat-tree:3;32,32,32;1,32,32;1,1,1", Routing::simgrid, 5);
  const Figure dragonfly = time_loads("dragonfly:32,1;4,1;16,1;16", Routing::simgrid, 5);
  time_loads("dragonfly:32,1;4,1;16,1;16,pair_links=2", Routing::ecmp, 3);
  const RouteTimes routes = time_routes("torus:64x64x64");
  const Ratios ratios = compare_with_simgrid();
  fmt::print("\nTargets, against the best run:\n");
  judge("link loads, torus of 262,144 hosts", torus.best, "<=", 60, "ns per route");
  judge("walk of a route, torus of 262,144 hosts", routes.per_hop.best, "<=", 8, "ns per hop");
  judge("hops, torus of 262,144 hosts", routes.hops.best, "<=", 10, "ns per pair");
  judge("link loads, fat tree of 32,768 hosts", tree.best, "<=", 150, "ns per route");
  judge("link loads, dragonfly of 32,768 hosts", dragonfly.best, "<=", 60, "ns per route");
  judge("Host::route_to alone over link loads, 4,096 hosts", ratios.route_to, ">=", 30, "times");
  judge("SimGrid's link loads over vtopo's, 4,096 hosts", ratios.loads, ">=", 30, "times");
  return 0;
}
