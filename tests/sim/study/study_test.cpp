#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>

#include <string>

#include "sim/report/report.hpp"
#include "sim/study/lines.hpp"
#include "tests/sim/draw/drawn_problem.hpp"
#include "tests/sim/report_rows.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// A scenario by network and seed.
Scenario scenario_on(const std::string& network, std::uint64_t seed) {
  Scenario scenario;
  scenario.topology = "cart:2x2";
  scenario.network = network;
  scenario.seed = seed;
  return scenario;
}

/// Adds rows as they come from a run: by the line of their report.
void add_rows(Study& study, const std::vector<std::string>& settings, std::vector<Row> rows,
              const std::string& by = "simulated time") {
  Report report;
  report.rows = std::move(rows);
  report.verdict.by = by;
  add_line(study, settings, line_of_report({"key", {}}, render_json(report)), "test");
}

/// Two networks, three seeds each: block takes 200 us everywhere; greedy 100, 150 and 300 us on the
/// torus, 400 us on the mesh.
Study two_networks() {
  Study study = make_study();
  const double greedy[] = {100e-6, 150e-6, 300e-6};
  for (const char* network : {"torus:16x16", "torus:4x4"})
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const bool is_first = std::string(network) == "torus:16x16";
      add_rows(study, settings_of(study, scenario_on(network, seed)),
               {make_row("block", 8, 200e-6),
                make_row("greedy", 4, is_first ? greedy[seed - 1] : 400e-6)});
    }
  return study;
}

}  // namespace

TEST_CASE("a study has every setting of a scenario, defaults included", "[report][study]") {
  const Study study = two_networks();
  const auto& row = study.rows.front();
  CHECK(row.settings[study.setting("bytes")] == "1MiB");
  CHECK(row.settings[study.setting("latency")] == "100ns");
  CHECK(row.settings[study.setting("mapper")] == "block");
  CHECK_THROWS_WITH(study.setting("netwrok"), Catch::Contains("did you mean \"network\"?"));
}

TEST_CASE("settings that differ are the axes of a study", "[report][study]") {
  const Study study = two_networks();
  std::vector<std::string> names;
  for (const std::size_t axis : axes_of(study)) names.push_back(study.settings[axis]);
  CHECK(names == std::vector<std::string>{"network", "seed", "mapper"});
}

TEST_CASE("rows that differ in seeds are one case with a median", "[report][study]") {
  const Study study = two_networks();
  const GroupedStudy grouped = group_study(study, {});
  REQUIRE(grouped.groups.size() == 2);
  CHECK(row_fields()[grouped.best].name == "max_congestion");  // nothing is simulated
  const StudyCase& best = grouped.groups[0].cases.front();
  CHECK(best.names == std::vector<std::string>{"greedy"});
  const auto spread = best.spread(grouped.best);
  REQUIRE(spread);
  CHECK(spread->median == 150e-6);
  CHECK(spread->least == 100e-6);
  CHECK(spread->most == 300e-6);
  // On the other network block is best: 200 us against 400.
  CHECK(grouped.groups[1].cases.front().names == std::vector<std::string>{"block"});
}

TEST_CASE("hop-bytes decide between equal times", "[report][study]") {
  Study study = make_study();
  add_rows(study, settings_of(study, scenario_on("torus:2x2", 1)),
           {make_row("block", 8, 100e-6), make_row("greedy", 4, 100e-6),
            make_row("exchange", 6, 100e-6)});
  const GroupedStudy grouped = group_study(study, {});
  CHECK(grouped.groups.front().cases.front().names == std::vector<std::string>{"greedy"});
}

TEST_CASE("a study is grouped and judged as asked", "[report][study]") {
  const Study study = two_networks();
  const GroupedStudy grouped = group_study(study, {{"mapper"}, {"seed"}, "hop-bytes"});
  REQUIRE(grouped.groups.size() == 2);
  CHECK(grouped.groups[0].names == std::vector<std::string>{"greedy"});  // 4 against 8 bytes
  CHECK(grouped.groups[0].cases.size() == 2);
  CHECK_THROWS_AS(group_study(study, {{"colour"}, {}, ""}), UsageError);
  CHECK_THROWS_AS(group_study(study, {{}, {}, "mapper"}), UsageError);  // text is not small
}

