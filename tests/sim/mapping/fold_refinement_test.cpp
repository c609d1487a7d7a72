#include <algorithm>
#include <array>
#include <catch2/catch.hpp>
#include <cstdlib>
#include <numeric>
#include <utility>
#include <vector>

#include "sim/mapping/grids/folding.hpp"
#include "topology/base/ids.hpp"

using namespace vtopo;
using namespace vtopo::detail;

namespace {

constexpr int ring_size = 8;

/// A grid of 4x4 on folded_rings of 2 and 8 hosts: coordinate x has a digit of 2 on each of them, y
/// all of its 4 values on the second one, where a cell is thus x1 + 2 y.
const std::vector<FoldDimension> folded_guest{{4, false, 24}, {4, false, 24}};
const std::vector<FoldAxis> folded_rings{{2, 1, true, false}, {ring_size, 2, true, false}};

Folding nested() {
  const std::array<int, 1> x{0};
  const std::array<int, 2> both{0, 1};
  Folding folding;
  folding.layouts = {FoldLayout({2, 1}, x, false), FoldLayout({2, 4}, both, false)};
  folding.paths = {{FoldPath::Kind::snake, {0, 1}}, {FoldPath::Kind::snake, {1}}};
  return folding;
}

using Pairs = std::vector<std::pair<int, int>>;

/// Pairs of cells by hand. x runs 00, 10, 11, 01 (digit on the first ring, on the second one): it
/// steps along the second ring at coordinate 1 of the first one alone; y does at both.
const Pairs along_x{{0, 1}, {2, 3}, {4, 5}, {6, 7}};
const Pairs along_y{{0, 2}, {2, 4}, {4, 6}, {1, 3}, {3, 5}, {5, 7}};

int hops(int from, int to) {
  const int straight = std::abs(from - to);
  return std::min(straight, ring_size - straight);
}

/// Hops of x once and of y at both coordinates of the first ring.
int hop_sum(const std::vector<int>& positions) {
  int sum = 0;
  for (const auto& [a, b] : along_x) sum += hops(positions[index(a)], positions[index(b)]);
  for (const auto& [a, b] : along_y) sum += 2 * hops(positions[index(a)], positions[index(b)]);
  return sum;
}

/// Messages on each link of the line at coordinate 1, in one direction; the line at 0 has fewer.
std::array<int, ring_size> loads(const std::vector<int>& positions) {
  std::array<int, ring_size> on{};
  for (const Pairs& pairs : {along_x, along_y})
    for (const auto& [a, b] : pairs) {
      const auto [low, high] = std::minmax(positions[index(a)], positions[index(b)]);
      const bool around = 2 * (high - low) > ring_size;
      for (int at = around ? high : low; at % ring_size != (around ? low : high); ++at)
        ++on[index(at % ring_size)];
    }
  return on;
}

/// Fourth powers of the loads.
int load_sum(const std::vector<int>& positions) {
  int sum = 0;
  for (const int load : loads(positions)) sum += load * load * load * load;
  return sum;
}

/// The least figure of all orders of the cells on the ring.
template <class Figure>
int least(Figure figure) {
  std::vector<int> positions(ring_size);
  std::iota(positions.begin(), positions.end(), 0);
  int best = figure(positions);
  while (std::next_permutation(positions.begin(), positions.end()))
    best = std::min(best, figure(positions));
  return best;
}

}  // namespace

TEST_CASE("A host axis that dimensions share is arranged as well as by trying all orders") {
  Folding folding = nested();
  CHECK(hop_sum(folding.layouts[1].positions) == 28);
  SECTION("for hop-bytes") {
    refine(folding, folded_guest, folded_rings, FoldGoal::hop_bytes);
    CHECK(hop_sum(folding.layouts[1].positions) == least(hop_sum));
  }
  SECTION("for loads") {
    refine(folding, folded_guest, folded_rings, FoldGoal::loads);
    CHECK(load_sum(folding.layouts[1].positions) == least(load_sum));
  }
  // The first ring has one dimension alone, whose order is the best one.
  CHECK(folding.layouts[0].positions == std::vector<int>{0, 1});
}
