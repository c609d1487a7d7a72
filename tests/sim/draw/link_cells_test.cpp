#include "sim/draw/cell_picture.hpp"

#include <algorithm>
#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>
#include <numeric>

#include "sim/draw/report_figures.hpp"
#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

double heaviest(const CellPicture& picture) {
  const auto values = values_of(picture);
  return *std::max_element(values.begin(), values.end());
}

}  // namespace

TEST_CASE("a cell of a torus is the heaviest link that leaves its router", "[report][cells]") {
  DrawnProblem problem("cart:6x4", "torus:4x3x2");
  problem.add_row("strided", 7);
  const Metrics& metrics = problem.metrics.front();
  const CellPicture picture = link_cells(*problem.network, metrics);
  REQUIRE(picture.panels.size() == 2);
  for (int router = 0; router < 24; ++router) {
    double most = 0;
    for (int l = 0; l < problem.network->num_links(); ++l)
      if (problem.network->link_ends(LinkId{l})->from == router)
        most = std::max(most, metrics.links[static_cast<std::size_t>(l)].congestion.value);
    const auto& panel = picture.panels[static_cast<std::size_t>(router / 12)];
    // first dimension fastest: x to the right, y down
    CHECK(panel.values[static_cast<std::size_t>(router % 12)] == most);
  }
  CHECK(picture.column_names[3] == "d0 = 3");
  CHECK(picture.panels[1].title == "d2 = 1");
}

TEST_CASE("cells of a dragonfly are pairs of groups", "[report][cells]") {
  DrawnProblem problem("cart:6x6", "dragonfly:3,1;2,1;3,1;2");
  problem.add_row("strided", 5);
  const Metrics& metrics = problem.metrics.front();
  const CellPicture picture = link_cells(*problem.network, metrics);
  REQUIRE(picture.panels.size() == 1);
  REQUIRE(picture.panels[0].values.size() == 9);
  // three pairs of groups with a cable each: 6 directed links lie off the diagonal
  int between = 0;
  std::vector<double> expected(9, 0);
  for (int l = 0; l < problem.network->num_links(); ++l) {
    const auto ends = *problem.network->link_ends(LinkId{l});
    if (ends.from < 36 || ends.to < 36) continue;  // hosts: 3 groups of 6 routers with 2 each
    const int from = (ends.from - 36) / 6, to = (ends.to - 36) / 6;
    double& value = expected[static_cast<std::size_t>(from * 3 + to)];
    value = std::max(value, metrics.links[static_cast<std::size_t>(l)].congestion.value);
    between += from == to ? 0 : 1;
  }
  CHECK(picture.panels[0].values == expected);
  CHECK(between == 6);
}

TEST_CASE("links of a fat tree stand by kind, each in a cell of its own", "[report][cells]") {
  DrawnProblem problem("cart:4x4", "fat-tree:2;4,4;1,2;1,2");
  problem.add_row("strided", 3);
  const Metrics& metrics = problem.metrics.front();
  const CellPicture picture = link_cells(*problem.network, metrics);
  CHECK(picture.panels.size() == problem.network->link_classes().size());
  const auto values = values_of(picture);
  const double sum = std::accumulate(values.begin(), values.end(), 0.0);
  double expected = 0;
  for (const LinkLoad& load : metrics.links) expected += load.congestion.value;
  CHECK(sum == Approx(expected));
  CHECK(heaviest(picture) == metrics.max_congestion.value);
}

TEST_CASE("cells of large networks are few and keep the heaviest link", "[report][cells]") {
  for (const std::string spec : {"torus:40x40x40", "fat-tree:2;48,40;1,24;1,1"}) {
    CAPTURE(spec);
    DrawnProblem problem("cart:40x40", spec);
    problem.add_row("strided", 17);
    const CellPicture picture = link_cells(*problem.network, problem.metrics.front());
    CHECK(values_of(picture).size() <= 16384);
    CHECK(heaviest(picture) == problem.metrics.front().max_congestion.value);
  }
}