TEST_CASE("the measure that all scenarios minimise ranks them", "[report][study]") {
  // greedy has fewer hop-bytes and takes longer on the mesh.
  const auto best_by = [](const std::vector<std::string>& objectives) {
    Study study = make_study();
    for (const std::string& objective : objectives) {
      Scenario scenario = scenario_on("torus:4x4", 1);
      if (!objective.empty()) scenario.objective = Parsed<parse_objective>(objective);
      add_rows(study, settings_of(study, scenario),
               {make_row("block", 8, 200e-6), make_row("greedy", 4, 400e-6)});
    }
    const GroupedStudy grouped = group_study(study, {});
    return std::pair(std::string(row_fields()[grouped.best].name),
                     grouped.groups[0].cases.front().names.front());
  };
  using Best = std::pair<std::string, std::string>;
  CHECK(best_by({"hop-bytes", "hop-bytes"}) == Best("hop_bytes", "greedy"));
  CHECK(best_by({"max-congestion,hop-bytes"}) == Best("max_congestion", "block"));
  CHECK(best_by({""}) == Best("max_congestion", "block"));
  CHECK(best_by({"time"}) == Best("max_congestion", "block"));
  CHECK(best_by({"hop-bytes+jsum"}) == Best("max_congestion", "block"));
}

TEST_CASE("hop-bytes rank rows of a network of which the distances alone are known",
          "[report][study]") {
  Study study = make_study();
  // A platform file may hold distances as well: the report knows.
  add_rows(study, settings_of(study, scenario_on("", 1)),
           {make_row("block", 8, 200e-6), make_row("greedy", 4, 400e-6)}, "hop-bytes");
  const GroupedStudy grouped = group_study(study, {});
  CHECK(row_fields()[grouped.best].name == "hop_bytes");
  CHECK(grouped.groups[0].cases.front().names.front() == "greedy");
  StudyView by_link;
  by_link.best = "max_congestion";
  CHECK(row_fields()[group_study(study, by_link).best].name == "max_congestion");
}

TEST_CASE("rows are sorted by the sizes in their settings", "[report][study]") {
  Study study = two_networks();
  sort_rows(study);
  CHECK(study.rows.front().settings[study.setting("network")] == "torus:4x4");
  CHECK(study.rows.back().settings[study.setting("network")] == "torus:16x16");
  Study volumes = make_study();
  for (const char* bytes : {"1MiB", "64KiB", "512"}) {
    Scenario scenario = scenario_on("torus:2x2", 1);
    scenario.bytes = bytes;
    add_rows(volumes, settings_of(volumes, scenario), {make_row("block", 8, 1e-3)});
  }
  sort_rows(volumes);
  CHECK(volumes.rows.front().settings[volumes.setting("bytes")] == "512");
  CHECK(volumes.rows.back().settings[volumes.setting("bytes")] == "1MiB");
}

TEST_CASE("the CSV of a study is flat and names each column once", "[report][study]") {
  Study study = two_networks();
  add_failure(study, settings_of(study, scenario_on("torus:3x3", 1)), "4 ranks, \"3\" slots", 4);
  const std::string csv = render_study_csv(study);
  const std::string heading = csv.substr(0, csv.find('\n'));
  std::vector<std::string> names;
  for (std::size_t at = 0; at != std::string::npos;) {
    const std::size_t end = heading.find(',', at);
    names.push_back(heading.substr(at, end - at));
    at = end == std::string::npos ? end : end + 1;
  }
  auto sorted = names;
  std::sort(sorted.begin(), sorted.end());
  CHECK(std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end());
  CHECK(std::count(csv.begin(), csv.end(), '\n') == 14);  // heading, 12 rows, 1 failure
  CHECK(csv.find(",\"4 ranks, \"\"3\"\" slots\",4\n") != std::string::npos);
}

TEST_CASE("the table of a study marks the best of each group", "[report][study]") {
  const std::string text = render_study_table(two_networks(), {});
  CHECK(text.find("torus:16x16  greedy *") != std::string::npos);
  CHECK(text.find("torus:4x4    block *") != std::string::npos);
  CHECK(text.find("network torus:16x16, mapper greedy is best by busiest link: 150 us (100 us to\n"
                  "  300 us); the next, network torus:4x4, mapper block, has 33 % more") !=
        std::string::npos);  // 200 us over 150 us
}

