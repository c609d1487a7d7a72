#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "sim/mapping/partition/guest_bisection.hpp"

namespace vtopo::detail {

/// What the move of a vertex to the other side gains.
inline double gain_of_move(const BisectionTask& task, const Sides& sides, int vertex) {
  const std::uint8_t side = sides[static_cast<std::size_t>(vertex)];
  const double bias = task.bias[static_cast<std::size_t>(vertex)];
  double gain = side == 0 ? -bias : bias;
  for (const WeightedArc& arc : task.graph.of(vertex))
    gain += sides[static_cast<std::size_t>(arc.target)] == side ? -arc.weight : arc.weight;
  return gain;
}

/// Ranks on both sides of a bisection while vertices move: how far side 0 is from its size, and who
/// may leave a side. Task and sides must outlive it.
class SideBalance {
 public:
  /// @param allowed ranks that side 0 may have more or less than its size in the end; on the way
  /// there it may be a little more.
  SideBalance(const BisectionTask& task, std::int64_t allowed, Sides& sides)
      : weights_(task.graph.weights), allowed_(allowed), sides_(sides) {
    std::int64_t total = 0;
    std::int64_t heaviest = 1;
    for (std::size_t v = 0; v < sides.size(); ++v) {
      total += weights_[v];
      heaviest = std::max<std::int64_t>(heaviest, weights_[v]);
      if (sides[v] == 0) excess_ += weights_[v];
    }
    excess_ -= task.size;
    tolerance_ = std::max({allowed, heaviest, total / 50});
  }

  /// Ranks on side 0 beyond its size; negative: it lacks some.
  std::int64_t excess() const { return excess_; }

  /// Ranks beyond what is allowed.
  std::int64_t misfit() const { return std::max<std::int64_t>(std::abs(excess_) - allowed_, 0); }

  bool may_leave(std::size_t vertex) const {
    const std::int64_t weight = weights_[vertex];
    const std::int64_t after = std::abs(excess_ + (sides_[vertex] == 0 ? -weight : weight));
    return after <= tolerance_ || after < std::abs(excess_);
  }

  /// To the other side.
  void move(int vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    excess_ += sides_[v] == 0 ? -weights_[v] : weights_[v];
    sides_[v] ^= 1;
  }

 private:
  const std::vector<int>& weights_;
  std::int64_t allowed_;
  Sides& sides_;
  std::int64_t excess_ = 0;
  std::int64_t tolerance_ = 0;
};

}  // namespace vtopo::detail
