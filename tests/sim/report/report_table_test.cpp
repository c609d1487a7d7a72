#include <catch2/catch.hpp>

#include "tests/sim/report_rows.hpp"
#include "tests/support/text.hpp"

using namespace vtopo;
using tests::contains;

TEST_CASE("The table of a small comparison") {
  // By hand: 12 MiB is 50 % above the bound of 8 MiB; 9 MiB is 25 % below 12 and 12.5 % above 8,
  // and 12.5 is written as 12 (ties to even); 105 us is half of 210 us.
  Row block = simulated(make_row("block", 12 * mebibyte, 210e-6), 210.4e-6);
  Row greedy = simulated(make_row("greedy", 9 * mebibyte, 105e-6), 105.2e-6);
  greedy.top_links = {{"d0+:3->0", {{1.5 * mebibyte}, 2, {150e-6}}},
                      {"d0-:10->9", {{mebibyte}, 1, {100e-6}}}};
  const std::string expected = R"(guest    cart:2x2, 4 ranks, 8 edges
network  torus:4, 4 hosts, 8 links
routing  simgrid
bounds   any embedding: hop-bytes >= 8 MiB, busiest link >= 100 us

          max_dilation  mean_dilation  ------ hop_bytes ------  max_link_load  max_flows_per_link  max_congestion  makespan
mapper            hops           hops  MiB  vs block  vs bound            MiB               flows    us  vs block        us
greedy *             2           1.50    9     -25 %     +12 %              2                   2   105     -50 %       105
block                2           1.50   12         -     +50 %              2                   2   210         -       210
vs bound: excess over the lower bound of any embedding
max_congestion: bytes / bandwidth of the busiest link, the static time; makespan: simulated time
* greedy: hop-bytes 12 % above the lower bound; the busiest link 5.0 % above its lower bound

most loaded links of greedy
  link       MiB  flows   us
  d0+:3->0   1.5      2  150
  d0-:10->9  1.0      1  100

makespan simulated by SimGrid, model CM02:
  bandwidth shared max-min fairly, no cross traffic, latencies added per flow
greedy is best by simulated time: it would cut hop-bytes by 25 %, the busiest link by 50 % and the simulated time by 50 % against block
)";
  CHECK(render_table(make_report({block, greedy}), false) == expected);
}

TEST_CASE("The details of one embedding") {
  // By hand: 12 MiB is 50 %, 210 us 110 % above its bound; 231 us is 10 % above 210 us. The longest
  // bar has 50 characters.
  Row row = simulated(make_row("block", 12 * mebibyte, 210e-6), 231e-6);
  row.network_model = "LV08";
  row.metrics.hop_histogram = {0, 5, 3};
  const std::string expected = R"(guest    cart:2x2, 4 ranks, 8 edges
network  torus:4, 4 hosts, 8 links
routing  simgrid

mapper             block
dilation           max 2, mean 1.50 hops over 8 edges
volume             8 MiB, of it 0 B inside hosts
edges out          8 leave their host (Jsum), at most 2 from one host (Jmax)
hop_bytes          12 MiB (50 % above the lower bound 8 MiB), 1.50 hops per byte
max_link_load      2 MiB, mean over all links 768 KiB
max_flows_per_link 2
max_congestion     210 us (110 % above the lower bound over all embeddings 100 us)
makespan           231 us (10 % above the static bound 210 us), burst makespan of aggregated traffic
mapping took       250 ms
simulation took    500 ms

hops  edges
   0      0
   1      5  ##################################################
   2      3  ##############################

burst makespan of aggregated traffic simulated by SimGrid, model LV08:
  latency and bandwidth corrected for TCP as SimGrid does
block: hop-bytes 50 % above the lower bound; the busiest link 110 % above its lower bound; the simulated time 10 % above the static bound
)";
  Report report = make_report({row});
  report.makespan_name = "burst makespan of aggregated traffic";
  CHECK(render_table(report, false) == expected);
}

TEST_CASE("A table of five mappers fits into 132 columns") {
  // Headings are the names of CSV and JSON, which take 32 columns more than short words would.
  Report report = make_report({simulated(make_row("block", 7524e6, 8.39e-4), 8.4e-4),
                               simulated(make_row("random", 16903e6, 3.88e-3), 3.881e-3),
                               simulated(make_row("greedy", 4666e6, 4.19e-4), 4.2e-4),
                               simulated(make_row("stencil_strips", 8178e6, 9.44e-4), 9.45e-4),
                               simulated(make_row("annealing", 3382e6, 3.15e-4), 3.152e-4)});
  const auto lines = lines_of(render_table(report, false));
  // Four lines of head, one empty; two of headings; five rows and their explanation.
  REQUIRE(lines.size() > 13);
  for (std::size_t line = 5; line < 14; ++line) CHECK(lines[line].size() <= 132);
}

