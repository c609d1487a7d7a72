#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>
#include <cstdint>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "sim/report/csv_cells.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "sim/research/bench/statistics.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

BenchRow row_of(const std::string& mapper, double value, std::uint64_t seed = 1) {
  BenchRow row;
  row.mapper = mapper;
  row.seed = seed;
  row.status = RunStatus::ok;
  row.value = value;
  row.ratio_to_best = value;
  return row;
}

BenchRow failed_row(const std::string& mapper) {
  BenchRow row;
  row.mapper = mapper;
  row.status = RunStatus::timed_out;
  return row;
}

BenchTable table_of(std::vector<BenchRow> rows) {
  BenchTable table;
  table.rows = std::move(rows);
  return table;
}

/// Two mappers on four problems: ratios a 1 1 2 -, b 2 1 1 1.
std::vector<BenchTable> four_problems() {
  return {table_of({row_of("a", 1), row_of("b", 2)}), table_of({row_of("a", 3), row_of("b", 3)}),
          table_of({row_of("a", 4), row_of("b", 2)}), table_of({failed_row("a"), row_of("b", 7)})};
}

BenchReport report_of(std::vector<BenchTable> tables) {
  BenchReport report;
  report.timing = false;
  report.tables = std::move(tables);
  report.league = league(report.tables);
  return report;
}

/// p-value by all 2^n signs of the mean ranks, the oracle of the fast count.
double p_by_enumeration(const std::vector<double>& differences) {
  const int n = static_cast<int>(differences.size());
  std::vector<double> ranks;
  for (const double d : differences) {
    double below = 0, equal = 0;
    for (const double other : differences) {
      below += std::abs(other) < std::abs(d) ? 1 : 0;
      equal += std::abs(other) == std::abs(d) ? 1 : 0;
    }
    ranks.push_back(below + (equal + 1) / 2);
  }
  double total = 0, up = 0;
  for (int i = 0; i < n; ++i) {
    total += ranks[static_cast<std::size_t>(i)];
    if (differences[static_cast<std::size_t>(i)] > 0) up += ranks[static_cast<std::size_t>(i)];
  }
  const double least = std::min(up, total - up);
  double count = 0;
  for (int signs = 0; signs < 1 << n; ++signs) {
    double sum = 0;
    for (int i = 0; i < n; ++i)
      if ((signs >> i & 1) != 0) sum += ranks[static_cast<std::size_t>(i)];
    if (sum <= least) count += 1;
  }
  return std::min(1.0, 2 * count / std::pow(2.0, n));
}

}  // namespace

TEST_CASE("The signed-rank test gives the published values of the depression data") {
  // Hollander and Wolfe, Nonparametric Statistical Methods (1973), p. 29: V = 40 of nine patients,
  // one-sided p = 0.01953 = 10 / 512; R's wilcox.test gives the same.
  const std::vector<double> before{1.83, 0.50, 1.62, 2.48, 1.68, 1.88, 1.55, 3.06, 1.30},
      after{0.878, 0.647, 0.598, 2.05, 1.06, 1.29, 1.06, 3.14, 1.29};
  std::vector<double> differences;
  for (std::size_t i = 0; i < before.size(); ++i) differences.push_back(before[i] - after[i]);
  const SignedRankTest test = signed_rank_test(differences);
  CHECK(test.pairs == 9);
  CHECK(test.rank_sum_up == 40);
  CHECK(test.rank_sum_down == 5);
  CHECK(test.p_value == 20.0 / 512);
  CHECK(test.exact);
}

TEST_CASE("The signed-rank test agrees with the table of critical values") {
  // Ten pairs are significant at 5 % up to a rank sum of 8 (Wilcoxon, 1945), which is 2 * 25 /
  // 1024, as 25 sets of different ranks have a sum of at most 8; up to 9 it is 2 * 33.
  const auto p_of = [](std::vector<int> down) {
    std::vector<double> differences;
    for (int rank = 1; rank <= 10; ++rank)
      differences.push_back(std::find(down.begin(), down.end(), rank) == down.end() ? rank : -rank);
    return signed_rank_test(differences).p_value;
  };
  CHECK(p_of({8}) == 50.0 / 1024);
  CHECK(p_of({9}) == 66.0 / 1024);
  CHECK(p_of({}) == 2.0 / 1024);
}

