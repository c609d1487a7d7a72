// A what-if as `vtopo compare` runs it: 8 x 8 ranks with halo exchange on a torus, three
// placements. Uses the installed library; tests/install/run_scenario.expected.txt has the output.
// The bound is that each of the 256 messages of 65,536 bytes takes at least one hop; block takes
// 480 hops for them, as the distances of rank numbers base 4 add up to. Times are those of the
// fullest link, 5 messages of block and 3 of the others at 10 GB/s (32.77 and 19.66 us), and of the
// latency of 3 and 5 hops at 100 ns.
#include <vtopo/sim/run/run.hpp>

#include <cstdio>

int main() {
  vtopo::Scenario scenario;
  scenario.topology = "cart:8px8p";
  scenario.bytes = "64KiB";
  scenario.network = "torus:4x4x4";
  scenario.mappers = "block,greedy,exchange";
  const vtopo::Report report = vtopo::run(scenario);
  for (const vtopo::Row& row : report.rows)
    std::printf("%-8s hop-bytes %.0f (bound %.0f), simulated %.2f us\n", row.mapper.c_str(),
                row.metrics.hop_bytes.value, row.bounds.hop_bytes.value,
                1e6 * row.simulation->makespan.value);
}
