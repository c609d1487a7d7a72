#include <catch2/catch.hpp>

#include <fstream>
#include <string>
#include <thread>
#include <vector>

#include "netmodels/platform/platform.hpp"
#include "netmodels/process/child_process.hpp"
#include "tests/netmodels/platform/simgrid_oracle.hpp"
#include "tests/support/folders.hpp"
#include "tests/support/message_of.hpp"
#include "tests/support/routes.hpp"
#include "topology/base/error.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

/// A ring of 40 hosts and a cluster of 60 beside it.
std::string mixed_platform(const std::string& test, const std::string& routing = "Floyd") {
  std::string path = tests::own_folder() + "/platform-cache-" + test + ".xml";
  std::ofstream file(path);
  file << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM \"https://simgrid.org/simgrid.dtd\">\n"
          "<platform version=\"4.1\"><zone id=\"all\" routing=\"Full\"><zone id=\"hall\" "
          "routing=\""
       << routing << "\">";
  for (int i = 0; i < 40; ++i) file << "<host id=\"h" << i << "\" speed=\"1Gf\"/>";
  for (int i = 0; i < 40; ++i)
    file << "<link id=\"l" << i << "\" bandwidth=\"1GBps\" latency=\"1us\"/>";
  for (int i = 0; i < 40; ++i)
    file << "<route src=\"h" << i << "\" dst=\"h" << (i + 1) % 40 << "\"><link_ctn id=\"l" << i
         << "\"/></route>";
  file << "</zone><cluster id=\"c\" prefix=\"n\" suffix=\"\" radical=\"0-59\" speed=\"1Gf\" "
          "bw=\"1GBps\" lat=\"1us\" bb_bw=\"2GBps\" bb_lat=\"1us\" limiter_link=\"1GBps\"/>"
          "<link id=\"x\" bandwidth=\"1GBps\" latency=\"1us\"/>"
          "<zoneRoute src=\"hall\" dst=\"c\" gw_src=\"h7\" gw_dst=\"nc_router\"><link_ctn "
          "id=\"x\"/></zoneRoute></zone></platform>\n";
  return path;
}

}  // namespace

TEST_CASE("Routes do not depend on the order in which they are asked for") {
  // Whole rows are asked for with Floyd; with DijkstraCache, which searches, more routes each time.
  const std::string routing = GENERATE("Floyd", "DijkstraCache");
  const auto path = mixed_platform("order", routing);
  const auto forwards = load_platform(path, {}), scattered = load_platform(path, {});
  const int n = forwards->num_hosts();
  REQUIRE(n == 100);
  for (int a = 0; a < n; ++a)
    for (int b = 0; b < n; ++b) forwards->hops(HostId{a}, HostId{b});
  int different = 0;
  for (int i = 0; i < n * n; ++i) {
    const int pair = static_cast<int>(std::int64_t{i} * 7919 % (n * n));  // 7919: coprime to 10^4
    different += tests::route_of(*forwards, pair / n, pair % n) !=
                 tests::route_of(*scattered, pair / n, pair % n);
  }
  CHECK(different == 0);
}

TEST_CASE("Routes of equal hosts, told by two of them, are SimGrid's") {
  const auto path = mixed_platform("symmetric");
  const auto network = load_platform(path, {});
  std::vector<std::string> names;
  for (int h = 0; h < network->num_hosts(); ++h) names.push_back(network->host_name(HostId{h}));
  CHECK(tests::own_routes(*network) == tests::simgrid_platform_routes(path, names));
}

TEST_CASE("Diameter and injection are those of a walk over all pairs") {
  const auto network = load_platform(mixed_platform("diameter"), {});
  int longest = 0;
  for (int a = 0; a < 100; ++a)
    for (int b = 0; b < 100; ++b) longest = std::max(longest, network->hops(HostId{a}, HostId{b}));
  CHECK(network->diameter() == longest);
  CHECK(network->injection_bandwidth(HostId{3}).value == 2e9);   // two cables of the ring
  CHECK(network->injection_bandwidth(HostId{7}).value == 3e9);   // and the one to the cluster
  CHECK(network->injection_bandwidth(HostId{99}).value == 1e9);  // its limiter
}

