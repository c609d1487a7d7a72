// How many operations of programs vtopo's engine does per minute: collective operations on tori and
// fat trees, one rank per host, ranks in order or at random; processor time, one core.
#include <fmt/format.h>
#include <sys/resource.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cmath>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/programs/schedule_program.hpp"
#include "sim/clock/simgrid/run_program.hpp"
#include "tests/support/processor_time.hpp"
#include "topology/base/random.hpp"
#include "topology/patterns/pattern.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

struct Case {
  const char* pattern;
  const char* network;
  bool at_random;
};

double peak_gibibytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / (1 << 20);
}

Embedding one_per_host(const Network& network, bool at_random) {
  Allocation allocation;
  for (int h = 0; h < network.num_hosts(); ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(allocation.hosts.size(), 1);
  std::vector<HostId> places = allocation.hosts;
  Random random(1);
  if (at_random) shuffle(std::span(places), random);
  return {places, allocation};
}

Program program_of(const Case& problem, int num_ranks) {
  const Bytes volume{1 << 20};
  const auto topology = parse_guest_topology(fmt::format("cart:{}p", num_ranks));
  return vtopo::detail::program_of(
      make_schedule(parse_patterns(problem.pattern), topology, {&volume, 1}), StepStart::by_rank);
}

/// A send and a receive of each message, and the wait for both.
double operations(std::int64_t messages) {
  return 3 * static_cast<double>(messages);
}

void measure(const Case& problem) {
  const auto network = make_network(problem.network, {});
  const Program program = program_of(problem, network->num_hosts());
  const Embedding embedding = one_per_host(*network, problem.at_random);
  const std::int64_t messages = num_messages(program);
  double start = tests::processor_seconds();
  simulate_program(program, *network, embedding);
  const double seconds = tests::processor_seconds() - start;
  fmt::print("{:<45} {:<28} {:<6} {:>9} {:>8.2f} {:>9.3g} {:>8.2f}\n", problem.pattern,
             problem.network, problem.at_random ? "random" : "block", messages, seconds,
             60 * operations(messages) / seconds, peak_gibibytes());
}

/// The same by SimGrid; vtopo's engine as often as takes a noticeable time.
void measure_beside_simgrid(const Case& problem) {
  const auto network = make_network(problem.network, {});
  const Program program = program_of(problem, network->num_hosts());
  const Embedding embedding = one_per_host(*network, problem.at_random);
  constexpr double noticeable = 0.2;
  double start = tests::processor_seconds(), seconds = 0;
  int runs = 0;
  Seconds makespan;
  for (; seconds < noticeable; ++runs) {
    makespan = simulate_program(program, *network, embedding).makespan;
    seconds = tests::processor_seconds() - start;
  }
  seconds /= runs;
  start = tests::processor_seconds();
  const Seconds other = run_program(program, *network, embedding).makespan;
  const double longer = tests::processor_seconds() - start;
  fmt::print("{:<45} {:<28} {:<6} {:>9} {:>8.4f} {:>8.2f} {:>6.0f} {:>9.1e}\n", problem.pattern,
             problem.network, problem.at_random ? "random" : "block", num_messages(program),
             seconds, longer, longer / seconds, std::abs(other.value / makespan.value - 1));
}

int compare_with_simgrid() {
  fmt::print("{:<45} {:<28} {:<6} {:>9} {:>8} {:>8} {:>6} {:>9}\n", "program", "network", "places",
             "messages", "s", "SimGrid", "times", "off by");
  const Case contended[] = {
      {"allreduce:algorithm=recursive_doubling", "torus:8x8x8", true},
      {"allreduce:algorithm=rabenseifner", "torus:8x8x8", true},
      {"allreduce:algorithm=recursive_doubling", "fat-tree:2;16,32;1,8;1,1", true},
      {"allgather:algorithm=bruck,bytes=64KiB", "torus:8x8x8", true},
      {"alltoall:algorithm=bruck,bytes=8KiB", "torus:8x8x8", true},
      {"alltoall:algorithm=bruck,bytes=8KiB", "dragonfly:8,2;4,1;16,1;4", true},
      {"random:repeat=10", "torus:8x8x8", true},
      {"random:repeat=10", "fat-tree:2;16,32;1,8;1,1", true},
  };
  for (const Case& problem : contended) measure_beside_simgrid(problem);
  return 0;
}

}  // namespace

int main(int argc, char** argv) {
  bool large = false, simgrid = false;
  CLI::App app("Engine of programs: operations per minute");
  app.add_flag("--large", large, "also 2,048 ranks in a ring, 8.4 million messages");
  app.add_flag("--simgrid", simgrid, "instead: contended steps of 512 hosts, beside SimGrid");
  CLI11_PARSE(app, argc, argv);
  if (simgrid) return compare_with_simgrid();
  fmt::print("{:<45} {:<28} {:<6} {:>9} {:>8} {:>9} {:>8}\n", "program", "network", "places",
             "messages", "s", "ops/min", "GiB");
  const Case of_512[] = {
      {"allreduce:algorithm=ring,bytes=16MiB", "torus:8x8x8", false},
      {"allreduce:algorithm=ring,bytes=16MiB", "torus:8x8x8", true},
      {"allreduce:algorithm=recursive_doubling,repeat=20", "torus:8x8x8", true},
      {"allreduce:algorithm=rabenseifner,repeat=20", "torus:8x8x8", true},
      {"alltoall:bytes=8KiB", "torus:8x8x8", true},
      {"alltoall:bytes=8KiB", "fat-tree:2;16,32;1,8;1,1", true},
  };
  const Case of_many[] = {
      {"allreduce:algorithm=recursive_doubling,repeat=20", "torus:16x16x16", false},
      {"allreduce:algorithm=rabenseifner,repeat=20", "torus:16x16x16", false},
  };
  for (const Case& problem : of_512) measure(problem);
  for (const Case& problem : of_many) measure(problem);
  if (large)
    for (const bool at_random : {false, true})
      measure({"allreduce:algorithm=ring,bytes=64MiB", "torus:8x16x16", at_random});
  return 0;
}
