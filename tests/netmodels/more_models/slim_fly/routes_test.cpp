#include <catch2/catch.hpp>

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "netmodels/graph/shortest_routes.hpp"
#include "netmodels/more_models/slim_fly/graph.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

/// q = 4w - 1, 4w and 4w + 1, primes and powers of primes.
const std::vector<std::string> slim_fly_specs{"slim-fly:q=3", "slim-fly:q=4,per_router=1",
                                              "slim-fly:q=5,per_router=1",
                                              "slim-fly:q=7,per_router=1"};

std::shared_ptr<const Network> slim_fly(const std::string& spec, Routing rule = Routing::simgrid) {
  return make_network(spec, {}, {rule});
}

/// Routers that each router has links to.
std::vector<std::vector<int>> joined_routers(const Network& network) {
  const int hosts = network.num_hosts();
  std::vector<std::vector<int>> joined;
  for (int l = 2 * hosts; l < network.num_links(); ++l) {
    const LinkEnds ends = *network.link_ends(LinkId{l});
    joined.resize(std::max(joined.size(), static_cast<std::size_t>(ends.from - hosts) + 1));
    joined[static_cast<std::size_t>(ends.from - hosts)].push_back(ends.to - hosts);
  }
  return joined;
}

}  // namespace

TEST_CASE("Finite fields keep the laws of arithmetic, also for powers of primes") {
  for (const int q : {3, 4, 5, 8, 9, 16, 25, 27}) {
    CAPTURE(q);
    const FiniteField field(q);
    for (int a = 0; a < q; ++a) {
      CHECK(field.sum(a, 0) == a);
      CHECK(field.product(a, 1) == a);
      CHECK(field.difference(a, a) == 0);
      for (int b = 0; b < q; ++b) {
        CHECK(field.sum(a, b) == field.sum(b, a));
        CHECK(field.sum(field.difference(a, b), b) == a);
        CHECK(field.product(a, b) == field.product(b, a));
        if (b != 0) CHECK(field.product(field.quotient(a, b), b) == a);
        for (int c = 0; c < q; c += 2) {
          CHECK(field.sum(a, field.sum(b, c)) == field.sum(field.sum(a, b), c));
          CHECK(field.product(a, field.product(b, c)) == field.product(field.product(a, b), c));
          CHECK(field.product(a, field.sum(b, c)) ==
                field.sum(field.product(a, b), field.product(a, c)));
        }
      }
    }
    std::set<int> powers;
    for (int e = 0; e + 1 < q; ++e) powers.insert(field.power_of_root(e));
    CHECK(static_cast<int>(powers.size()) == q - 1);
  }
  CHECK(FiniteField(7).product(3, 5) == 1);  // 15 modulo 7
  for (const int q : {2, 3, 4, 5, 7, 8, 9, 27, 1021}) CHECK(FiniteField::exists(q));
  for (const int q : {-1, 0, 1, 6, 10, 12, 36, 1000}) CHECK_FALSE(FiniteField::exists(q));
}

