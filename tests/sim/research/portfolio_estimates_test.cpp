#include <catch2/catch.hpp>

#include <chrono>
#include <cmath>

#include "netmodels/network_spec.hpp"
#include "sim/mapping/portfolio/portfolio_members.hpp"
#include "sim/mapping/portfolio/portfolio_pool.hpp"
#include "sim/research/bench/graph_guests.hpp"
#include "tests/sim/guests.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

SearchControl until_in(std::chrono::milliseconds time) {
  SearchControl control;
  control.deadline = SearchControl::Clock::now() + time;
  return control;
}

}  // namespace

TEST_CASE("A mapper is expected to part ranks until a part fits a host, and no further") {
  // 256 ranks on as many hosts, or on 16: log2(258) and log2(18) doublings.
  const CommGraph guest = unit_grid({16, 16});
  const auto many = make_network("tree:16:16@1:10", {}), few = make_network("tree:4:4@1:10", {});
  const Allocation one = make_allocation(*many, "all", std::vector{1}, 1);
  const Allocation several = make_allocation(*few, "all", std::vector{16}, 1);
  const MapperInfo& bisection = mapper_of(MapperRole::mainstay);
  const double alone = seconds_of_mapper(bisection, {guest, *many, one});
  const double shared = seconds_of_mapper(bisection, {guest, *few, several});
  CHECK(shared / alone == Approx(std::log2(18) / std::log2(258)));
}

TEST_CASE("Bounds that take longer than the time that a portfolio has are not begun") {
  // A bound is there if costs of 0 count as reached. Trees of an irregular guest take seconds, a
  // grid needs none.
  const auto network = make_network("fat-tree:2;64,64;1,1;1,1", {});
  const Allocation hosts = make_allocation(*network, "all", std::vector{1}, 1);
  const auto irregular = make_graph_guest("regular:4096:6:1");
  const CommGraph grid = unit_grid({16, 16, 16});
  REQUIRE(irregular);
  const auto time = std::chrono::milliseconds(500);
  CHECK_FALSE(CostFloor({*irregular, *network, hosts}, until_in(time)).reached({0}));
  CHECK(CostFloor({grid, *network, hosts}, until_in(20 * time)).reached({0}));
}
