#include <fmt/format.h>

#include "sim/evaluation/metrics.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "tests/bench/performance.hpp"

namespace vtopo {

namespace {

/// A network, a grid of as many ranks, and what SimGrid calls it.
struct RouteCase {
  std::string network;
  std::vector<int> sizes;
  BareCluster simgrid;  ///< no hosts: without SimGrid
};

/// Nanoseconds per route of vtopo.
struct OwnTimes {
  double enumeration;
  double loads;
  double evaluation;
  double hops;  ///< links of a route on average
};

std::vector<BareFlow> flows_of(const HaloProblem& halo) {
  std::vector<BareFlow> flows;
  halo.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    flows.push_back(
        {halo.embedding.host_of(source), halo.embedding.host_of(edge.destination), edge.volume});
  });
  return flows;
}

OwnTimes own_times(const HaloProblem& halo, const std::vector<BareFlow>& flows) {
  const auto num_flows = static_cast<double>(flows.size());
  const int runs = flows.size() > 100'000 ? 5 : 15;
  std::vector<LinkId> route;
  std::size_t hops = 0;
  const double enumeration = best_seconds(runs, [&] {
    hops = 0;
    for (const BareFlow& flow : flows) {
      route.clear();
      halo.network->append_route(flow.source, flow.destination, route);
      hops += route.size();
    }
  });
  double most = 0;
  const double evaluation = best_seconds(runs, [&] {
    most += evaluate(halo.guest, *halo.network, halo.embedding).max_link_load.value;
  });
  const double loads = best_seconds(runs, [&] {
    const auto traffic = halo.network->make_link_traffic();
    for (const BareFlow& flow : flows) traffic->add(flow.source, flow.destination, flow.volume);
    most += traffic->totals().traffic.front();
  });
  if (!(most > 0)) fmt::print("no loads\n");  // so that nothing is left out
  return {1e9 * enumeration / num_flows, 1e9 * loads / num_flows, 1e9 * evaluation / num_flows,
          static_cast<double>(hops) / num_flows};
}

/// Bytes that a route must at least move: written ids; or an edge, a host, and on each link a load
/// and a count read and written.
double enumeration_bytes(double hops) {
  return sizeof(BareFlow) + sizeof(LinkId) * hops;
}
double evaluation_bytes(double hops) {
  return sizeof(CommEdge) + sizeof(HostId) + 2 * (sizeof(double) + sizeof(std::int32_t)) * hops;
}

std::string memory_cell(double nanoseconds, double bytes, double bandwidth) {
  const double memory = 1e9 * bytes / bandwidth;
  return fmt::format("{:.0f} B, {:.1f} ns, {:.1f}", bytes, memory, nanoseconds / memory);
}

void print_row(const RouteCase& it, double bandwidth) {
  const HaloProblem halo = make_halo(it.network, it.sizes, HaloPlaces::drawn);
  const auto flows = flows_of(halo);
  const OwnTimes own = own_times(halo, flows);
  std::string routes = "- | -", sums = "- | - | -";
  if (it.simgrid.num_hosts > 0) {
    const RouteToTimes times = time_route_to(it.simgrid, flows, 3);
    const double ratio = times.sums / own.loads;
    routes = fmt::format("{:.0f} | {:.0f}", times.alone, times.alone / own.enumeration);
    sums = fmt::format("{:.0f} | {:.1f} | {}", times.sums, ratio, ratio >= 30 ? "met" : "missed");
  }
  fmt::print("| `{}` | {} | {:.1f} | {:.1f} | {} | {:.1f} | {} | {:.1f} | {} | {} |\n", it.network,
             halo.network->num_hosts(), own.hops, own.enumeration, routes, own.loads, sums,
             own.evaluation, memory_cell(own.enumeration, enumeration_bytes(own.hops), bandwidth),
             memory_cell(own.evaluation, evaluation_bytes(own.hops), bandwidth));
}

}  // namespace

void print_routes(double bandwidth) {
  fmt::print(
      "\n### Routes and evaluation, beside SimGrid and the memory\n\nA halo of six flows per host "
      "under a drawn embedding, ns per route, one thread. *Routes*: `Network::append_route` "
      "against "
      "`Host::route_to`. *Link loads*: of all flows, against `Host::route_to` with one sum per "
      "link; the target is 30 times. *Evaluation*: all figures of `evaluate`. *Memory*: bytes that "
      "pass if nothing stays in a cache (routes: a flow and the ids of its links; evaluation: an "
      "edge, a host, and load and count of each link read and written), the time that they take "
      "at the bandwidth above, and the measured time over it.\n\n"
      "| network | hosts | links per route | routes | SimGrid | ratio | link loads | SimGrid | "
      "ratio | target | evaluation | memory, routes | memory, evaluation |\n"
      "|---|---|---|---|---|---|---|---|---|---|---|---|---|\n");
  print_row({"torus:16x16x16", {16, 16, 16}, {"TORUS", "16,16,16", 4096}}, bandwidth);
  print_row({"torus:32x32x32", {32, 32, 32}, {"TORUS", "32,32,32", 32768}}, bandwidth);
  print_row({"torus:64x64x64", {64, 64, 64}, {}}, bandwidth);
  const std::string tree = "3;16,16,16;1,16,16;1,1,1", dragonfly = "16,1;1,1;16,1;16";
  print_row({"fat-tree:" + tree, {16, 16, 16}, {"FAT_TREE", tree, 4096}}, bandwidth);
  print_row({"dragonfly:" + dragonfly, {16, 16, 16}, {"DRAGONFLY", dragonfly, 4096}}, bandwidth);
}

}  // namespace vtopo
