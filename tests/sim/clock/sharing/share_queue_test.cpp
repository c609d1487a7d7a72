#include "sim/clock/sharing/queues.hpp"

#include <catch2/catch.hpp>

#include <algorithm>
#include <iterator>
#include <utility>
#include <vector>

#include "topology/base/random.hpp"

using namespace vtopo;
using namespace vtopo::detail;

TEST_CASE("Links leave a queue by their shares, and in their order where these are equal") {
  // Beside a sorted list. Shares below 1/2 and above 2^63 share the first and the last bucket.
  Random random(7);
  ShareQueue queue;
  std::vector<std::pair<double, std::int32_t>> sorted;
  const double sizes[] = {0, 1e-9, 0.7, 3, 1e9, 1.001e9, 1e10, 1e18, 1e30};
  for (std::int32_t step = 0; step < 5000; ++step) {
    if (random.below(3) > 0 || sorted.empty()) {
      const double share =
          sizes[random.below(std::size(sizes))] * static_cast<double>(1 + random.below(4));
      queue.push({share, step});
      sorted.emplace_back(share, step);
      continue;
    }
    const auto least = std::min_element(sorted.begin(), sorted.end());
    const ShareQueue::Entry top = queue.top();
    REQUIRE(std::pair(top.share, top.link) == *least);
    queue.pop();
    sorted.erase(least);
  }
  std::size_t left = 0;
  queue.clear([&](const ShareQueue::Entry&) { ++left; });
  CHECK(left == sorted.size());
  queue.push({5, 1});
  CHECK(queue.top().link == 1);
}

TEST_CASE("The next end is the least of all, whatever changes, while there are more of them") {
  // Beside a list of all times.
  Random random(5);
  EndTimes ends;
  for (const std::size_t most : {3u, 40u, 900u}) {
    std::vector<double> times;
    const auto least = [&] {
      return times.empty() ? times.end() : std::min_element(times.begin(), times.end());
    };
    for (int step = 0; step < 4000; ++step) {
      if (times.size() < most && random.below(4) == 0) {
        times.push_back(EndTimes::never);
        ends.resize(times.size());
      }
      if (!times.empty()) {
        const std::size_t at = random.below(times.size());
        times[at] = random.below(3) == 0 ? EndTimes::never : static_cast<double>(random.below(50));
        ends.set(at, times[at]);
      }
      const double next = ends.next();
      REQUIRE(next == (times.empty() ? EndTimes::never : *least()));
      if (next < EndTimes::never)
        REQUIRE(ends.first() == static_cast<std::size_t>(least() - times.begin()));
    }
    for (std::size_t at = 0; at < times.size(); ++at) ends.set(at, EndTimes::never);
    REQUIRE(ends.next() == EndTimes::never);
    ends.clear();
  }
}