TEST_CASE("By hand: ties share their rank, differences of 0 are left out") {
  // Sizes 1, 1, 2: ranks 1.5, 1.5, 3, all up: 1 of 8 signs on each side.
  const SignedRankTest test = signed_rank_test(std::vector<double>{1, 0, 1, 2, 0});
  CHECK(test.pairs == 3);
  CHECK(test.rank_sum_up == 6);
  CHECK(test.p_value == 2.0 / 8);
  // 1, 1, -1: ranks 2, 2, 2; at most 2 have 1 + 3 of 8 signs.
  CHECK(signed_rank_test(std::vector<double>{1, 1, -1}).p_value == 1);
  CHECK(signed_rank_test(std::vector<double>{}).p_value == 1);
  CHECK(signed_rank_test(std::vector<double>{0, 0}).pairs == 0);
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(signed_rank_test(std::vector<double>{infinite, 1, infinite}).rank_sum_up == 6);
}

TEST_CASE("The count of signs is that of the enumeration") {
  Random random(7);
  for (int round = 0; round < 30; ++round) {
    std::vector<double> differences;
    for (int i = 0; i < 11; ++i) {
      const auto size = static_cast<double>(1 + random.below(round % 2 == 0 ? 1000 : 5));
      differences.push_back(random.below(3) == 0 ? -size : size);
    }
    CHECK(signed_rank_test(differences).p_value == Approx(p_by_enumeration(differences)));
  }
}

TEST_CASE("Many pairs take the normal approximation, near the exact value") {
  // 60 pairs, the 20 smallest down: sum 210, mean 915, variance 18452.5, so z = 704.5 / 135.84 =
  // 5.186 and p = erfc(z / sqrt 2) = 2.15e-7.
  std::vector<double> differences;
  for (int i = 1; i <= 60; ++i) differences.push_back(i <= 20 ? -i : i);
  const SignedRankTest test = signed_rank_test(differences);
  CHECK_FALSE(test.exact);
  CHECK(test.p_value == Approx(std::erfc(704.5 / std::sqrt(18452.5) / std::sqrt(2.0))));
  CHECK(test.p_value == Approx(2.15e-7).epsilon(0.01));
  // At the border of both, 50 pairs with 3, 6, ..., 48 down: sum 408, mean 637.5, variance
  // 10731.25, so p = 0.027. It differs from the exact one by 3 %, whose tails are thinner.
  std::vector<double> fifty;
  for (int i = 1; i <= 50; ++i) fifty.push_back(i % 3 == 0 ? -i : i);
  const SignedRankTest border = signed_rank_test(fifty);
  CHECK(border.exact);
  CHECK(
      border.p_value ==
      Approx(std::erfc((637.5 - 408 - 0.5) / std::sqrt(10731.25) / std::sqrt(2.0))).epsilon(0.05));
}

TEST_CASE("By hand: the variance of the normal approximation loses the ties") {
  // 60 equal sizes, 40 up: rank 30.5 each, sum 1220, distance 305; variance 18452.5 - (60^3 - 60) /
  // 48 = 13953.75.
  std::vector<double> differences;
  for (int i = 0; i < 60; ++i) differences.push_back(i < 40 ? 1 : -1);
  CHECK(signed_rank_test(differences).p_value ==
        Approx(std::erfc(304.5 / std::sqrt(13953.75) / std::sqrt(2.0))));
}

TEST_CASE("By hand: Holm multiplies the smallest p-value by the number of tests") {
  // 0.01 * 3, 0.02 * 2, 0.03 * 1, which must not be below the one before.
  CHECK(holm_adjusted(std::vector<double>{0.03, 0.01, 0.02}) ==
        std::vector<double>{0.04, 0.03, 0.04});
  CHECK(holm_adjusted(std::vector<double>{0.9, 0.8}) == std::vector<double>{1, 1});
}

TEST_CASE("By hand: a performance profile counts problems within a factor of the best") {
  const BenchReport report = report_of(four_problems());
  const auto profiles = performance_profiles(report.tables, report.league);
  REQUIRE(profiles.size() == 2);
  CHECK(profiles[0].mapper == "b");  // solves more
  CHECK(profiles[0].share(1) == 0.75);
  CHECK(profiles[0].share(2) == 1);
  CHECK(profiles[1].share(1) == 0.5);
  CHECK(profiles[1].share(1.99) == 0.5);
  CHECK(profiles[1].share(2) == 0.75);
  CHECK(profiles[1].share(1e9) == 0.75);  // one it does not solve
  CHECK(profiles[1].problems == 4);
}

