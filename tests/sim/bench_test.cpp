#include "sim/bench/bench.hpp"

#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/bench/hypercube_optimum.hpp"
#include "sim/bench/qaplib.hpp"
#include "sim/report/bench_report.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/temporary_file.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

namespace fs = std::filesystem;

Instance named(const std::string& name) {
  return choose_instances(name).at(0);
}

BenchPlan plan_of(const std::string& mappers) {
  BenchPlan plan;
  plan.mappers = parse_mappers(mappers);
  return plan;
}

/// Mesh of two rows of three; by hand, the path 0-1-2-3-4-5 bends into it with one hop each, and
/// counts in both directions.
constexpr const char* path_on_2x3 =
    "6\n\n0 1 2 1 2 3\n1 0 1 2 1 2\n2 1 0 3 2 1\n1 2 3 0 1 2\n2 1 2 1 0 1\n3 2 1 2 1 0\n\n"
    "0 1 0 0 0 0\n1 0 1 0 0 0\n0 1 0 1 0 0\n0 0 1 0 1 0\n0 0 0 1 0 1\n0 0 0 0 1 0\n";

BenchRow solved(const std::string& mapper, double ratio) {
  BenchRow row;
  row.mapper = mapper;
  row.status = RunStatus::ok;
  row.ratio_to_best = ratio;
  return row;
}

}  // namespace

TEST_CASE("Instances have the edges of their stencils") {
  // By hand: d dimensions of size n have n^(d-1) (n-1) pairs each in open grids, n^d in periodic
  // ones; boxes of 3^d points have (3n-2)^d - n^d directed edges; component edges are in one
  // dimension.
  const auto [name, edges] =
      GENERATE(table<std::string, std::int64_t>({{"7pt-512", 512 * 6},
                                                 {"7pt-4096", 4096 * 6},
                                                 {"5pt-1024-ordered", 2 * 2 * 32 * 31},
                                                 {"9pt-4096", 190 * 190 - 64 * 64},
                                                 {"27pt-512", 22 * 22 * 22 - 512},
                                                 {"q6-torus", 64 * 6},
                                                 {"7pt-4096-tree2", 2 * 3 * 15 * 256},
                                                 {"slots-50x48", 2 * (49 * 48 + 50 * 47)},
                                                 {"slots-50x48-component", 2 * 49 * 48}}));
  INFO(name);
  CHECK(build(named(name)).guest.num_edges() == static_cast<std::size_t>(edges));
}

TEST_CASE("Every built-in instance of up to 4096 ranks fits and has a name of its own") {
  std::set<std::string> names;
  for (const Instance& instance : built_in_instances()) {
    INFO(instance.name);
    CHECK(names.insert(instance.name).second);
    if (instance.name.find("32768") != std::string::npos) continue;
    const BenchProblem problem = build(instance);
    CHECK(problem.guest.num_ranks() <= problem.allocation.num_slots());
    if (instance.best) CHECK(instance.best->measure == instance.measure);
  }
}

TEST_CASE("The optimum of hypercubes is the one of the papers") {
  // Torus 4x4x4 is the hypercube of 6 dimensions: each of its 192 edges takes one hop. 16x16x16:
  // 67584; path of 8: 2^5 - 2^2.
  using Factors = std::vector<HypercubeFactor>;
  CHECK(hypercube_optimum(Factors{{2, true}, {2, true}, {2, true}}) == 192);
  CHECK(hypercube_optimum(Factors{{4, true}, {4, true}, {4, true}}) == 67584);
  CHECK(hypercube_optimum(Factors{{3, false}}) == 28);
}

TEST_CASE("Gray code reaches the proven optimum of hypercubes and nothing is below it") {
  const BenchTable table = bench(named("q6-torus"), plan_of("block,gray,random"), {});
  CHECK(table.best_is_proven);
  CHECK(table.rows.front().ratio_to_best == 1.0);
  CHECK(impossible_rows({table}).empty());
}

TEST_CASE("A row below a proven optimum is told") {
  Instance instance = named("cart:4p@torus:4");
  instance.best = {&hop_bytes_measure(), 9, true, "a wrong proof"};  // the ring has 8
  const BenchTable table = bench(instance, plan_of("block"), {});
  REQUIRE(impossible_rows({table}).size() == 1);
  CHECK(impossible_rows({table}).front() ==
        "block on cart:4p@torus:4: hop-bytes 8 is below the proven optimum 9 (a wrong proof): one "
        "of them is wrong");
}

TEST_CASE(
    "A record is taken where it beats the best known, and unknown bests are those of the rows") {
  Instance instance = named("cart:4p@torus:4");
  CHECK(bench(instance, plan_of("block"), {}).best_source == "these rows");
  instance.best = {&hop_bytes_measure(), 9, false, "an old record"};
  CHECK(bench(instance, plan_of("block"), {}).best == 8);
  instance.best->value = 8;
  CHECK(bench(instance, plan_of("block"), {}).best_source == "an old record");
}

TEST_CASE("A mapper that takes too long is ended and the others go on") {
  BenchPlan plan = plan_of("multilevel,block");
  plan.limits.time = Seconds{0.001};
  const BenchTable table = bench(named("7pt-4096"), plan, {});
  const BenchRow& last = table.rows.back();
  CHECK(last.mapper == "multilevel");
  CHECK(last.status == RunStatus::timed_out);
  CHECK(last.words == "takes more than 1 ms");
  CHECK_FALSE(last.ratio_to_best);
}

