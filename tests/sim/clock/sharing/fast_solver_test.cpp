#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cmath>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/clock/finish_times.hpp"
#include "sim/clock/sharing/batches.hpp"
#include "sim/clock/sharing/changing_flows.hpp"
#include "sim/clock/sharing/max_min.hpp"
#include "tests/sim/max_min_oracle.hpp"
#include "tests/sim/random_phases.hpp"
#include "tests/support/allocations.hpp"
#include "tests/support/budget.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/needs_wings.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Flows over random links, some of them twice or not at all; equal volumes and bandwidths or not;
/// every other one with shares of links.
SharedFlows drawn_flows(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  const int num_links = 1 + below(40), num_flows = 1 + below(100), longest = 1 + below(6);
  const bool equal_volumes = below(3) == 0, equal_links = below(2) == 0;
  SharedFlows flows;
  for (int l = 0; l < num_links; ++l) flows.capacity.push_back(equal_links ? 10 : 1 + below(100));
  flows.first.push_back(0);
  for (int f = 0; f < num_flows; ++f) {
    flows.volume.push_back(equal_volumes ? 100 : 1 + below(1000));
    const int length = 1 + below(longest);
    for (int i = 0; i < length; ++i) flows.links.push_back(below(num_links));
    flows.first.push_back(flows.links.size());
  }
  if (below(2) == 0)
    for (std::size_t e = 0; e < flows.links.size(); ++e)
      flows.shares.push_back(1.0 / (1 + below(12)));
  return flows;
}

/// Flows over different links, none twice and without shares: what most networks have.
SharedFlows flows_over_different_links(std::uint64_t seed) {
  Random random(seed);
  const auto below = [&](int bound) {
    return static_cast<int>(random.below(static_cast<std::uint64_t>(bound)));
  };
  const int num_links = 2 + below(200), num_flows = 1 + below(300), longest = 1 + below(10);
  const int largest_volume = below(3) == 0 ? 1 : 1000;
  const int largest_capacity = std::array{1, 3, 1000}[random.below(3)];
  SharedFlows flows;
  for (int l = 0; l < num_links; ++l) flows.capacity.push_back(1 + below(largest_capacity));
  flows.first.push_back(0);
  for (int f = 0; f < num_flows; ++f) {
    flows.volume.push_back(1 + below(largest_volume));
    const int length = 1 + below(longest);
    const auto first = static_cast<std::ptrdiff_t>(flows.links.size());
    for (int i = 0; i < length; ++i) flows.links.push_back(below(num_links));
    std::sort(flows.links.begin() + first, flows.links.end());
    flows.links.erase(std::unique(flows.links.begin() + first, flows.links.end()),
                      flows.links.end());
    flows.first.push_back(flows.links.size());
  }
  return flows;
}

/// Removes the flows in a random order; every rate is compared with brute force after every end.
void check_rates(const SharedFlows& flows, std::uint64_t seed) {
  std::vector<bool> runs(flows.num_flows(), true);
  std::vector<std::int32_t> order(flows.num_flows());
  std::iota(order.begin(), order.end(), 0);
  Random random(seed);
  shuffle(std::span(order), random);
  MaxMinSharing sharing(flows);
  for (const std::int32_t next : order) {
    sharing.solve();
    const auto expected = oracle_rates(flows, runs);
    for (std::size_t f = 0; f < flows.num_flows(); ++f)
      if (runs[f])
        CHECK(sharing.rate(static_cast<std::int32_t>(f)) == Approx(expected[f]).epsilon(1e-9));
    sharing.remove(std::span(&next, 1));
    runs[static_cast<std::size_t>(next)] = false;
  }
}

SimulationOptions fast_options() {
  SimulationOptions options;
  options.solver = Solver::fast;
  return options;
}

RandomPhase drawn_phase(std::uint64_t seed) {
  return PhaseDraw(seed, tests::own_folder()).phase();
}

}  // namespace

TEST_CASE("Rates of max-min sharing are those of the definition while flows end in any order") {
  // Oracle: brute force after every end.
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    check_rates(drawn_flows(seed), seed);
  }
}

