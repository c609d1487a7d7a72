#include <catch2/catch.hpp>

#include <algorithm>

#include "sim/report/fields.hpp"
#include "sim/report/text_columns.hpp"
#include "tests/sim/report_rows.hpp"
#include "tests/support/text.hpp"

using namespace vtopo;
using tests::contains;

namespace {

/// Without the breaks of lines.
std::string words_of(std::string text) {
  std::replace(text.begin(), text.end(), '\n', ' ');
  const auto both_blank = [](char a, char b) { return a == ' ' && b == ' '; };
  text.erase(std::unique(text.begin(), text.end(), both_blank), text.end());
  return text;
}

}  // namespace

TEST_CASE("The table of a small comparison") {
  // By hand: 12 MiB is 50 % above the bound of 8 MiB; 9 MiB is 25 % below 12 and 12.5 % above 8,
  // and 12.5 is written as 12 (ties to even); 105 us is half of 210 us.
  Row block = simulated(make_row("block", 12 * mebibyte, 210e-6), 210.4e-6);
  Row greedy = simulated(make_row("greedy", 9 * mebibyte, 105e-6), 105.2e-6);
  greedy.top_links = {{"d0+:3->0", {{1.5 * mebibyte}, 2, {150e-6}}},
                      {"d0-:10->9", {{mebibyte}, 1, {100e-6}}}};
  const std::string expected = R"(application  cart:2x2, 4 ranks, 8 edges
network      torus:4, 4 hosts, 8 links
routing      simgrid
noise        not measured
bounds       any placement: hop-bytes >= 8 MiB, busiest link >= 100 us

          - hop-bytes -   busiest link  simulated time
mapper    MiB  vs block   us  vs block    us  vs block
greedy *    9     -25 %  105     -50 %   105     -50 %
block      12         -  210         -   210         -
*: best; hop-bytes (hop_bytes): bytes times the links that they cross; busiest
  link (max_congestion): time that it needs for its bytes, the static time;
  simulated time (makespan)

most loaded links of greedy
  link       MiB  flows   us
  d0+:3->0   1.5      2  150
  d0-:10->9  1.0      1  100

simulated time by SimGrid, model CM02 (bandwidth shared max-min fairly, no cross
  traffic, latencies added per flow)
* greedy: hop-bytes 12 % above the lower bound; the busiest link 5.0 % above its
  lower bound
greedy is best by simulated time: it would cut hop-bytes by 25 %, the busiest
  link by 50 % and the simulated time by 50 % against block
)";
  CHECK(render_table(make_report({block, greedy})) == expected);
}

TEST_CASE("The details of one embedding") {
  // By hand: 12 MiB is 50 %, 210 us 110 % above its bound; 231 us is 10 % above 210 us. The longest
  // bar has 50 characters.
  Row row = simulated(make_row("block", 12 * mebibyte, 210e-6), 231e-6);
  row.network_model = "LV08";
  row.metrics.hop_histogram = {0, 5, 3};
  const std::string expected = R"(application  cart:2x2, 4 ranks, 8 edges
network      torus:4, 4 hosts, 8 links
routing      simgrid

mapper           block
hops             at most 2, mean 1.50 over 8 edges
volume           8 MiB, 0 B of it inside hosts
edges out        8 leave their host (jsum), at most 2 from one host (jmax)
hop-bytes        12 MiB, 50 % above the lower bound of 8 MiB; 1.50 hops per byte
busiest link     210 us, 110 % above the lower bound of 100 us
load of links    at most 2 MiB, mean over all 768 KiB; at most 2 flows
simulated time   231 us, 10 % above the static bound of 210 us
mapping took     250 ms
simulation took  500 ms

hops  edges
   0      0
   1      5  ##################################################
   2      3  ##############################

simulated time (burst makespan of aggregated traffic) by SimGrid, model LV08
  (latency and bandwidth corrected for TCP as SimGrid does)
block: hop-bytes 50 % above the lower bound; the busiest link 110 % above its
  lower bound; the simulated time 10 % above the static bound
)";
  Report report = make_report({row});
  report.makespan_name = "burst makespan of aggregated traffic";
  CHECK(render_table(report) == expected);
}

