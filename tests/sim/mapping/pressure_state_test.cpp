#include <algorithm>
#include <catch2/catch.hpp>
#include <cmath>

#include "netmodels/edits/network_edits.hpp"
#include "netmodels/network_spec.hpp"
#include "netmodels/platform/platform.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/measure_state.hpp"
#include "sim/mapping/state/pressure_state.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"
#include "tests/support/folders.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr double linear_part = 0.25;

/// The pressure by its definition, from the link loads of a full evaluation.
double evaluated_pressure(const MappingProblem& problem, const Embedding& embedding,
                          Seconds reference) {
  const Metrics metrics = evaluate(problem.guest, problem.network, embedding);
  double sum = 0;
  for (std::size_t l = 0; l < metrics.links.size(); ++l) {
    const LinkProperties link = problem.network.link(id_at<LinkId>(l));
    if (link.sharing == LinkSharing::fatpipe) continue;
    const double relative = metrics.links[l].traffic.value / link.bandwidth.value / reference.value;
    sum += std::pow(relative, 8) + linear_part * relative;
  }
  return sum;
}

/// Random changes, each probed, some committed, some rejected.
void check_pressure_changes(const MappingProblem& problem) {
  PressureState state(problem, run_mapper({"random", {}}, problem));
  const Seconds reference = state.links().max_congestion() * 0.5;
  state.set_reference(reference, linear_part);
  ChangeDraw draw(problem, state.partners(), state.table(), state.occupancy());
  double before = evaluated_pressure(problem, state.occupancy().embedding(), reference);
  for (int i = 0; i < 60; ++i) {
    const auto change = draw.next();
    if (!change) continue;
    const double delta = state.probe(*change);
    if (draw.below(3) == 0) {
      state.reject();
    } else {
      state.commit();
      const double after = evaluated_pressure(problem, state.occupancy().embedding(), reference);
      CHECK(after - before == Approx(delta).margin(1e-9 * before));
      before = after;
    }
    CHECK(state.links().total() == Approx(before));
  }
}

Allocation drawn_hosts(const Network& network, int slots) {
  const int hosts = slots == 1 ? std::min(network.num_hosts(), 12) : 4;
  return make_allocation(network, "random:" + std::to_string(hosts), std::vector{slots}, 7);
}

void check_on(const Network& network) {
  INFO(network.description());
  for (const int slots : {1, 4}) {
    const Allocation some = drawn_hosts(network, slots);
    const int ranks = static_cast<int>(some.hosts.size()) * slots - 1;  // one free slot
    check_pressure_changes({drawn_graph(ranks, 5 * ranks, 3), network, some, nullptr, 5});
  }
}

}  // namespace

TEST_CASE("The pressure on links equals that of a full evaluation after every change") {
  struct Case {
    const char* spec;
    Routing rule;
  };
  const auto [spec, rule] =
      GENERATE(values<Case>({{"torus:4x3x4", Routing::simgrid},
                             {"torus:4x4m", Routing::positive},
                             {"torus:4x6,bandwidth=1GBps/3GBps", Routing::split},
                             {"torus:4x4", Routing::ecmp},
                             {"torus:3x3", Routing::valiant},
                             {"torus:4x4,per_router=2", Routing::simgrid},
                             {"fat-tree:2;4,4;1,2;1,2", Routing::simgrid},
                             {"fat-tree:2;4,4;1,2;1,2", Routing::ecmp},
                             {"dragonfly:5,2;2,1;3,1;2", Routing::simgrid},
                             {"dragonfly:5,2;2,1;3,1;2", Routing::valiant}}));
  check_on(*make_network(spec, {{1e9}, {1e-6}}, {rule}));
}

TEST_CASE("The pressure follows edits, platform files and links that do not count") {
  const auto torus = make_network("torus:4x4", {{1e9}, {1e-6}});
  check_on(*apply_edits(torus, NetworkEdits{{"d0+:0->1", "d1-:4->0"}, {}, {{"d1+:*", 0.1}}}));
  check_on(*load_platform(tests::source_path("platforms/two-rooms.xml"), {}));
  check_on(RingNetwork(13, {{10}, {0}}, {{5}, {0}, LinkSharing::fatpipe}));
}

TEST_CASE("The largest of many values and their squares are those of a plain loop") {
  constexpr std::size_t size = 11;
  std::vector<double> values(size, 0.0), kept = values;
  SummedMax fast(size);
  Random random(1);
  for (int i = 0; i < 3000; ++i) {
    const std::size_t entry = random.below(size);
    values[entry] = static_cast<double>(random.below(6));
    fast.set(entry, values[entry]);
    if (random.below(3) == 0) {
      double squares = 0;
      for (const double value : values) squares += value * value;
      REQUIRE(fast.max() == *std::max_element(values.begin(), values.end()));
      REQUIRE(fast.sum_of_squares() == squares);
    }
    if (random.below(4) > 0) continue;
    if (random.below(2) == 0) {
      fast.keep();
      kept = values;
    } else {
      fast.undo();
      values = kept;
    }
    for (std::size_t v = 0; v < size; ++v) REQUIRE(fast[v] == values[v]);
  }
}
