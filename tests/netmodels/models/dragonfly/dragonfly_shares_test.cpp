#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <string>

#include "tests/netmodels/dragonfly_shapes.hpp"
#include "tests/support/routes.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

using Shares = std::map<LinkId, double>;

Shares checked_shares(const Network& network, int a, int b) {
  Shares shares;
  for (const auto& [link, share] : tests::shares_of(network, a, b)) {
    REQUIRE(shares.emplace(link, share).second);  // each link once
    REQUIRE(share > 0);
    REQUIRE(share <= 1 + 1e-12);
  }
  return shares;
}

bool same_shares(const Shares& one, const Shares& other) {
  return one.size() == other.size() &&
         std::equal(one.begin(), one.end(), other.begin(), [](const auto& a, const auto& b) {
           return a.first == b.first && std::abs(a.second - b.second) < 1e-12;
         });
}

/// What enters every router leaves it; one unit leaves `a` and arrives at `b`.
bool is_conserved(const Network& network, int a, int b, const Shares& shares) {
  std::map<int, double> surplus{{a, 1}, {b, -1}};
  for (const auto& [link, share] : shares) {
    surplus[network.link_ends(link)->from] -= share;
    surplus[network.link_ends(link)->to] += share;
  }
  return std::all_of(surplus.begin(), surplus.end(),
                     [](const auto& entry) { return std::abs(entry.second) < 1e-9; });
}

double sum_of(const Shares& shares) {
  double sum = 0;
  for (const auto& [link, share] : shares) sum += share;
  return sum;
}

/// Even split over next links of shortest paths, vertex by vertex in the links themselves.
void split_evenly(const DragonflyLinks& links, const std::vector<std::vector<int>>& distance,
                  int here, std::size_t budget, double share, Shares& shares) {
  const int rest = distance[static_cast<std::size_t>(here)][budget];
  if (rest == 0) return;
  std::vector<DragonflyLinks::Leaving> nearer;
  for (const auto& next : links.leaving(here)) {
    if (next.global && budget == 0) continue;
    const std::size_t left = budget - (next.global ? 1 : 0);
    if (distance[static_cast<std::size_t>(next.to)][left] == rest - 1) nearer.push_back(next);
  }
  for (const auto& next : nearer) {
    const double part = share / static_cast<double>(nearer.size());
    shares[next.link] += part;
    split_evenly(links, distance, next.to, budget - (next.global ? 1 : 0), part, shares);
  }
}

/// Enumerates Valiant's routes in the links, green before black.
class ValiantOracle {
 public:
  ValiantOracle(const Network& network, const DragonflySpec& spec)
      : network_(network), spec_(spec), links_(network) {
    for (int l = 0; l < network.num_links(); ++l) {
      const LinkEnds ends = *network.link_ends(LinkId{l});
      if (network.link_class(LinkId{l}) == 3)
        cables_[{group(ends.from), group(ends.to)}].push_back(LinkId{l});
    }
  }

  Shares shares(int a, int b) {
    shares_.clear();
    const int from = router(a), to = router(b);
    walk({a, from}, 1);
    const int groups = spec_.groups, source = group(from), target = group(to);
    if (groups > 2 && source != target) {
      for (int by = 0; by < groups; ++by)
        if (by != source && by != target)
          for (const LinkId first : cables_[{source, by}])
            for (const LinkId second : cables_[{by, target}])
              detour(from, first, second, to,
                     1.0 / (groups - 2) / spec_.cables_per_pair / spec_.cables_per_pair);
    } else if (source == target) {
      local(from, to, 1);
    } else {
      return {};
    }
    walk({to, b}, 1);
    return shares_;
  }

 private:
  int per_group() const { return spec_.chassis * spec_.blades; }
  int router(int host) const { return network_.num_hosts() + host / spec_.hosts_per_blade; }
  int group(int vertex) const { return (vertex - network_.num_hosts()) / per_group(); }

  void detour(int from, LinkId first, LinkId second, int to, double share) {
    const LinkEnds one = *network_.link_ends(first), two = *network_.link_ends(second);
    local(from, one.from, share);
    shares_[first] += share;
    local(one.to, two.from, share);
    shares_[second] += share;
    local(two.to, to, share);
  }

  /// Changes the blade, then the chassis.
  void local(int from, int to, double share) {
    const int blades = spec_.blades, base = network_.num_hosts();
    const int corner = from + (to - base) % blades - (from - base) % blades;
    walk({from, corner, to}, share);
  }

  void walk(const std::vector<int>& vertices, double share) {
    for (std::size_t i = 1; i < vertices.size(); ++i)
      if (vertices[i - 1] != vertices[i])
        shares_[links_.between(vertices[i - 1], vertices[i]).at(0)] += share;
  }

  const Network& network_;
  DragonflySpec spec_;
  DragonflyLinks links_;
  std::map<std::pair<int, int>, std::vector<LinkId>> cables_;
  Shares shares_;
};

void check_traffic(const Network& network) {
  INFO(network.description() << " " << to_string(network.routing()));
  std::mt19937 generator(7);
  const auto fast = network.make_link_traffic();
  const auto slow = network.Network::make_link_traffic();
  double expected = 0;
  const auto hosts = static_cast<unsigned>(network.num_hosts());
  for (int flow = 0; flow < 60; ++flow) {
    const HostId a{static_cast<int>(generator() % hosts)};
    const HostId b{static_cast<int>(generator() % hosts)};
    if (a == b) continue;
    const double volume = static_cast<double>(1 + generator() % 1000);
    fast->add(a, b, {volume});
    slow->add(a, b, {volume});
    expected += volume * network.mean_hops(a, b);
  }
  const LinkTotals one = fast->totals(), other = slow->totals();
  CHECK(one.flows == other.flows);
  double total = 0;
  std::size_t differing = 0;
  for (std::size_t l = 0; l < one.traffic.size(); ++l) {
    if (std::abs(one.traffic[l] - other.traffic[l]) > 1e-7) ++differing;
    total += one.traffic[l];
  }
  CHECK(differing == 0);
  CHECK(total == Approx(expected));
}

}  // namespace

