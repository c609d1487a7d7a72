#include "sim/run/run.hpp"

#include <catch2/catch.hpp>

#include <fstream>

#include "netmodels/platform/platform.hpp"  // some machines are platform files
#include "sim/run/load_network.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;

namespace {

/// A ring of 4 ranks on a ring of 4 hosts, each in its own.
Scenario ring_on_ring() {
  Scenario scenario;
  scenario.topology = "cart:4p";
  scenario.bytes = "1000";
  scenario.network = "torus:4";
  scenario.bandwidth = "1GBps";
  return scenario;
}

/// Remembers what was said.
struct Listener : Observer {
  void remark(const std::string& sentence) override { remarks.push_back(sentence); }
  std::vector<std::string> remarks;
};

/// Messages that end at more than a hundred times, under each of three mappers.
Scenario contended() {
  Scenario scenario;
  scenario.topology = "rgg:400:8:1";
  scenario.network = "torus:20x20";
  scenario.mappers = "block,round_robin,random";
  return scenario;
}

/// Says stop as soon as something is simulated.
struct Interrupter : Listener {
  struct Request : StopRequest {
    explicit Request(const std::atomic<bool>& is_set) : is_set_now(is_set) {}
    const std::atomic<bool>* flag() const override { return &is_set_now; }
    const std::atomic<bool>& is_set_now;
  };

  std::unique_ptr<Work> begin(const std::string& label) override {
    stop = label.starts_with("simulating");
    return std::make_unique<Work>();
  }
  std::unique_ptr<StopRequest> listen() override { return std::make_unique<Request>(stop); }

  std::atomic<bool> stop = false;
};

/// Path of the file of a machine that states the routing rule `adaptive`.
std::string adaptive_machine() {
  std::string path = tests::own_folder() + "/adaptive-machine.xml";
  std::ofstream(path)
      << "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"a\" routing=\"None\">"
         "<prop id=\"vtopo-network\" value=\"hyperx:3x3\"/>"
         "<prop id=\"vtopo-routing\" value=\"adaptive\"/><host id=\"h\" speed=\"1Gf\"/></zone>"
         "</platform>\n";
  return path;
}

}  // namespace

TEST_CASE("a scenario runs into a report with a row for each mapper") {
  Scenario scenario = ring_on_ring();
  scenario.mappers = "block,round_robin";
  const Report report = run(scenario);
  REQUIRE(report.rows.size() == 2);
  for (const Row& row : report.rows) {
    // 8 directed edges of 1000 bytes, each over one hop.
    CHECK(row.metrics.hop_bytes.value == 8000);
    CHECK(row.bounds.hop_bytes.value <= 8000);
    // Every link carries one message: 1000 bytes at 1 GB/s, and at most a few latencies.
    CHECK(row.metrics.max_congestion.value == Approx(1e-6));
    REQUIRE(row.simulation);
    CHECK(row.simulation->makespan.value >= 1e-6);
  }
}

TEST_CASE("rows have the same times simulated one after the other or side by side") {
  Scenario scenario = contended();
  scenario.threads = 1;
  const Report alone = run(scenario);
  scenario.threads = 3;
  const Report together = run(scenario);
  REQUIRE(together.rows.size() == 3);
  for (std::size_t r = 0; r < 3; ++r) {
    REQUIRE(together.rows[r].simulation);
    CHECK(together.rows[r].solver == "fast");
    CHECK(together.rows[r].simulation->rank_finish == alone.rows[r].simulation->rank_finish);
  }
}

TEST_CASE("rows have the same times simulated while a portfolio still searches") {
  Scenario scenario = contended();
  scenario.mappers = "portfolio,block,round_robin,random";
  scenario.steps = 2000;
  scenario.threads = 1;
  const Report alone = run(scenario);
  scenario.threads = 2;
  const Report together = run(scenario);
  REQUIRE(together.rows.size() == alone.rows.size());
  for (std::size_t r = 0; r < alone.rows.size(); ++r) {
    REQUIRE(together.rows[r].simulation);
    CHECK(together.rows[r].simulation->rank_finish == alone.rows[r].simulation->rank_finish);
  }
}

