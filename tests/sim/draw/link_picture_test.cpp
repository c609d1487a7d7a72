#include "sim/draw/link_picture.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/draw/report_figures.hpp"
#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Checks that every cable of the picture has the bytes, flows and seconds of its links.
/// @return number of cables.
std::size_t check_cables(DrawnProblem& problem) {
  problem.add_row("strided", 5);
  const auto layout = link_layout(problem.source, {0});
  REQUIRE(layout);
  const Metrics& metrics = problem.metrics.front();
  const auto figures = draw_report(problem.report, problem.source, 2);
  const Figure& figure = figures.rows.front().figures.front();
  REQUIRE(figure.kind == "links");
  CHECK(count_of(figure.svg, "data-i=") == static_cast<int>(layout->cables.size()));
  const auto loads = cable_loads(*layout, problem.source.rows().front());
  REQUIRE(loads.size() == layout->cables.size());
  double bytes = 0;
  for (std::size_t c = 0; c < loads.size(); ++c) {
    const DrawnCable& cable = layout->cables[c];
    const auto check = [&](const LinkLoad& load, LinkId link) {
      CHECK(load.traffic == metrics.links[index(link)].traffic);
      CHECK(load.flows == metrics.links[index(link)].flows);
      CHECK(load.congestion == metrics.links[index(link)].congestion);
      bytes += load.traffic.value;
    };
    check(loads[c].forth, cable.forth);
    REQUIRE(cable.back);
    check(loads[c].back, *cable.back);
  }
  // Every link is drawn, so that their bytes are all hop-bytes.
  CHECK(bytes == Approx(metrics.hop_bytes.value));
  return loads.size();
}

/// The name of the link that takes longest.
std::string worst_link(const DrawnProblem& problem) {
  const auto& links = problem.metrics.front().links;
  const auto worst = std::max_element(
      links.begin(), links.end(),
      [](const LinkLoad& a, const LinkLoad& b) { return a.congestion < b.congestion; });
  return problem.network->link_name(id_at<LinkId>(static_cast<std::size_t>(worst - links.begin())));
}

}  // namespace

TEST_CASE("each cable of a torus is drawn once with the loads of its links", "[report][cables]") {
  DrawnProblem problem("cart:4x4x2", "torus:4x4x2m");
  // 16 routers x 2 planes: 2 cables each in the planes, and 16 between them
  CHECK(check_cables(problem) == 80);
}

TEST_CASE("each cable of a fat tree is drawn once with the loads of its links",
          "[report][cables]") {
  DrawnProblem problem("cart:4x4", "fat-tree:2;4,4;1,2;1,2");
  check_cables(problem);
}

TEST_CASE("a torus of two thousand routers, all in use, has too many cables to draw",
          "[report][cables]") {
  DrawnProblem problem("cart:16x16x8", "torus:16x16x8");
  problem.add_row("strided", 3);
  CHECK_FALSE(link_layout(problem.source, {0}));
}

TEST_CASE("a picture of links names the worst link and the ranks at their hosts",
          "[report][cables]") {
  for (const std::string spec :
       {"torus:4x4", "fat-tree:2;4,4;1,2;1,2", "dragonfly:9,4;6,3;16,1;4", "slim-fly:q=5"}) {
    CAPTURE(spec);
    DrawnProblem problem("cart:4x4", spec);
    problem.add_row("strided", 5);
    const auto figures = draw_report(problem.report, problem.source, 2);
    const Figure& figure = figures.rows.front().figures.front();
    REQUIRE(figure.kind == "links");
    CHECK(count_of(figure.svg, "worst: " + markup_text(worst_link(problem)) + ", ") == 1);
    CHECK(count_of(figure.svg, "(not drawn)") == 0);
    CHECK(count_of(figure.svg, "<path class=\"worst\"") == 1);
    for (int rank = 0; rank < 16; ++rank)
      CHECK(count_of(figure.svg.substr(figure.svg.find("class=\"ranks\"")),
                     ">" + std::to_string(rank) + "</text>") == 1);
  }
}

TEST_CASE("what a job does not use of a large torus is left out or narrow", "[report][cables]") {
  DrawnProblem problem("cart:4x4", "torus:16x16x16");
  problem.add_row("block");  // a row of the first plane
  const auto layout = link_layout(problem.source, {0});
  REQUIRE(layout);
  // The whole plane, its sixteen rows of which one is wide: 256 routers in a picture that is not
  // square.
  CHECK(layout->vertices.size() == 256);
  CHECK(layout->height < layout->width / 2);
  for (const auto& [link, load] : problem.source.rows()[0].used) {
    const bool is_drawn = std::any_of(
        layout->cables.begin(), layout->cables.end(),
        [link = link](auto& cable) { return cable.forth == link || cable.back == link; });
    CHECK(is_drawn);
  }
}
