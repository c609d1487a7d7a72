#include "sim/draw/topology_picture.hpp"

#include <catch2/catch.hpp>
#include <pugixml.hpp>

#include <cstdio>

#include "tests/sim/draw/drawn_problem.hpp"
#include "tests/support/folders.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

TopologyPicture grid_4x2() {
  TopologyPicture picture;
  picture.title = "cart:4px2";
  picture.dimensions = {{4, Periodicity::periodic}, {2, Periodicity::open}};
  picture.graph = make_comm_graph(parse_guest_topology("cart:4px2"), std::vector{Bytes{1}});
  return picture;
}

TopologyPicture picture_of(const std::string& spec, std::vector<Dimension> dimensions) {
  TopologyPicture picture;
  picture.title = spec;
  picture.dimensions = std::move(dimensions);
  picture.graph = make_comm_graph(parse_guest_topology(spec), std::vector{Bytes{1}});
  return picture;
}

/// Points along a path of `M`, `L` and `Q` that lie inside of a box of the picture.
int points_in_boxes(const pugi::xml_document& svg, std::string path) {
  int inside = 0;
  const auto count = [&](double x, double y) {
    for (const auto& node : svg.select_nodes("//rect")) {
      const pugi::xml_node box = node.node();
      const double left = box.attribute("x").as_double(), top = box.attribute("y").as_double();
      if (x > left + 4 && x < left + box.attribute("width").as_double() - 4 && y > top + 4 &&
          y < top + box.attribute("height").as_double() - 4)
        ++inside;
    }
  };
  for (std::size_t at = path.find('M'); at != std::string::npos; at = path.find('M', at + 1)) {
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    const char* part = path.c_str() + at;
    if (std::sscanf(part, "M%lf %lfQ%lf %lf %lf %lf", &x0, &y0, &x1, &y1, &x2, &y2) != 6) {
      REQUIRE(std::sscanf(part, "M%lf %lfL%lf %lf", &x0, &y0, &x2, &y2) == 4);
      x1 = (x0 + x2) / 2, y1 = (y0 + y2) / 2;
    }
    for (double t = 0; t <= 1; t += 0.01)
      count((1 - t) * (1 - t) * x0 + 2 * t * (1 - t) * x1 + t * t * x2,
            (1 - t) * (1 - t) * y0 + 2 * t * (1 - t) * y1 + t * t * y2);
  }
  return inside;
}

}  // namespace

TEST_CASE("no line of a grid crosses a box", "[report][topology]") {
  const Dimension open{4, Periodicity::open}, periodic{4, Periodicity::periodic};
  for (const auto& [spec, dimensions] :
       {std::pair(std::string("cart:4x4p"), std::vector<Dimension>{open, periodic}),
        {"cart:4x4x4", {open, open, open}},
        {"cart:4px4px4p", {periodic, periodic, periodic}},
        {"stencil:4px4p:moore", {periodic, periodic}},
        {"stencil:4x4:hops", {open, open}},
        {"hypercube:4", std::vector<Dimension>(4, Dimension{2, Periodicity::open})}}) {
    CAPTURE(spec);
    TopologyPicture picture = picture_of(spec, dimensions);
    RankArrows shift{"shift along dimension 0 by 2", {}, 0};
    for (int rank = 0; spec == "cart:4x4p" && rank < 8; ++rank)
      shift.pairs.emplace_back(Rank{rank}, Rank{rank + 8});
    picture.arrows = {shift};
    pugi::xml_document svg;
    REQUIRE(svg.load_string(draw_topology(picture).c_str()));
    int lines = 0;
    for (const auto& node : svg.select_nodes("//g/path")) {
      const std::string path = node.node().attribute("d").value();
      CAPTURE(path);
      CHECK(points_in_boxes(svg, path) == 0);
      ++lines;
    }
    CHECK(lines >= 24);  // edges of the smallest one
  }
}

TEST_CASE("a picture of a topology has a title in words and room for its legend",
          "[report][topology]") {
  TopologyPicture picture = grid_4x2();
  picture.arrows = {{"shift along dimension 1 by 1", {}, 4}};
  const std::string svg = draw_topology(picture);
  CHECK(count_of(svg, ">Grid of 4 x 2 ranks, periodic in dimension 0 (cart:4px2)</text>") == 1);
  double width = 0;
  REQUIRE(std::sscanf(svg.c_str() + svg.find("width="), "width=\"%lf\"", &width) == 1);
  // 70 letters of the legend of some 6.5 pixels each, behind 54
  CHECK(width > 54 + 70 * 6.5);
  const std::string planes = draw_topology(picture_of(
      "cart:2x2x2", {{2, Periodicity::open}, {2, Periodicity::open}, {2, Periodicity::open}}));
  for (const char* plane : {">(0, *, *)</text>", ">(1, *, *)</text>"})
    CHECK(count_of(planes, plane) == 1);
  CHECK(
      count_of(draw_topology(picture_of("graph:" + tests::source_path("examples/ring.graph"), {})),
               ">Graph of ") == 1);
}

TEST_CASE("a grid is drawn with a box, the rank and the coordinates for each rank",
          "[report][topology]") {
  const std::string svg = draw_topology(grid_4x2());
  CHECK(count_of(svg, "<rect class=\"box\"") == 8);
  for (int rank = 0; rank < 8; ++rank) {
    CHECK(count_of(svg, ">" + std::to_string(rank) + "</text>") == 1);
    // the last dimension varies fastest
    CHECK(count_of(svg, ">(" + std::to_string(rank / 2) + "," + std::to_string(rank % 2) +
                            ")</text>") == 1);
  }
}

TEST_CASE("arrows, neighbours and sub-communicators are drawn and explained",
          "[report][topology]") {
  TopologyPicture picture = grid_4x2();
  picture.arrows = {{"shift along dimension 1 by 1", {{Rank{0}, Rank{1}}, {Rank{2}, Rank{3}}}, 6}};
  picture.asked = {Rank{3}};
  picture.labels = {{Rank{1}, "-d0"}, {Rank{5}, "+d0"}};
  picture.communicators = {{Rank{0}, Rank{1}}, {Rank{2}, Rank{3}}};
  const std::string svg = draw_topology(picture);
  CHECK(count_of(svg, "marker-end=") == 2);
  CHECK(count_of(svg,
                 "shift along dimension 1 by 1; 6 ranks have no destination "
                 "(MPI_PROC_NULL)") == 1);
  CHECK(count_of(svg, ">-d0</text>") == 1);
  CHECK(count_of(svg, ">+d0</text>") == 1);
  CHECK(count_of(svg, "<rect class=\"box c1 asked\"") == 1);
  CHECK(count_of(svg, "<rect class=\"box c0\"") == 2);
  CHECK(count_of(svg, "communicator 1: ranks 2 3") == 1);
  const std::string page = render_topology_page(picture, "cart_coords 3 <1 1>");
  CHECK(count_of(page, "<svg ") == 1);
  CHECK(count_of(page, "cart_coords 3 &lt;1 1&gt;") == 1);
  CHECK(count_of(page, "src=") == 0);
}

TEST_CASE("a topology of very many ranks has no picture and says so", "[report][topology]") {
  TopologyPicture picture;
  picture.title = "cart:2000";
  picture.dimensions = {{2000, Periodicity::open}};
  picture.graph = CommGraph(2000);
  CHECK_THROWS_WITH(draw_topology(picture),
                    "a picture of a topology has room for 1,024 ranks, cart:2000 has 2,000");
}
