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