#if !defined(__SANITIZE_ADDRESS__)  // whose shadow memory needs addresses too
TEST_CASE("A mapper that asks for more memory than allowed is told") {
  BenchPlan plan = plan_of("multilevel");
  plan.limits.memory = Bytes{1e5};
  const BenchTable table = bench(named("7pt-4096"), plan, {});
  CHECK(table.rows.front().status == RunStatus::out_of_memory);
  CHECK(table.rows.front().words == "needs more than 97.7 KiB");
}
#endif

TEST_CASE("A mapper that fails or does not apply is a row with the reason") {
  const BenchTable table =
      bench(named("rgg-512"), plan_of("file:path=/nowhere.map,gray,block"), {});
  REQUIRE(table.rows.size() == 3);
  CHECK(table.rows[0].mapper == "block");
  CHECK(table.rows[1].status == RunStatus::not_applicable);
  CHECK(table.rows[2].status == RunStatus::failed);
  CHECK(table.rows[2].words.find("/nowhere.map") != std::string::npos);
}

TEST_CASE("The league counts rows and takes geometric means") {
  BenchTable first, second;
  first.rows = {solved("a", 1), solved("b", 1.5)};
  second.rows = {solved("a", 4), solved("b", 1.5)};
  BenchRow failed;
  failed.mapper = "c";
  failed.status = RunStatus::timed_out;
  second.rows.push_back(failed);
  const auto rows = league({first, second});
  REQUIRE(rows.size() == 3);
  CHECK(rows[0].mapper == "b");
  CHECK(rows[1].mean_ratio == Approx(2));  // sqrt(1 * 4)
  CHECK(rows[1].worst_ratio == 4.0);
  CHECK(rows[1].best == 1);
  CHECK(rows[2].failed == 1);
  CHECK_FALSE(rows[2].mean_ratio);
}

TEST_CASE("QAPLIB files become guests on the mesh of their distances") {
  const std::string file = tests::write_file("path6.dat", path_on_2x3);
  CHECK_THROWS_AS(choose_instances("qap:" + file), UsageError);
  CHECK(bench(named("qap:" + file + "@mesh:3x2"), plan_of("tabu"), {}).best == 10);
  CHECK_THROWS_AS(build(named("qap:" + file + "@mesh:2x3")), InputError);
  CHECK_THROWS_AS(build(named("qap:" + file + "@mesh:3x3")), InputError);
  tests::write_file("MANIFEST.tsv",
                    "name\tn\thost\thost_matrix\tbest\tproven\n"
                    "path6\t6\tmesh 2x3\tA\t10\tyes\n");
  const BenchTable table = bench(named("qap:" + file), plan_of("tabu"), {});
  CHECK(table.instance.network == "mesh:3x2");
  CHECK(table.best_is_proven);
  CHECK(table.rows.front().ratio_to_best == 1.0);
}

TEST_CASE("Malformed QAPLIB files are input errors") {
  const auto* text = GENERATE("", "x", "2\n0 1\n1 0\n0 1\n1", "2\n0 1\n1 0\n0 x\n1 0", "0", "1.5",
                              "99999", "2\n0 -1\n1 0\n0 1\n1 0");
  INFO(text);
  CHECK_THROWS_AS(read_qap(tests::write_file("bad.dat", text)), InputError);
}

TEST_CASE("QAPLIB's optima are reached") {
  const char* given = std::getenv("VTOPO_QAPLIB");
  const std::string beside = tests::source_path("../shared/data/qaplib");
  const std::string file = (given != nullptr ? given : beside) + "/nug12.dat";
  if (!fs::exists(file)) {
    WARN("left out: no QAPLIB data (VTOPO_QAPLIB names their folder)");
    return;
  }
  const BenchTable table = bench(named("qap:" + file), plan_of("tabu"), {});
  CHECK(table.best == 578);
  CHECK(table.rows.front().ratio_to_best == 1.0);
}

TEST_CASE("Names of instances are names, patterns, quick and all") {
  CHECK(choose_instances("all").size() == built_in_instances().size());
  CHECK(choose_instances("q*-torus").size() == 4);
  CHECK(choose_instances("q6-torus,q6-*").size() == 1);
  for (const Instance& instance : choose_instances("quick")) CHECK(instance.quick);
  CHECK(named("cart:8@fat-tree:2;2,4;1,1;1,1").network == "fat-tree:2;2,4;1,1;1,1");
  CHECK_THROWS_WITH(choose_instances("q6-tours"), Catch::EndsWith("did you mean \"q6-torus\"?"));
}

TEST_CASE("Measured figures are null without timing and equal input gives equal bytes") {
  const auto run = [] {
    BenchReport report;
    report.timing = false;
    report.tables.push_back(bench(named("q6-torus"), plan_of("block,greedy"), {}));
    report.league = league(report.tables);
    return render_bench_json(report);
  };
  const std::string text = run();
  CHECK(text == run());
  const auto document = nlohmann::json::parse(text);
  CHECK(document["schema"] == "vtopo/bench/v1");
  CHECK(document["rows"].size() == 2);
  for (const auto* field : {"mapping_seconds", "cpu_seconds", "memory_bytes"})
    CHECK(document["rows"][0][field].is_null());
  CHECK(document["league"][0]["cpu_seconds"].is_null());
}
