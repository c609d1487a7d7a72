#include <catch2/catch.hpp>

#include "cli/command/command_line.hpp"
#include "cli/command/what_if.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/sim/split_ring.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const SplitRing splitting(4, Splitting::both_ways);

/// Options as the command line sets them.
WhatIfOptions parsed(const std::vector<std::string>& words) {
  WhatIfOptions options;
  Verb verb{"compare", ""};
  add_what_if_options(verb, options, "");
  parse_options(verb, words);
  return options;
}

bool simulated(const WhatIfOptions& options, const Network& network) {
  std::optional<Threshold> threshold;
  if (!options.fail_if.empty()) threshold = parse_threshold(options.fail_if);
  return simulates(clock_of(options.scenario), mapping_of(options.scenario).objective, network,
                   simulation_needed_by(threshold, !options.rank_times.empty()));
}

}  // namespace

TEST_CASE("A network with one route per flow is simulated unless told otherwise") {
  const auto ring = make_network("torus:4", {});
  CHECK(simulated(parsed({}), *ring));
  CHECK(simulated(parsed({"--simulate"}), *ring));
  CHECK_FALSE(simulated(parsed({"--no-simulate"}), *ring));
  CHECK(simulated(parsed({"--no-simulate", "--simulate"}), *ring));
}

TEST_CASE("A network that splits flows is simulated by the fast solver alone") {
  CHECK(simulated(parsed({}), splitting));
  CHECK_FALSE(simulated(parsed({"--no-simulate"}), splitting));
  CHECK(simulated(parsed({"--solver", "fast", "--simulate"}), splitting));
  CHECK_FALSE(simulated(parsed({"--solver", "simgrid"}), splitting));
  CHECK_FALSE(simulated(parsed({"--network-model", "LV08"}), splitting));
  CHECK_FALSE(
      simulated(parsed({"--solver", "simgrid", "--fail-if", "max_congestion>1ms"}), splitting));
}

TEST_CASE("Who asks for a simulation that cannot be is told so") {
  const std::string why =
      "SimGrid sends each flow over one route, routing split splits flows over several";
  const auto on_simgrid = [](std::vector<std::string> words) {
    words.insert(words.end(), {"--solver", "simgrid"});
    return simulated(parsed(words), splitting);
  };
  CHECK_THROWS_AS(on_simgrid({"--simulate"}), UsageError);
  CHECK_THROWS_WITH(on_simgrid({"--simulate"}),
                    "--simulate: " + why +
                        "; accepted: --solver fast and --network-model CM02, or --routing simgrid");
  CHECK_THROWS_WITH(on_simgrid({"--fail-if", "makespan>1ms"}),
                    "a condition on makespan needs the simulation, but " + why);
  CHECK_THROWS_WITH(on_simgrid({"--rank-times", "times.csv"}),
                    "--rank-times needs the simulation, but " + why);
}
