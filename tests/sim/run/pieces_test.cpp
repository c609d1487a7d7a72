#include "sim/scenario/pieces.hpp"

#include <catch2/catch.hpp>

#include <set>
#include <string>
#include <vector>

#include "netmodels/platform/platform.hpp"  // some machines are platform files
#include "sim/run/rows.hpp"
#include "sim/scenario/auto_grid.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("each way to say who communicates is a source of its own") {
  Scenario scenario;
  CHECK_THROWS_WITH(guest_source(scenario), Catch::Contains("the application is missing"));
  scenario.traffic = "traffic.csv";
  scenario.per_message = true;
  CHECK(std::get<TrafficSource>(guest_source(scenario)).per_message);
  scenario.topology = "cart:4x4";
  scenario.patterns = {"phased", "bcast:root=1"};
  const auto topology = std::get<TopologySource>(guest_source(scenario));
  CHECK(topology.patterns.size() == 2);
  CHECK(topology.patterns_text == "phased,bcast:root=1");
  scenario.schedule = "phases.json";
  CHECK(std::get<ScheduleSource>(guest_source(scenario)).topology == "cart:4x4");
  scenario.trace = "run.goal";
  CHECK_THROWS_WITH(guest_source(scenario),
                    "--trace and --topology: a trace says itself who communicates with whom");
  Scenario trace;
  trace.trace = "run.goal";
  trace.compute_scale = "2";
  CHECK(std::get<TraceSource>(guest_source(trace)).options.compute_scale == 2);
}

TEST_CASE("a domain stands instead of volumes") {
  Scenario scenario;
  scenario.topology = "cart:4x4";
  scenario.bytes = "1KiB,2KiB";
  const auto volumes = std::get<TopologySource>(guest_source(scenario)).volumes;
  CHECK(std::get<std::vector<Bytes>>(volumes).size() == 2);
  scenario.domain = "64x64";
  const auto divided = std::get<TopologySource>(guest_source(scenario)).volumes;
  CHECK(std::get<DividedDomain>(divided).element.value == 8);
}

TEST_CASE("a number of ranks stands for every grid with little halo") {
  Scenario scenario;
  scenario.topology = "cart:auto";
  CHECK_THROWS_WITH(balanced_grids(scenario), Catch::Contains("--ranks"));
  scenario.ranks = 64;
  const auto names = [&] {
    std::vector<std::string> result;
    for (const Scenario& grid : balanced_grids(scenario).scenarios) result.push_back(grid.topology);
    return result;
  };
  // Cuts through a cube: 3 + 3 + 3, 7 + 3 + 1; 7 + 7 is more than 1.5 times 9.
  CHECK(names() == std::vector<std::string>{"cart:4x4x4", "cart:8x4x2"});
  // 512 elements of 8 B on a face of 4 KiB: no whole number squared; 23 * 4 = 92.
  scenario.bytes = "4KiB";
  CHECK(balanced_grids(scenario).scenarios.front().domain->text() == "92x92x92");
  scenario.bytes = "1MiB";
  scenario.domain = "1024x64";
  // 63/1024 + 0, 31/1024 + 1/64, 15/1024 + 3/64 (0.0615): 0.0459 is the least, 0.0615 below 0.0689.
  CHECK(names() == std::vector<std::string>{"cart:32x2", "cart:64x1", "cart:16x4"});
  scenario.domain = "4x4";
  CHECK_THROWS_WITH(names(), Catch::Contains("no grid of 64 ranks divides the domain 4x4"));
  Scenario halo;
  halo.ranks = 12;
  const auto source = std::get<TopologySource>(guest_source(halo));
  CHECK(source.spec == "cart:3x2x2");  // MPI_Dims_create(12, 3)
  CHECK_FALSE(source.assumed.empty());
}

TEST_CASE("a number of failed links is one of links that the baseline uses") {
  Scenario scenario;
  scenario.topology = "cart:4";
  scenario.network = "torus:8";
  scenario.hosts = "first:4";
  scenario.fail_links = {"2"};
  const auto named = [&] {
    return with_named_failures(guest_source(scenario), network_source(scenario), job_of(scenario))
        .edits.failed_links;
  };
  const auto links = named();
  REQUIRE(links.size() == 2);
  CHECK(links == named());
  // Ranks 0 to 3 in a row use the six links between them and no other.
  const std::set<std::string> used{"d0+:0->1", "d0+:1->2", "d0+:2->3",
                                   "d0-:1->0", "d0-:2->1", "d0-:3->2"};
  for (const std::string& link : links) CHECK(used.contains(link));
  Observer nobody;
  const auto assumed = build_experiment(scenario, nobody).assumptions;
  REQUIRE(assumed.size() == 1);
  CHECK_THAT(assumed.front(), Catch::StartsWith("failed: ") && Catch::Contains(links[0]) &&
                                  Catch::Contains(links[1]));
  scenario.fail_links = {"7"};
  CHECK_THROWS_WITH(named(), Catch::Contains("1 to 6"));
}

TEST_CASE("cables are of specifications and of those files that leave them open") {
  Scenario scenario;
  CHECK_THROWS_WITH(network_source(scenario), Catch::Contains("the machine is missing"));
  scenario.network = "torus:4x4";
  scenario.bandwidth = "1GBps";
  CHECK(std::get<NetworkSpecification>(network_source(scenario).from).links.bandwidth.value == 1e9);
  scenario.taper = "2";
  CHECK_THROWS_AS(network_source(scenario), UsageError);
  scenario.network.clear();
  const std::string conf = tests::write_file("cables.conf", "SwitchName=s0 Nodes=n[0-3]\n");
  scenario.platform = conf;
  CHECK(std::get<MachineFile>(network_source(scenario).from).cables.taper == 2);
  scenario.platform = "machine.xml";
  CHECK_THROWS_WITH(network_source(scenario),
                    "--bandwidth does not go with \"machine.xml\", which has its own");
}

TEST_CASE("hosts take a number of ranks or a share beyond the even one, not both") {
  Scenario scenario;
  scenario.imbalance = "8%";
  CHECK(std::get<double>(job_of(scenario).slots) == 0.08);
  scenario.slots = "4";
  CHECK_THROWS_WITH(job_of(scenario),
                    "--imbalance 8% says how many ranks a host takes, and so does --slots 4; "
                    "accepted is one of them");
}

TEST_CASE("the clock has a solver, and the order given is a mapper that reads its file") {
  Scenario scenario;
  CHECK(clock_of(scenario).how.solver == Solver::fast);
  scenario.network_model = "SMPI";
  CHECK(clock_of(scenario).how.solver == Solver::simgrid);
  CHECK_FALSE(mapping_of(scenario).order_file);
  scenario.embedding = "ranks.csv";
  CHECK(mapping_of(scenario).order_file->options.at("path") == "ranks.csv");
  CHECK(budget_of(scenario).threads >= 1);
}
