#include <algorithm>
#include <catch2/catch.hpp>
#include <set>

#include "sim/draw/paper/paper_files.hpp"
#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("a folder for a paper has each picture with its numbers", "[report][paper]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.add_row("block");
  problem.add_row("exchange:start=random", 7);
  std::set<std::string> names;
  for (const PaperFile& file : paper_files(problem.report, problem.source)) {
    CHECK(names.insert(file.name).second);
    if (file.name.ends_with(".svg")) CHECK(file.text.starts_with("<svg "));
  }
  for (const std::string figure : {"links", "link-cells", "traffic-by-host", "hops", "loads"})
    for (const std::string row : {"block", "exchange-start-random"})
      for (const std::string kind : {".svg", ".csv"})
        CHECK(names.contains(figure + '-' + row + kind));
  for (const std::string name : {"figures.gp", "report.csv", "report.json", "report.html"})
    CHECK(names.contains(name));
  CHECK(names.size() == 2 * (2 * 5 + 1) + 4);
}

TEST_CASE("rows with names alike get files of their own", "[report][paper]") {
  Report report;
  report.rows.resize(3);
  report.rows[0].mapper = "a/b";
  report.rows[1].mapper = "a:b";
  report.rows[2].mapper = "../../etc/passwd";
  const auto names = file_names(report);
  CHECK(names[0] == "a-b");
  CHECK(names[1] == "a-b-2");
  CHECK(names[2].find('/') == std::string::npos);
}

TEST_CASE("the overview has the best row beside the baseline", "[report][paper]") {
  DrawnProblem problem("cart:4x4", "torus:4x4");
  problem.add_row("strided", 7);
  problem.add_row("identity");
  const std::string svg = paper_overview(problem.report, problem.source);
  CHECK(count_of(svg, "<svg ") == 3);
  CHECK(count_of(svg, ">strided<") == 1);
  CHECK(count_of(svg, ">identity<") == 1);
}