TEST_CASE(
    "A slim-fly has 2 q^2 routers of (3q - delta) / 2 links, any two at most two links apart") {
  // delta by hand from q = 4w + delta.
  for (const auto& [q, delta] : std::vector<std::pair<int, int>>{{3, -1},
                                                                 {4, 0},
                                                                 {5, 1},
                                                                 {7, -1},
                                                                 {8, 0},
                                                                 {9, 1},
                                                                 {11, -1},
                                                                 {13, 1},
                                                                 {16, 0},
                                                                 {25, 1},
                                                                 {27, -1}}) {
    CAPTURE(q);
    const auto network = slim_fly("slim-fly:q=" + std::to_string(q) + ",per_router=1");
    const int routers = 2 * q * q, degree = (3 * q - delta) / 2;
    CHECK(network->num_hosts() == routers);
    CHECK(network->num_links() == 2 * routers + routers * degree);
    const auto joined = joined_routers(*network);
    REQUIRE(static_cast<int>(joined.size()) == routers);
    bool all_reached = true, right_distances = true, both_ways = true;
    for (int r = 0; r < routers; ++r) {
      const auto& near = joined[static_cast<std::size_t>(r)];
      CHECK(std::set<int>(near.begin(), near.end()).size() == static_cast<std::size_t>(degree));
      std::vector<int> distance(static_cast<std::size_t>(routers), 9);
      for (const int one : near)
        for (const int two : joined[static_cast<std::size_t>(one)]) {
          both_ways = both_ways && std::count(joined[static_cast<std::size_t>(one)].begin(),
                                              joined[static_cast<std::size_t>(one)].end(), r) == 1;
          distance[static_cast<std::size_t>(two)] = 2;
        }
      for (const int one : near) distance[static_cast<std::size_t>(one)] = 1;
      distance[static_cast<std::size_t>(r)] = -2;  // no cables for a host and itself
      for (int other = 0; other < routers; ++other) {
        const int expected = distance[static_cast<std::size_t>(other)];
        all_reached = all_reached && expected < 9;
        right_distances =
            right_distances && network->hops(HostId{r}, HostId{other}) == expected + 2;
      }
    }
    CHECK(both_ways);
    CHECK(all_reached);
    CHECK(right_distances);
    CHECK(network->diameter() == 4);
  }
}

TEST_CASE("The slim-fly of q = 5 is the graph of Hoffman and Singleton") {
  // 50 routers of 7 links, and any two that are not joined have exactly one in common: the Moore
  // graph of diameter 2 and degree 7 (SC14, section II).
  const auto joined = joined_routers(*slim_fly("slim-fly:q=5,per_router=1"));
  REQUIRE(joined.size() == 50);
  for (int a = 0; a < 50; ++a)
    for (int b = 0; b < a; ++b) {
      const auto& of_a = joined[static_cast<std::size_t>(a)];
      int common = 0;
      for (const int r : joined[static_cast<std::size_t>(b)])
        if (std::find(of_a.begin(), of_a.end(), r) != of_a.end()) ++common;
      CHECK(common == (std::find(of_a.begin(), of_a.end(), b) != of_a.end() ? 0 : 1));
    }
}

TEST_CASE("A slim-fly has by default half as many hosts at a router as links to others") {
  // SC14 compares networks of about 10,000 hosts: q = 19, 722 routers of 29 + 15 ports.
  CHECK(slim_fly("slim-fly:q=19")->num_hosts() == 10830);
  CHECK(slim_fly("slim-fly:q=5")->num_hosts() == 200);
}

TEST_CASE("Routes of a slim-fly are shortest, and every router forwards by destination") {
  for (const std::string& spec : slim_fly_specs) {
    CAPTURE(spec);
    check_shortest_by_destination(*slim_fly(spec));
  }
}

TEST_CASE("Equal-cost multipath on a slim-fly splits as a search in its links does") {
  for (const std::string& spec : slim_fly_specs) {
    CAPTURE(spec);
    const auto network = slim_fly(spec, Routing::ecmp);
    tests::check_shares_by_search(*network, 5);
  }
}

TEST_CASE("Valiant's legs on a slim-fly are the mean over all routers in between") {
  for (const char* spec : {"slim-fly:q=3,per_router=1", "slim-fly:q=4,per_router=1"}) {
    const auto network = slim_fly(spec, Routing::valiant), ecmp = slim_fly(spec, Routing::ecmp);
    const int hosts = network->num_hosts();
    for (int a = 0; a < hosts; a += 3)
      for (int b = 0; b < hosts; ++b) {
        if (a == b) continue;
        std::map<LinkId, double> expected{{LinkId{2 * a}, 1}, {LinkId{2 * b + 1}, 1}};
        const auto add_leg = [&](int from, int to) {  // shortest routes without the hosts' cables
          for (const auto& [link, share] : tests::shares_between(*ecmp, from, to))
            if (network->link_class(link) == 1) expected[link] += share / hosts;
        };
        for (int by = 0; by < hosts; ++by) {
          add_leg(a, by);
          add_leg(by, b);
        }
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
        double hops = 0;
        for (const auto& [link, share] : expected) hops += share;
        CHECK(network->mean_hops(HostId{a}, HostId{b}) == Approx(hops));
      }
  }
}