TEST_CASE("a scenario that fails keeps the name of its mapper in every form of a study",
          "[report][study]") {
  // As rows of these mappers are called: by the label, else by name and options; a mapper of a
  // plugin that is not loaded as it is written.
  const std::pair<const char*, const char*> mappers[] = {
      {"external:command=/bin/false,guest=csv,label=mine", "mine"},
      {"exchange:start=random,label=a<b", "a<b"},
      {"greedy", "greedy"},
      {"of_a_plugin:order=x,label=third", "of_a_plugin:order=x,label=third"},
      {"block,greedy", ""}};
  Study study = two_networks();
  for (const auto& [mapper, name] : mappers) {
    Scenario scenario = scenario_on("torus:4x4", 4);
    scenario.mappers = mapper;
    add_failure(study, settings_of(study, scenario), "it broke", 3);
    CHECK(study.rows.back().settings[study.setting("mapper")] == name);
  }
  // greedy has three draws on that network, and one that failed; the table and the page name all
  // five failures.
  const std::string table = render_study_table(study, {});
  CHECK(table.find("3 of 4") != std::string::npos);
  CHECK(table.find("failed: network torus:4x4, seed 4, mapper mine: it broke\n") !=
        std::string::npos);
  CHECK(render_study_page(study, {}).find(
            "<li>failed: network torus:4x4, seed 4, mapper a&lt;b: it broke</li>") !=
        std::string::npos);
  add_failure(study, settings_of(study, scenario_on("torus:5", 1)), "it broke", 3);
  CHECK(failures_of(study).back() == "and 1 more failed");
  CHECK(failures_of(two_networks()).empty());
  CHECK(render_study_page(two_networks(), {}).find("Failed") == std::string::npos);
}

TEST_CASE("the JSON of a study keeps rows in the order asked for", "[report][study]") {
  const auto json = nlohmann::json::parse(render_study_json(two_networks(), {}));
  CHECK(json["schema"] == "vtopo/study/v1");
  CHECK(json["best_by"] == "max_congestion");
  CHECK(json["rows"].size() == 12);
  CHECK(json["rows"][0]["settings"] ==
        nlohmann::json{{"network", "torus:16x16"}, {"seed", "1"}, {"mapper", "block"}});
  CHECK(json["rows"][1]["max_congestion"] == 100e-6);
  CHECK(json["best"][0]["median"] == 150e-6);
  CHECK(json["scenario"]["latency"] == "100ns");
}

TEST_CASE("the page of a study has a heat map, the draws and the study itself", "[report][study]") {
  const std::string page = render_study_page(two_networks(), {});
  CHECK(count_of(page, "class=\"draw\"") == 12);   // a point per row
  CHECK(count_of(page, "class=\"median\"") == 4);  // two networks, two mappers
  CHECK(count_of(page, "class=\"value\"") == 4);   // cells of two networks and two mappers
  CHECK(count_of(page, "src=") == 0);
  CHECK(page.find("id=\"study\"") != std::string::npos);
}

TEST_CASE("a change is shown without, with and as a difference", "[report][study]") {
  Study study = make_study(true);
  const double with[] = {300e-6, 200e-6, 400e-6};
  add_rows(study, settings_of(study, scenario_on("torus:2x2", 1), without_change),
           {make_row("block", 8, 200e-6)});
  for (int draw = 0; draw < 3; ++draw) {
    Scenario scenario = scenario_on("torus:2x2", 1);
    scenario.fail_links = {"random:1:seed=" + std::to_string(draw)};
    add_rows(study, settings_of(study, scenario, with_change), {make_row("block", 8, with[draw])});
  }
  const std::string text = render_study_table(study, {});
  CHECK(text.find("change       fail-link\n") == 0);
  CHECK(text.find("200   300   +50 %  +100 %") != std::string::npos);  // median 300, worst 400 us
  // The sentence is longer than a line.
  CHECK(text.find("200 us without -> 300 us with, +50 %\n  (median)") != std::string::npos);
}

TEST_CASE("old names of fields are still taken", "[report]") {
  CHECK(numeric_field("static", "").name == "max_congestion");
  CHECK(numeric_field("busiest-link", "").name == "max_congestion");
  CHECK(numeric_field("simulated", "").name == "makespan");
  CHECK(numeric_field("hop-bytes", "").name == "hop_bytes");
  CHECK_THROWS_AS(numeric_field("mapper", ""), UsageError);
}
