#include "sim/scenario/pieces.hpp"

#include <catch2/catch.hpp>

#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("each way to say who communicates is a source of its own") {
  Scenario scenario;
  CHECK_THROWS_WITH(guest_source(scenario),
                    "who communicates with whom is missing: give --topology or --traffic");
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

TEST_CASE("cables are of specifications and of those files that leave them open") {
  Scenario scenario;
  CHECK_THROWS_WITH(network_source(scenario),
                    "the interconnect is missing: give --network or --platform");
  scenario.network = "torus:4x4";
  scenario.bandwidth = "1GBps";
  CHECK(std::get<NetworkSpecification>(network_source(scenario).from).links.bandwidth.value == 1e9);
  scenario.taper = "2";
  CHECK_THROWS_AS(network_source(scenario), UsageError);
  scenario.network.clear();
  scenario.platform = "machine.conf";
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
