#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "netmodels/platform/generate.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/evaluation/bounds.hpp"
#include "tests/sim/guests.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/budget.hpp"
#include "tests/support/temporary_file.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// The network as a file of links and routes, which says nothing of its shape.
std::shared_ptr<const Network> by_links_and_routes(const Network& network,
                                                   const std::string& spec) {
  PlatformSource source;
  source.network = spec;
  const auto platform = generate_platform(network, source, PlatformForm::zones);
  return load_platform(tests::write_file("written-network.xml", platform.xml), {});
}

/// Every rank sends 1 byte to every other one.
CommGraph all_to_all(int ranks) {
  std::vector<DirectedEdge> edges;
  for (int from = 0; from < ranks; ++from)
    for (int to = 0; to < ranks; ++to)
      if (from != to) edges.push_back({Rank{from}, Rank{to}, Bytes{1}});
  return CommGraph(ranks, edges);
}

std::vector<CommGraph> guests_of(int ranks) {
  return {unit_grid({ranks / 4, 4}), unit_grid({ranks / 8, 4, 2}, Periodicity::periodic),
          all_to_all(ranks), drawn_graph(ranks, 8 * ranks, 3)};
}

}  // namespace

TEST_CASE("Bounds of a network written as links and routes are within 10 % of its own") {
  // The limit. Where the file's are larger, they are as right: any embedding keeps both.
  const std::string spec = GENERATE(
      "torus:8x4", "torus:4x4x4", "torus:5x5", "mesh:8x4", "torus:4x4,per_router=2",
      "fat-tree:2;4,8;1,4;1,1", "fat-tree:2;4,4;1,1;1,1,bandwidth=10GBps/1GBps",
      "fat-tree:3;4,4,2;1,2,1;1,1,1", "hyperx:4x8", "hyperx:4x4x4", "hyperx:4x4,per_router=2",
      "hyperx:5x3,per_router=4", "dragonfly:4,2;4,1;4,1;2", "dragonfly:9,1;2,1;4,1;2",
      "dragonfly:4,1;1,1;4,1;2", "dragonfly:4,1;2,1;4,1;2,bandwidth=10GBps/10GBps/10GBps/1GBps",
      "dragonfly-plus:4;2,2;4", "slim-fly:q=3", "tree:4:2:4@2:4:6");
  const int slots = GENERATE(1, 4);
  const auto own = make_network(spec, {});
  // As much is said by the smaller ones.
  if (slots > 1 && own->num_hosts() > tests::budget(25, 32)) return;
  const auto written = by_links_and_routes(*own, spec);
  INFO(spec << ", " << slots << " slots");
  for (const CommGraph& guest : guests_of(own->num_hosts() / 8 * 8 * slots)) {
    const Bounds of_own = lower_bounds(guest, *own, tests::all_hosts(*own, slots));
    const Bounds of_written = lower_bounds(guest, *written, tests::all_hosts(*written, slots));
    INFO(of_own.congestion_kind << " and " << of_written.congestion_kind << ", "
                                << of_own.hop_bytes_kind << " and " << of_written.hop_bytes_kind);
    CHECK(of_written.congestion.value >= 0.9 * of_own.congestion.value);
    CHECK(of_written.hop_bytes.value >= 0.9 * of_own.hop_bytes.value);
  }
}
