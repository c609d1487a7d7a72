#include "sim/draw/page/page.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <set>

#include "sim/draw/markup.hpp"
#include "sim/report/table_parts.hpp"

#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// The JSON of a script element.
nlohmann::json script(const std::string& page, const std::string& id) {
  const std::string start = "<script type=\"application/json\" id=\"" + id + "\">";
  const std::size_t at = page.find(start);
  REQUIRE(at != std::string::npos);
  const std::size_t end = page.find("</script>", at);
  return nlohmann::json::parse(page.substr(at + start.size(), end - at - start.size()));
}

}  // namespace

TEST_CASE("a page holds its report and a picture of each kind for each row", "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.report.scenario = {{"topology", "cart:4x4"}, {"network", "torus:4x4"}};
  problem.add_row("block");
  problem.add_row("strided", 7);
  const std::string page = render_page(problem.report, problem.source);
  CHECK(script(page, "report") == nlohmann::json::parse(render_json(problem.report)));
  const auto pictures = script(page, "pictures");
  // links, cells, traffic, hops and loads of two rows, and the traffic before mapping, an SVG each
  CHECK(pictures.size() == 11);
  CHECK(count_of(page, "<svg ") == 11);
  for (const auto& [id, picture] : pictures.items()) {
    CAPTURE(id);
    CHECK(count_of(page, "<figure id=\"" + id + "\"") == 1);
  }
  // the network is there once, with the loads and flows of each row
  const auto network = script(page, "network");
  CHECK(network.at("cables").size() == 32);
  for (const std::string row : {"0", "1"}) {
    CHECK(count_of(page, "<figure id=\"row-" + row + "-links\"") == 1);
    CHECK(network.at("rows").at(row).at("flows").size() == problem.guest.num_edges());
    CHECK(network.at("rows").at(row).at("hosts").size() == 16);
  }
  CHECK(count_of(page, "<option") == 6);  // two rows before and after, two views
  CHECK(count_of(page, "<h1>cart:4x4 on torus:4x4</h1>") == 1);
  CHECK(count_of(page, "vtopo compare --topology cart:4x4 --network torus:4x4") == 1);
}

TEST_CASE("a page tells phases of a schedule and other jobs, where there are some",
          "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  for (const char* mapper : {"block", "strided"}) problem.add_row(mapper);
  CHECK(count_of(render_page(problem.report, problem.source), "<h2>Phases</h2>") == 0);
  problem.report.background = "jobs.csv: 3 flows <b>";
  for (Row& row : problem.report.rows)
    for (int p = 0; p < 30; ++p) {
      PhaseRow phase{p == 29 ? "last & longest" : "short", 1, {}, {}};
      phase.metrics.max_congestion = Seconds{p == 29 ? 71.0 : 1.0};
      row.phases.push_back(phase);
    }
  const std::string page = render_page(problem.report, problem.source);
  CHECK(count_of(page, "<h2>Phases</h2>") == 1);
  CHECK(count_of(page, R"~(<th scope="row">last &amp; longest</th>)~") == 1);
  // 71 s of 29 + 71 s; 24 of 30 phases are shown, 23 of them short
  CHECK(count_of(page, R"~(<td>71 s<span class="share">71 %</span></td>)~") == 2);
  CHECK(count_of(page, R"~(<th scope="row">short</th>)~") == 23);
  CHECK(count_of(page, R"~(<th scope="row">6 shorter phases</th>)~") == 1);
  CHECK(count_of(page, "<td>6 s<span class=\"share\">6 %</span></td>") == 2);
  CHECK(count_of(page, "by the static bound") == 1);
  CHECK(count_of(page, "<dd>jobs.csv: 3 flows &lt;b&gt;; it counts for links, not for hops<") == 1);
}

TEST_CASE("a page loads nothing", "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.add_row("block");
  const std::string page = render_page(problem.report, problem.source);
  CHECK(count_of(page, " src=") == 0);
  CHECK(count_of(page, " href=") == 0);
  CHECK(count_of(page, "url(") == 0);
  CHECK(count_of(page, "@import") == 0);
  // names of XML namespaces
  CHECK(count_of(page, "http") ==
        count_of(page, "http://www.w3.org/") + count_of(page, "http-equiv"));
}

TEST_CASE("names from files cannot become markup or script", "[report][page]") {
  const std::string bad = "</script><script>alert(1)</script>\"'><img src=x onerror=alert(1)>";
  NetworkDefaults defaults;
  defaults.host_prefix = bad;
  DrawnProblem problem("cart:4x4", make_network("fat-tree:2;4,4;1,2;1,2", defaults));
  problem.report.guest = problem.report.network = problem.report.background = bad;
  problem.report.scenario = {{"traffic", bad + '\x01' + '\xFF'}};
  problem.add_row("block");
  problem.add_row(bad, 3);
  const std::string page = render_page(problem.report, problem.source);
  CHECK(count_of(page, "<script>") == 1);  // our own
  CHECK(count_of(page, "</script>") == 4);
  CHECK(count_of(page, "<img") == 0);
  CHECK(script(page, "report").at("rows").at(1).at("mapper") == bad);
}

