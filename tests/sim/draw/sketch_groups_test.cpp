#include <catch2/catch.hpp>
#include <cmath>

#include "sim/draw/network/sketch.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

void join(Sketch& sketch, int from, int to) {
  sketch.edges.push_back({from, to, LinkId{0}});
}

/// Groups of 8 nodes joined all to all, one cable between each two groups, and 2 hosts at node 0 of
/// each group, which come last.
Sketch dragonfly(int groups) {
  Sketch sketch;
  sketch.nodes.resize(static_cast<std::size_t>(10 * groups));
  for (int g = 0; g < groups; ++g) {
    for (int a = 0; a < 8; ++a)
      for (int b = 0; b < a; ++b) join(sketch, 8 * g + a, 8 * g + b);
    for (int other = 0; other < g; ++other) join(sketch, 8 * g + other % 8, 8 * other + g % 8);
    for (const int host : {0, 1}) join(sketch, 8 * g, 8 * groups + 2 * g + host);
  }
  return sketch;
}

}  // namespace

TEST_CASE("The groups of a dragonfly are found and drawn apart", "[report][picture]") {
  const Sketch sketch = dragonfly(5);
  const auto groups = joined_groups(sketch);
  REQUIRE(groups.size() == 5);
  for (std::size_t g = 0; g < groups.size(); ++g) {
    std::vector<int> expected;
    for (int node = 0; node < 8; ++node) expected.push_back(8 * int(g) + node);
    for (const int host : {0, 1}) expected.push_back(40 + 2 * int(g) + host);
    CHECK(groups[g] == expected);
  }
  Point size;
  const auto places = places_in_groups(sketch, groups, size);
  // Of a group nobody is further from its first node than from any node of another group.
  for (std::size_t g = 0; g < groups.size(); ++g) {
    const Point first = places[8 * g];
    const auto distance = [&](int node) {
      const Point at = places[static_cast<std::size_t>(node)];
      CHECK((at.x > 0 && at.x < size.x && at.y > 0 && at.y < size.y));
      return std::hypot(at.x - first.x, at.y - first.y);
    };
    double furthest = 0, nearest = size.x;
    for (std::size_t other = 0; other < groups.size(); ++other)
      for (const int node : groups[other])
        if (other == g)
          furthest = std::max(furthest, distance(node));
        else
          nearest = std::min(nearest, distance(node));
    CHECK(furthest < nearest);
  }
}

TEST_CASE("A mesh and few nodes have no groups", "[report][picture]") {
  Sketch mesh;
  mesh.nodes.resize(100);
  for (int y = 0; y < 10; ++y)
    for (int x = 0; x < 10; ++x) {
      if (x > 0) join(mesh, 10 * y + x, 10 * y + x - 1);
      if (y > 0) join(mesh, 10 * y + x, 10 * (y - 1) + x);
    }
  CHECK(joined_groups(mesh).empty());
  CHECK(joined_groups(dragonfly(3)).empty());
  CHECK(joined_groups(Sketch()).empty());
}