TEST_CASE("Beside a value of 0 no other is within any factor") {
  const std::vector<BenchTable> tables{table_of({row_of("a", 0), row_of("b", 1)})};
  const auto rows = league(tables);
  for (const PerformanceProfile& profile : performance_profiles(tables, rows))
    CHECK(profile.share(1e300) == (profile.mapper == "a" ? 1 : 0));
  const auto pairs = compare_mappers(tables, rows);
  REQUIRE(pairs.size() == 1);
  CHECK_FALSE(pairs[0].mean_ratio);
  CHECK(pairs[0].test.pairs == 1);
}

TEST_CASE("Pairs of mappers are compared on instances that both solved, by the mean over seeds") {
  // b against a: 2 / 1, 3 / 3, 2 / 4; geometric mean 1. With a seed that a lacks.
  auto tables = four_problems();
  tables[0].rows.push_back(row_of("b", 100, 2));
  const auto rows = league(tables);
  const auto pairs = compare_mappers(tables, rows);
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == "b");
  CHECK(pairs[0].instances == 3);
  CHECK(pairs[0].first_better == 1);
  CHECK(pairs[0].second_better == 1);
  CHECK(*pairs[0].mean_ratio == Approx(1));
  CHECK(pairs[0].test.pairs == 2);
  CHECK(pairs[0].test.p_value == 1);
}

TEST_CASE("Against one mapper only its pairs are compared, and it is the first of each") {
  const auto tables = four_problems();  // b is ahead of a in the league
  const auto rows = league(tables);
  const auto pairs = compare_mappers(tables, rows, "a");
  REQUIRE(pairs.size() == 1);
  CHECK(pairs[0].first == "a");
  CHECK(pairs[0].second == "b");
  CHECK(pairs[0].adjusted_p == pairs[0].test.p_value);
}

TEST_CASE("Curves are geometric means over instances, with the least and the most of a seed") {
  // By hand: budget 10: seed 1 has 4 and 1, mean 2; seed 2 has 9 and 4, mean 6; both sqrt(12).
  // Budget 100: 1 everywhere. The third instance fails with a budget and counts with none.
  const auto row = [](std::uint64_t seed, double budget, double ratio) {
    BenchRow one = row_of("a", ratio, seed);
    one.ratio_to_best = ratio;
    one.budget = budget;
    return one;
  };
  std::vector<BenchTable> tables(3);
  tables[0].with_less = {row(1, 10, 4), row(2, 10, 9)};
  tables[1].with_less = {row(1, 10, 1), row(2, 10, 4)};
  tables[2].with_less = {row(1, 10, 7), row(2, 10, 7)};
  for (BenchTable& table : tables) table.rows = {row(1, 100, 1), row(2, 100, 1)};
  tables[2].rows[0].status = RunStatus::timed_out;
  BenchReport report = report_of(tables);
  report.budgets = {{10, 100}, false};
  const auto curves = quality_curves(report.tables, report.league);
  REQUIRE(curves.size() == 1);
  CHECK(curves[0].instances == 2);
  CHECK(curves[0].seeds == 2);
  REQUIRE(curves[0].points.size() == 2);
  CHECK(curves[0].points[0].budget == 10);
  CHECK(curves[0].points[0].mean == Approx(std::sqrt(12)));
  CHECK(curves[0].points[0].least == Approx(2));
  CHECK(curves[0].points[0].most == Approx(6));
  CHECK(curves[0].points[1].mean == Approx(1));
  const std::string csv = render_curves_csv(report);
  CHECK_THAT(csv, Catch::StartsWith(
                      "mapper,steps,mean_ratio,least_ratio,most_ratio,seeds,instances\na,10,3.46"));
  CHECK_THAT(csv, Catch::Contains("\na,100,1,1,1,2,2\n"));
  CHECK_THAT(render_curves_svg(report), Catch::Contains("Quality against steps"));
  CHECK_THAT(render_curves_latex(report), Catch::Contains("xtick={10,100}"));
  CHECK(quality_curves(four_problems(), league(four_problems())).empty());
}