TEST_CASE("a page tells what stands above the table of the text report, and what it assumes",
          "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.add_row("block");
  const std::string alone = render_page(problem.report, problem.source);
  for (const char* key : {"background", "noise", "assumes"})
    CHECK(count_of(alone, fmt::format("<dt>{}</dt>", key)) == 0);
  problem.add_row("strided", 5);
  problem.report.background = "others.csv: 2 flows";
  problem.report.noise = 0.04;
  problem.report.assumptions = {"one", "two <b>"};
  const std::string page = render_page(problem.report, problem.source);
  for (const auto& [key, value] : head_facts(problem.report))
    CHECK(count_of(page, fmt::format("<dt>{}</dt><dd>{}</dd>", key, markup_text(value))) == 1);
  CHECK(count_of(page, "<dt>noise</dt><dd>4 %, measured") == 1);
  CHECK(count_of(page, "<dt>bounds</dt>") == 1);
  CHECK(count_of(page, "<dt>assumes</dt>") == 2);
  CHECK(count_of(page, "<dd>two &lt;b&gt;</dd>") == 1);
}

TEST_CASE("the scale of links ends at the heaviest one where phases sum up to more",
          "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.add_row("block");
  const double heaviest = problem.report.rows.front().metrics.max_congestion.value;
  problem.report.rows.front().metrics.max_congestion = {
      4 * heaviest};  // one busiest link in each phase
  const auto pictures = script(render_page(problem.report, problem.source), "pictures");
  CHECK(pictures.at("row-0-loads").at("data").at("most") == heaviest);
}

TEST_CASE("a title has words and no paths", "[report][page]") {
  CHECK(title_words("cart:8x8: 64 ranks, 224 directed edges") == "cart:8x8");
  CHECK(title_words("torus:4x4x4 at 10 GB/s and 100 ns per link: 64 hosts") == "torus:4x4x4");
  CHECK(title_words("platforms/theta.xml = dragonfly:9,4;6,3;16,1;4: 3456 hosts") == "theta");
  CHECK(title_words("/home/me/halo.csv: 16 ranks") == "halo");
  CHECK(title_words("traces/run/: 16 ranks") == "run");
}

TEST_CASE("words of the command line survive a shell", "[report][page]") {
  Report report;
  report.rows.resize(2);
  report.scenario = {{"topology", "cart:4x4"},
                     {"network", "fat-tree:2;4,4;1,2;1,2"},
                     {"traffic", "it's $HOME"},
                     {"no-simulate", "true"}};
  CHECK(command_line(report) ==
        "vtopo compare --topology cart:4x4 --network 'fat-tree:2;4,4;1,2;1,2' "
        "--traffic 'it'\\''s $HOME' --no-simulate");
}

TEST_CASE("the page of a large problem stays below two megabytes", "[report][page]") {
  DrawnProblem problem("cart:32x32x32", "torus:32x32x32");
  problem.add_row("block");
  for (const int stride : {3, 5, 7, 9, 11, 13}) problem.add_row("strided", stride);
  const std::string page = render_page(problem.report, problem.source);
  CHECK(page.size() < 2'000'000);
  CHECK(count_of(page, "Drawn: 6 of 7 mappers") == 1);
}

namespace {

/// Bytes of each cable and the flows that name it, of row 0 of the page.
void check_flows_of_cables(DrawnProblem& problem) {
  const auto network = script(render_page(problem.report, problem.source), "network");
  const auto& row = network.at("rows").at("0");
  std::vector<double> bytes(network.at("cables").size(), 0), told(bytes.size(), 0);
  for (const auto& flow : row.at("flows"))
    for (std::size_t i = 3; i < flow.size(); ++i)
      bytes[flow[i].get<std::size_t>()] += flow[2].get<double>();
  for (const auto& load : row.at("loads"))
    for (std::size_t d = 1; d < load.size(); ++d)
      told[load[0].get<std::size_t>()] += load[d][0].get<double>();
  CHECK(bytes == told);
}

}  // namespace

TEST_CASE("the flows of a cable carry its bytes", "[report][page]") {
  for (const std::string spec :
       {"torus:4x4", "fat-tree:2;4,4;1,2;1,2", "dragonfly:3,1;2,1;3,1;2"}) {
    CAPTURE(spec);
    DrawnProblem problem("cart:4x4", spec);
    problem.add_row("strided", 5);
    check_flows_of_cables(problem);
  }
}

TEST_CASE("of a large network the page has what carries something", "[report][page]") {
  DrawnProblem problem("cart:4x4", "torus:32x32x32");
  problem.add_row("strided", 33);
  problem.add_row("strided", 2);
  std::set<LinkId> used;
  for (const Metrics& metrics : problem.metrics)
    for (std::size_t l = 0; l < metrics.links.size(); ++l)
      if (metrics.links[l].flows > 0) used.insert(id_at<LinkId>(l));
  const auto network = script(render_page(problem.report, problem.source), "network");
  std::size_t links = 0;
  for (const auto& cable : network.at("cables")) links += cable.size();
  CHECK(links >= used.size());  // with the ways back of these cables
  check_flows_of_cables(problem);
}
