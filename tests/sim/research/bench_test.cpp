#include "sim/research/bench/bench.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/evaluation/partners.hpp"
#include "sim/research/bench/graph_guests.hpp"
#include "sim/research/bench/instances/families.hpp"
#include "sim/research/bench/qaplib.hpp"
#include "sim/research/bench/report/bench_report.hpp"
#include "tests/support/budget.hpp"
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
        "block on cart:4p@torus:4: hop_bytes 8 is below the proven optimum 9 (a wrong proof): one "
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
  const BenchTable plain = bench(named("qap:" + file), plan_of("tabu"), {});
  CHECK(plain.instance.network == "distances:" + file);  // no mesh is known
  CHECK(plain.best == 10);
  CHECK(bench(named("qap:" + file + "@mesh:3x2"), plan_of("tabu"), {}).best == 10);
  CHECK_THROWS_AS(build(named("qap:" + file + "@mesh:3x3")), InputError);
  CHECK_THROWS_AS(build(named("qap:" + file + "@mesh:6x1")), InputError);
  tests::write_file("MANIFEST.tsv",
                    "name\tn\thost\thost_matrix\tbest\tproven\n"
                    "path6\t6\tmesh 2x3\tA\t10\tyes\n");
  const BenchTable table = bench(named("qap:" + file), plan_of("tabu"), {});
  CHECK(table.instance.network == "mesh:3x2");
  CHECK(table.best_is_proven);
  CHECK(table.rows.front().ratio_to_best == 1.0);
}

TEST_CASE("With several budgets the largest is that of the league, the others are of the curves") {
  BenchPlan plan = plan_of("block,tabu");
  const double most = tests::budget(1000.0, 10000.0);
  plan.budgets = {{1, 100, most}, false};
  const BenchTable table = bench(named("7pt-512"), plan, {});
  REQUIRE(table.rows.size() == 2);
  REQUIRE(table.with_less.size() == 4);
  for (const BenchRow& row : table.rows) CHECK(row.budget == most);
  std::map<std::string, std::vector<double>> values;
  for (const BenchRow& row : table.with_less) values[row.mapper].push_back(row.value);
  for (const BenchRow& row : table.rows) values[row.mapper].push_back(row.value);
  for (const auto& [mapper, by_budget] : values)  // ascending budgets
    CHECK(std::is_sorted(by_budget.rbegin(), by_budget.rend()));
  CHECK(values["block"].front() == values["block"].back());
  CHECK(values["tabu"].front() > values["tabu"].back());
}

TEST_CASE("A mesh given as rows and columns is the one of the file, as in the manifest") {
  // Two rows of three: 2x3 as the manifest says it, 3x2 as networks say it.
  const std::string file = tests::write_file("path6_rows.dat", path_on_2x3);
  const auto given = GENERATE("mesh:2x3", "mesh:3x2");
  const Instance instance = named("qap:" + file + "@" + given);
  CHECK(instance.network == "mesh:3x2");
  CHECK(build(instance).guest.num_edges() == 10);
}

TEST_CASE("The matrix that is the hops of the mesh is that of the distances, first or second") {
  std::string text = path_on_2x3;
  const std::size_t second = text.rfind("\n\n") + 2, first = 3;
  text = "6\n\n" + text.substr(second) + "\n" + text.substr(first, second - first);
  const std::string file = tests::write_file("path6_second.dat", text);
  const BenchProblem problem = build(named("qap:" + file + "@mesh:2x3"));
  CHECK(problem.guest.num_edges() == 10);  // of the path, both ways
  CHECK(problem.guest.total_volume() == Bytes{10});
}

TEST_CASE("A folder of QAPLIB files has the instances of its manifest") {
  const fs::path folder = fs::path(tests::write_file("qap-folder", "")).parent_path() / "qaps";
  fs::create_directories(folder);
  std::ofstream(folder / "path6.dat") << path_on_2x3;
  std::ofstream(folder / "MANIFEST.tsv") << "name\tn\thost\thost_matrix\tbest\tproven\n"
                                            "path6\t6\tmesh 2x3\tA\t10\tyes\n";
  const auto instances = choose_instances("qap:" + folder.string());
  REQUIRE(instances.size() == 1);
  CHECK(instances[0].best->value == 10);
  std::ofstream(folder / "MANIFEST.tsv", std::ios::app) << "gone\t6\tmesh 2x3\tA\t10\tyes\n";
  CHECK_THROWS_WITH(choose_instances("qap:" + folder.string()), Catch::Contains("gone.dat"));
}

TEST_CASE("Recordings of a folder go onto a torus that they fill and onto a tree") {
  const fs::path folder = fs::path(tests::write_file("real-folder", "")).parent_path() / "real";
  fs::create_directories(folder);
  std::ofstream(folder / "ring.csv") << "src,dst,bytes\n0,1,5\n1,2,5\n2,3,5\n17,0,5\n";
  const auto instances = choose_instances("real:" + folder.string());
  REQUIRE(instances.size() == 2);
  CHECK(instances[0].name == "ring-torus");
  CHECK(instances[0].network == "torus:3x3x2");             // 18 ranks
  CHECK(build(instances[1]).allocation.num_hosts() == 32);  // two switches of 16
  CHECK_THROWS_AS(choose_instances("real:/nowhere"), InputError);
}

