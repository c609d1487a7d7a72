#pragma once

#include <algorithm>
#include <cstddef>
#include <limits>
#include <utility>
#include <vector>

namespace vtopo::detail {

/// When flows will end, and who is next: a tree, whose leaves are the times and whose inner nodes
/// are the least of a block of nodes below. What changes is looked at when it is asked for.
class EndTimes {
 public:
  static constexpr double never = std::numeric_limits<double>::infinity();

  /// Number of flows, not less than before; new ones never end.
  void resize(std::size_t num_flows) {
    if (!levels_.empty() && num_flows <= levels_.front().least.size()) return;
    std::vector<double> times;
    if (!levels_.empty()) times = std::move(levels_.front().least);
    levels_.clear();
    std::size_t nodes = std::max(num_flows, 2 * times.size());
    do {
      const std::size_t blocks = (nodes + block - 1) / block;
      levels_.push_back(
          {std::vector<double>(blocks * block, never), std::vector<char>(blocks), {}});
      nodes = blocks;
    } while (nodes > 1);
    for (std::size_t flow = 0; flow < times.size(); ++flow) set(flow, times[flow]);
  }

  double operator[](std::size_t flow) const { return levels_.front().least[flow]; }

  void set(std::size_t flow, double time) { set(std::size_t{0}, flow, time); }

  /// The next end; `never` if there is none.
  double next() {
    for (std::size_t above = 1; above < levels_.size(); ++above) {
      Level& level = levels_[above - 1];
      for (const std::size_t of : level.changed) {
        set(above, of, least_of(level, of));
        level.is_changed[of] = 0;
      }
      level.changed.clear();
    }
    return levels_.empty() ? never : least_of(levels_.back(), 0);
  }

  /// Calls `visit(flow, time)` for the flows that end until `limit`, in their order, right after
  /// `next`; none of them ends again.
  template <class Visitor>
  void take_until(double limit, Visitor&& visit) {
    if (!levels_.empty()) take_until(limit, visit, levels_.size() - 1, 0);
  }

 private:
  static constexpr std::size_t block = 16;

  struct Level {
    std::vector<double> least;
    std::vector<char> is_changed;  ///< by block
    std::vector<std::size_t> changed;
  };

  /// The level above learns at once of a time below the least of the block, and is to look at the
  /// block again where the least one itself has changed.
  void set(std::size_t at, std::size_t node, double time) {
    Level& level = levels_[at];
    const double before = std::exchange(level.least[node], time);
    if (at + 1 == levels_.size()) return;
    const std::size_t of = node / block;
    const double least = levels_[at + 1].least[of];
    if (time <= least) return set(at + 1, of, time);
    if (before != least || level.is_changed[of] != 0) return;
    level.is_changed[of] = 1;
    level.changed.push_back(of);
  }

  static double least_of(const Level& level, std::size_t of) {
    double least = never;
    for (std::size_t node = of * block; node < (of + 1) * block; ++node)
      least = std::min(least, level.least[node]);
    return least;
  }

  template <class Visitor>
  void take_until(double limit, Visitor& visit, std::size_t at, std::size_t of) {
    for (std::size_t node = of * block; node < (of + 1) * block; ++node) {
      const double least = levels_[at].least[node];
      if (least > limit || least == never) continue;
      if (at > 0) {
        take_until(limit, visit, at - 1, node);
      } else {
        visit(node, least);
        set(node, never);
      }
    }
  }

  std::vector<Level> levels_;  ///< times first, one block last
};

}  // namespace vtopo::detail
