#include <catch2/catch.hpp>

#include "netmodels/ideal/path_program.hpp"
#include "netmodels/network_spec.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"

using namespace vtopo;

TEST_CASE("Without Clp no problem of paths is solved exactly", "[without]") {
  CHECK_FALSE(optimal_volumes({{{{{LinkId{0}, 1}}}}}, {1}, {1}));
}

TEST_CASE("Without Scotch its mapper says what to install", "[without]") {
  const auto network = make_network("torus:4", {});
  const auto allocation = make_allocation(*network, "all", std::vector{1}, 1);
  CHECK_THROWS_WITH(run_mapper({"scotch", {}}, {unit_grid({4}), *network, allocation}),
                    Catch::Contains("install Debian's libscotch-dev and build vtopo again"));
}
