#include <catch2/catch.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <string>
#include <vector>

#include "netmodels/more_models/hyperx/hyperx.hpp"
#include "netmodels/network_spec.hpp"
#include "tests/netmodels/models/model_oracles.hpp"
#include "tests/support/message_of.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using namespace vtopo::tests;

namespace {

/// Equal and different sizes, sizes of one and two, one dimension, several hosts per router.
const std::vector<std::string> hyperx_specs{"hyperx:4x4",           "hyperx:2x3x4",
                                            "hyperx:1x5",           "hyperx:6",
                                            "hyperx:2x2x2",         "hyperx:3x2,per_router=2",
                                            "hyperx:1,per_router=3"};

std::shared_ptr<const Network> hyperx(const std::string& spec, Routing rule = Routing::simgrid) {
  return make_network(spec, {}, {rule});
}

std::vector<int> coordinates_of(const Network& network, int host) {
  const HostCoordinates grid = *network.coordinates();
  std::vector<int> coordinates;
  int router = host / grid.hosts_per_router;
  for (const NetworkAxis& axis : grid.axes) {
    coordinates.push_back(router % axis.size);
    router /= axis.size;
  }
  return coordinates;
}

/// The link between two vertices, of which a hyperx has one at most.
LinkId link_between(const Network& network, int from, int to) {
  for (int l = 0; l < network.num_links(); ++l)
    if (const auto ends = network.link_ends(LinkId{l}); ends->from == from && ends->to == to)
      return LinkId{l};
  throw std::logic_error("no such link");
}

}  // namespace

TEST_CASE("A hyperx joins the routers that differ in one coordinate") {
  // 4x4: each router has links to 3 others in each of 2 dimensions: 16 * 6 = 96.
  CHECK(hyperx("hyperx:4x4")->num_links() == 96);
  // 2x3x4: 24 * (1 + 2 + 3).
  CHECK(hyperx("hyperx:2x3x4")->num_links() == 144);
  // 6 * (2 + 1) between routers, and 2 for each of 12 hosts.
  CHECK(hyperx("hyperx:3x2,per_router=2")->num_links() == 42);
  for (const std::string& spec : hyperx_specs) {
    CAPTURE(spec);
    const auto network = hyperx(spec);
    const int first_router =
        network->coordinates()->hosts_per_router > 1 ? network->num_hosts() : 0;
    const int per_router = network->coordinates()->hosts_per_router;
    for (int l = 0; l < network->num_links(); ++l) {
      const LinkEnds ends = *network->link_ends(LinkId{l});
      CHECK(link_between(*network, ends.from, ends.to) == LinkId{l});  // no two links alike
      if (ends.from < first_router || ends.to < first_router) continue;
      const auto a = coordinates_of(*network, (ends.from - first_router) * per_router);
      const auto b = coordinates_of(*network, (ends.to - first_router) * per_router);
      int differences = 0, last = 0;
      for (std::size_t d = 0; d < a.size(); ++d)
        if (a[d] != b[d]) ++differences, last = static_cast<int>(d);
      CHECK(differences == 1);
      CHECK(network->link_class(LinkId{l}) == last);
    }
  }
}

TEST_CASE("Routes of a hyperx are shortest, in dimension order, one link in each dimension") {
  for (const std::string& spec : hyperx_specs) {
    CAPTURE(spec);
    const auto network = hyperx(spec);
    const bool has_cables = network->coordinates()->hosts_per_router > 1;
    check_shortest_routes(*network, [&](int, const std::vector<LinkId>& route) {
      std::vector<int> dimensions;
      for (const LinkId link : route) dimensions.push_back(network->link_class(link));
      if (has_cables && !route.empty()) {
        dimensions.erase(dimensions.begin());
        dimensions.pop_back();
      }
      REQUIRE(std::is_sorted(dimensions.begin(), dimensions.end()));
    });
  }
  // Dimensions of size > 1, and two cables of hosts.
  CHECK(hyperx("hyperx:4x1x4x2")->diameter() == 3);
  CHECK(hyperx("hyperx:4x4,per_router=4")->diameter() == 4);
}

TEST_CASE("The mean distance of a hyperx is the sum of 1 - 1/size") {
  // Coordinates of two random routers differ with probability 1 - 1/size.
  for (const auto& [spec, expected] : std::map<std::string, double>{
           {"hyperx:4x4", 1.5}, {"hyperx:2x3x4", 0.5 + 2. / 3 + 0.75}, {"hyperx:6", 5. / 6}}) {
    const auto network = hyperx(spec);
    double sum = 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) sum += network->hops(HostId{a}, HostId{b});
    CHECK(sum / network->num_hosts() / network->num_hosts() == Approx(expected));
  }
}