TEST_CASE("rows that are interrupted while they are simulated have static figures and a remark") {
  Scenario scenario = contended();
  for (const int threads : {1, 3}) {
    scenario.threads = threads;
    Interrupter user;
    const Report report = run(scenario, user);
    CHECK(user.remarks == std::vector<std::string>{"interrupted: block is not simulated",
                                                   "interrupted: round_robin is not simulated",
                                                   "interrupted: random is not simulated"});
    for (const Row& row : report.rows) {
      CHECK(row.metrics.max_congestion.value > 0);
      CHECK_FALSE(row.simulation);
    }
  }
}

TEST_CASE("the scenario of a report says what was run, in full and as it was written") {
  Scenario scenario = ring_on_ring();
  scenario.simulate = false;
  const Report report = run(scenario);
  using Pairs = std::vector<std::pair<std::string, std::string>>;
  CHECK(report.scenario == Pairs{{"topology", "cart:4p"},
                                 {"bytes", "1000"},
                                 {"network", "torus:4"},
                                 {"bandwidth", "1GBps"},
                                 {"latency", "100ns"},
                                 {"routing", "auto"},
                                 {"hosts", "all"},
                                 {"slots", "1"},
                                 {"seed", "1"},
                                 {"mapper", "block"},
                                 {"no-simulate", "true"}});
  CHECK_FALSE(report.rows.front().simulation);
}

TEST_CASE("who watches a run is told which mappers do not apply") {
  Scenario scenario = ring_on_ring();
  scenario.topology = "hypercube:2";
  scenario.mappers = "all";
  scenario.simulate = false;
  scenario.steps = 10;
  Listener listener;
  const Report report = run(scenario, listener);
  CHECK_FALSE(listener.remarks.empty());
  CHECK(listener.remarks.front().starts_with("left out: "));
}

TEST_CASE("what does not fit together is refused before work starts") {
  Scenario scenario = ring_on_ring();
  scenario.objective = "simulated-time";
  scenario.simulate = false;
  CHECK_THROWS_WITH(run(scenario),
                    "--objective simulated-time needs the simulation, which --no-simulate leaves "
                    "out");
  CHECK_THROWS_AS(run(Scenario()), UsageError);
}

TEST_CASE("two options of which one would not count are refused also without a command line") {
  Scenario scenario = ring_on_ring();
  scenario.traffic = "ring.csv";
  CHECK_THROWS_WITH(run(scenario), "--topology and --traffic exclude each other: give one of them");
  scenario = ring_on_ring();
  scenario.platform = "machine.xml";
  CHECK_THROWS_WITH(run(scenario), "--network and --platform exclude each other: give one of them");
}

TEST_CASE("a value of a scenario is checked when it is set") {
  Scenario scenario;
  CHECK_THROWS_AS(scenario.bandwidth = "fast", UsageError);
  CHECK_THROWS_AS(scenario.slots = "0", UsageError);
  scenario.latency = "2us";
  CHECK((*scenario.latency).value == Approx(2e-6));
  CHECK(scenario.latency.text() == "2us");
}

TEST_CASE("costs of endpoints come from the platform file, and the scenario overrides them") {
  Scenario scenario = ring_on_ring();
  Observer nobody;
  CHECK(is_free(load_network(scenario, nobody).endpoint));
  scenario.eager_limit = "8KiB";
  CHECK(load_network(scenario, nobody).endpoint.eager_limit.value == 8192);
  scenario.network.clear();
  scenario.platform = tests::own_folder() + "/endpoint-costs.xml";
  std::ofstream(scenario.platform)
      << "<?xml version='1.0'?>\n<platform version=\"4.1\">\n<zone id=\"a\" routing=\"None\">"
         "<prop id=\"vtopo-network\" value=\"torus:4\"/><prop id=\"vtopo-overhead\" value=\"2us\"/>"
         "<prop id=\"vtopo-eager-limit\" value=\"1KiB\"/><host id=\"h\" speed=\"1Gf\"/></zone>"
         "</platform>\n";
  scenario.loopback_bandwidth = "5GBps";
  scenario.bandwidth = "10GBps";
  const EndpointCosts costs = load_network(scenario, nobody).endpoint;
  CHECK(costs.overhead.value == Approx(2e-6));
  CHECK(costs.eager_limit.value == 8192);
  CHECK(costs.handshake.value == 0);
  CHECK(costs.memory_bandwidth.value == 5e9);
  scenario.gap = "3us";
  CHECK_THROWS_WITH(
      load_network(scenario, nobody),
      "--gap 3 us: further messages cost at most as much as the first one, whose overhead "
      "is 2 us");
  scenario.gap = "1us";
  CHECK(load_network(scenario, nobody).endpoint.overhead_of(3).value == Approx(4e-6));
}

