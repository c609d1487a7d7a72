// A grid of 8 x 8 ranks with halo exchange on a torus of 4 x 4 x 4 hosts: what two placements cost.
// Uses the installed library; tests/install/expected.txt has the output.
#include <cstdio>
#include <vtopo/vtopo.hpp>

int main() {
  using namespace vtopo;
  const Cartesian grid({{8, Periodicity::periodic}, {8, Periodicity::periodic}});
  const Bytes volume[] = {Bytes{65536}};
  const CommGraph guest = make_comm_graph(grid, volume);
  const auto network = make_network("torus:4x4x4", {});
  const Allocation allocation = whole_machine(*network);
  for (const char* name : {"block", "greedy"}) {
    const Embedding embedding =
        run_mapper({name, {}}, {.guest = guest, .network = *network, .allocation = allocation});
    const Metrics metrics = evaluate(guest, *network, embedding);
    const SimulationResult simulation = simulate(guest, *network, embedding, {});
    std::printf("%-6s mean dilation %.2f, most flows on a link %d, simulated %.2f us\n", name,
                metrics.mean_dilation, metrics.max_flows_per_link, 1e6 * simulation.makespan.value);
  }
}
