#include "sim/bounds/spectrum.hpp"

#include <catch2/catch.hpp>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/sim/bounds/bounds_brute_force.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/budget.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {
namespace {

double bound_of(const CommGraph& guest, const Network& network, int slots = 1) {
  return spectral_bound(Partners(guest), network, tests::all_hosts(network, slots));
}

/// Each rank sends 1 byte to each other one.
CommGraph complete(int ranks) {
  std::vector<DirectedEdge> edges;
  for (int a = 0; a < ranks; ++a)
    for (int b = 0; b < ranks; ++b)
      if (a != b) edges.push_back({Rank{a}, Rank{b}, {1}});
  return {ranks, edges};
}

TEST_CASE("Eigenvalues prove no more than the best embedding has") {
  const auto network = GENERATE(as<std::string>(), "torus:6", "mesh:5", "torus:3x2", "mesh:2x3",
                                "torus:2x2x2", "mesh:3x2");
  const auto machine = make_network(network, {});
  double tightest = 0;
  for (std::uint64_t seed = 1; seed <= tests::budget(5U, 20U); ++seed)
    for (const int slots : {1, 2}) {
      const int ranks = slots == 1 ? 5 : 6;
      if (slots == 2 && machine->num_hosts() > 6) continue;
      const CommGraph guest = drawn_graph(ranks, 4 * ranks, seed);
      const auto allocation = tests::all_hosts(*machine, slots);
      const double least = BruteForce(guest, *machine, allocation).least().hop_bytes.value;
      const double bound = bound_of(guest, *machine, slots);
      CHECK(bound <= least * (1 + 1e-12));
      tightest = std::max(tightest, bound / least);
    }
  CHECK(tightest > 0.3);
}

TEST_CASE("Eigenvalues prove all of it where all embeddings are alike") {
  // Ring of 8: 1 + 1 + 2 + 2 + 3 + 3 + 4 hops to the others. Path of 5: pairs are 1 * 4 + 2 * 3 +
  // 3 * 2 + 4 * 1 hops apart, each both ways.
  CHECK(bound_of(complete(8), *make_network("torus:8", {})) == Approx(8 * 16));
  CHECK(bound_of(complete(5), *make_network("mesh:5", {})) == Approx(2 * 20));
}

TEST_CASE("Eigenvalues are looked at up to 1,024 slots, by links that are up") {
  CHECK(bound_of(complete(1024), *make_network("torus:32x32", {})) > 0);
  CHECK(bound_of(complete(1024), *make_network("torus:32x33", {})) == 0);
  // A ring without one of its cables is a path.
  NetworkEdits edits;
  edits.failed_links = {"*:0->1", "*:1->0"};
  CHECK(bound_of(complete(8), *apply_edits(make_network("torus:8", {}), edits)) ==
        Approx(bound_of(complete(8), *make_network("mesh:8", {}))));
}

}  // namespace
}  // namespace vtopo::detail
