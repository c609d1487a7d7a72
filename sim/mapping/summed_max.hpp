#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

namespace vtopo {

/// Values >= 0 of which the largest and the sum of squares are always known; a change costs
/// O(log size). Changes since the last `keep` can be undone.
class SummedMax {
 public:
  explicit SummedMax(std::size_t size = 0) : leaves_(1) {
    while (leaves_ < size) leaves_ *= 2;
    tree_.assign(2 * leaves_, 0.0);
  }

  double operator[](std::size_t i) const { return tree_[leaves_ + i]; }
  double max() const { return tree_[1]; }
  double sum_of_squares() const { return sum_; }

  void set(std::size_t i, double value) {
    changes_.emplace_back(i, (*this)[i]);
    put(i, value);
  }

  void add(std::size_t i, double value) { set(i, (*this)[i] + value); }

  /// What was changed stays.
  void keep() {
    changes_.clear();
    kept_sum_ = sum_;
  }

  /// Takes back every change since the last `keep`, to the bit.
  void undo() {
    for (; !changes_.empty(); changes_.pop_back())
      put(changes_.back().first, changes_.back().second);
    sum_ = kept_sum_;
  }

 private:
  void put(std::size_t i, double value) {
    std::size_t node = leaves_ + i;
    sum_ += value * value - tree_[node] * tree_[node];
    tree_[node] = value;
    for (; node > 1; node /= 2) {
      const double larger = std::max(tree_[node], tree_[node ^ 1]);
      if (tree_[node / 2] == larger) return;
      tree_[node / 2] = larger;
    }
  }

  std::size_t leaves_;
  std::vector<double> tree_;  ///< node 1 is the root, the leaves are the last half
  double sum_ = 0;
  double kept_sum_ = 0;
  std::vector<std::pair<std::size_t, double>> changes_;  ///< and what was there before
};

}  // namespace vtopo
