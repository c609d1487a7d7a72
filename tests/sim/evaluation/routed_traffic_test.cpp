#include "sim/evaluation/totals.hpp"

#include <catch2/catch.hpp>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr const char* dragonfly = "dragonfly:9,1;1,1;4,1;2,arrangement=relative";

std::shared_ptr<const Network> under(Routing rule) {
  return make_network(dragonfly, {.bandwidth = {1}, .latency = {0}}, {rule});
}

/// Every rank sends 2 bytes to its place in the next group of 8 hosts, in two messages.
CommGraph to_next_group() {
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < 72; ++r)
    for (int message = 0; message < 2; ++message)
      edges.push_back({Rank{r}, Rank{(r + 8) % 72}, {1}});
  return CommGraph(72, edges);
}

Embedding in_order() {
  return tests::one_per_host(72);
}

}  // namespace

TEST_CASE("Static routings are not asked with the traffic") {
  CHECK_FALSE(routed_for(to_next_group(), *under(Routing::valiant), in_order()));
  CHECK(routed_for(to_next_group(), *under(Routing::adaptive), in_order()));
}

TEST_CASE("Metrics and times of an embedding are those of routes chosen for its traffic") {
  // 2 B per host over S = 16 B per group: minimal 16 s, ideal 2 S / g = 32/9 s at 1 B/s.
  const CommGraph guest = to_next_group();
  const Metrics minimal = evaluate(guest, *under(Routing::ecmp), in_order());
  const Metrics adaptive = evaluate(guest, *under(Routing::adaptive), in_order());
  const Metrics ideal = evaluate(guest, *under(Routing::ideal), in_order());
  CHECK(minimal.max_congestion.value == Approx(16));
  CHECK(adaptive.max_congestion.value == Approx(32.0 / 9).epsilon(0.04));
  CHECK(ideal.max_congestion.value == Approx(32.0 / 9).epsilon(0.005));
  CHECK(adaptive.max_dilation == minimal.max_dilation);
  CHECK(adaptive.hop_bytes > minimal.hop_bytes);
  SimulationOptions options;
  options.solver = Solver::fast;
  for (const auto& [rule, metrics] :
       {std::pair{Routing::adaptive, adaptive}, std::pair{Routing::ideal, ideal}}) {
    const auto result = simulate(guest, *under(rule), in_order(), options);
    CHECK(result.makespan.value >= metrics.max_congestion.value * (1 - 1e-9));
    CHECK(result.makespan.value < minimal.max_congestion.value / 2);
  }
}

TEST_CASE("Networks are edited before they are routed by traffic") {
  CHECK_THROWS_AS(apply_edits(under(Routing::adaptive), NetworkEdits{{}, {}, {{"*", 0.5}}}),
                  UsageError);
}