TEST_CASE("Rates are those of the definition where each flow crosses a link once") {
  // Oracle: brute force. Such flows are shifted, not filled: from one end to the next most stay
  // with the link that holds them back.
  for (std::uint64_t seed = 1; seed <= tests::budget(25U, 100U); ++seed) {
    INFO("seed " << seed);
    check_rates(flows_over_different_links(seed), seed);
  }
}

TEST_CASE("A link that was far from full becomes full when others leave a flow more") {
  // By hand: flow 0 shares link 0 (100 B/s) with nine others and has link 1 (30 B/s) alone.
  SharedFlows flows{std::vector<double>(10, 1), {0, 2}, {0, 1}, {100, 30}};
  for (std::uint64_t f = 1; f < 10; ++f) {
    flows.links.push_back(0);
    flows.first.push_back(flows.links.size());
  }
  MaxMinSharing sharing(flows);
  for (std::int32_t running = 10; running > 1; --running) {
    sharing.solve();
    const double even = 100.0 / running;
    CHECK(sharing.rate(0) == Approx(std::min(even, 30.0)));
    CHECK(sharing.rate(1) == Approx(even <= 30 ? even : 70.0 / (running - 1)));
    const std::int32_t last[] = {running - 1};
    sharing.remove(last);
  }
  sharing.solve();
  CHECK(sharing.rate(0) == Approx(30));
}

TEST_CASE("A solve tells each flow with a new rate once, with its old rate") {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const SharedFlows flows = drawn_flows(seed);
    MaxMinSharing sharing(flows);
    sharing.solve();
    std::vector<double> known;
    for (std::size_t f = 0; f < flows.num_flows(); ++f)
      known.push_back(sharing.rate(static_cast<std::int32_t>(f)));
    for (std::size_t ended = 0; ended < flows.num_flows(); ++ended) {
      if (ended > 0) sharing.solve();
      for (const auto& [flow, old_rate] : sharing.changes()) {
        auto& rate = known[static_cast<std::size_t>(flow)];
        CHECK(old_rate == rate);
        rate = sharing.rate(flow);
        CHECK(rate != old_rate);
      }
      for (std::size_t f = ended; f < flows.num_flows(); ++f)
        CHECK(known[f] == sharing.rate(static_cast<std::int32_t>(f)));
      const std::int32_t next[] = {static_cast<std::int32_t>(ended)};
      sharing.remove(next);
    }
  }
}

TEST_CASE("Finish times are those of brute force") {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    INFO("seed " << seed);
    const SharedFlows flows = drawn_flows(seed);
    const auto times = finish_times(flows, {}, {}).seconds;
    const auto expected = oracle_finish_times(flows);
    for (std::size_t f = 0; f < times.size(); ++f)
      CHECK(times[f] == Approx(expected[f]).epsilon(1e-9));
  }
}

TEST_CASE("Finish times of flows that cross a link once are those of brute force") {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    INFO("seed " << seed);
    const SharedFlows flows = flows_over_different_links(seed);
    const auto times = finish_times(flows, {}, {}).seconds;
    const auto expected = oracle_finish_times(flows);
    for (std::size_t f = 0; f < times.size(); ++f)
      CHECK(times[f] == Approx(expected[f]).epsilon(1e-9));
  }
}

TEST_CASE("Ends that others learn of a little late are those of brute force within a tolerance") {
  // Oracle: brute force. Errors of several links add up: up to some tens of tolerances.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    INFO("seed " << seed);
    SharedFlows flows = flows_over_different_links(seed);
    Random random(seed);
    if (seed % 3 == 0)
      for (std::size_t e = 0; e < flows.links.size(); ++e)
        flows.shares.push_back(1.0 / static_cast<double>(1 + random.below(12)));
    const auto times = finish_times(flows, {}, {}, 1e-8).seconds;
    const auto expected = oracle_finish_times(flows);
    for (std::size_t f = 0; f < times.size(); ++f)
      CHECK(times[f] == Approx(expected[f]).epsilon(1e-6));
  }
}

