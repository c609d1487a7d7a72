#include "sim/run/rows.hpp"

#include <catch2/catch.hpp>
#include <map>
#include <utility>

#include "sim/run/plan.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// On a torus with one host per rank, `block` and `round_robin` are the same.
Scenario random_graph_on_torus(int threads) {
  Scenario scenario;
  scenario.topology = "rgg:64:6:1";
  scenario.network = "torus:8x8";
  scenario.mappers = "block,round_robin,random,greedy";
  scenario.threads = threads;
  return scenario;
}

}  // namespace

TEST_CASE("a row made alone is the row of a comparison, whatever the number of threads") {
  Observer nobody;
  RunPlan plan = plan_run(random_graph_on_torus(1), nobody);
  for (const int threads : {1, 2, 4}) {
    const Report report = run(random_graph_on_torus(threads));
    REQUIRE(report.rows.size() == plan.mapping.mappers.size());
    for (std::size_t m = 0; m < report.rows.size(); ++m) {
      const PlacedRow alone =
          make_row(plan.experiment, plan.mapping.mappers[m], plan.setup, nobody);
      CHECK(alone.row.mapper == report.rows[m].mapper);
      CHECK(alone.row.metrics.hop_bytes.value == report.rows[m].metrics.hop_bytes.value);
      REQUIRE(alone.row.simulation);
      CHECK(alone.row.simulation->rank_finish == report.rows[m].simulation->rank_finish);
    }
  }
}

TEST_CASE("mappers with the same embedding have a row each, with their own names") {
  for (const int threads : {1, 4}) {
    Observer nobody;
    RunPlan plan = plan_run(random_graph_on_torus(threads), nobody);
    const PlacedReport placed = compare(plan, nobody);
    REQUIRE(placed.embeddings[0] == placed.embeddings[1]);
    CHECK(placed.report.rows[0].mapper == "block");
    CHECK(placed.report.rows[1].mapper == "round_robin");
    CHECK(placed.report.rows[1].simulation->makespan == placed.report.rows[0].simulation->makespan);
    CHECK(placed.report.rows[2].metrics.links.empty());
  }
}

TEST_CASE("each row of a report of some rows has its own mapper and what that found") {
  Observer nobody;
  RunPlan plan = plan_run(random_graph_on_torus(1), nobody);
  plan.setup.traces_search = true;
  std::map<std::size_t, PlacedRow> made;
  plan.setup.made = [&](std::size_t number, PlacedRow row) {
    made.emplace(number, std::move(row));
  };
  const PlacedReport all = compare(plan, nobody);
  REQUIRE(made.size() == all.report.rows.size());  // also round_robin, which is block's embedding
  const PlacedReport some = report_so_far(plan, {made.at(2), made.at(3)});
  REQUIRE(some.mappers.size() == 2);
  CHECK(some.mappers[0].name == "random");
  CHECK(some.mappers[1].name == "greedy");
  CHECK(some.searches[1].size() == all.searches[3].size());
  CHECK(all.mappers[3].name == "greedy");
}

TEST_CASE("the loads of links of a row can be had again from its embedding") {
  Observer nobody;
  RunPlan plan = plan_run(random_graph_on_torus(1), nobody);
  const PlacedReport placed = compare(plan, nobody);
  const Metrics again = metrics_of(plan.experiment, placed.embeddings[3], 2);
  CHECK(again.links.size() == index(plan.experiment.network->num_links()));
  CHECK(again.max_congestion == placed.report.rows[3].metrics.max_congestion);
}