TEST_CASE("No line is wider than the terminal, whatever the columns and names") {
  Report report = make_report(
      {simulated(make_row("block", 7524e6, 8.39e-4), 8.4e-4),
       simulated(make_row("random", 16903e6, 3.88e-3), 3.881e-3),
       simulated(make_row("external:command=/home/Träff/bin/my-own-mapper,guest=csv,network=xml",
                          4666e6, 4.19e-4),
                 4.2e-4)});
  report.network =
      "dragonfly:20,8;1,1;16,1;16,groups=8:16*16/23:31*4,bandwidth=25GBps/50GBps/100GBps/200GBps";
  for (const std::size_t width : {std::size_t{60}, std::size_t{80}, std::size_t{132}})
    for (const char* columns : {"", "all", "max_dilation,jsum", "busiest link"})
      for (const auto& line : lines_of(render_table(report, {{width, false}, columns})))
        CHECK(detail::text_width(line) <= width);
  // The specification is broken, not cut.
  std::string whole = render_table(report);
  std::erase_if(whole, [](char c) { return c == ' ' || c == '\n'; });
  CHECK(contains(whole, "16,groups=8:16*16/23:31*4,bandwidth=25GBps/50GBps/100GBps/200GBps"));
}

TEST_CASE("Columns that were asked for, by the names of CSV, in words, or all") {
  const Report report = make_report(
      {make_row("block", 12 * mebibyte, 210e-6), make_row("greedy", 9 * mebibyte, 105e-6)});
  const std::string text = render_table(report, {{}, "max_dilation,hop-bytes"});
  CHECK(
      contains(text, "\nmapper    most hops  MiB  vs block\ngreedy *          2    9     -25 %\n"));
  CHECK(contains(text, "*: best; most hops (max_dilation); hop-bytes (hop_bytes): "));
  const std::string all = words_of(render_table(report, {{}, "all"}));
  for (const auto& field : detail::row_fields())
    if (field.words != field.name) CHECK(contains(all, '(' + std::string(field.name) + ')'));
  CHECK_THROWS_WITH(render_table(report, {{}, "hop_byte"}),
                    Catch::Contains("unknown column \"hop_byte\"") &&
                        Catch::Contains("did you mean \"hop_bytes\"?"));
}

TEST_CASE("Ties are marked, and the noise of the machine is named") {
  Report report = make_report({simulated(make_row("block", 12 * mebibyte, 210e-6), 210e-6),
                               simulated(make_row("greedy", 9 * mebibyte, 105e-6), 205e-6)});
  report.noise = 0.04;  // ln(210 / 205) = 0.024
  report.verdict = detail::decide(report);
  const std::string text = render_table(report);
  CHECK(contains(text, "\nnoise        4 %, measured: 3.9 % less to 4.1 % more is a tie\n"));
  CHECK(contains(text, "\ngreedy *    9     -25 %  105     -50 %   205    -2.4 %\n"));
  CHECK(contains(text, "\nblock =    12         -  210         -   210         -\n"));
  CHECK(contains(text, "*: best, =: ties with it; "));
  CHECK(contains(words_of(text),
                 " greedy and block tie by simulated time, no difference above noise (4 %): "
                 "greedy would cut hop-bytes by 25 % and the busiest link by 50 % against block "));
}

TEST_CASE("Only the best row, the notes and the verdict change with colour") {
  const Report report = make_report(
      {make_row("block", 12 * mebibyte, 210e-6), make_row("greedy", 9 * mebibyte, 105e-6)});
  CHECK_FALSE(contains(render_table(report), "\x1b"));
  const auto plain = lines_of(render_table(report));
  auto coloured = lines_of(render_table(report, {{80, true}, {}}));
  REQUIRE(coloured.size() == plain.size());
  for (std::size_t line = 0; line < plain.size(); ++line) {
    const bool is_bold = coloured[line].starts_with("\x1b[1m");
    const bool is_dim = coloured[line].starts_with("\x1b[2m");
    CHECK(coloured[line] == (is_bold  ? "\x1b[1m" + plain[line] + "\x1b[0m"
                             : is_dim ? "\x1b[2m" + plain[line] + "\x1b[0m"
                                      : plain[line]));
    if (plain[line].starts_with("greedy")) CHECK(is_bold);
    if (plain[line].starts_with("*") || plain[line].starts_with("not simulated")) CHECK(is_dim);
    if (plain[line].starts_with("network") || plain[line].starts_with("block"))
      CHECK(plain[line] == coloured[line]);
  }
}

