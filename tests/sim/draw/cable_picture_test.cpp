#include "sim/draw/cable_picture.hpp"

#include <catch2/catch.hpp>
#include <nlohmann/json.hpp>

#include "sim/draw/report_figures.hpp"
#include "tests/sim/draw/drawn_problem.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Checks that every cable of the picture has the bytes, flows and seconds of its links.
void check_cables(DrawnProblem& problem) {
  problem.add_row("strided", 5);
  const auto& layout = problem.source.layout();
  REQUIRE(layout);
  const Metrics& metrics = problem.metrics.front();
  const auto figures = draw_report(problem.report, problem.source, 2);
  const Figure& figure = figures.rows.front().figures.front();
  REQUIRE(figure.kind == "cables");
  CHECK(count_of(figure.svg, "data-i=") == static_cast<int>(layout->cables.size()));
  const auto cables = nlohmann::json::parse(figure.data).at("cables");
  REQUIRE(cables.size() == layout->cables.size());
  double bytes = 0;
  for (std::size_t c = 0; c < cables.size(); ++c) {
    const DrawnCable& cable = layout->cables[c];
    const auto check = [&](const nlohmann::json& told, LinkId link) {
      CHECK(told.at(0) == problem.network->link_name(link));
      CHECK(told.at(1) == metrics.links[index(link)].traffic.value);
      CHECK(told.at(2) == metrics.links[index(link)].flows);
      CHECK(told.at(3) == metrics.links[index(link)].congestion.value);
      bytes += told.at(1).get<double>();
    };
    check(cables[c].at(0), cable.forth);
    REQUIRE(cable.back);
    check(cables[c].at(1), *cable.back);
  }
  // Every link is drawn, so that their bytes are all hop-bytes.
  CHECK(bytes == Approx(metrics.hop_bytes.value));
}

}  // namespace

TEST_CASE("each cable of a torus is drawn once with the loads of its links", "[report][cables]") {
  DrawnProblem problem("cart:4x4x2", "torus:4x4x2m");
  check_cables(problem);
  // 16 routers x 2 planes: 2 cables each in the planes, and 16 between them
  CHECK(problem.source.layout()->cables.size() == 80);
}

TEST_CASE("each cable of a fat tree is drawn once with the loads of its links",
          "[report][cables]") {
  DrawnProblem problem("cart:4x4", "fat-tree:2;4,4;1,2;1,2");
  check_cables(problem);
}

TEST_CASE("a torus of two thousand routers has too many cables to draw", "[report][cables]") {
  const auto network = make_network("torus:16x16x8", NetworkDefaults());
  CHECK_FALSE(drawable_layout(*network));
}
