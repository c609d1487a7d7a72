#include "sim/draw/rank_timeline.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <string>

#include "sim/draw/page/page.hpp"
#include "sim/run/plan.hpp"
#include "tests/sim/draw/drawn_problem.hpp"
#include "tests/sim/draw/rank_spans.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

using Kind = RankSpan::Kind;

/// Two steps of 1000 bytes from rank 0 to rank 1, then 500 bytes from rank 1 to rank 2.
std::string two_phases(bool barriers) {
  const auto traffic = [](const std::string& name, const std::string& edge) {
    return "\"traffic\": \"" + tests::write_file(name, "src,dst,bytes\n" + edge + "\n") + "\"}";
  };
  return std::string("{\"barriers\": ") + (barriers ? "true" : "false") +
         ", \"phases\": [{\"repeat\": 2, " + traffic("first.csv", "0,1,1000") + ", {" +
         traffic("second.csv", "1,2,500") + "]}";
}

/// On links of 1 GB/s without latency.
DrawnTimeline of_schedule(const std::string& schedule, std::string& clock) {
  Scenario scenario;
  scenario.topology = "cart:3";
  scenario.schedule = tests::write_file("two_phases.json", schedule);
  scenario.network = "torus:3";
  scenario.bandwidth = "1GBps";
  scenario.latency = "0ns";
  scenario.mappers = "block";
  RankTimeline timeline(3);
  Observer nobody;
  RunPlan plan = plan_run(scenario, nobody);
  plan.setup.spans = [&](std::size_t, const RankSpan& one) { timeline.add(one); };
  const Report report = compare(plan, nobody).report;
  const Row& row = report.rows.front();
  clock = row.clock;
  return timeline.take(row).drawn(row.simulation->makespan, 1000);
}

}  // namespace

TEST_CASE("By hand: the timeline of a schedule, with and without barriers", "[report][page]") {
  const bool barriers = GENERATE(false, true);
  std::string clock;
  const DrawnTimeline drawn = of_schedule(two_phases(barriers), clock);
  CHECK(clock == (barriers ? "phases" : "program"));
  // 1 us each for the two steps of the first phase, 0.5 us for the second one; spans of one kind
  // without a gap are one.
  const std::array expected{tests::rank_span(0, Kind::transferring, 0, 2e-6),
                            tests::rank_span(1, Kind::transferring, 0, 2.5e-6),
                            tests::rank_span(2, Kind::waiting, 0, 2e-6),
                            tests::rank_span(2, Kind::transferring, 2e-6, 2.5e-6)};
  CHECK(drawn.ranks == std::vector{Rank{0}, Rank{1}, Rank{2}});
  tests::check_same_spans(drawn.spans, expected);
}

TEST_CASE("A timeline of millions of spans takes the memory of thousands", "[report][page]") {
  // 1,000 ranks, of which 64 have a lane: 8,000 spans of 1 us each, work and waiting in turn but
  // for the last millisecond, which is one message.
  RankTimeline timeline(1000);
  constexpr int spans = 8000;
  for (int s = 0; s < spans; ++s)
    for (int r = 0; r < 1000; ++r)
      timeline.add(tests::rank_span(r, s % 4 == 3 ? Kind::waiting : Kind::computing, s * 1e-6,
                                    (s + 1) * 1e-6));
  for (int r = 0; r < 1000; ++r) timeline.add(tests::rank_span(r, Kind::transferring, 8e-3, 9e-3));
  timeline.add(tests::rank_span(1000, Kind::computing, 0, 1));  // of another job
  const DrawnTimeline drawn = timeline.drawn(Seconds{9e-3}, 4000);
  CHECK(drawn.ranks.size() == 64);
  CHECK(drawn.num_ranks == 1000);
  CHECK(drawn.spans.size() <= 2 * 4000);
  CHECK(drawn.spans.size() >= 64 * 2);
  double previous = 0;
  for (const RankSpan& one : drawn.spans) {
    if (one.begin.value == 0) previous = 0;
    CHECK(one.begin.value == Approx(previous).margin(1e-12));  // no gaps
    previous = one.end.value;
    // three of four parts are work
    CHECK(one.kind == (one.begin.value < 7.999e-3 ? Kind::computing : Kind::transferring));
  }
  CHECK(previous == Approx(9e-3));
}

TEST_CASE("A page has the timeline of ranks of each row that reports one, or says why not",
          "[report][page]") {
  DrawnProblem problem("cart:4", "torus:4");
  problem.add_row("block");
  CHECK(count_of(render_page(problem.report, problem.source), "Timeline of ranks") == 0);
  problem.report.rows[0].simulation.emplace().makespan = Seconds{1};
  problem.report.rows[0].clock = "burst";
  CHECK(count_of(render_page(problem.report, problem.source), "imeline of ranks") == 0);
  problem.report.rows[0].clock = "steps";
  problem.report.rows[0].solver = "fast";
  CHECK(count_of(render_page(problem.report, problem.source),
                 "No timeline of ranks: there are too many messages") == 1);
}