TEST_CASE("Only the best row, the notes and the verdict change with colour") {
  const Report report = make_report(
      {make_row("block", 12 * mebibyte, 210e-6), make_row("greedy", 9 * mebibyte, 105e-6)});
  CHECK_FALSE(contains(render_table(report, false), "\x1b"));
  const auto plain = lines_of(render_table(report, false));
  auto coloured = lines_of(render_table(report, true));
  REQUIRE(coloured.size() == plain.size());
  for (std::size_t line = 0; line < plain.size(); ++line) {
    if (plain[line].starts_with("greedy") || plain[line].starts_with("* greedy"))
      CHECK(coloured[line] == "\x1b[1m" + plain[line] + "\x1b[0m");
    else if (plain[line].starts_with("vs bound") || plain[line].starts_with("max_congestion:") ||
             plain[line].starts_with("not simulated"))
      CHECK(coloured[line] == "\x1b[2m" + plain[line] + "\x1b[0m");
    else
      CHECK(coloured[line] == plain[line]);
  }
}

TEST_CASE("A table without simulation says so and has no column for it") {
  const std::string text =
      render_table(make_report({make_row("block", 12, 2e-6), make_row("greedy", 9, 1e-6)}), false);
  CHECK_FALSE(contains(text, "simulated\n"));
  CHECK(contains(text, "not simulated: the static bound is a lower bound of the simulated time\n"));
}

TEST_CASE("The table names the routing and why it was not simulated") {
  Row row = make_row("block", 12 * mebibyte, 210e-6);
  row.routing = Routing::ecmp;
  Report report = make_report({row, row});
  report.not_simulated = "SimGrid cannot; all figures are static";
  const std::string text = render_table(report, false);
  CHECK(contains(text, "\nrouting  ecmp\n"));
  CHECK(contains(text,
                 "\nnot simulated: SimGrid cannot; all figures are static\nwith routing ecmp, "));
}

TEST_CASE("Most loaded links are listed with their kind where there are several") {
  Row row = make_row("block", 12 * mebibyte, 210e-6);
  row.top_links = {{"r0->r1", {{1.5 * mebibyte}, 2, {150e-6}}, "green"},
                   {"r10->r9", {{mebibyte}, 1, {100e-6}}, "blue"}};
  CHECK(contains(render_table(make_report({row}), false), R"(
most loaded links of block
  link     kind   MiB  flows   us
  r0->r1   green  1.5      2  150
  r10->r9  blue   1.0      1  100
)"));
}

TEST_CASE("A row that was not simulated has a dash beside rows that were") {
  const std::string text =
      render_table(make_report({simulated(make_row("block", 12 * mebibyte, 210e-6), 210e-6),
                                make_row("greedy", 9 * mebibyte, 105e-6)}),
                   false);
  CHECK(contains(text, "105     -50 %         -\n"));
  CHECK(contains(text, "makespan of 1 of 2 rows simulated by SimGrid, model CM02:"));
}

TEST_CASE("Bounds that differ between rows are not in the head") {
  Report report = make_report({make_row("block", 12, 2e-6), make_row("greedy", 9, 1e-6)});
  CHECK(contains(render_table(report, false), "\nbounds "));
  report.rows[1].bounds.hop_bytes = {4};
  CHECK_FALSE(contains(render_table(report, false), "\nbounds "));
}

TEST_CASE("Rows of one mapper with different seeds carry the seed in their name") {
  Report report = make_report({make_row("random", 12, 2e-6), make_row("random", 9, 1e-6)});
  report.rows[1].seed = 7;
  CHECK(verdict(report) ==
        "random (seed 7) is best by static time: it would cut hop-bytes by 25 % and the busiest "
        "link by 50 % against random "
        "(seed 1)");
  CHECK(contains(render_table(report, false), "\nrandom (seed 1) "));
}

TEST_CASE("Values far apart stay readable in one unit") {
  // 1 KiB and 1 TiB are nine digits apart: the column is in TiB and the small value is only a
  // limit.
  const std::string text = render_table(
      make_report({make_row("block", 1099511627776.0, 2), make_row("greedy", 1024, 1)}), false);
  CHECK(contains(text, " TiB  vs block"));
  CHECK(contains(text, "greedy *             2           1.50   <1 "));
  // 900 KiB and 4 MiB are less than four digits apart: KiB, where both are whole.
  const std::string near = render_table(
      make_report({make_row("block", 4096 * 1024.0, 2), make_row("greedy", 900 * 1024.0, 1)}),
      false);
  CHECK(contains(near, "  4096 "));
  CHECK(contains(near, "   900 "));
}

TEST_CASE("A change of more than 9999 % is written as a ratio") {
  // 8 MiB is the bound: 1000 MiB is 125 times that, 12400 % above it.
  CHECK(contains(render_table(make_report({make_row("block", 1000 * mebibyte, 1),
                                           make_row("greedy", 8 * mebibyte, 1)}),
                              false),
                 "  125x "));
}

TEST_CASE("A long hop histogram shares bars and loses no edge") {
  // 100 hop counts in at most 24 bars: 5 to a bar, 20 bars, with 5 edges each except the last.
  Row row = make_row("block", 12, 2e-6);
  row.metrics.hop_histogram.assign(100, 1);
  row.metrics.hop_histogram.back() = 1001;
  const std::string text = render_table(make_report({row}), false);
  CHECK(contains(text, "\n  0-4      5  #\n  5-9      5  #\n10-14 "));
  CHECK(contains(text, "\n95-99   1005  ####"));
}
