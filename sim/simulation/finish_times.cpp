#include "sim/simulation/finish_times.hpp"

#include <algorithm>
#include <limits>
#include <utility>

#include "sim/simulation/max_min.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();
constexpr double same_time = 1e-12;  // relative

/// When flows will end, and who is next: a tree, whose leaves are the times and whose inner nodes
/// are the least of a block of nodes below. What changes is looked at when it is asked for.
class EndTimes {
 public:
  explicit EndTimes(std::size_t num_flows) {
    std::size_t nodes = num_flows;
    do {
      const std::size_t blocks = (nodes + block - 1) / block;
      levels_.push_back(
          {std::vector<double>(blocks * block, never), std::vector<char>(blocks), {}});
      nodes = blocks;
    } while (nodes > 1);
  }

  double operator[](std::size_t flow) const { return levels_.front().least[flow]; }

  void set(std::size_t flow, double time) { set(levels_.front(), flow, time); }

  /// The next end; infinity if there is none.
  double next() {
    for (std::size_t above = 1; above < levels_.size(); ++above) {
      Level& level = levels_[above - 1];
      for (const std::size_t of : level.changed) {
        set(levels_[above], of, least_of(level, of));
        level.is_changed[of] = 0;
      }
      level.changed.clear();
    }
    return least_of(levels_.back(), 0);
  }

  /// Calls `visit(flow, time)` for the flows that end until `limit`, in their order; none of them
  /// ends again.
  template <class Visitor>
  void take_until(double limit, Visitor&& visit) {
    take_until(limit, visit, levels_.size() - 1, 0);
  }

 private:
  static constexpr std::size_t block = 16;

  struct Level {
    std::vector<double> least;
    std::vector<char> is_changed;  ///< by block
    std::vector<std::size_t> changed;
  };

  static void set(Level& level, std::size_t node, double time) {
    level.least[node] = time;
    const std::size_t of = node / block;
    if (level.is_changed[of] != 0) return;
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
    Level& level = levels_[at];
    for (std::size_t node = of * block; node < (of + 1) * block; ++node) {
      const double least = level.least[node];
      if (least > limit) continue;
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

/// Tells how far it is and asks whether to go on, not too often.
class Watch {
 public:
  Watch(const Progress& progress, const std::function<bool()>& stop, std::size_t total)
      : progress_(progress), stop_(stop), total_(total) {}

  void tick(std::size_t ended) {
    if (++ticks_ % 64 != 0) return;
    if (progress_) progress_(static_cast<double>(ended) / static_cast<double>(total_));
    if (stop_ && stop_()) throw SimulationError("the simulation was stopped");
  }

 private:
  const Progress& progress_;
  const std::function<bool()>& stop_;
  std::size_t total_;
  std::size_t ticks_ = 0;
};

}  // namespace

std::vector<double> finish_times(SharedFlows flows, const Progress& progress,
                                 const std::function<bool()>& stop) {
  const std::size_t num_flows = flows.num_flows();
  std::vector<double> finish(num_flows);
  EndTimes ends(num_flows);
  MaxMinSharing sharing(std::move(flows));
  Watch watch(progress, stop, num_flows);
  std::vector<std::int32_t> ended;
  std::size_t num_ended = 0;
  sharing.solve();
  for (const auto& [flow, none] : sharing.changes()) {
    const auto f = static_cast<std::size_t>(flow);
    ends.set(f, sharing.flows().volume[f] / sharing.rate(flow));
  }
  while (num_ended < num_flows) {
    const double now = ends.next();
    ended.clear();
    ends.take_until(now * (1 + same_time), [&](std::size_t f, double time) {
      finish[f] = time;
      ended.push_back(static_cast<std::int32_t>(f));
    });
    sharing.remove(ended);
    num_ended += ended.size();
    sharing.solve();
    for (const auto& [flow, old_rate] : sharing.changes()) {
      const auto f = static_cast<std::size_t>(flow);
      ends.set(f, now + (ends[f] - now) * (old_rate / sharing.rate(flow)));
    }
    watch.tick(num_ended);
  }
  return finish;
}

}  // namespace vtopo::detail
