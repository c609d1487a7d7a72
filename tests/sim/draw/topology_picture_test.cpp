#include "sim/draw/topology_picture.hpp"

#include <catch2/catch.hpp>

#include "tests/sim/draw/drawn_problem.hpp"

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

}  // namespace

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
