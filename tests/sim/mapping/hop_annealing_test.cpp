#include <algorithm>
#include <catch2/catch.hpp>
#include <numeric>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/search/annealing.hpp"
#include "sim/mapping/search/near_places.hpp"
#include "sim/mapping/state/slot_state.hpp"
#include "tests/sim/guests.hpp"
#include "tests/sim/ring_network.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

const std::vector<std::string> specs{"torus:3x4x5m",
                                     "torus:2x3x2x3",
                                     "torus:5x3,per_router=2",
                                     "mesh:7x5",
                                     "fat-tree:3;3,2,4;1,2,2;1,1,2",
                                     "dragonfly:5,1;2,1;3,1;2"};

}  // namespace

TEST_CASE("Codes of hosts give the hops of their network") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto all = make_allocation(*network, "all", std::vector{1}, 1);
    const auto codes = host_codes(*network, all);
    REQUIRE(codes);
    std::visit(
        [&](const auto& known) {
          for (const HostId a : all.hosts)
            for (const HostId b : all.hosts) {
              const int hops = a == b ? 0 : network->hops(a, b);
              CHECK(known.from(known.code(a)).to(known.code(b)) == hops);
            }
        },
        *codes);
  }
  const RingNetwork ring(7, {{10}, {0}}, {{5}, {0}});
  CHECK_FALSE(host_codes(ring, make_allocation(ring, "all", std::vector{1}, 1)));
}

TEST_CASE("Hosts called alike are as far from every other host") {
  for (const std::string& spec : specs) {
    INFO(spec);
    const auto network = make_network(spec, {});
    const auto all = make_allocation(*network, "all", std::vector{1}, 1);
    std::visit(
        [&](const auto& known) {
          for (const HostId a : all.hosts)
            for (const HostId b : all.hosts)
              for (const HostId c : all.hosts)
                if (a != b && c != a && c != b && known.alike(known.code(a), known.code(b)))
                  CHECK(network->hops(a, c) == network->hops(b, c));
        },
        host_codes(*network, all).value());
  }
}

TEST_CASE("Codes of one network's hosts share no hops with those of other hosts or networks") {
  const auto plain = make_network("dragonfly:4,2;2,1;2,1;2", {});
  const auto other = make_network("dragonfly:4,2;2,1;2,1;2,arrangement=relative", {});
  const auto check = [](const Network& network, const std::string& hosts) {
    const auto some = make_allocation(network, hosts, std::vector{1}, 3);
    INFO(network.description() << ", " << hosts);
    std::visit(
        [&](const auto& codes) {
          for (const HostId from : some.hosts)
            for (const HostId to : some.hosts)
              CHECK(codes.from(codes.code(from)).to(codes.code(to)) ==
                    (from == to ? 0 : network.hops(from, to)));
        },
        host_codes(network, some).value());
  };
  for (const std::string hosts : {"all", "all", "random:5", "random:6", "all"}) {
    check(*plain, hosts);
    check(*other, hosts);
  }
}

TEST_CASE("What a slot state says of a change is what a full evaluation says") {
  const int slots = GENERATE(1, 2);
  for (const std::string& spec : specs) {
    INFO(spec << ", " << slots << " slots");
    const auto network = make_network(spec, {});
    const auto some = make_allocation(*network, "random:14", std::vector{slots}, 3);
    const auto guest = drawn_graph(12, 60, 5);
    const MappingProblem problem{guest, *network, some};
    const Embedding start = run_mapper({"random", {}}, problem);
    std::visit(
        [&](const auto& known) {
          SlotState state(problem, known, start);
          std::vector<HostId> hosts = start.hosts();
          const auto evaluated = [&] {
            return evaluate(guest, *network, Embedding(hosts, some)).hop_bytes.value;
          };
          // Whole volumes: units are exact, and the least volume is one of them.
          const double unit = evaluated() / static_cast<double>(state.energy());
          Random random(7);
          for (int i = 0; i < 100; ++i) {
            const std::size_t rank = random.below(12);
            const auto to = static_cast<std::int32_t>(random.below(state.num_slots()));
            if (state.slots()[rank] == to) continue;
            const double before = evaluated();
            const std::int64_t delta = state.probe(rank, to, state.too_much);
            state.commit(delta);
            for (std::size_t r = 0; r < hosts.size(); ++r)
              hosts[r] = some.hosts[static_cast<std::size_t>(state.place_of(r))];
            CHECK(evaluated() - before == Approx(unit * static_cast<double>(delta)));
            CHECK(state.energy() == state.recomputed());
          }
        },
        host_codes(*network, some).value());
  }
}

