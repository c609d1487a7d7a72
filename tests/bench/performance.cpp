// One run of the figures that users wait for, beside SimGrid, MPI libraries and the memory of the
// machine, as a Markdown section; started by performance.sh.
#include "tests/bench/performance.hpp"
#include "sim/clock/simgrid/run_ranks.hpp"

#include <fmt/format.h>
#include <stdlib.h>

#include <CLI/CLI.hpp>
#include <cstdio>
#include <cstring>
#include <fstream>
#include <thread>

#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "tests/bench/bare_simgrid.hpp"
#include "topology/base/random.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo {

namespace {

CommGraph with_drawn_volumes(const CommGraph& guest) {
  detail::Random random(1);
  std::vector<DirectedEdge> edges;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const auto drawn = static_cast<double>(1 + random.below(1 << 21));
    edges.push_back({source, edge.destination, {drawn}});
  });
  return CommGraph(guest.num_ranks(), edges);
}

/// Host with the first dimension fastest of the rank with the last one fastest.
HostId neighbour_host(const Cartesian& grid, Rank rank) {
  const std::vector<int> coords = grid.coords(rank);
  int host = 0;
  for (std::size_t d = coords.size(); d-- > 0;) host = host * grid.dimensions()[d].size + coords[d];
  return HostId{host};
}

}  // namespace

HaloProblem make_halo(const std::string& network, const std::vector<int>& sizes, HaloPlaces places,
                      HaloVolumes volumes) {
  auto model = make_network(network, {});
  std::vector<Dimension> dimensions;
  for (const int size : sizes) dimensions.push_back({size, Periodicity::periodic});
  Cartesian grid(dimensions);
  const Bytes volume[] = {Bytes{1 << 20}};
  CommGraph guest = make_comm_graph(grid, volume);
  if (volumes == HaloVolumes::unequal) guest = with_drawn_volumes(guest);
  Allocation allocation;
  for (int h = 0; h < model->num_hosts(); ++h) allocation.hosts.push_back(HostId{h});
  allocation.slots.assign(allocation.hosts.size(), 1);
  std::vector<HostId> hosts = allocation.hosts;
  detail::Random random(1);
  if (places == HaloPlaces::drawn)
    shuffle(std::span(hosts), random);
  else
    for (int r = 0; r < grid.num_ranks(); ++r)
      hosts[static_cast<std::size_t>(r)] = neighbour_host(grid, Rank{r});
  Embedding embedding(hosts, allocation);
  return {model, grid, std::move(guest), std::move(allocation), std::move(embedding)};
}

double copy_bandwidth() {
  const std::size_t size = std::size_t{1} << 29;
  std::vector<char> from(size, 1), to(size, 2);
  const double seconds = best_seconds(5, [&] { std::memcpy(to.data(), from.data(), size); });
  if (to[size / 2] != 1) return 0;  // so that no copy is left out
  return 2 * static_cast<double>(size) / seconds;
}

}  // namespace vtopo

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::string processor() {
  std::ifstream file("/proc/cpuinfo");
  for (std::string line; std::getline(file, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown processor";
}

double load_average() {
  double load = 0;
  return getloadavg(&load, 1) == 1 ? load : 0;
}

}  // namespace

int main(int argc, char** argv) {
  std::vector<std::string> libraries;
  double seconds = 30;
  CLI::App app("Performance beside SimGrid, MPI libraries and the memory");
  app.add_option("--mpi", libraries, "NAME=FILE with what mpi_inquiries printed");
  app.add_option("--cap", seconds, "longest measurement of the scaling table");
  CLI11_PARSE(app, argc, argv);
  std::setvbuf(stdout, nullptr, _IOLBF, 0);
  std::vector<MpiFigures> figures;
  for (const std::string& text : libraries)
    figures.push_back({text.substr(0, text.find('=')), text.substr(text.find('=') + 1)});
  const double load = load_average();
  const double bandwidth = copy_bandwidth();
  fmt::print(
      "Machine: {}, {} cores; g++ {}, SimGrid {}. Processor time, best of several runs. One core "
      "copies {:.1f} GB/s (read and written).\n",
      processor(), std::thread::hardware_concurrency(), __VERSION__, simgrid_version(),
      bandwidth / 1e9);
  print_routes(bandwidth);
  print_inquiries(figures);
  print_simulations();
  print_scaling(seconds);
  fmt::print(
      "\nLoad average of the machine {:.1f} before and {:.1f} after: 1 is an idle machine.\n", load,
      load_average());
  return 0;
}
