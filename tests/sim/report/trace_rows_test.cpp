#include <catch2/catch.hpp>

#include <string>

#include "sim/formats/traces/foreign_traces.hpp"  // the traces are in GOAL
#include "sim/report/trace_run.hpp"
#include "sim/run/plan.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Rank 0 works for 5 us, then sends 1000 bytes to rank 2, which answers with 500; ranks 1 and 3
/// exchange 1500 bytes in each direction meanwhile.
const char* const two_pairs =
    "num_ranks 4\n"
    "rank 0 {\na: calc 5000\nb: send 1000b to 2 tag 0\nb requires a\n"
    "c: recv 500b from 2 tag 1\nc requires b\n}\n"
    "rank 1 {\na: send 1500b to 3 tag 0\nb: recv 1500b from 3 tag 0\n}\n"
    "rank 2 {\na: recv 1000b from 0 tag 0\nb: send 500b to 0 tag 1\nb requires a\n}\n"
    "rank 3 {\na: send 1500b to 1 tag 0\nb: recv 1500b from 1 tag 0\n}\n";

/// On a ring of 4 hosts with links of 1 GB/s without latency.
Scenario pairs_on_ring() {
  Scenario scenario;
  scenario.trace = tests::write_file("pairs.goal", two_pairs);
  scenario.network = "torus:4";
  scenario.bandwidth = "1GBps";
  scenario.latency = "0ns";
  return scenario;
}

std::string refusal(const Scenario& scenario) {
  try {
    run(scenario);
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

}  // namespace

TEST_CASE("a row of a trace has the time of the application and the traffic of all of it") {
  const Report report = run(pairs_on_ring());
  const Row& row = report.rows.front();
  CHECK(row.clock == "trace");
  // 1000 + 500 + 2 * 1500 bytes over two hops each.
  CHECK(row.metrics.hop_bytes.value == 9000);
  REQUIRE(row.simulation);
  // 5 us of work, 1 us and 0.5 us of messages, which meet no other after 3 us at the latest.
  CHECK(row.simulation->makespan.value == Approx(6.5e-6));
  // Ranks 1 and 3 have ended when their messages have: alone on their links by 1.5 us, the routes
  // of both pairs share no more than one link before 5 us.
  CHECK(row.simulation->rank_finish[1].value == Approx(1.5e-6));
  CHECK(row.simulation->rank_computing[0].value == Approx(5e-6));
}

TEST_CASE("rows of a trace have the times that its replay has") {
  Scenario scenario = pairs_on_ring();
  scenario.mappers = "block,random";
  Observer nobody;
  const TraceReport replay = run_trace(scenario, {}, nobody);
  const Report report = run(scenario);
  REQUIRE(report.rows.size() == 2);
  for (std::size_t m = 0; m < 2; ++m)
    CHECK(report.rows[m].simulation->makespan.value == replay.rows[m].times.makespan.value);
}

TEST_CASE("the order given is kept where another does not shorten the application") {
  Scenario scenario = pairs_on_ring();
  scenario.mappers = "portfolio";
  Observer nobody;
  RunPlan plan = plan_run(scenario, nobody);
  const Report report = keep_or_move(plan, nobody).report;
  REQUIRE(report.rows.size() == 2);
  // The links have no latency and what takes long is work: one hop instead of two changes nothing.
  CHECK(report.rows[1].metrics.hop_bytes.value == 4500);
  CHECK(report.rows[1].simulation->makespan.value == Approx(6.5e-6));
  CHECK(report.verdict.kept_order == true);
  CHECK(report.verdict.ties == std::vector<std::size_t>{1});
}

TEST_CASE("never slower than the order given: portfolio on a trace of random messages") {
  for (const int seed : {1, 2, 3, 4, 5, 6}) {
    Scenario scenario;
    // Ranks r and r + 8 exchange twice, with work between, on a line of 16 hosts.
    std::string text = "num_ranks 16\n";
    for (int r = 0; r < 16; ++r) {
      text += "rank " + std::to_string(r) + " {\n";
      for (int step = 0; step < 2; ++step) {
        const std::string s = std::to_string(step), other = std::to_string((r + 8) % 16);
        text += "w" + s + ": calc " + std::to_string(100 * ((r * 7 + seed) % 5)) + "\n";
        text += "s" + s + ": send 4000b to " + other + " tag " + s + "\n";
        text += "r" + s + ": recv 4000b from " + other + " tag " + s + "\n";
        text += "s" + s + " requires w" + s + "\n";
        if (step > 0) text += "w1 requires r0\n";
      }
      text += "}\n";
    }
    scenario.trace = tests::write_file("random.goal", text);
    scenario.network = "mesh:16";
    scenario.seed = static_cast<std::uint64_t>(seed);
    scenario.steps = 2000;
    scenario.mappers = "block,random,greedy,portfolio";
    const Report report = run(scenario);
    const double best = report.rows.back().simulation->makespan.value;
    for (const Row& row : report.rows) CHECK(best <= row.simulation->makespan.value * (1 + 1e-9));
    // Neighbours share no link: 0.8 us of messages, and the longest work twice at most.
    CHECK(best >= 0.8e-6);
    CHECK(best < report.rows.front().simulation->makespan.value / 2);
  }
}

TEST_CASE("a trace runs beside other jobs") {
  Scenario scenario = pairs_on_ring();
  // Host 0 sends 12000 bytes to host 1 from time 0 on: rank 0's message shares the link with it.
  scenario.background = tests::write_file("others.csv", "src_host,dst_host,bytes\n0,1,12000\n");
  const Report report = run(scenario);
  // 5 us of work, 1000 bytes at half a link are 2 us; the answer takes the links 2 -> 3 -> 0 alone.
  CHECK(report.rows.front().simulation->makespan.value == Approx(7.5e-6));
}

TEST_CASE("a trace goes with no other application") {
  Scenario scenario = pairs_on_ring();
  scenario.topology = "cart:4";
  CHECK(refusal(scenario) ==
        "--trace and --topology: a trace says itself who communicates with whom");
  scenario.topology.clear();
  scenario.barriers = true;
  CHECK(refusal(scenario) == "--trace and --barriers: a trace has the barriers of its program");
  scenario.barriers = false;
  scenario.routing = "adaptive";
  CHECK(refusal(scenario).find("adaptive") != std::string::npos);
}