TEST_CASE("So many pairs of mappers need so many instances before a difference means something") {
  // By hand: n differences of one sign have p = 2 / 2^n, and Holm multiplies the least by the
  // pairs: one pair: 2 / 2^6 = 0.031; ten: 10 * 2 / 2^9 = 0.039, 10 * 2 / 2^8 = 0.078.
  CHECK(fewest_instances(1) == 6);
  CHECK(fewest_instances(10) == 9);
  CHECK(fewest_instances(45) == 11);
  CHECK(reason_not_tested(report_of(four_problems())) == "too few instances: 1 pair needs 6");
  const double all_better[] = {-1, -2, -3}, mixed[] = {-3, 1, -2};  // ranks 3 + 2 against 1 of 6
  CHECK(signed_rank_test(all_better).rank_biserial() == 1.0);
  CHECK(*signed_rank_test(mixed).rank_biserial() == Approx(4.0 / 6));
  CHECK_FALSE(signed_rank_test({}).rank_biserial());
}

TEST_CASE("League, pairs and profiles as CSV") {
  const BenchReport report = report_of(four_problems());
  CHECK(render_league_csv(report) ==
        "mapper,solved,failed,not_applicable,best,mean_ratio,worst_ratio,cpu_seconds\n"
        "b,4,0,0,0," +
            csv_cell(*report.league[0].mean_ratio) + ",7,\n" + "a,3,1,0,1," +
            csv_cell(*report.league[1].mean_ratio) + ",4,\n");
  CHECK(render_profiles_csv(report) == "mapper,ratio,share\nb,1,0.75\nb,2,1\na,1,0.5\na,2,0.75\n");
  CHECK(render_pairs_csv(report).starts_with(
      "first,second,instances,first_better,second_better,mean_ratio,pairs,rank_sum_up,"
      "rank_sum_down,p_value,exact,adjusted_p,rank_biserial\nb,a,3,1,1,"));
}

TEST_CASE("Tables and figures for LaTeX escape what LaTeX reads as commands") {
  const BenchReport report = report_of({table_of({row_of("round_robin", 1), row_of("b&c%", 2)})});
  const std::string league = render_league_latex(report);
  CHECK(league.find("round\\_robin & 1.000 & 1.000 & 1 & 1 & 0 & 0 \\\\\n") != std::string::npos);
  CHECK(league.find("b\\&c\\% & 2.000") != std::string::npos);
  const std::string figure = render_profiles_latex(report);
  CHECK(figure.find("coordinates {(1,0) (2,1) (2.1,1)};\n\\addlegendentry{b\\&c\\%}") !=
        std::string::npos);
}

TEST_CASE(
    "A table for LaTeX keeps what failed and what does not apply apart, and tests no pair "
    "without an instance") {
  BenchRow failed = row_of("crashes", 0), unfit = row_of("needs<a>grid|", 0);
  failed.status = RunStatus::failed;
  unfit.status = RunStatus::not_applicable;
  const std::string league =
      render_league_latex(report_of({table_of({row_of("a", 1), failed, unfit})}));
  CHECK(league.find("crashes & -- & -- & 0 & 0 & 1 & 0 \\\\\n") != std::string::npos);
  CHECK(league.find("needs\\textless{}a\\textgreater{}grid\\textbar{} & -- & -- & 0 & 0 & 0 & 1 "
                    "\\\\\n") != std::string::npos);
}

TEST_CASE("Each of 36 curves of a figure for LaTeX looks different") {
  std::vector<BenchRow> rows;
  for (int r = 0; r < 36; ++r) rows.push_back(row_of("m" + std::to_string(r), 1 + r));
  const std::string figure = render_profiles_latex(report_of({table_of(rows)}));
  std::set<std::string> looks;
  const std::string start = "\\addplot[";
  for (auto at = figure.find(start); at != std::string::npos; at = figure.find(start, at + 1))
    looks.insert(figure.substr(at, figure.find(']', at) - at));
  CHECK(looks.size() == 36);
}

TEST_CASE("The picture of profiles has a curve and a name for each mapper") {
  const std::string svg = render_profiles_svg(report_of(four_problems()));
  CHECK(svg.find("<title>a</title>") != std::string::npos);
  CHECK(svg.find("<title>b</title>") != std::string::npos);
  CHECK(svg.find("nan") == std::string::npos);
}
