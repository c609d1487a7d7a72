#include <catch2/catch.hpp>

#include "sim/experiment/experiment.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "topology/base/error.hpp"

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

TEST_CASE("An imbalance beside slots, or out of range, is refused") {
  Scenario scenario = ranks_on_hosts("3%");
  scenario.slots = "20";
  CHECK_THROWS_WITH(slots_of(scenario),
                    "--imbalance 3% says how many ranks a host takes, and so does --slots 20; "
                    "accepted is one of them");
  CHECK_THROWS_WITH(ranks_on_hosts("300%"),
                    "imbalance \"300%\": accepted are 0% to 100%, or 0 to 1");
}