TEST_CASE("Routes on which SimGrid ends are none, however they are asked for") {
  const std::string path = tests::own_folder() + "/platform-cache-ends.xml";
  {
    std::ofstream file(path);
    file << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
            "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"all\" "
            "routing=\"Full\"><zone id=\"void\" routing=\"None\"><host id=\"v0\" "
            "speed=\"1Gf\"/><host id=\"v1\" speed=\"1Gf\"/></zone><zone id=\"hall\" "
            "routing=\"Full\">";
    for (int i = 0; i < 8; ++i) file << "<host id=\"h" << i << "\" speed=\"1Gf\"/>";
    file << "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>";
    for (int a = 0; a < 8; ++a)
      for (int b = a + 1; b < 8; ++b)
        file << "<route src=\"h" << a << "\" dst=\"h" << b << "\"><link_ctn id=\"l\"/></route>";
    file << "</zone></zone></platform>\n";
  }
  const auto network = load_platform(path, {});
  REQUIRE(network->num_hosts() == 10);
  for (int a = 9; a >= 0; --a)  // hosts 0 and 1 are in the void
    for (int b = 0; b < 10; ++b)
      if (a == b || (a > 1 && b > 1))
        CHECK(tests::route_of(*network, a, b).size() == (a == b ? 0 : 1));
      else
        CHECK_THROWS_AS(tests::route_of(*network, a, b), InputError);
}

TEST_CASE(
    "Pairs of zones without a route have one sentence, in whatever order they are asked for") {
  constexpr int num_zones = 40;  // of a host; there are routes to the first zone
  const std::string path = tests::own_folder() + "/platform-cache-zones.xml";
  {
    std::ofstream file(path);
    file << "<?xml version='1.0'?>\n<!DOCTYPE platform SYSTEM "
            "\"https://simgrid.org/simgrid.dtd\">\n<platform version=\"4.1\"><zone id=\"all\" "
            "routing=\"Full\">";
    for (int z = 0; z < num_zones; ++z)
      file << "<cluster id=\"c" << z << "\" prefix=\"h\" suffix=\"\" radical=\"" << z
           << "\" speed=\"1Gf\" bw=\"1GBps\" lat=\"1us\" router_id=\"r" << z << "\"/>";
    file << "<link id=\"l\" bandwidth=\"1GBps\" latency=\"1us\"/>";
    for (int z = 1; z < num_zones; ++z)
      file << "<zoneRoute src=\"c" << z << "\" dst=\"c0\" gw_src=\"r" << z
           << "\" gw_dst=\"r0\"><link_ctn id=\"l\"/></zoneRoute>";
    file << "</zone></platform>\n";
  }
  const auto forwards = load_platform(path, {}), backwards = load_platform(path, {});
  REQUIRE(forwards->num_hosts() == num_zones);
  const auto sentence = [&](const Network& network, int a, int b) {
    return tests::message_about(path, [&] { tests::route_of(network, a, b); });
  };
  const std::string beginning = ": there is no route from \"h1\" to \"h2\"";
  const std::string first = sentence(*forwards, 1, 2);
  REQUIRE(first.starts_with(beginning + ": SimGrid "));
  int different = 0;
  for (int pair = 0; pair < num_zones * num_zones; ++pair) {
    const int a = pair / num_zones, b = pair % num_zones;
    const std::string expected = a == b || a == 0 || b == 0
                                     ? "no error"
                                     : fmt::format(": there is no route from \"h{}\" to \"h{}\"{}",
                                                   a, b, first.substr(beginning.size()));
    different += sentence(*forwards, a, b) != expected;
    const int c = num_zones - 1 - a, d = num_zones - 1 - b;
    different += sentence(*backwards, c, d) != sentence(*forwards, c, d);
  }
  CHECK(different == 0);
}

TEST_CASE("Several threads and a forked copy may ask for routes at the same time") {
  const auto path = mixed_platform("threads");
  const auto expected = load_platform(path, {}), network = load_platform(path, {});
  std::vector<int> different(3);
  std::vector<std::thread> threads;
  for (std::size_t t = 0; t < different.size(); ++t)
    threads.emplace_back([&, t] {
      for (int a = 0; a < 50; ++a)
        for (int b = 0; b < 100; ++b)
          different[t] +=
              network->hops(HostId{a}, HostId{b}) != expected->hops(HostId{a}, HostId{b});
    });
  ChildProcess copy([&](Channel& channel) {
    int sum = 0;
    for (int b = 0; b < 100; ++b) sum += network->hops(HostId{20}, HostId{b});
    channel.send_value(sum);
  });
  const auto sum = copy.channel().receive_value<int>();
  for (auto& thread : threads) thread.join();
  int expected_sum = 0;
  for (int b = 0; b < 100; ++b) expected_sum += expected->hops(HostId{20}, HostId{b});
  CHECK(different == std::vector<int>(3, 0));
  REQUIRE(sum);
  CHECK(*sum == expected_sum);
}