TEST_CASE("A table without simulation says so and has no column for it") {
  const std::string text =
      render_table(make_report({make_row("block", 12, 2e-6), make_row("greedy", 9, 1e-6)}));
  CHECK_FALSE(contains(text, "simulated\n"));
  CHECK(contains(text, "not simulated: the static bound is a lower bound of the simulated time\n"));
}

TEST_CASE("The table names the routing and why it was not simulated") {
  Row row = make_row("block", 12 * mebibyte, 210e-6);
  row.routing = Routing::ecmp;
  Report report = make_report({row, row});
  report.not_simulated = "SimGrid cannot; all figures are static";
  const std::string text = render_table(report);
  CHECK(contains(text, "\nrouting      ecmp\n"));
  CHECK(contains(text, "\nnot simulated: SimGrid cannot; all figures are static\n"));
}

TEST_CASE("Most loaded links are listed with their kind where there are several") {
  Row row = make_row("block", 12 * mebibyte, 210e-6);
  row.top_links = {{"r0->r1", {{1.5 * mebibyte}, 2, {150e-6}}, "green"},
                   {"r10->r9", {{mebibyte}, 1, {100e-6}}, "blue"}};
  CHECK(contains(render_table(make_report({row})), R"(
most loaded links of block
  link     kind   MiB  flows   us
  r0->r1   green  1.5      2  150
  r10->r9  blue   1.0      1  100
)"));
}

TEST_CASE("A row that was not simulated has a dash beside rows that were") {
  const std::string text =
      render_table(make_report({simulated(make_row("block", 12 * mebibyte, 210e-6), 210e-6),
                                make_row("greedy", 9 * mebibyte, 105e-6)}));
  CHECK(contains(text, "105     -50 %     -         -\n"));
  CHECK(contains(text, "simulated time of 1 of 2 rows by SimGrid, model CM02 ("));
}

TEST_CASE("Bounds that differ between rows are not in the head") {
  Report report = make_report({make_row("block", 12, 2e-6), make_row("greedy", 9, 1e-6)});
  CHECK(contains(render_table(report), "\nbounds "));
  report.rows[1].bounds.hop_bytes = {4};
  CHECK_FALSE(contains(render_table(report), "\nbounds "));
}

TEST_CASE("Rows of one mapper with different seeds carry the seed in their name") {
  Report report = make_report({make_row("random", 12, 2e-6), make_row("random", 9, 1e-6)});
  report.rows[1].seed = 7;
  CHECK(verdict(report) ==
        "random (seed 7) is best by static time: it would cut hop-bytes by 25 % and the busiest "
        "link by 50 % against random "
        "(seed 1)");
  CHECK(contains(render_table(report), "\nrandom (seed 1) "));
}

TEST_CASE("Values far apart stay readable in one unit") {
  // 1 KiB and 1 TiB are nine digits apart: the column is in TiB and the small value is only a
  // limit.
  const std::string text = render_table(
      make_report({make_row("block", 1099511627776.0, 2), make_row("greedy", 1024, 1)}));
  CHECK(contains(text, " TiB  vs block"));
  CHECK(contains(text, "\ngreedy *   <1  "));
  // 900 KiB and 4 MiB are less than four digits apart: KiB, where both are whole.
  const std::string near = render_table(
      make_report({make_row("block", 4096 * 1024.0, 2), make_row("greedy", 900 * 1024.0, 1)}));
  CHECK(contains(near, "  4096 "));
  CHECK(contains(near, "   900 "));
}

TEST_CASE("A change of more than 9999 % is written as a ratio") {
  // 1000 MiB is 125 times 8 MiB, 12400 % more.
  CHECK(contains(render_table(make_report(
                     {make_row("block", 8 * mebibyte, 1), make_row("greedy", 1000 * mebibyte, 2)})),
                 "  125x "));
}

TEST_CASE("A long hop histogram shares bars and loses no edge") {
  // 100 hop counts in at most 24 bars: 5 to a bar, 20 bars, with 5 edges each except the last.
  Row row = make_row("block", 12, 2e-6);
  row.metrics.hop_histogram.assign(100, 1);
  row.metrics.hop_histogram.back() = 1001;
  const std::string text = render_table(make_report({row}));
  CHECK(contains(text, "\n  0-4      5  #\n  5-9      5  #\n10-14 "));
  CHECK(contains(text, "\n95-99   1005  ####"));
}