TEST_CASE("A change that costs more than allowed is refused before it is known in full") {
  const auto torus = make_network("torus:4x4", {});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const auto guest = drawn_graph(16, 80, 9);
  const MappingProblem problem{guest, *torus, all};
  const Embedding start = run_mapper({"block", {}}, problem);
  const auto codes = std::get<GridCodes<3>>(host_codes(*torus, all).value());
  SlotState state(problem, codes, start);
  for (std::size_t rank = 0; rank < 16; ++rank)
    for (std::int32_t to = 0; to < 16; ++to) {
      if (state.slots()[rank] == to) continue;
      const std::int64_t delta = state.probe(rank, to, state.too_much);
      for (const std::int64_t most : {delta - 1, delta, delta + 1})
        CHECK((state.probe(rank, to, most) <= most) == (delta <= most));
    }
}

TEST_CASE("Near places are the neighbours on a torus and the others at a switch") {
  const auto torus = make_network("torus:8x8x8", {});
  const auto all = make_allocation(*torus, "all", std::vector{1}, 1);
  const NearPlaces near(*torus, all, 16);
  for (int p = 0; p < 512; ++p)
    for (std::size_t i = 0; i < 6; ++i)
      CHECK(torus->hops(HostId{p}, all.hosts[index(near.of(Place{p})[i])]) == 1);
  const auto tree = make_network("fat-tree:2;8,8;1,1;1,1", {});
  const auto some = make_allocation(*tree, "all", std::vector{1}, 1);
  const NearPlaces below(*tree, some, 16);
  for (int p = 0; p < 64; ++p)
    for (std::size_t i = 0; i < 7; ++i) CHECK(number(below.of(Place{p})[i]) / 8 == p / 8);
  const auto one = make_allocation(*tree, "first:1", std::vector{4}, 1);
  CHECK(NearPlaces(*tree, one, 16).of(Place{0}).empty());
}

TEST_CASE("Each of two hosts far from each other is near the other") {
  // Annealing once divided by the number of hosts found around each, which is 0 here.
  const auto torus = make_network("torus:8", {});
  const auto two = make_allocation(*torus, "list:0,3", std::vector{2}, 4);
  const NearPlaces near(*torus, two, 16);
  CHECK(near.of(Place{0}).front() == Place{1});
  CHECK(near.of(Place{1}).front() == Place{0});
}

TEST_CASE("Annealing of hops never raises them, with free slots and many slots too") {
  for (const std::string& spec : specs)
    for (const int slots : {1, 3}) {
      INFO(spec << ", " << slots << " slots");
      const auto network = make_network(spec, {});
      const auto all = make_allocation(*network, "all", std::vector{slots}, 1);
      const auto guest = drawn_graph(20, 80, 11);
      const MappingProblem problem{guest, *network, all};
      const Embedding start = run_mapper({"random", {}}, problem);
      const auto annealed = anneal_hops(problem, {}, start, 20'000);
      REQUIRE(annealed);
      CHECK(evaluate(guest, *network, *annealed).hop_bytes <
            evaluate(guest, *network, start).hop_bytes);
      CHECK(anneal_hops(problem, {}, start, 20'000) == annealed);
    }
}
