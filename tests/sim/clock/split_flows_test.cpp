#include <catch2/catch.hpp>
#include <memory>
#include <utility>

#include "sim/clock/estimate.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/split_ring.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

Embedding mapped(const std::string& mapper, const CommGraph& guest, const Network& network,
                 int slots = 1) {
  const auto allocation = make_allocation(network, "all", std::vector{slots}, 1);
  return run_mapper({mapper, {}}, {guest, network, allocation});
}

/// Metrics of one rank per host in order.
Metrics evaluate_identity(const std::vector<DirectedEdge>& edges, const Network& network) {
  const CommGraph guest(network.num_hosts(), edges);
  return evaluate(guest, network, mapped("block", guest, network));
}

std::vector<double> traffic_of(const Metrics& metrics) {
  std::vector<double> traffic;
  for (const LinkLoad& load : metrics.links) traffic.push_back(load.traffic.value);
  return traffic;
}

/// Traffic whose sums carry a rounding error on every link, as sums of differences may.
class RoundedTraffic final : public LinkTraffic {
 public:
  static constexpr double error = 0x1p-40;

  explicit RoundedTraffic(std::unique_ptr<LinkTraffic> exact) : exact_(std::move(exact)) {}

  void add(HostId source, HostId destination, Bytes volume) override {
    CHECK(source != destination);
    CHECK(volume.value > 0);
    exact_->add(source, destination, volume);
  }

  LinkTotals totals() override {
    LinkTotals totals = exact_->totals();
    for (double& traffic : totals.traffic) traffic += error;
    return totals;
  }

 private:
  std::unique_ptr<LinkTraffic> exact_;
};

class RoundingRing final : public SplitRing {
 public:
  using SplitRing::SplitRing;
  std::unique_ptr<LinkTraffic> make_link_traffic() const override {
    return std::make_unique<RoundedTraffic>(SplitRing::make_link_traffic());
  }
};

}  // namespace

TEST_CASE("Half of a flow each way at exactly half a ring, by hand") {
  // Ring of 4 with 10 B/s. 0->2 (20 B) puts 10 B on 0->1, 1->2 and on 0->3, 3->2; 0->1 (6 B) takes
  // 0->1 alone; 1->3 has no volume: two hops, no flow.
  const SplitRing ring(4, Splitting::at_half);
  const auto metrics = evaluate_identity(
      {{Rank{0}, Rank{2}, {20}}, {Rank{0}, Rank{1}, {6}}, {Rank{1}, Rank{3}, {0}}}, ring);
  CHECK(traffic_of(metrics) == std::vector<double>{16, 10, 10, 0, 0, 0, 0, 10});
  CHECK(metrics.max_dilation == 2);
  CHECK(metrics.mean_dilation == Approx(5.0 / 3));
  CHECK(metrics.hop_histogram == std::vector<std::int64_t>{0, 1, 2});
  CHECK(metrics.hop_bytes.value == 46);
  CHECK(metrics.max_link_load.value == 16);
  CHECK(metrics.mean_link_load.value == 46.0 / 8);
  CHECK(metrics.max_flows_per_link == 2);
  CHECK(metrics.max_congestion.value == Approx(1.6));
}

TEST_CASE("Dilation is the distance, hop-bytes are what the shares travel") {
  // 0->1 (20 B) on a ring of 4: 10 B over one hop, 10 B over three.
  const SplitRing ring(4, Splitting::both_ways);
  const auto metrics = evaluate_identity({{Rank{0}, Rank{1}, {20}}}, ring);
  CHECK(traffic_of(metrics) == std::vector<double>{10, 10, 0, 0, 0, 10, 0, 10});
  CHECK(metrics.max_dilation == 1);
  CHECK(metrics.hop_bytes.value == 40);
  CHECK(metrics.mean_hops_per_byte == 2);
}

