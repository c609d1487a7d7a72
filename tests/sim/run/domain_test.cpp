#include "sim/run/guest.hpp"

#include <catch2/catch.hpp>

#include "sim/scenario/scenario.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("neighbours exchange the faces of their blocks", "[experiment][domain]") {
  // Blocks of 16x32x64 elements: faces of 32*64, 16*64 and 16*32 elements of 8 bytes.
  const Cartesian grid({{4, Periodicity::open}, {2, Periodicity::open}, {2, Periodicity::open}});
  const auto volumes = halo_volumes(grid, parse_domain("64x64x128"), Bytes{8});
  REQUIRE(volumes.size() == 3);
  CHECK(volumes[0].value == 8 * 32 * 64);
  CHECK(volumes[1].value == 8 * 16 * 64);
  CHECK(volumes[2].value == 8 * 16 * 32);
}

TEST_CASE("dimensions behind those of the grid are not divided", "[experiment][domain]") {
  const auto volumes =
      halo_volumes(Cartesian({{4, Periodicity::open}}), parse_domain("64x10x10"), Bytes{1});
  REQUIRE(volumes.size() == 1);
  CHECK(volumes[0].value == 100);
}

TEST_CASE("the largest block counts where a domain does not divide evenly",
          "[experiment][domain]") {
  // 10 elements on 4 ranks: blocks of 3, 3, 2 and 2.
  const auto volumes = halo_volumes(Cartesian({{4, Periodicity::open}, {1, Periodicity::open}}),
                                    parse_domain("10x7"), Bytes{1});
  CHECK(volumes[0].value == 7);
  CHECK(volumes[1].value == 3);
}

TEST_CASE("a domain that cannot be divided is refused", "[experiment][domain]") {
  CHECK_THROWS_AS(parse_domain("64x0"), UsageError);
  CHECK_THROWS_AS(parse_domain("64x"), UsageError);
  CHECK_THROWS_WITH(halo_volumes(Cartesian({{4, Periodicity::open}}), parse_domain("3"), Bytes{1}),
                    Catch::Contains("4 ranks along dimension 0 divide 3 elements"));
  CHECK_THROWS_AS(halo_volumes(Cartesian({{2, Periodicity::open}, {2, Periodicity::open}}),
                               parse_domain("64"), Bytes{1}),
                  UsageError);
}