// 1000 bytes at 1 GB/s take 1 us, a link 100 ns. Each rank sends after 1 us and 2 us of overhead;
// its messages arrive after 2.1 us and 3.1 us and cost 1 us each: it finishes after 4.1 us. With
// a gap of 0.4 us it sends after 1 us and 1.4 us; the last message arrives after 2.5 us: 3.5 us.
TEST_CASE("costs of endpoints lengthen a run, or are refused by a clock that does not know them") {
  Scenario scenario = ring_on_ring();
  scenario.overhead = "1us";
  const Report report = run(scenario);
  REQUIRE(report.rows[0].simulation);
  CHECK(report.rows[0].simulation->makespan.value == Approx(4.1e-6));
  CHECK(report.rows[0].simulation->rank_computing[2].value == Approx(4e-6));
  CHECK(report.rows[0].clock == "program");
  scenario.gap = "400ns";
  CHECK(run(scenario).rows[0].simulation->makespan.value == Approx(3.5e-6));
  scenario.solver = "simgrid";
  CHECK_THROWS_AS(run(scenario), UsageError);
}

TEST_CASE("a machine has the rule that its file states, with edits before it") {
  Scenario scenario = ring_on_ring();
  Listener user;
  CHECK(to_string(load_network(scenario, user).network->routing()) == "auto");
  scenario.network.clear();
  scenario.bandwidth = "10GBps";
  scenario.platform = adaptive_machine();
  CHECK(load_network(scenario, user).network->routing() == Routing::adaptive);
  scenario.scale_bandwidth = {"*=0.5"};
  const LoadedNetwork edited = load_network(scenario, user);
  CHECK(edited.network->routing() == Routing::adaptive);
  CHECK(edited.network->link(LinkId{0}).bandwidth.value == 5e9);
  scenario.routing = "simgrid";
  CHECK(load_network(scenario, user).network->routing() == Routing::simgrid);
  CHECK(user.remarks.empty());
  // The detours of adaptive refuse failed links.
  scenario.routing = "auto";
  scenario.fail_hosts = {"host-4"};
  CHECK(load_network(scenario, user).network->routing() == Routing::simgrid);
  REQUIRE(user.remarks.size() == 1);
  CHECK(user.remarks[0].starts_with("routing simgrid instead of adaptive, which \""));
  scenario.fail_hosts = {"host-99"};
  CHECK_THROWS_AS(load_network(scenario, user), UsageError);
  CHECK(user.remarks.size() == 1);
}

TEST_CASE(
    "a machine whose rule sees only whole traffic has SimGrid's where messages are followed") {
  Scenario scenario = ring_on_ring();
  scenario.network.clear();
  scenario.bandwidth = "10GBps";
  scenario.platform = adaptive_machine();
  scenario.hosts = "first:4";
  Listener user;
  CHECK(run(scenario, user).rows[0].routing == Routing::adaptive);
  CHECK(user.remarks.empty());
  scenario.overhead = "1us";
  CHECK(run(scenario, user).rows[0].routing == Routing::simgrid);
  REQUIRE(user.remarks.size() == 1);
  CHECK(user.remarks[0].starts_with("routing simgrid instead of adaptive, which \""));
  scenario.routing = "adaptive";
  CHECK_THROWS_AS(run(scenario, user), UsageError);
}