TEST_CASE("Many ends are passed on late: the last one is exact where a link is full until then") {
  // Oracle: the same flows without tolerance.
  CHECK(finish_tolerance(20'000) == 0);
  CHECK(finish_tolerance(40'000) == Approx(1e-5));
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    Random random(seed);
    SharedFlows flows{{}, {0}, {}, std::vector<double>(500, 1e9)};
    for (int f = 0; f < 3000; ++f) {
      const std::uint64_t begin = random.below(500), length = 1 + random.below(12);
      for (std::uint64_t i = 0; i < length; ++i)
        flows.links.push_back(static_cast<std::int32_t>((begin + i * (1 + seed)) % 500));
      flows.first.push_back(flows.links.size());
      flows.volume.push_back(static_cast<double>(1 + random.below(1'000'000)));
    }
    const FinishTimes late = finish_times(flows, {}, {}, 1e-6),
                      exact = finish_times(flows, {}, {}, 0);
    CHECK(late.tolerance == 1e-6);
    CHECK(exact.tolerance == 0);
    double last = 0, expected = 0;
    for (std::size_t f = 0; f < exact.seconds.size(); ++f) {
      CHECK(late.seconds[f] == Approx(exact.seconds[f]).epsilon(1e-4));
      last = std::max(last, late.seconds[f]);
      expected = std::max(expected, exact.seconds[f]);
    }
    CHECK(last == Approx(expected).epsilon(1e-6));
  }
}

TEST_CASE("Links that others have outgrown for a moment do not end late passing") {
  // A link has a rate below 0 then, and what rounding leaves of its account is not divergence, to
  // which exact ends, without a tolerance, are the answer. Flows of these seeds have such links.
  const auto network = make_network("torus:16x16x16", {});
  for (const std::uint64_t seed : {2U, 4U}) {
    INFO("seed " << seed);
    Random random(seed);
    std::vector<DirectedEdge> edges;
    for (int i = 0; i < 25'000; ++i) {
      const Rank from{static_cast<int>(random.below(4096))},
          to{static_cast<int>(random.below(4096))};
      const auto volume = static_cast<double>(1000 + random.below(1'000'000));
      if (from != to) edges.push_back({from, to, {volume}});
    }
    const SharedFlows flows =
        make_flow_phase(CommGraph(4096, edges), *network, tests::one_per_host(4096)).shared;
    CHECK(finish_times(flows, {}, {}).tolerance > 0);
  }
}

TEST_CASE("Ends of many flows that split into small shares are passed on late and stay right") {
  // Oracle: the same flows without tolerance. Shares of powers of 1/3, as of routes over three
  // dimensions, leave rounding where they are summed, and small ones are sensitive to it.
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    INFO("seed " << seed);
    Random random(seed);
    SharedFlows flows{{}, {0}, {}, std::vector<double>(600, 1e10)};
    for (int f = 0; f < 1500; ++f) {
      const std::uint64_t begin = random.below(600), length = 1 + random.below(60);
      for (std::uint64_t i = 0; i < length; ++i) {
        flows.links.push_back(static_cast<std::int32_t>((begin + i * 7 * seed) % 600));
        flows.shares.push_back(std::pow(3.0, -static_cast<double>(random.below(8))));
      }
      flows.first.push_back(flows.links.size());
      flows.volume.push_back(static_cast<double>(1 + random.below(1'000'000)));
    }
    const auto late = finish_times(flows, {}, {}, 1e-5).seconds,
               exact = finish_times(flows, {}, {}, 0).seconds;
    for (std::size_t f = 0; f < exact.size(); ++f) CHECK(late[f] == Approx(exact[f]).epsilon(1e-3));
    CHECK(*std::max_element(late.begin(), late.end()) ==
          Approx(*std::max_element(exact.begin(), exact.end())).epsilon(1e-6));
  }
}

TEST_CASE("Ends in batches are near the exact ones, and these within what is certain") {
  // Oracle: the same flows exactly; torus, fat tree, hyperx and dragonfly, split and whole.
  struct Case {
    const char* network;
    Routing routing;
  };
  for (const Case& is :
       {Case{"torus:4x4x4", Routing::ecmp}, Case{"torus:8x8", Routing::simgrid},
        Case{"fat-tree:2;4,8;1,4;1,1", Routing::ecmp}, Case{"hyperx:4x4x4", Routing::ecmp},
        Case{"dragonfly:5,1;4,1;2,1;2", Routing::ecmp}}) {
    INFO(is.network);
    const auto network = make_network(is.network, {}, {is.routing});
    const auto hosts = static_cast<std::size_t>(network->num_hosts());
    Random random(3);
    std::vector<DirectedEdge> edges;
    for (int i = 0; i < 1000; ++i) {
      const Rank from{static_cast<int>(random.below(hosts))},
          to{static_cast<int>(random.below(hosts))};
      const auto volume = static_cast<double>(1 + random.below(1'000'000));
      if (from != to) edges.push_back({from, to, {volume}});
    }
    const CommGraph guest(network->num_hosts(), edges);
    const SharedFlows flows =
        make_flow_phase(guest, *network, tests::one_per_host(network->num_hosts())).shared;
    const auto exact = finish_times(flows, {}, {}, 0).seconds;
    const double last = *std::max_element(exact.begin(), exact.end());
    for (const double part : {0.1, 0.01}) {
      const BatchTimes found = batch_times(flows, part, [](std::size_t, std::uint64_t) {});
      double error = 0;
      for (std::size_t f = 0; f < exact.size(); ++f) {
        CHECK(exact[f] <= found.at_most[f] * (1 + 1e-9));
        error += std::abs(found.seconds[f] / exact[f] - 1);
      }
      CHECK(error / static_cast<double>(exact.size()) < 0.4 * part);
      CHECK(found.last_at_least <= last * (1 + 1e-9));
      CHECK(*std::max_element(found.seconds.begin(), found.seconds.end()) ==
            Approx(last).epsilon(0.05 * part));
    }
  }
}

TEST_CASE("Links with equal shares of the same flows are one, as narrow as the narrowest") {
  // By hand: flow 0 has halves of links 0 and 1, flow 1 those and link 2.
  SharedFlows flows{{100, 100}, {0, 2, 5}, {0, 1, 0, 1, 2}, {10, 8, 20}, {.5, .5, .5, .5, 1}};
  merge_equal_links(flows);
  CHECK(flows.first == std::vector<std::uint64_t>{0, 1, 3});
  CHECK(flows.links == std::vector<std::int32_t>{0, 0, 1});
  CHECK(flows.capacity == std::vector<double>{8, 20});
  CHECK(flows.shares == std::vector<double>{.5, .5, 1});
}

TEST_CASE("Flows finish when SimGrid says, each of them") {
  // Oracle: SimGrid. tests/bench/solver_check does the same at length.
  for (std::uint64_t seed = 1; seed <= 5; ++seed) {
    const RandomPhase phase = drawn_phase(seed);
    INFO("seed " << seed << ", " << phase.network_text);
    CHECK(deviation(flow_times(phase, Solver::fast), flow_times(phase, Solver::simgrid)) < 1e-6);
  }
}

TEST_CASE("Both solvers give ranks and makespan the same times, messages inside a host too") {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const RandomPhase phase = drawn_phase(seed);
    INFO("seed " << seed << ", " << phase.network_text);
    SimulationOptions options;
    options.loopback_bandwidth = {3e8};
    const auto slow = simulate(phase.guest, *phase.network, phase.embedding, options);
    options.solver = Solver::fast;
    const auto fast = simulate(phase.guest, *phase.network, phase.embedding, options);
    CHECK(fast.makespan.value == Approx(slow.makespan.value).epsilon(1e-6));
    REQUIRE(fast.rank_finish.size() == slow.rank_finish.size());
    for (std::size_t r = 0; r < slow.rank_finish.size(); ++r)
      CHECK(fast.rank_finish[r].value == Approx(slow.rank_finish[r].value).epsilon(1e-6));
  }
}

TEST_CASE("A flow over no link ends at once, and no flow is no work") {
  // Hand calculation: 6 bytes over 2 bytes per second.
  const SharedFlows flows{{5, 6}, {0, 0, 1}, {0}, {2}};
  CHECK(finish_times(flows, {}, {}).seconds == std::vector<double>{0, 3});
  CHECK(finish_times(SharedFlows{{}, {0}, {}, {}}, {}, {}).seconds.empty());
}

TEST_CASE("Work is counted as links of flows each time that they are given a rate") {
  // Flows of 1 and 2 bytes share link 0, the second goes over link 1, too. Both have a rate: 1 and
  // 2 links; when the first has ended the second has another one: 2 more.
  const SharedFlows flows{{1, 2}, {0, 1, 3}, {0, 0, 1}, {2, 5}};
  const FinishTimes times = finish_times(flows, {}, {});
  CHECK(times.seconds == std::vector<double>{1, 1.5});
  CHECK(times.num_updates == 5);
  // The same as flows that start together among changing ones.
  ChangingFlows changing({2, 5});
  const std::vector<FlowLink> first{{0}}, second{{0}, {1}};
  changing.start(1, first);
  changing.start(2, second);
  while (changing.num_flows() > 0) changing.advance(changing.next_end());
  CHECK(changing.time() == 1.5);
  CHECK(changing.num_updates() == 5);
}

TEST_CASE("The fast solver tells progress and stops when told to") {
  // All volumes differ on one link: 500 ends.
  SharedFlows flows{{}, {0}, {}, {1e3}};
  for (int f = 0; f < 500; ++f) {
    flows.volume.push_back(1 + f);
    flows.links.push_back(0);
    flows.first.push_back(flows.links.size());
  }
  double last = 0;
  finish_times(flows,
               [&](double done) {
                 CHECK(done > last);
                 CHECK(done <= 1);
                 last = done;
               },
               {});
  CHECK(last > 0.5);
  CHECK_THROWS_AS(finish_times(flows, {}, [] { return true; }), SimulationError);
}

TEST_CASE("Solver auto is fast under CM02, SimGrid under other models, and gives SimGrid's times") {
  CHECK(parse_solver("auto") == Solver::automatic);
  CHECK(to_string(Solver::automatic) == "auto");
  for (const auto model : {NetworkModel::lv08, NetworkModel::smpi})
    CHECK(chosen_solver(Solver::automatic, model) == Solver::simgrid);
  CHECK(chosen_solver(Solver::automatic, NetworkModel::cm02) == Solver::fast);
  CHECK(chosen_solver(Solver::simgrid, NetworkModel::cm02) == Solver::simgrid);
  const RandomPhase phase = drawn_phase(2);
  SimulationOptions options;
  const auto expected = simulate(phase.guest, *phase.network, phase.embedding, options);
  options.solver = Solver::automatic;
  const auto result = simulate(phase.guest, *phase.network, phase.embedding, options);
  CHECK(result.makespan.value == Approx(expected.makespan.value).epsilon(1e-6));
}

TEST_CASE("A solver is named auto, fast or simgrid, and fast has model CM02 alone") {
  CHECK(parse_solver("fast") == Solver::fast);
  CHECK(to_string(parse_solver("simgrid")) == "simgrid");
  CHECK_THROWS_WITH(parse_solver("quick"),
                    "unknown solver \"quick\"; accepted: auto, fast, simgrid");
  CHECK(chosen_solver(Solver::simgrid, NetworkModel::smpi) == Solver::simgrid);
  const RandomPhase phase = drawn_phase(1);
  auto options = fast_options();
  options.model = NetworkModel::lv08;
  CHECK_THROWS_WITH(
      simulate(phase.guest, *phase.network, phase.embedding, options),
      "solver fast does not have network model LV08; accepted: CM02, or solver simgrid");
}
