#include <catch2/catch.hpp>
#include <functional>

#include "netmodels/network_spec.hpp"
#include "sim/evaluation/metrics.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "tests/sim/guests.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// Where each host goes.
using HostMap = std::function<int(int)>;

/// An embedding drawn at random and the same one moved.
struct Moved {
  Moved(const std::string& spec, Routing rule, const CommGraph& guest, int slots,
        const HostMap& map) {
    const auto network = make_network(spec, {}, {rule});
    const auto allocation = make_allocation(*network, "all", std::vector{slots}, 1);
    const auto embedding = run_mapper({"random", {}}, {guest, *network, allocation});
    std::vector<HostId> hosts;
    for (const HostId host : embedding.hosts()) hosts.push_back(HostId{map(number(host))});
    before = evaluate(guest, *network, embedding);
    after = evaluate(guest, *network, Embedding(hosts, allocation));
  }

  void check_distances() const {
    CHECK(before.max_dilation == after.max_dilation);
    CHECK(before.mean_dilation == Approx(after.mean_dilation));
    CHECK(before.hop_bytes.value == Approx(after.hop_bytes.value));
    CHECK(before.intra_host_volume == after.intra_host_volume);
    CHECK(before.jsum == after.jsum);
    CHECK(before.jmax == after.jmax);
    CHECK(before.hop_histogram == after.hop_histogram);
  }

  void check_loads() const {
    CHECK(before.max_link_load.value == Approx(after.max_link_load.value));
    CHECK(before.mean_link_load.value == Approx(after.mean_link_load.value));
    CHECK(before.max_congestion.value == Approx(after.max_congestion.value));
    CHECK(before.max_flows_per_link == after.max_flows_per_link);
  }

  Metrics before, after;
};

}  // namespace

TEST_CASE("A torus that splits ties looks the same from everywhere") {
  const auto rule = GENERATE(Routing::split, Routing::ecmp);
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  const auto guest = drawn_graph(24, 100, seed);
  // Moved by one in the first dimension of 4 and by two in the second one of 3, both periodic.
  const Moved moved("torus:4x3x2", rule, guest, 2, [](int host) {
    return (host % 4 + 1) % 4 + 4 * ((host / 4 % 3 + 2) % 3) + 12 * (host / 12);
  });
  moved.check_distances();
  moved.check_loads();
}

TEST_CASE("A torus without ties looks the same from everywhere, whatever the routing") {
  const auto rule = GENERATE(Routing::automatic, Routing::simgrid, Routing::positive,
                             Routing::split, Routing::ecmp, Routing::valiant);
  const Moved moved("torus:5x3", rule, drawn_graph(15, 60, 2), 1,
                    [](int host) { return (host % 5 + 2) % 5 + 5 * ((host / 5 + 1) % 3); });
  moved.check_distances();
  moved.check_loads();
}

TEST_CASE("A mesh looks the same in a mirror") {
  const auto rule = GENERATE(Routing::simgrid, Routing::split, Routing::ecmp);
  const Moved moved("mesh:4x3", rule, drawn_graph(12, 50, 5), 1,
                    [](int host) { return 3 - host % 4 + 4 * (host / 4); });
  moved.check_distances();
  moved.check_loads();
}

TEST_CASE("Hosts under a leaf switch of a fat tree can change places") {
  const auto rule = GENERATE(Routing::simgrid, Routing::ecmp);
  const auto seed = GENERATE(range(std::uint64_t{1}, std::uint64_t{4}));
  // Under each switch of three hosts the first one goes to the end.
  const Moved moved("fat-tree:2;3,4;1,2;1,1", rule, drawn_graph(24, 100, seed), 2,
                    [](int host) { return host / 3 * 3 + (host % 3 + 2) % 3; });
  moved.check_distances();
  // D-mod-k chooses switches by the number of the destination; spread evenly it does not matter.
  if (rule == Routing::ecmp) moved.check_loads();
}

TEST_CASE("Subtrees of a fat tree can change places") {
  const Moved moved("fat-tree:2;3,4;1,2;1,1", Routing::ecmp, drawn_graph(12, 50, 9), 1,
                    [](int host) { return (host + 6) % 12; });
  moved.check_distances();
  moved.check_loads();
}

TEST_CASE("Hosts of a router of a dragonfly can change places") {
  const auto rule = GENERATE(Routing::simgrid, Routing::ecmp, Routing::valiant);
  const Moved moved("dragonfly:3,1;2,1;2,1;2", rule, drawn_graph(24, 100, 3), 1,
                    [](int host) { return host ^ 1; });
  moved.check_distances();
  moved.check_loads();
}
