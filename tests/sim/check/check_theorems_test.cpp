#include <catch2/catch.hpp>

#include <nlohmann/json.hpp>
#include <random>
#include <vector>

#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {
namespace {

using Random = std::mt19937_64;

double volume(Random& random) {
  return static_cast<double>(1 + random() % 9);
}

/// Evidence of a guest that has all edges of a grid, and some more.
/// @param sizes the fastest first.
Json evidence_of(const std::vector<std::size_t>& sizes, Random& random) {
  std::size_t ranks = 1, stride = 1;
  for (const std::size_t size : sizes) ranks *= size;
  Json edges = Json::array(), grid = Json::array();
  for (const std::size_t size : sizes) {
    const bool wraps = size > 2 && random() % 2 == 0;
    const double bytes = volume(random);
    grid.push_back({size, wraps ? 1 : 0, bytes});
    for (std::size_t cell = 0; cell < ranks; ++cell) {
      const std::size_t at = cell / stride % size;
      if (at + 1 < size) edges.push_back({cell, cell + stride, bytes});
      if (at + 1 == size && wraps) edges.push_back({cell, cell - at * stride, bytes});
    }
    stride *= size;
  }
  for (int more = 0; more < 3; ++more)
    edges.push_back({random() % ranks, random() % ranks, volume(random)});
  Json embedding(ranks, {0, 0});
  return {{"link_kinds", Json::array()},
          {"links", Json::array()},
          {"allocation", {0}},
          {"slots", {ranks}},
          {"edges", edges},
          {"rows", {{{"embedding", embedding}}}},
          {"bounds", {{"injection", {1}}, {"grid", grid}}}};
}

// Sets of all ranks, looked at one by one, are the oracle.
TEST_CASE("Theorems on sets of ranks prove no more than the least of all sets") {
  Random random(1);
  const std::vector<std::vector<std::size_t>> grids{{2, 2},    {2, 2, 2}, {3, 4}, {4, 3}, {3, 3},
                                                    {2, 3, 2}, {5, 2},    {4, 2}, {7},    {12}};
  double reached = 0;
  for (int i = 0; i < 300; ++i) {
    const Json report, json = evidence_of(grids[random() % grids.size()], random);
    const Evidence e(report, json);
    check_grid(e);
    for (std::size_t k = 1; k < e.num_ranks; ++k) {
      const double least = cut_of_any_set(e, k);
      INFO(json["bounds"]["grid"].dump() << " and sets of " << k << " ranks");
      CHECK(cut_of_grid(e, k) <= least * (1 + 1e-9));
      CHECK(cut_by_partners(e, k) <= least * (1 + 1e-9));
      const double all = static_cast<double>(e.num_ranks), ranks = static_cast<double>(k);
      CHECK(!has_connectivity(e, least * all / ranks / (all - ranks) * (1 + 1e-6)));
      if (cut_of_grid(e, k) >= least * 0.99) ++reached;
    }
  }
  CHECK(reached > 100);
}

TEST_CASE("A grid that the guest does not have is wrong") {
  Random random(2);
  const Json report;
  Json json = evidence_of({3, 4}, random);
  json["bounds"]["grid"][0][2] = 100;
  CHECK_THROWS_AS(check_grid(Evidence(report, json)), WrongFigure);
  json["bounds"]["grid"] = {{3, 0, 1}, {3, 0, 1}};
  CHECK_THROWS_AS(check_grid(Evidence(report, json)), WrongFigure);
}

}  // namespace
}  // namespace vtopo::detail::checking