TEST_CASE(
    "ECMP on a dragonfly splits evenly at each router over all next links of shortest routes") {
  for (const DragonflySpec& spec : many_dragonflies(Routing::ecmp)) {
    const auto network = make_dragonfly(spec);
    INFO(network->description());
    CHECK(network->splits_flows());
    const DragonflyLinks links(*network);
    const int per_group = spec.hosts_per_blade * spec.chassis * spec.blades;
    int bad = 0;
    for (int b = 0; b < network->num_hosts(); b += 3) {
      const auto distance = links.distances_to(b, 1);
      for (int a = 0; a < network->num_hosts(); ++a) {
        Shares expected;
        split_evenly(links, distance, a, a / per_group == b / per_group ? 0 : 1, 1, expected);
        const Shares own = checked_shares(*network, a, b);
        const bool sound = same_shares(own, expected) &&
                           (a == b || is_conserved(*network, a, b, own)) &&
                           std::abs(sum_of(own) - network->mean_hops(HostId{a}, HostId{b})) < 1e-9;
        if (!sound) ++bad;
      }
    }
    CHECK(bad == 0);
  }
}

TEST_CASE("ECMP takes green-black and black-green alike inside a group") {
  // By hand: 2 chassis of 2 blades; from blade 0 of chassis 0 to blade 1 of chassis 1.
  const auto network =
      make_dragonfly(dragonfly(1, 2, 2, 1, GlobalArrangement::simgrid, 1, Routing::ecmp));
  std::map<std::string, double> shares;
  for (const auto& [link, share] : checked_shares(*network, 0, 3))
    shares[network->link_name(link)] = share;
  CHECK(shares == std::map<std::string, double>{{"host-0->r0.0.0", 1},
                                                {"r0.0.0->r0.0.1", 0.5},
                                                {"r0.0.1->r0.1.1", 0.5},
                                                {"r0.0.0->r0.1.0", 0.5},
                                                {"r0.1.0->r0.1.1", 0.5},
                                                {"r0.1.1->host-3", 1}});
}

TEST_CASE("Valiant spreads a flow over all third groups and all cables") {
  for (const DragonflySpec& spec : many_dragonflies(Routing::valiant)) {
    const auto network = make_dragonfly(spec);
    INFO(network->description());
    ValiantOracle oracle(*network, spec);
    int bad = 0;
    for (int a = 0; a < network->num_hosts(); a += 2)
      for (int b = 0; b < network->num_hosts(); b += 5) {
        if (a == b) continue;
        const Shares own = checked_shares(*network, a, b);
        const Shares expected = oracle.shares(a, b);
        if (!expected.empty() && !same_shares(own, expected)) ++bad;
        if (!is_conserved(*network, a, b, own)) ++bad;
        if (std::abs(sum_of(own) - network->mean_hops(HostId{a}, HostId{b})) > 1e-9) ++bad;
      }
    CHECK(bad == 0);
  }
}

TEST_CASE("Valiant with two groups has no third one and takes minimal routes") {
  const auto valiant =
      make_dragonfly(dragonfly(2, 2, 2, 1, GlobalArrangement::simgrid, 1, Routing::valiant));
  const auto minimal = make_dragonfly(dragonfly(2, 2, 2, 1));
  for (int a = 0; a < 8; ++a)
    for (int b = 0; b < 8; ++b) {
      CHECK(checked_shares(*valiant, a, b) == checked_shares(*minimal, a, b));
      CHECK(valiant->mean_hops(HostId{a}, HostId{b}) == minimal->hops(HostId{a}, HostId{b}));
    }
}

TEST_CASE("Valiant spreads the traffic between two groups over all others") {
  // By hand: 5 groups, 24 hosts of group 1 to group 2, one cable per pair: every one of the three
  // others gets a third of 24 units in and out, the direct link nothing.
  auto spec = dragonfly(5, 2, 4, 3, GlobalArrangement::absolute, 1, Routing::valiant);
  const auto network = make_dragonfly(spec);
  const auto traffic = network->make_link_traffic();
  for (int k = 0; k < 24; ++k) traffic->add(HostId{24 + k}, HostId{48 + k}, {1.0});
  const LinkTotals totals = traffic->totals();
  int loaded = 0;
  for (int l = 0; l < network->num_links(); ++l) {
    const double load = totals.traffic[static_cast<std::size_t>(l)];
    if (network->link_class(LinkId{l}) != 3 || load == 0) continue;
    ++loaded;
    CHECK(load == Approx(8));
    CHECK(totals.flows[static_cast<std::size_t>(l)] == 24);
  }
  CHECK(loaded == 6);
}

TEST_CASE("Summed traffic of a dragonfly is that of the routes or shares of its flows") {
  for (const Routing rule : {Routing::simgrid, Routing::ecmp, Routing::valiant})
    for (const DragonflySpec& spec : many_dragonflies(rule))
      if (spec.groups * spec.chassis * spec.blades * spec.hosts_per_blade > 1)
        check_traffic(*make_dragonfly(spec));
}
