#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "tests/bench/performance.hpp"
#include "tests/support/processor_time.hpp"

namespace vtopo {

namespace {

constexpr double link_bandwidth = 1e10;  ///< the default of specifications
constexpr int turns = 9;

/// Volumes in whole bytes with a static bound of 7 s, where vtopo scales nothing or by a factor
/// near 1: SimGrid does the same work for both.
CommGraph scaled(const HaloProblem& halo) {
  const double bound = evaluate(halo.guest, *halo.network, halo.embedding).max_congestion.value;
  std::vector<DirectedEdge> edges;
  halo.guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    edges.push_back({source, edge.destination, {std::round(7 / bound * edge.volume.value)}});
  });
  return CommGraph(halo.guest.num_ranks(), edges);
}

std::vector<BareFlow> flows_of(const CommGraph& guest, const Embedding& embedding) {
  std::vector<BareFlow> flows;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    flows.push_back({embedding.host_of(source), embedding.host_of(edge.destination), edge.volume});
  });
  return flows;
}

/// Best of the turns, and the last finish.
struct SimulationTime {
  double seconds = std::numeric_limits<double>::infinity();
  double makespan = 0;

  void add(double start, double last_finish) {
    seconds = std::min(seconds, tests::processor_seconds() - start);
    makespan = last_finish;
  }
};

void print_row(const char* what, const HaloProblem& halo, const BareCluster& cluster) {
  const CommGraph guest = scaled(halo);
  const auto flows = flows_of(guest, halo.embedding);
  SimulationTime bare, own, fast;
  const auto by_vtopo = [&](Solver solver, SimulationTime& time) {
    SimulationOptions options;
    options.solver = solver;
    const double start = tests::processor_seconds();
    const auto result = simulate(guest, *halo.network, halo.embedding, options);
    double last = 0;
    for (const Seconds finish : result.flow_finish) last = std::max(last, finish.value);
    time.add(start, last);
  };
  for (int turn = 0; turn < turns; ++turn) {
    const double start = tests::processor_seconds();
    const auto finish = simulate_on_bare_simgrid(cluster, {link_bandwidth}, flows);
    bare.add(start, *std::max_element(finish.begin(), finish.end()));
    by_vtopo(Solver::simgrid, own);
    by_vtopo(Solver::fast, fast);
  }
  const double overhead = 100 * (own.seconds / bare.seconds - 1);
  fmt::print("| {} | {} | {:.3f} | {:.3f} | {:+.1f} % | {} | {:.1e} | {:.4f} | {:.0f} |\n", what,
             flows.size(), bare.seconds, own.seconds, overhead, overhead <= 10 ? "met" : "missed",
             std::abs(own.makespan / bare.makespan - 1), fast.seconds, bare.seconds / fast.seconds);
}

}  // namespace

void print_simulations() {
  fmt::print(
      "\n### Simulation, beside SimGrid alone\n\n`simulate` against the same flows in a program "
      "with SimGrid's own `<cluster>` zones (platform included, both in a child process), "
      "processor seconds, best of {} turns. The target is at most 10 % more. *Differs*: the two "
      "makespans, relative (latencies of 100 ns per hop are vtopo's alone). The fast solver "
      "beside, and SimGrid's time over its.\n\n"
      "| problem | flows | SimGrid alone | vtopo | more | target | differs | fast solver | ratio "
      "|\n|---|---|---|---|---|---|---|---|---|\n",
      turns);
  print_row("`torus:8x8x8`, random embedding",
            make_halo("torus:8x8x8", {8, 8, 8}, HaloPlaces::drawn), {"TORUS", "8,8,8", 512});
  print_row("`torus:16x16x16`, neighbours are neighbours",
            make_halo("torus:16x16x16", {16, 16, 16}, HaloPlaces::neighbours),
            {"TORUS", "16,16,16", 4096});
  const std::string tree = "2;16,16;1,16;1,1", dragonfly = "16,1;1,1;16,1;1";
  print_row("fat tree of 256 hosts, random embedding",
            make_halo("fat-tree:" + tree, {4, 8, 8}, HaloPlaces::drawn), {"FAT_TREE", tree, 256});
  print_row("dragonfly of 256 hosts, random embedding, unequal volumes",
            make_halo("dragonfly:" + dragonfly, {4, 8, 8}, HaloPlaces::drawn, HaloVolumes::unequal),
            {"DRAGONFLY", dragonfly, 256});
}

}  // namespace vtopo
