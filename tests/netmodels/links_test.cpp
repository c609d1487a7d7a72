#include "netmodels/links.hpp"

#include <catch2/catch.hpp>

#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "topology/base/error.hpp"
#include "topology/base/units.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Rates are written as people write them") {
  CHECK(exact_text(BytesPerSecond{10e9}) == "10GBps");
  CHECK(exact_text(BytesPerSecond{9.4e9}) == "9.4GBps");
  CHECK(exact_text(BytesPerSecond{125e6}) == "125MBps");
  CHECK(exact_text(BytesPerSecond{4e12}) == "4000GBps");
  CHECK(exact_text(BytesPerSecond{0.5}) == "0.5");
  CHECK(exact_text(parse_seconds("90ns")) == "90ns");
  CHECK(exact_text(parse_seconds("1.3us")) == "1.3us");
  CHECK(exact_text(parse_seconds("2000ns")) == "2000ns");  // 2000 times 1e-9: a bit more than 2us
  CHECK(exact_text(Seconds{0}) == "0");
  CHECK(exact_text(Seconds{1e-7}) == "1e-07");  // one bit less than 100 times 1e-9, "100ns"
}

TEST_CASE("Any rate is read back as it was, to the last bit") {
  std::mt19937_64 random(1);
  for (int i = 0; i < 2000; ++i) {
    const double mantissa = 1 + std::generate_canonical<double, 53>(random);
    const BytesPerSecond bandwidth{std::ldexp(mantissa, static_cast<int>(random() % 60) - 5)};
    const Seconds time{std::ldexp(mantissa, static_cast<int>(random() % 60) - 50)};
    REQUIRE(parse_bandwidth(exact_text(bandwidth)) == bandwidth);
    REQUIRE(parse_seconds(exact_text(time)) == time);
  }
}

TEST_CASE("Keys give one value where all classes are alike, otherwise one per class") {
  const NetworkDefaults defaults;  // 10 GB/s, 100 ns
  std::vector<LinkRates> classes(3);
  CHECK(rate_keys(classes, defaults) == "");
  classes[1].bandwidth = BytesPerSecond{5e9};
  CHECK(rate_keys(classes, defaults) == ",bandwidth=10GBps/5GBps/10GBps");
  classes[0].bandwidth = classes[2].bandwidth = BytesPerSecond{5e9};
  CHECK(rate_keys(classes, defaults) == ",bandwidth=5GBps");
  classes[2].latency = parse_seconds("1us");
  CHECK(rate_keys({&classes[2], 1}, defaults, "host_") == ",host_bandwidth=5GBps,host_latency=1us");
}

TEST_CASE("Rates out of range are refused") {
  const NetworkDefaults defaults;
  for (const double bandwidth : {0.0, -1.0, 1e19, std::numeric_limits<double>::infinity(),
                                 std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(link_properties({BytesPerSecond{bandwidth}, {}}, defaults), UsageError);
  for (const double latency : {-1e-9, 1e10, std::numeric_limits<double>::quiet_NaN()})
    CHECK_THROWS_AS(link_properties({{}, Seconds{latency}}, defaults), UsageError);
}
