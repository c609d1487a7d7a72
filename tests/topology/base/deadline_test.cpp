#include "topology/base/deadline.hpp"

#include <catch2/catch.hpp>
#include <limits>

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("A deadline is so many seconds after its start, and never where these are too many") {
  using TimePoint = std::chrono::steady_clock::time_point;
  const TimePoint start{std::chrono::hours(24)};
  CHECK(time_point_after(start, Seconds{0}) == start);
  CHECK(time_point_after(start, Seconds{1.5}) == start + std::chrono::milliseconds(1500));
  CHECK(time_point_after(start, Seconds{-2}) == start - std::chrono::seconds(2));
  CHECK(time_point_after(start, Seconds{1e9}) == start + std::chrono::seconds(1'000'000'000));
  // Nanoseconds in 64 bits end at 9.2e9 seconds.
  for (const double seconds : {1.1e9, 1e10, 1e300, std::numeric_limits<double>::infinity()})
    CHECK(time_point_after(start, Seconds{seconds}) == TimePoint::max());
}
