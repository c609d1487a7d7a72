#include <catch2/catch.hpp>
#include <cmath>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/partition/balance.hpp"
#include "sim/run/run.hpp"
#include "topology/base/error.hpp"
#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// 100 ranks on 8 hosts: 13 per host in perfect balance.
Scenario ranks_on_hosts(const std::string& imbalance) {
  Scenario scenario;
  scenario.topology = "cart:10x10";
  scenario.network = "tree:4:2@1:10";
  scenario.imbalance = imbalance;
  return scenario;
}

int slots_of(const Scenario& scenario) {
  Observer nobody;
  const Experiment experiment = build_experiment(scenario, nobody);
  for (const int slots : experiment.allocation.slots)
    CHECK(slots == experiment.allocation.slots.front());
  return experiment.allocation.slots.front();
}

}  // namespace

TEST_CASE("An imbalance lets a host take its even share, rounded up, and so much more") {
  // ceil(100 / 8) = 13; floor(13 * 1.03) = 13, floor(13 * 1.08) = 14, 2 * 13 = 26.
  CHECK(slots_of(ranks_on_hosts("0%")) == 13);
  CHECK(slots_of(ranks_on_hosts("3%")) == 13);
  CHECK(slots_of(ranks_on_hosts("0.08")) == 14);
  CHECK(slots_of(ranks_on_hosts("100%")) == 26);
  // 800 ranks: 3 % of 100 per host are 3, not 2.
  Scenario hundred = ranks_on_hosts("3%");
  hundred.topology = "cart:20x40";
  CHECK(slots_of(hundred) == 103);
}

TEST_CASE("No host of an embedding has more ranks than the imbalance allows") {
  Observer nobody;
  const Experiment experiment = build_experiment(ranks_on_hosts("8%"), nobody);
  const MappingProblem problem{experiment.guest, *experiment.network, experiment.allocation};
  for (const char* mapper : {"multisection", "portfolio"}) {
    const Embedding embedding = run_mapper({mapper, {}}, problem);
    std::vector<int> ranks(8, 0);
    for (const HostId host : embedding.hosts()) ++ranks[index(host)];
    for (const int count : ranks) CHECK(count <= 14);
  }
}

TEST_CASE("Weights that no host can take are refused") {
  const auto network = make_network("fat-tree:1;2;1;1", {});
  const Allocation allocation = make_allocation(*network, "all", std::vector{3}, 1);
  const Embedding start({HostId{0}, HostId{0}, HostId{1}}, allocation);
  const CommGraph nobody(3, {});
  CHECK_THROWS_WITH(balance_weights(nobody, *network, allocation, start, {1, 6, 1}, 5),
                    "rank 1 has a weight of 6; a host takes up to 5");
  CHECK_THROWS_WITH(balance_weights(nobody, *network, allocation, start, {3, 3, 3}, 5),
                    "no placement found in which every host has a weight of up to 5; a larger "
                    "--imbalance leaves more room");
}

// Ten turns of random weights: the limit holds, and nothing that one move could gain is left.
TEST_CASE("Balanced weights keep their limit, and no single move saves hop-bytes") {
  const auto network = make_network("mesh:2x3", {});
  const Allocation allocation = make_allocation(*network, "all", std::vector{20}, 1);
  Random random(5);
  for (int turn = 0; turn < 10; ++turn) {
    std::vector<DirectedEdge> edges;
    std::vector<double> weights;
    std::vector<HostId> hosts;
    double all = 0;
    for (int r = 0; r < 60; ++r) {
      for (int k = 0; k < 3; ++k)
        edges.push_back(
            {Rank{r}, Rank{(r + 1 + static_cast<int>(random.below(5))) % 60}, Bytes{1}});
      weights.push_back(static_cast<double>(1 + random.below(4)));
      hosts.push_back(HostId{r / 10});
      all += weights.back();
    }
    const CommGraph guest(60, edges);
    const double most = std::ceil(all / 6) * 1.03;
    const Embedding result =
        balance_weights(guest, *network, allocation, Embedding(hosts, allocation), weights, most);
    std::vector<double> load(6, 0);
    for (int r = 0; r < 60; ++r) load[index(result.host_of(Rank{r}))] += weights[index(Rank{r})];
    for (const double weight : load) CHECK(weight <= most);
    const double hop_bytes = evaluate(guest, *network, result).hop_bytes.value;
    for (int r = 0; r < 60; ++r)
      for (int host = 0; host < 6; ++host) {
        auto moved = result.hosts();
        if (moved[index(Rank{r})] == HostId{host}) continue;
        if (load[index(HostId{host})] + weights[index(Rank{r})] > most) continue;
        bool has_partner = false;
        for (const DirectedEdge& edge : edges)
          has_partner =
              has_partner ||
              (edge.source == Rank{r} && result.host_of(edge.destination) == HostId{host}) ||
              (edge.destination == Rank{r} && result.host_of(edge.source) == HostId{host});
        if (!has_partner) continue;
        moved[index(Rank{r})] = HostId{host};
        CHECK(evaluate(guest, *network, Embedding(moved, allocation)).hop_bytes.value >= hop_bytes);
      }
  }
}

TEST_CASE("An imbalance beside slots, or out of range, is refused") {
  Scenario scenario = ranks_on_hosts("3%");
  scenario.slots = "20";
  CHECK_THROWS_WITH(slots_of(scenario),
                    "--imbalance 3% says how many ranks a host takes, and so does --slots 20; "
                    "accepted is one of them");
  CHECK_THROWS_WITH(ranks_on_hosts("300%"),
                    "imbalance \"300%\": accepted are 0% to 100%, or 0 to 1");
}
