#include "sim/mapping/partition/balance.hpp"

#include <catch2/catch.hpp>

#include "netmodels/network_spec.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

std::vector<int> repaired(const CommGraph& guest, const std::vector<int>& slots,
                          const std::vector<int>& places) {
  const auto network = make_network("mesh:" + std::to_string(slots.size()), {});
  const auto allocation = make_allocation(*network, "all", slots, 1);
  std::vector<Place> start;
  for (const int place : places) start.push_back(Place{place});
  const auto embedding =
      without_overfull_hosts(Partners(guest), HopTable(*network, allocation), allocation, start);
  return tests::numbers_of(embedding.hosts());
}

}  // namespace

TEST_CASE("Hosts within their slots keep their ranks") {
  CHECK(repaired(unit_grid({4}), {1, 2, 1}, {2, 1, 1, 0}) == std::vector{2, 1, 1, 0});
}

TEST_CASE("An overfull host gives its cheapest rank to the nearest free slot") {
  // A line 0-1-2-3 of ranks with 1 and 2 on host 1 of a line of four hosts, 0 on host 0 and 3 on
  // host
  // 2. The nearest free slot is on host 3. Rank 2 has 2 hops to its partners there before and 1+2 =
  // 3 after, rank 1 has 1 before and 3+2 = 5 after: rank 2 moves.
  CHECK(repaired(unit_grid({4}), {1, 1, 1, 1}, {0, 1, 1, 2}) == std::vector{0, 1, 3, 2});
  // Of two slots at one hop the first in the allocation is taken; equal ranks go in the order of
  // ranks.
  CHECK(repaired(CommGraph(3), {1, 1, 1}, {1, 1, 1}) == std::vector{0, 2, 1});
  CHECK(repaired(CommGraph(3), {1, 2}, {0, 0, 0}) == std::vector{1, 1, 0});
}

TEST_CASE("More ranks than slots are an error") {
  CHECK_THROWS_AS(repaired(CommGraph(3), {1, 1}, {0, 0, 0}), FitError);
}
