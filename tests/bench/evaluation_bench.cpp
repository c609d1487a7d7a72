// Speed of evaluation at scale: 1,048,576 ranks on a torus of as many hosts, with the six
// neighbours of a halo and with 26 drawn ones: the guest, the figures of an embedding, and quick
// mappers. Processor time and elapsed time; best of several runs.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <ctime>
#include <functional>
#include <limits>
#include <span>
#include <string_view>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/communicator.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr int num_runs = 2;

struct Times {
  double elapsed = std::numeric_limits<double>::infinity();
  double processor = std::numeric_limits<double>::infinity();  ///< of all threads
};

double processor_seconds() {
  std::timespec time{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time);
  return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
}

Times measure(const std::function<void()>& run) {
  Times best;
  for (int i = 0; i < num_runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    const double before = processor_seconds();
    run();
    best.processor = std::min(best.processor, processor_seconds() - before);
    const std::chrono::duration<double> elapsed = std::chrono::steady_clock::now() - start;
    best.elapsed = std::min(best.elapsed, elapsed.count());
  }
  return best;
}

void print(std::string_view what, const Times& times) {
  fmt::print("{:<44} {:7.3f} s, processor {:7.3f} s\n", what, times.elapsed, times.processor);
}

/// Edges from every rank to as many ranks drawn.
std::vector<DirectedEdge> drawn_edges(int num_ranks, int degree) {
  Random random(1);
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < num_ranks; ++r)
    for (int i = 0; i < degree; ++i) {
      const auto other = random.below(static_cast<std::uint64_t>(num_ranks));
      edges.push_back({Rank{r}, Rank{static_cast<int>(other)}, {1048576}});
    }
  return edges;
}

/// Edges between neighbours of a periodic grid of three dimensions.
std::vector<DirectedEdge> halo_edges(const Cartesian& grid) {
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < grid.num_ranks(); ++r)
    for (int d = 0; d < 3; ++d)
      for (const int way : {-1, 1}) {
        const int size = grid.dimensions()[static_cast<std::size_t>(d)].size;
        const int stride = grid.strides()[static_cast<std::size_t>(d)];
        const int at = r / stride % size;
        const int to = (at + way + size) % size;
        edges.push_back({Rank{r}, Rank{r + (to - at) * stride}, {1048576}});
      }
  return edges;
}

void time_evaluation(std::string_view name, const Network& network, const Allocation& hosts,
                     const std::vector<DirectedEdge>& edges, const Cartesian* grid) {
  const int num_ranks = network.num_hosts();
  print(fmt::format("{}: guest", name), measure([&] { CommGraph(num_ranks, edges); }));
  const CommGraph guest(num_ranks, edges);
  const MappingProblem problem{guest, network, hosts, grid};
  for (const auto* mapper : {"block", "random"}) {
    if (grid == nullptr && mapper != std::string_view("block")) continue;  // drawn either way
    const Embedding embedding = run_mapper({mapper, {}}, problem);
    for (const int threads : {1, 2}) {
      Bytes most;
      const Times times =
          measure([&] { most = evaluate(guest, network, embedding, {}, threads).max_link_load; });
      print(fmt::format("{}, {}: evaluation, {} threads", name, mapper, threads), times);
      const double to_ns_per_route = 1e9 / static_cast<double>(guest.num_edges());
      fmt::print("{:>44} {:7.1f} ns per route, processor {:.1f} ns (largest load {:.0f} MiB)\n", "",
                 to_ns_per_route * times.elapsed, to_ns_per_route * times.processor,
                 most.value / 1048576);
    }
  }
  for (const auto* mapper : {"block", "fold", "hilbert"})
    if (grid != nullptr)
      print(fmt::format("{}: mapper {}", name, mapper), measure([&] {
              run_mapper({mapper, {}}, problem);
            }));
}

}  // namespace

int main() {
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  const auto network = make_network("torus:128x128x64", {});
  const Allocation hosts = whole_machine(*network);
  const Cartesian grid(
      {{128, Periodicity::periodic}, {128, Periodicity::periodic}, {64, Periodicity::periodic}});
  time_evaluation("halo of 6", *network, hosts, halo_edges(grid), &grid);
  time_evaluation("26 drawn", *network, hosts, drawn_edges(network->num_hosts(), 26), nullptr);
  return 0;
}