TEST_CASE("Equal-cost multipath on a hyperx is all orders of the dimensions alike") {
  for (const char* spec : {"hyperx:2x3x4", "hyperx:3x2,per_router=2", "hyperx:2x2x2"}) {
    const auto network = hyperx(spec, Routing::ecmp);
    const HostCoordinates grid = *network->coordinates();
    const int first_router = grid.hosts_per_router > 1 ? network->num_hosts() : 0;
    for (int a = 0; a < network->num_hosts(); ++a)
      for (int b = 0; b < network->num_hosts(); ++b) {
        if (a == b) continue;
        const auto from = coordinates_of(*network, a), to = coordinates_of(*network, b);
        std::vector<std::size_t> order(from.size());
        std::iota(order.begin(), order.end(), std::size_t{0});
        std::map<LinkId, double> expected;  // oracle: every order in turn
        double orders = 0;
        do {
          ++orders;
          int router = a / grid.hosts_per_router;
          for (const std::size_t d : order) {
            int stride = 1;
            for (std::size_t e = 0; e < d; ++e) stride *= grid.axes[e].size;
            const int next = router + (to[d] - from[d]) * stride;
            if (next != router)
              expected[link_between(*network, first_router + router, first_router + next)] += 1;
            router = next;
          }
        } while (std::next_permutation(order.begin(), order.end()));
        for (auto& [link, share] : expected) share /= orders;
        if (first_router > 0) {
          const int source = first_router + a / grid.hosts_per_router;
          const int destination = first_router + b / grid.hosts_per_router;
          expected[link_between(*network, a, source)] = 1;
          expected[link_between(*network, destination, b)] = 1;
        }
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
      }
  }
}

TEST_CASE("Valiant's legs on a hyperx are the mean over all routers in between") {
  for (const char* spec : {"hyperx:2x3x2", "hyperx:4x3", "hyperx:5"}) {
    const auto network = hyperx(spec, Routing::valiant);
    const int hosts = network->num_hosts();
    for (int a = 0; a < hosts; ++a)
      for (int b = 0; b < hosts; ++b) {
        if (a == b) continue;
        std::map<LinkId, double> expected;  // oracle: two routes by way of every router in turn
        for (int via = 0; via < hosts; ++via) {
          std::vector<LinkId> route;
          network->append_route(HostId{a}, HostId{via}, route);
          network->append_route(HostId{via}, HostId{b}, route);
          for (const LinkId link : route) expected[link] += 1.0 / hosts;
        }
        tests::check_same_shares(tests::shares_between(*network, a, b), expected);
        double hops = 0;
        for (const auto& [link, share] : expected) hops += share;
        CHECK(network->mean_hops(HostId{a}, HostId{b}) == Approx(hops));
      }
  }
}

TEST_CASE("Keys of a hyperx give relative bandwidths, rates per dimension and hosts per router") {
  const std::string spec =
      "hyperx:4x2x3,per_router=2,links=1/4/2,bandwidth=1GBps/2GBps/3GBps,latency=5ns,"
      "host_bandwidth=7GBps";
  const auto network = hyperx(spec);
  CHECK(network->description() == spec);
  CHECK(network->num_hosts() == 48);
  const auto classes = network->link_classes();
  REQUIRE(classes.size() == 4);
  CHECK(classes[1].bandwidth == BytesPerSecond{8e9});  // 4 * 2 GB/s
  CHECK(classes[2].bandwidth == BytesPerSecond{6e9});
  CHECK(classes[1].links == 24);  // one to each router, 24 routers
  CHECK(classes[3].bandwidth == BytesPerSecond{7e9});
  CHECK(network->injection_bandwidth(HostId{0}) == BytesPerSecond{7e9});
  CHECK(hyperx("hyperx:4x2,links=3")->description() == "hyperx:4x2,links=3");
  // 3 links of 10 GB/s and one of them in the other dimension.
  CHECK(hyperx("hyperx:4x2")->injection_bandwidth(HostId{0}) == BytesPerSecond{4e10});
  CHECK(hyperx("hyperx:3x2")->link_name(LinkId{0}) == "d0:0->1");
  CHECK(network->link_name(LinkId{network->num_links() - 1}) == "r23->host-47");
}

TEST_CASE("A malformed hyperx is one sentence that names the value") {
  const auto error_of = [](const std::string& spec, Routing rule = Routing::simgrid) {
    return tests::message_of<UsageError>([&] { make_network(spec, {}, {rule}); });
  };
  CHECK(error_of("hyperx:4x0") == "hyperx size 0 in \"hyperx:4x0\": accepted are 1 to 2147483647");
  CHECK(error_of("hyperx:65536x65536") == "hyperx with more than 2147483647 hosts");
  CHECK(error_of("hyperx:65536x2") == "hyperx with more than 2147483647 directed links");
  CHECK_THAT(error_of("hyperx:4x4,links=1/2/3"),
             Catch::Contains("links has 3 values; accepted: one for all, or 2 separated by /"));
  CHECK_THAT(error_of("hyperx:4x4,host_latency=1ns"), Catch::Contains("per_router=2 or more"));
  for (const Routing rule : {Routing::positive, Routing::split})
    CHECK_THAT(
        error_of("hyperx:4x4", rule),
        Catch::Contains("accepted for a hyperx: simgrid (one route, dimension order), ecmp"));
}
