#include <catch2/catch.hpp>
#include <memory>

#include "netmodels/models/torus/torus.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/needs_wings.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// So many edges that the evaluation works in chunks.
constexpr int many_edges = 300'000;

bool same(const Metrics& a, const Metrics& b) {
  if (a.links.size() != b.links.size()) return false;
  for (std::size_t l = 0; l < a.links.size(); ++l)
    if (a.links[l].traffic != b.links[l].traffic || a.links[l].flows != b.links[l].flows ||
        a.links[l].congestion != b.links[l].congestion)
      return false;
  return a.hop_bytes == b.hop_bytes && a.mean_link_load == b.mean_link_load &&
         a.hop_histogram == b.hop_histogram && a.mean_dilation == b.mean_dilation &&
         a.max_dilation == b.max_dilation && a.jsum == b.jsum && a.jmax == b.jmax &&
         a.edges == b.edges && a.total_volume == b.total_volume &&
         a.intra_host_volume == b.intra_host_volume && a.max_congestion == b.max_congestion &&
         a.max_flows_per_link == b.max_flows_per_link && a.max_link_load == b.max_link_load;
}

}  // namespace

TEST_CASE("Figures of a large guest are the same to the bit on any number of threads") {
  const auto torus = make_torus({{{4}, {8}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{32}, 1);
  const CommGraph guest = drawn_graph(1000, many_edges, 7);
  const auto embedding = run_mapper({"random", {}}, {guest, *torus, all});
  const Metrics one = evaluate(guest, *torus, embedding);
  for (const int threads : {2, 3, 7})
    CHECK(same(one, evaluate(guest, *torus, embedding, {}, threads)));

  // Whole volumes have exact sums, and what crosses the links is what travels the hops.
  double traffic = 0;
  for (const LinkLoad& load : one.links) traffic += load.traffic.value;
  CHECK(traffic == one.hop_bytes.value);
  CHECK(one.edges == many_edges);
}

TEST_CASE("Mapping on two threads, simulating in a child process, evaluating again all go on") {
  const auto torus = make_torus({{{4}, {8}}, {}});
  const auto all = make_allocation(*torus, "all", std::vector{32}, 1);
  const CommGraph guest = drawn_graph(1000, many_edges, 8);
  const CommGraph small = unit_grid({4, 8});
  const auto placed =
      run_mapper({"portfolio", {}}, {small, *torus, all}, {.steps = 500, .threads = 2});
  const auto embedding = run_mapper({"block", {}}, {guest, *torus, all});
  const Metrics before = evaluate(guest, *torus, embedding, {}, 2);
  CHECK(simulate(small, *torus, placed, {}).makespan.value >= 0);
  CHECK(same(before, evaluate(guest, *torus, embedding, {}, 2)));
}