TEST_CASE("Expected load by way of a drawn intermediate, by hand") {
  // 0->1 (9 B) on a ring of 3: intermediates 0 and 1 leave one hop, 2 makes it 0->2->1. In the
  // mean 4/3 hops, 6 B on 0->1, 3 B on each of 0->2 and 2->1.
  const SplitRing ring(3, Splitting::valiant);
  const auto metrics = evaluate_identity({{Rank{0}, Rank{1}, {9}}}, ring);
  CHECK(metrics.links[0].traffic.value == Approx(6));
  CHECK(metrics.links[1].traffic.value == Approx(3));
  CHECK(metrics.links[5].traffic.value == Approx(3));
  CHECK(metrics.max_dilation == 1);
  CHECK(metrics.hop_bytes.value == Approx(12));
}

TEST_CASE("On a fatpipe link the largest share of a single flow counts") {
  // 0->2 twice, 20 B and 12 B: 16 B on each of four links, 10 B at most of one flow.
  const SplitRing ring(4, Splitting::at_half, {{10}, {0}, LinkSharing::fatpipe});
  const auto metrics =
      evaluate_identity({{Rank{0}, Rank{2}, {20}}, {Rank{0}, Rank{2}, {12}}}, ring);
  CHECK(metrics.links[0].traffic.value == 16);
  CHECK(metrics.links[0].flows == 2);
  CHECK(metrics.links[0].congestion.value == 1);
  CHECK(metrics.max_congestion.value == 1);
}

TEST_CASE("The traffic of all links adds up to the hop-bytes, link by link to the shares") {
  const auto splitting = GENERATE(Splitting::at_half, Splitting::both_ways, Splitting::valiant);
  const auto size = GENERATE(2, 5, 6);
  const SplitRing ring(size, splitting);
  const auto guest = drawn_graph(2 * size, 12 * size, static_cast<std::uint64_t>(size));
  const auto embedding = mapped("random", guest, ring, 2);
  const auto metrics = evaluate(guest, ring, embedding);
  std::vector<double> expected(static_cast<std::size_t>(ring.num_links()));
  std::vector<LinkShare> shares;
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const HostId from = embedding.host_of(source), to = embedding.host_of(edge.destination);
    if (from == to) return;
    shares.clear();
    ring.append_shares(from, to, shares);
    for (const LinkShare& part : shares)
      expected[index(part.link)] += edge.volume.value * part.share;
  });
  double sum = 0;
  for (std::size_t l = 0; l < expected.size(); ++l) {
    CHECK(metrics.links[l].traffic.value == Approx(expected[l]));
    sum += expected[l];
  }
  CHECK(sum > 0);
  CHECK(metrics.hop_bytes.value == Approx(sum));
}

TEST_CASE("Links without flows have no traffic, whatever rounding leaves in the network's sums") {
  const RoundingRing ring(5, Splitting::at_half);
  const auto metrics = evaluate_identity(
      {{Rank{0}, Rank{1}, {1}}, {Rank{2}, Rank{2}, {7}}, {Rank{3}, Rank{4}, {0}}}, ring);
  CHECK(metrics.links[0].traffic.value == 1 + RoundedTraffic::error);
  CHECK(metrics.links[2].traffic.value == 0);
  CHECK(most_loaded_links(metrics, 9) == std::vector{LinkId{0}});
}

TEST_CASE("What splits flows is not simulated on SimGrid, and the sentence says why") {
  const SplitRing ring(4, Splitting::valiant);
  const auto guest = unit_grid({4});
  const auto embedding = mapped("block", guest, ring);
  const std::string sentence =
      "SimGrid sends each flow over one route, routing valiant splits flows over several";
  CHECK(why_not_simulated(ring, Solver::simgrid) == sentence);
  CHECK_FALSE(why_not_simulated(ring, Solver::fast));
  CHECK_THROWS_AS(simulate(guest, ring, embedding, {}), UsageError);
  CHECK_THROWS_WITH(simulate(guest, ring, embedding, {}), sentence);
  CHECK_THROWS_WITH(estimate_simulation_time(guest, ring, embedding), sentence);
}
