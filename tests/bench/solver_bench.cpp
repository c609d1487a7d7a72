// Seconds and memory of the fast solver on random halos of a three-dimensional periodic grid on a
// torus of the same size, equal and unequal volumes, beside SimGrid at 512 hosts; processor time.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/support/processor_time.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/virtual_topology.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

double peak_gibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

struct Halo {
  std::shared_ptr<const Network> network;
  CommGraph guest;
  Embedding embedding;
};

/// Six flows per rank, one rank per host, at random.
Halo halo(int side, bool equal) {
  auto network = make_network(fmt::format("torus:{0}x{0}x{0}", side), {});
  const int hosts = network->num_hosts();
  const Dimension ring{side, Periodicity::periodic};
  const Bytes volume[] = {Bytes{1 << 20}};
  CommGraph guest = make_comm_graph(Cartesian({ring, ring, ring}), volume);
  Random random(1);
  if (!equal) {
    std::vector<DirectedEdge> edges;
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      const auto drawn = static_cast<double>(1 + random.below(1 << 21));
      edges.push_back({source, edge.destination, {drawn}});
    });
    guest = CommGraph(hosts, edges);
  }
  Allocation allocation;
  for (int h = 0; h < hosts; ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(static_cast<std::size_t>(hosts), 1);
  std::vector<HostId> places = allocation.hosts;
  shuffle(std::span(places), random);
  return {network, std::move(guest), Embedding(places, allocation)};
}

/// What one run took and found.
struct Timed {
  double seconds = 0;
  std::vector<Seconds> finish;
};

Timed timed(const Halo& problem, Solver solver) {
  SimulationOptions options;
  options.solver = solver;
  const double start = tests::processor_seconds();
  auto result = simulate(problem.guest, *problem.network, problem.embedding, options);
  return {tests::processor_seconds() - start, std::move(result.flow_finish)};
}

double deviation(const Timed& one, const Timed& other) {
  double largest = 0;
  for (std::size_t i = 0; i < one.finish.size(); ++i)
    largest = std::max(largest, std::abs(one.finish[i].value / other.finish[i].value - 1));
  return largest;
}

const char* verdict(bool met) {
  return met ? "met" : "missed";
}

void beside_simgrid(bool equal, double target) {
  const Halo problem = halo(8, equal);
  const Timed simgrid = timed(problem, Solver::simgrid);
  Timed fast = timed(problem, Solver::fast);
  for (int again = 0; again < 4; ++again) {
    Timed run = timed(problem, Solver::fast);
    if (run.seconds < fast.seconds) fast = std::move(run);
  }
  const double ratio = simgrid.seconds / fast.seconds;
  fmt::print("{:>7} {:<8} {:>10.4f} {:>10.3f} {:>8.0f}   {:<18} {:<7} off by {:.1e}\n", 512,
             equal ? "equal" : "unequal", fast.seconds, simgrid.seconds, ratio,
             fmt::format(">= {:.0f} times", target), verdict(ratio >= target),
             deviation(fast, simgrid));
}

/// @param target in seconds; 0: none.
void alone(int side, bool equal, double target, double target_gibibytes) {
  const Halo problem = halo(side, equal);
  const Timed fast = timed(problem, Solver::fast);
  const double memory = peak_gibibytes();
  const bool met = fast.seconds <= target && memory <= target_gibibytes;
  fmt::print("{:>7} {:<8} {:>10.3f} {:>10} {:>8}   {:<18} {:<7} peak {:.2f} GiB\n",
             side * side * side, equal ? "equal" : "unequal", fast.seconds, "-", "-",
             target > 0 ? fmt::format("<= {:g} s", target) : "none", target > 0 ? verdict(met) : "",
             memory);
}

}  // namespace

int main(int argc, char** argv) {
  bool large = false, longest = false;
  CLI::App app("Fast solver beside SimGrid, and alone at scale");
  app.add_flag("--large", large, "also 32,768 and 262,144 hosts with equal volumes");
  app.add_flag("--longest", longest, "also 32,768 hosts with unequal volumes");
  CLI11_PARSE(app, argc, argv);
  fmt::print("{:>7} {:<8} {:>10} {:>10} {:>8}   {:<18} {:<7}\n", "hosts", "volumes", "fast, s",
             "SimGrid, s", "ratio", "target", "");
  beside_simgrid(true, 300);
  beside_simgrid(false, 15);
  alone(16, true, 0.3, 8);
  alone(16, false, 2, 8);
  if (large) {
    alone(32, true, 8, 8);
    alone(64, true, 6, 8);
  }
  if (longest) alone(32, false, 0, 8);
  return 0;
}
