#include <algorithm>
#include <catch2/catch.hpp>
#include <limits>
#include <set>

#include "netmodels/models/torus/torus.hpp"
#include "sim/evaluation/bounds.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// A few ranks on as many hosts: all embeddings can be tried.
struct TinyCase {
  std::string name;
  std::shared_ptr<const Network> network;
  CommGraph guest;
};

std::vector<TinyCase> tiny_cases() {
  const LinkProperties slow{{5}, {0}};
  return {
      {"chain on a mesh", make_torus({{{6, false}}, {{10}, {0}}}), unit_grid({6})},
      {"ring on a torus", make_torus({{{2}, {3}}, {{10}, {0}}}),
       unit_grid({6}, Periodicity::periodic)},
      {"random on a mesh", make_torus({{{3, false}, {2, false}}, {}}), drawn_graph(6, 14, 3)},
      {"random on a ring with limiters",
       std::make_shared<RingNetwork>(6, LinkProperties{{10}, {0}}, slow), drawn_graph(6, 14, 4)},
      {"random, half of a flow each way", make_torus({{{4}}, {{10}, {0}}, {Routing::split}}),
       drawn_graph(4, 9, 5)}};
}

/// The smallest value over all embeddings, one rank per host.
double brute_force(const Measure& measure, const TinyCase& given, const Allocation& all) {
  std::vector<HostId> hosts = all.hosts;
  double least = std::numeric_limits<double>::infinity();
  do {
    const Metrics metrics = evaluate(given.guest, *given.network, Embedding(hosts, all));
    least = std::min(least, measure.value(metrics));
  } while (std::next_permutation(hosts.begin(), hosts.end()));
  return least;
}

}  // namespace

TEST_CASE("Every measure has a name of its own, a unit and a sentence, in the order of lists") {
  std::set<std::string> names;
  for (const Measure& measure : all_measures()) {
    INFO(measure.name);
    CHECK(names.insert(measure.name).second);
    CHECK_FALSE(measure.summary.empty());
    CHECK(std::set<std::string>{"bytes", "seconds", "hops", "edges"}.count(measure.unit) == 1);
    CHECK(find_measure(measure.name) == &measure);
    CHECK(to_string(parse_objective(measure.name)) == measure.name);
  }
  CHECK(measure_names() == std::vector<std::string>{"hop-bytes", "max-congestion",
                                                    "mean-congestion", "max-dilation", "jsum",
                                                    "jmax"});
  CHECK(find_measure("nothing") == nullptr);
}

TEST_CASE("No embedding is below the floor of a measure, and a search reaches the smallest value") {
  // The oracle is brute force over all embeddings.
  for (const TinyCase& given : tiny_cases()) {
    const auto all = make_allocation(*given.network, "all", std::vector{1}, 1);
    const Bounds bounds = lower_bounds(given.guest, *given.network, all);
    for (const Measure& measure : all_measures()) {
      INFO(measure.name << ", " << given.name);
      const MappingProblem problem{.guest = given.guest,
                                   .network = *given.network,
                                   .allocation = all,
                                   .objective = parse_objective(measure.name)};
      const double least = brute_force(measure, given, all);
      if (measure.floor) CHECK(measure.floor(problem, bounds) <= least * (1 + 1e-12));
      const auto found = run_mapper({"portfolio", {}}, problem, {.steps = 4000});
      CHECK(measure.value(evaluate(given.guest, *given.network, found)) == Approx(least));
    }
  }
}
