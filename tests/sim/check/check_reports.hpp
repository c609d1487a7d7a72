#pragma once

#include <catch2/catch.hpp>

#include <cstdlib>
#include <nlohmann/json.hpp>
#include <random>
#include <string>
#include <vector>

#include "sim/check/check_report.hpp"
#include "sim/check/evidence/evidence.hpp"
#include "sim/report/report.hpp"
#include "sim/run/plan.hpp"
#include "topology/base/error.hpp"

/// Reports of small scenarios, for mutants of them that the checker must reject.
namespace vtopo::mutants {

using namespace vtopo::detail;

using Json = nlohmann::json;
using Random = std::mt19937_64;

inline Json report_of(const Scenario& scenario) {
  EvidenceSource evidence;
  Observer nobody;
  RunPlan plan = plan_run(scenario, nobody, {.top_links = 5});  // as evaluate has it
  const PlacedReport placed = compare(plan, nobody);
  for (std::size_t row = 0; row < placed.embeddings.size(); ++row)
    evidence.add(plan.experiment, placed.embeddings[row], placed.report.rows[row]);
  evidence.finish(plan.experiment, placed.report);
  return Json::parse(render_json(placed.report, evidence.text()));
}

inline Scenario scenario_of(const std::string& topology, const std::string& network,
                            const std::string& routing = "simgrid",
                            const std::string& slots = "1") {
  Scenario scenario;
  scenario.topology = topology;
  scenario.network = network;
  scenario.routing = routing;
  scenario.slots = slots;
  scenario.mappers = "block,random,greedy";
  return scenario;
}

/// Made once: simulations and bounds take longer than a check.
inline const std::vector<Json>& reports() {
  static std::vector<Json> list;
  if (!list.empty()) return list;
  list.push_back(report_of(scenario_of("cart:4x4", "torus:4x4")));
  list.push_back(report_of(scenario_of("cart:4x8p", "fat-tree:2;4,8;1,2;1,1")));
  list.push_back(report_of(scenario_of("hypercube:5", "mesh:4x4", "simgrid", "2")));
  list.push_back(report_of(scenario_of("rgg:24:4:1", "dragonfly:3,1;2,1;2,1;2")));
  list.push_back(report_of(scenario_of("cart:4x4", "torus:4x4", "split")));
  list.push_back(report_of(scenario_of("stencil:4x4:moore", "torus:4x4", "ecmp")));
  list.push_back(report_of(scenario_of("rgg:24:6:1", "mesh:5x5")));    // bound by assignment
  list.push_back(report_of(scenario_of("cart:8x8p", "torus:8x8")));    // by cuts
  list.push_back(report_of(scenario_of("rgg:64:16:3", "torus:8x8")));  // by connectivity
  list.push_back(report_of(scenario_of("hypercube:6", "torus:8x8")));  // by hypercubes on grids
  Scenario expander = scenario_of("cart:6x6", "torus:6x6");            // by eigenvalues
  expander.patterns = {"random:seed=1", "random:seed=2", "random:seed=3", "random:seed=4"};
  list.push_back(report_of(expander));
  REQUIRE(list.back()["bounds"]["hop_bytes_bound_kind"] == "spectrum");
  list.push_back(report_of(scenario_of("rgg:15:5:73", "dragonfly:3,1;2,1;2,1;2")));  // by stars
  REQUIRE(list.back()["bounds"]["hop_bytes_bound_kind"] == "stars");
  Scenario some_hosts = scenario_of("rgg:12:6:3", "mesh:8x8");  // by links out of hosts
  some_hosts.hosts = "random:12";
  list.push_back(report_of(some_hosts));
  Scenario scheduled = scenario_of("cart:4x4", "torus:4x4");
  scheduled.patterns = {"phased:repeat=2", "allreduce:algorithm=ring,bytes=1KiB"};
  list.push_back(report_of(scheduled));
  scheduled.barriers = true;
  list.push_back(report_of(scheduled));
  return list;
}

inline std::size_t below(Random& random, std::size_t count) {
  return static_cast<std::size_t>(random() % count);
}

inline bool is_rejected(const Json& report) {
  try {
    return check_report(report, report["evidence"]).wrong.has_value();
  } catch (const InputError&) {
    return true;
  }
}

/// So many of `all`; all where long tests are asked for.
inline int wanted_mutants(int some, int all) {
  const char* is_long = std::getenv("VTOPO_LONG_TESTS");
  return is_long != nullptr && std::string(is_long) == "1" ? all : some;
}

}  // namespace vtopo::mutants
