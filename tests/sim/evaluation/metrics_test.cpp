#include "sim/evaluation/metrics.hpp"

#include <catch2/catch.hpp>
#include <limits>
#include <numeric>

#include "netmodels/models/torus/torus.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/totals.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr LinkProperties limiter_of_5{{5}, {0}};

/// Metrics of block placement on all hosts.
Metrics evaluate_block(const CommGraph& guest, const Network& network, int slots) {
  const auto allocation = make_allocation(network, "all", std::vector{slots}, 1);
  return evaluate(guest, network, run_mapper({"block", {}}, {guest, network, allocation}));
}

double sum_of_hop_traffic(const Network& network, const Metrics& metrics) {
  double sum = 0;
  for (std::size_t l = 0; l < metrics.links.size(); ++l)
    sum += network.link(id_at<LinkId>(l)).hops * metrics.links[l].traffic.value;
  return sum;
}

}  // namespace

TEST_CASE("Metrics of three messages on a mesh, by hand") {
  // Mesh 0 - 1 - 2, one slot each, links of 10 B/s. Messages 0->2 (20 B, links 0->1 and 1->2),
  // 1->2 (40 B, link 1->2), 2->2 (5 B, no link), 1->0 (0 B, one hop but no flow).
  const auto mesh = make_torus({{{3, false}}, {{10}, {0}}});
  const std::vector<DirectedEdge> edges{{Rank{0}, Rank{2}, {20}},
                                        {Rank{1}, Rank{2}, {40}},
                                        {Rank{2}, Rank{2}, {5}},
                                        {Rank{1}, Rank{0}, {0}}};
  const auto metrics = evaluate_block(CommGraph(3, edges), *mesh, 1);
  CHECK(metrics.edges == 4);
  CHECK(metrics.total_volume.value == 65);
  CHECK(metrics.intra_host_volume.value == 5);
  CHECK(metrics.max_dilation == 2);
  CHECK(metrics.mean_dilation == 1.0);  // (2 + 1 + 0 + 1) / 4
  CHECK(metrics.hop_bytes.value == 80);
  CHECK(metrics.mean_hops_per_byte == Approx(80.0 / 65));
  CHECK(metrics.max_link_load.value == 60);
  CHECK(metrics.mean_link_load.value == 20);  // 80 over four directed links
  CHECK(metrics.max_flows_per_link == 2);
  CHECK(metrics.mean_congestion.value == 4);  // (2 s + 6 s) / 2 links that carry anything
  CHECK(metrics.max_congestion.value == 6);
  CHECK(metrics.jsum == 3);
  CHECK(metrics.jmax == 2);
  CHECK(metrics.hop_histogram == std::vector<std::int64_t>{1, 2, 1});
  const auto loaded = most_loaded_links(metrics, 10);
  REQUIRE(loaded.size() == 2);
  CHECK(mesh->link_name(loaded[0]) == "d0+:1->2");
  CHECK(mesh->link_name(loaded[1]) == "d0+:0->1");
  CHECK(most_loaded_links(metrics, 1).size() == 1);
  CHECK(most_loaded_links(metrics, -1).empty());
}

TEST_CASE("Ranks of one host exchange data over no link") {
  const auto mesh = make_torus({{{2, false}}, {{10}, {0}}});
  const auto metrics = evaluate_block(unit_grid({4}), *mesh, 2);
  // Chain 0-1 | 2-3: of six directed edges two cross between the hosts.
  CHECK(metrics.intra_host_volume.value == 4);
  CHECK(metrics.jsum == 2);
  CHECK(metrics.jmax == 1);
  CHECK(metrics.hop_bytes.value == 2);
}

TEST_CASE("A guest without edges costs nothing") {
  const auto metrics = evaluate_block(CommGraph(3), *make_torus({{{3}}, {}}), 1);
  CHECK(metrics.mean_dilation == 0);
  CHECK(metrics.mean_hops_per_byte == 0);
  CHECK(metrics.mean_congestion.value == 0);
  CHECK(metrics.max_congestion.value == 0);
  CHECK(metrics.hop_histogram.empty());
  CHECK(most_loaded_links(metrics, 5).empty());
}