TEST_CASE("Of a flow under Valiant's routing each leg counts once on a link of a slim-fly") {
  // Routers 0 and 5 are not joined: the first legs leave by all links of 0, the second ones reach 5
  // by all of its own.
  const auto network = slim_fly("slim-fly:q=3,per_router=1", Routing::valiant);
  const auto traffic = network->make_link_traffic();
  traffic->add(HostId{0}, HostId{5}, {1});
  const LinkTotals totals = traffic->totals();
  for (int l = 0; l < network->num_links(); ++l) {
    const LinkEnds ends = *network->link_ends(LinkId{l});
    if (network->link_class(LinkId{l}) == 1 && (ends.from == 18 || ends.to == 18 + 5))
      CHECK(totals.flows[static_cast<std::size_t>(l)] >= 1);
    CHECK(totals.flows[static_cast<std::size_t>(l)] <= 2);
  }
}

TEST_CASE("Keys of a slim-fly give hosts per router and rates") {
  const std::string spec = "slim-fly:q=5,per_router=2,bandwidth=1GBps/2GBps,latency=5ns";
  const auto network = slim_fly(spec);
  CHECK(network->description() == spec);
  CHECK(slim_fly("slim-fly:q=5,per_router=4")->description() == "slim-fly:q=5");
  const auto classes = network->link_classes();
  REQUIRE(classes.size() == 2);
  CHECK(classes[0].links == 200);
  CHECK(classes[1].links == 350);  // 50 routers of 7
  CHECK(classes[1].bandwidth == BytesPerSecond{2e9});
  CHECK(network->injection_bandwidth(HostId{0}) == BytesPerSecond{1e9});
  CHECK(network->link_name(LinkId{0}) == "host-0->r0.0.0");
  CHECK(network->vertex_name(100 + 25 + 5 + 3) == "r1.1.3");
}

TEST_CASE("A malformed slim-fly is one sentence that names the value") {
  const auto error_of = [](const std::string& spec, Routing rule = Routing::simgrid) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
  };
  CHECK(error_of("slim-fly:q=6") ==
        "slim-fly with q=6: accepted are prime powers from 3 on that leave 0, 1 or 3 modulo 4; the "
        "nearest are 5 and 7");
  CHECK_THAT(error_of("slim-fly:q=2"), Catch::Contains("the nearest is 3"));
  CHECK_THAT(error_of("slim-fly:q=15"), Catch::Contains("the nearest are 13 and 16"));
  CHECK_THAT(error_of("slim-fly:q=2147483647"), Catch::Contains("the nearest is 1021"));
  CHECK_THAT(error_of("slim-fly:q=0"), Catch::Contains("q 0 in \"slim-fly:q=0\""));
  CHECK_THAT(error_of("slim-fly:q=-5"), Catch::Contains("q -5"));
  CHECK_THAT(error_of("slim-fly:q=five"), Catch::Contains("q \"five\""));
  for (const char* unnamed : {"slim-fly:5", "slim-fly:", "slim-fly:per_router=2,q=5"})
    CHECK_THAT(error_of(unnamed), Catch::Contains("as slim-fly:q=5,per_router=4"));
  CHECK(error_of("slim-fly:q=1021") == "slim-fly with more than 2147483647 directed links");
  CHECK(error_of("slim-fly:q=5,per_router=2147483647") ==
        "slim-fly with more than 2147483647 directed links");
  CHECK_THAT(error_of("slim-fly:q=5,per_router=0"), Catch::Contains("per_router 0"));
  for (const Routing rule : {Routing::positive, Routing::split})
    CHECK_THAT(error_of("slim-fly:q=5", rule), Catch::Contains("accepted for a slim-fly: simgrid"));
}