TEST_CASE("a picture of cells tells all that is not 0", "[report][cells]") {
  CellPicture picture;
  picture.name = "p";
  picture.column_names = {"a", "b", "c"};
  picture.row_names = {"x", "y"};
  picture.panels = {{"", 3, 2, {0, 1, 1, 4, 0, 0}, {}}};
  const std::vector<double> values = values_of(picture);
  const Figure figure = draw_cells(picture, ValueScale(values, PictureUnit::bytes));
  const auto cells = nlohmann::json::parse(figure.data).at("panels").at(0).at("cells");
  CHECK(cells == nlohmann::json({1, 1.0, 2, 1.0, 3, 4.0}));
  CHECK(figure.csv == "panel,row,column,bytes\n0,0,1,1\n0,0,2,1\n0,1,0,4\n");
  // two neighbours of one level are one rectangle
  CHECK(figure.svg.find("class=\"l8\" d=\"M1 0h2v1h-2z\"") != std::string::npos);
  CHECK(figure.svg.find("class=\"l32\" d=\"M0 1h1v1h-1z\"") != std::string::npos);
}

TEST_CASE("of a small job on a large machine pictures of loads show the links in use",
          "[report][cells]") {
  // 16 ranks in two groups of nine: 6 x 16 routers of 4 hosts in a group, 384 hosts
  DrawnProblem groups("cart:4x4", "dragonfly:9,4;6,3;16,1;4");
  groups.add_row("strided", 40);
  const UsedPart part = used_part(groups.source);
  REQUIRE(part.rows.size() == 1);
  CHECK(part.rows[0].cells.row_names == std::vector<std::string>{"group 0", "group 1"});
  CHECK(part.rows[0].cells.panels[0].values.size() == 4);

  DrawnProblem kinds("cart:4x4", "fat-tree:2;48,40;1,24;1,1");
  kinds.add_row("strided", 100);
  const Metrics& metrics = kinds.metrics.front();
  const auto used = std::count_if(metrics.links.begin(), metrics.links.end(),
                                  [](const LinkLoad& load) { return load.flows > 0; });
  const UsedPart strips = used_part(kinds.source);
  const auto values = values_of(strips.rows[0].cells);
  CHECK(std::count_if(values.begin(), values.end(), [](double x) { return x > 0; }) == used);
  CHECK(strips.rows[0].quantiles.size() == static_cast<std::size_t>(used));
  CHECK(strips.rows[0].quantiles.front() > 0);
  CHECK(heaviest(strips.rows[0].cells) == metrics.max_congestion.value);
}

TEST_CASE("of a job on most of a machine pictures of loads show all links", "[report][cells]") {
  DrawnProblem problem("cart:4x4", "fat-tree:2;4,4;1,2;1,2");
  problem.add_row("strided", 3);
  const UsedPart part = used_part(problem.source);
  CHECK(part.caption.empty());
  CHECK(part.rows[0].quantiles == problem.source.rows()[0].load_quantiles);
}

TEST_CASE("each rail of a fat tree has a row of its own, idle ones too", "[report][cells]") {
  // One rank on each host: rank 0 of every host sends by interface 0 only, seven rails are idle.
  DrawnProblem problem("cart:4x4", "fat-tree:2;4,4;1,4;1,1,rails=8,nics=8,injection=25GBps,node=8");
  problem.add_row("strided", 8);
  const CellPicture picture = problem.source.rows()[0].link_cells;
  CHECK(picture.title == "Load of links by rail");
  REQUIRE_FALSE(picture.panels.empty());
  const CellPanel& panel = picture.panels.front();
  CHECK(panel.rows == 8);
  CHECK(panel.title.ends_with(": 1 of 8 rails carry something"));
  CHECK(panel.row_names == std::vector<std::string>{"0", "1", "2", "3", "4", "5", "6", "7"});
  for (int row = 1; row < 8; ++row)
    for (int column = 0; column < panel.columns; ++column)
      CHECK(panel.values[static_cast<std::size_t>(row * panel.columns + column)] == 0);
  CHECK(heaviest(picture) == problem.metrics.front().max_congestion.value);
}