TEST_CASE("A limiter carries traffic and congests but is no hop") {
  // One-way ring of 3; 1->0 passes limiter 4 and links 1 and 2. 30 B at 5 B/s are 6 s.
  const RingNetwork ring(3, link_of_10, limiter_of_5);
  const std::vector<DirectedEdge> edges{{Rank{1}, Rank{0}, {30}}};
  const auto metrics = evaluate_block(CommGraph(3, edges), ring, 1);
  CHECK(metrics.max_dilation == 2);
  CHECK(metrics.hop_bytes.value == 60);
  CHECK(metrics.links[4].traffic.value == 30);
  CHECK(metrics.mean_congestion.value == 4);  // (6 s + 3 s + 3 s) / 3
  CHECK(metrics.max_congestion.value == 6);
  CHECK(most_loaded_links(metrics, 9) == std::vector{LinkId{4}, LinkId{1}, LinkId{2}});
}

TEST_CASE("On a fatpipe link only the largest flow counts for congestion") {
  const RingNetwork ring(3, {{10}, {0}, LinkSharing::fatpipe}, {{1000}, {0}});
  const std::vector<DirectedEdge> edges{
      {Rank{0}, Rank{1}, {30}}, {Rank{0}, Rank{1}, {20}}, {Rank{0}, Rank{2}, {10}}};
  const auto metrics = evaluate_block(CommGraph(3, edges), ring, 1);
  CHECK(metrics.links[0].traffic.value == 60);
  CHECK(metrics.links[0].flows == 3);
  CHECK(metrics.links[0].congestion.value == 3);
  CHECK(metrics.max_congestion.value == 3);
}

TEST_CASE("Infinite bandwidth has no congestion") {
  const BytesPerSecond infinite{std::numeric_limits<double>::infinity()};
  const RingNetwork ring(4, {infinite, {0}}, {infinite, {0}});
  CHECK(evaluate_block(unit_grid({4}), ring, 1).max_congestion.value == 0);
}

TEST_CASE("The metrics of every embedding agree with each other") {
  const auto torus = make_torus({{{4}, {3, false}, {2}}, {}});
  const RingNetwork ring(9, link_of_10, limiter_of_5);
  const auto seed = GENERATE(range(1, 9));
  for (const Network* network : {torus.get(), static_cast<const Network*>(&ring)}) {
    const auto guest = drawn_graph(18, 90, static_cast<std::uint64_t>(seed));
    const auto allocation = make_allocation(*network, "all", std::vector{2}, 1);
    const auto embedding =
        run_mapper({"random", {}}, {guest, *network, allocation, nullptr, std::uint64_t(seed)});
    const auto metrics = evaluate(guest, *network, embedding);
    CHECK(sum_of_hop_traffic(*network, metrics) == metrics.hop_bytes.value);
    double inter = 0;
    std::int64_t leaving = 0;
    guest.for_each_edge([&](Rank source, const CommEdge& edge) {
      if (embedding.host_of(source) == embedding.host_of(edge.destination)) return;
      inter += edge.volume.value;
      ++leaving;
    });
    CHECK(metrics.total_volume.value == metrics.intra_host_volume.value + inter);
    CHECK(metrics.jsum == leaving);
    const auto& histogram = metrics.hop_histogram;
    CHECK(std::accumulate(histogram.begin(), histogram.end(), std::int64_t{0}) == metrics.edges);
    CHECK(static_cast<int>(histogram.size()) == metrics.max_dilation + 1);
  }
}

TEST_CASE("Jsum and Jmax of blocked stencils are those of the published code") {
  // Hunold et al. (CLUSTER 2020), their code on open grids with 48 ranks per host, blocked.
  const auto small = evaluate_block(unit_grid({50, 48}), *make_torus({{{50}}, {}}), 48);
  CHECK(small.jsum == 4704);
  CHECK(small.jmax == 96);
  const auto large = evaluate_block(unit_grid({75, 64}), *make_torus({{{100}}, {}}), 48);
  CHECK(large.jsum == 9622);
  CHECK(large.jmax == 98);
}

