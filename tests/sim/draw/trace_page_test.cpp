#include "sim/draw/page/page.hpp"

#include <array>
#include <catch2/catch.hpp>
#include <map>
#include <string>

#include "tests/sim/draw/rank_spans.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Rank 0 works for 5 us, then sends 1000 bytes to rank 1, which answers with 500 after 1 us.
const char* const ping_pong =
    "num_ranks 2\n"
    "rank 0 {\na: calc 5000\nb: send 1000b to 1 tag 0\nb requires a\n"
    "c: recv 500b from 1 tag 1\nc requires b\n}\n"
    "rank 1 {\na: recv 1000b from 0 tag 0\nb: calc 1000\nb requires a\n"
    "c: send 500b to 0 tag 1\nc requires b\n}\n";

/// On links of 1 GB/s without latency.
TraceReport simulated(TraceWishes wishes, const std::string& overhead = "") {
  Scenario scenario;
  scenario.trace = tests::write_file("ping_pong.goal", ping_pong);
  scenario.network = "torus:2";
  scenario.bandwidth = "1GBps";
  scenario.latency = "0ns";
  scenario.mappers = "block";
  if (!overhead.empty()) scenario.overhead = overhead;
  Observer nobody;
  return run_trace(scenario, wishes, nobody);
}

}  // namespace

TEST_CASE("By hand: the timeline of a ping-pong") {
  using Kind = RankSpan::Kind;
  const TraceRow row = simulated({.timeline = true}).rows.front();
  const DrawnTimeline drawn = drawn_timeline(row, 8, 1000);
  // Rank 0: 5 us of work, 1 us in which its message leaves, 1 us for rank 1 to work, 0.5 us of the
  // answer. Rank 1: 5 us for rank 0, 1 us of the message, 1 us of work, 0.5 us of the answer.
  const std::array expected{tests::rank_span(0, Kind::computing, 0, 5e-6),
                            tests::rank_span(0, Kind::transferring, 5e-6, 6e-6),
                            tests::rank_span(0, Kind::waiting, 6e-6, 7e-6),
                            tests::rank_span(0, Kind::transferring, 7e-6, 7.5e-6),
                            tests::rank_span(1, Kind::waiting, 0, 5e-6),
                            tests::rank_span(1, Kind::transferring, 5e-6, 6e-6),
                            tests::rank_span(1, Kind::computing, 6e-6, 7e-6),
                            tests::rank_span(1, Kind::transferring, 7e-6, 7.5e-6)};
  tests::check_same_spans(drawn.spans, expected);
}

TEST_CASE("Spans of a rank add up to the times that are reported") {
  const auto* const overhead = GENERATE("", "100ns");
  const TraceRow row = simulated({.timeline = true}, overhead).rows.front();
  std::map<std::pair<int, RankSpan::Kind>, double> sums;
  for (const RankSpan& one : row.timeline)
    sums[{number(one.rank), one.kind}] += one.end.value - one.begin.value;
  for (int r = 0; r < 2; ++r) {
    const RankTimes& times = row.times.ranks[Rank{r}];
    CHECK(sums[{r, RankSpan::Kind::computing}] == Approx(times.computing.value));
    CHECK(sums[{r, RankSpan::Kind::transferring}] == Approx(times.transferring.value));
    CHECK(sums[{r, RankSpan::Kind::waiting}] ==
          Approx(times.waiting.value - times.transferring.value).margin(1e-15));
  }
}

TEST_CASE("A timeline that nobody asks for takes no memory") {
  CHECK(simulated({}).rows.front().timeline.empty());
}

TEST_CASE(
    "Short spans are drawn as what takes most of their time, in lanes evenly among the ranks") {
  using Kind = RankSpan::Kind;
  TraceRow row;
  row.times.makespan = Seconds{10};
  row.times.ranks = IdVector<Rank, RankTimes>(4);
  // Lanes of ranks 0 and 2; 2 lanes and 4 spans at most: spans of less than 5 s are merged.
  for (const int r : {0, 1, 2, 3})
    for (const RankSpan& one :
         {tests::rank_span(r, Kind::computing, 0, 2), tests::rank_span(r, Kind::waiting, 2, 5),
          tests::rank_span(r, Kind::transferring, 5, 10)})
      row.timeline.push_back(one);
  const DrawnTimeline drawn = drawn_timeline(row, 2, 4);
  CHECK(drawn.ranks == std::vector{Rank{0}, Rank{2}});
  CHECK(drawn.merged == Seconds{5});
  REQUIRE(drawn.spans.size() == 4);
  CHECK(drawn.spans[0].kind == Kind::waiting);  // 3 of 5 s
  CHECK(drawn.spans[0].end == Seconds{5});
  CHECK(drawn.spans[1].kind == Kind::transferring);
}

TEST_CASE(
    "The page of a trace holds its timeline, its times and its critical path, and loads nothing") {
  const TraceReport report = simulated({.critical_path = true, .timeline = true});
  const std::string page = render_trace_page(report);
  CHECK(page.find("<figure id=\"timeline\"") != std::string::npos);
  CHECK(page.find("<h2>Critical path</h2>") != std::string::npos);
  CHECK(page.find("makespan 7.5 us") != std::string::npos);
  CHECK(page.find("class=\"computing\"") != std::string::npos);  // without any script
  CHECK(page.find("src=") == std::string::npos);
}