TEST_CASE("Sets of instances have names") {
  for (const std::string& set : instance_sets()) {
    INFO(set);
    CHECK_FALSE(choose_instances(set).empty());
  }
  CHECK(choose_instances("hypercubes").size() == 5);
  CHECK(choose_instances("walshaw").size() < choose_instances("irregular").size());
}

TEST_CASE("Meshes of finite elements are cut into equal parts that border on few others") {
  const CommGraph guest = build(named("fem3d-512")).guest;
  const auto edges = static_cast<double>(guest.num_edges());
  CHECK(guest.num_ranks() == 512);
  // A part inside a regular partition has 6 faces, 12 edges and 8 corners at most.
  CHECK(edges / 512 > 6);
  CHECK(edges / 512 < 26);
  for (int r = 0; r < 512; ++r)
    for (const CommEdge& edge : guest.out_edges(Rank{r})) {
      const auto back = guest.out_edges(edge.destination);
      CHECK(std::any_of(back.begin(), back.end(), [&](const CommEdge& other) {
        return other.destination == Rank{r} && other.volume == edge.volume;
      }));
    }
  CHECK_THROWS_AS(build(named("fem-halo:4:16:1@torus:4x4")), UsageError);
}

TEST_CASE("By hand: four points of two parts of the least mesh share the edges that cross") {
  // 128 points for 2 ranks: a square of 12x12 cut in two. A column of 12 points has 12 edges to the
  // next one and 11 diagonals, at 8 bytes; the cut follows jittered columns, so it has those or
  // some more.
  const CommGraph guest = build(named("fem-halo:2:2:1@torus:2")).guest;
  REQUIRE(guest.num_edges() == 2);
  CHECK(guest.total_volume().value >= 2 * 8 * 23);
  CHECK(guest.total_volume().value < 2 * 8 * 50);
}

TEST_CASE("Rows are compared by the simulated time if the objective says so") {
  BenchPlan plan = plan_of("block,random");
  plan.objective = default_objective();
  // A clock that prefers rank 0 far from the first host.
  plan.clock = [](const BenchProblem&, const Embedding& embedding) {
    return PredictedTime{Seconds{1.0 / static_cast<double>(1 + index(embedding.hosts()[0]))}, {}};
  };
  Instance instance = named("q6-torus");
  const BenchTable table = bench(instance, plan, {});
  CHECK(judged_by(table) == "makespan");
  CHECK(table.rows.front().mapper == "random");
  CHECK(table.rows.back().makespan == Seconds{1});
  CHECK(table.best_source == "these rows");  // the optimum is of hop-bytes
}

TEST_CASE("A record names its mapper") {
  Instance instance = named("cart:4p@torus:4");
  instance.best = {&hop_bytes_measure(), 9, false, "an old record"};
  const BenchTable table = bench(instance, plan_of("block"), {});
  CHECK(records({table}) ==
        std::vector<std::string>{"a record: 8 hop_bytes on cart:4p@torus:4 by block, seed 1; best "
                                 "known was 9 (an old record)"});
}

TEST_CASE("A mapper with a label is called by it, on the hosts that were chosen") {
  Instance instance = named("cart:2x2@torus:4x4");
  instance.hosts = "list:5,6,9,10";
  const BenchTable table = bench(instance, plan_of("greedy:label=mine,block"), {});
  CHECK(table.hosts == 4);
  CHECK(table.rows.back().mapper == "mine");
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

TEST_CASE("Graphs of benchmarks have the ranks, degrees and volumes of their kinds") {
  const CommGraph regular = build(named("regular-512")).guest;
  CHECK(Partners(regular).max_degree() == 6);
  CHECK(regular.num_edges() == 512 * 6);                         // directed; all degrees are 6
  const CommGraph dense = *make_graph_guest("regular:66:64:1");  // all pairs but 33
  CHECK(Partners(dense).max_degree() == 64);
  CHECK(dense.num_edges() == 66 * 64);
  CHECK(make_graph_guest("regular:33:23:1")->num_edges() == 33 * 23 - 1);  // an odd end is left out
  // 4,096 * 16 / 2 drawn edges of one byte, both ways, whichever are equal.
  double bytes = 0;
  make_graph_guest("rmat:4096:16:1")->for_each_edge([&](Rank, const CommEdge& edge) {
    bytes += edge.volume.value;
  });
  CHECK(bytes == 4096 * 16);
  // Euler: a triangulation of n points with h on its border has 3n - 3 - h edges.
  const std::size_t delaunay = make_graph_guest("delaunay:1000:1")->num_edges() / 2;
  CHECK(delaunay <= 3 * 1000 - 6);
  CHECK(delaunay >= 3 * 1000 - 3 - 100);
  // Each rank but the first three brings three partners.
  CHECK(make_graph_guest("power:100:6:1")->num_edges() / 2 == 1 + 2 + 97 * 3);
  // An inner vertex has 14 partners: 6 along axes, 6 along faces, 2 along cubes.
  CHECK(Partners(*make_graph_guest("fem:1000:1")).max_degree() == 14);
  CHECK_FALSE(make_graph_guest("cart:4x4"));
  CHECK_THROWS_WITH(make_graph_guest("rmat:100:4:1"),
                    "\"rmat:100:4:1\": expected a power of two of ranks");
  CHECK_THROWS_WITH(make_graph_guest("regular:17:16:1"),
                    "\"regular:17:16:1\": no random graph of degree 16 was found; choose a smaller "
                    "degree");
  CHECK_THROWS_WITH(make_graph_guest("fem:100"), "\"fem:100\": expected fem:RANKS:SEED");
}