TEST_CASE("A 12-dimensional hypercube on its torus has 92160 hops in row-major order") {
  // By hand: flipping bit k of a coordinate on a ring of 16 is 2^k hops, each of the 12 bits has
  // 2048 undirected edges: 3 * 2048 * (1 + 2 + 4 + 8). Directed edges count twice.
  const auto torus = make_torus({{{16}, {16}, {16}}, {}});
  const auto metrics = evaluate_block(unit_grid(std::vector<int>(12, 2)), *torus, 1);
  CHECK(metrics.hop_bytes.value == 2 * 92160);
}

TEST_CASE("Loads of few links are the same to the bit, and without the others, too") {
  // Oracle: the same guest with messages of ranks to themselves, as many as make all links be
  // looked at.
  const auto check = [](const Network& network) {
    const auto allocation = make_allocation(network, "random:64", std::vector{1}, 1);
    std::vector<DirectedEdge> edges;
    Random random(1);
    for (int f = 0; f < 40; ++f) {
      const auto rank = [&] { return id_at<Rank>(random.below(64)); };
      edges.push_back({rank(), rank(), {0.1 * static_cast<double>(random.below(1000))}});
    }
    std::vector<DirectedEdge> all_edges = edges;
    for (int f = 0; f < network.num_links(); ++f)
      all_edges.push_back({id_at<Rank>(static_cast<std::size_t>(f % 64)),
                           id_at<Rank>(static_cast<std::size_t>(f % 64)),
                           {0}});
    const CommGraph few(64, edges), many(64, all_edges);
    REQUIRE(64 * few.num_edges() < static_cast<std::size_t>(network.num_links()));
    const Embedding embedding = run_mapper({"block", {}}, {few, network, allocation});
    const Metrics some = evaluate(few, network, embedding);
    const Metrics all = evaluate(many, network, embedding);
    const Metrics totals = evaluate_totals(few, network, embedding);
    CHECK(totals.links.empty());
    for (const Metrics* metrics : {&some, &totals}) {
      CHECK(metrics->hop_bytes == all.hop_bytes);
      CHECK(metrics->max_link_load == all.max_link_load);
      CHECK(metrics->mean_link_load == all.mean_link_load);
      CHECK(metrics->max_flows_per_link == all.max_flows_per_link);
      CHECK(metrics->max_congestion == all.max_congestion);
      CHECK(metrics->mean_congestion == all.mean_congestion);
      CHECK(metrics->jmax == all.jmax);
    }
    REQUIRE(some.links.size() == all.links.size());
    for (std::size_t l = 0; l < all.links.size(); ++l) {
      CHECK(some.links[l].traffic == all.links[l].traffic);
      CHECK(some.links[l].flows == all.links[l].flows);
      CHECK(some.links[l].congestion == all.links[l].congestion);
    }
  };
  check(*make_torus({{{32}, {32}, {32}}, {{10}, {0}}}));
  check(RingNetwork(2000, {{10}, {0}}, limiter_of_5));
  check(RingNetwork(2000, {{10}, {0}, LinkSharing::fatpipe}, limiter_of_5));
}

TEST_CASE("An embedding of other ranks, or on hosts of another network, is refused") {
  const auto ring = make_torus({{{4}}, {}});
  const auto pair = make_torus({{{2}}, {}});
  const auto allocation = make_allocation(*ring, "all", std::vector{1}, 1);
  const CommGraph guest = unit_grid({4});
  const Embedding three({HostId{0}, HostId{1}, HostId{2}}, allocation);
  const Embedding four(allocation.hosts, allocation);
  const char* const ranks = "an embedding of 3 ranks for 4 ranks: the numbers must be equal";
  CHECK_THROWS_WITH(evaluate(guest, *ring, three), ranks);
  CHECK_THROWS_WITH(evaluate(unit_grid({3}), *ring, four),
                    "an embedding of 4 ranks for 3 ranks: the numbers must be equal");
  CHECK_THROWS_WITH(evaluate(guest, *pair, four), "rank 2 on host 2 of a network with 2 hosts");
  for (const Solver solver : {Solver::fast, Solver::simgrid}) {
    SimulationOptions options;
    options.solver = solver;
    CHECK_THROWS_WITH(simulate(guest, *ring, three, options), ranks);
  }
  SearchControl control;
  control.start = &three;
  CHECK_THROWS_WITH(run_mapper({"exchange", {}}, {guest, *ring, allocation}, control), ranks);
}
