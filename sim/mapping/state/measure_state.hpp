#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "sim/mapping/api/problem.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

class RouteLoads;

/// A directed edge of the guest, no self loop, with its ends placed.
struct PlacedEdge {
  Place from{};
  Place to{};
  HostId source{};
  HostId destination{};
  Bytes volume;
  int hops = 0;          ///< 0 inside a host
  double mean_hops = 0;  ///< that its bytes travel; only of edges that travel and have a volume

  bool leaves_host() const { return from != to; }
  bool travels() const { return leaves_host() && volume.value > 0; }
};

/// Value of a measure that is kept up to date while edges come and go. Changes since the last
/// `keep` can be undone.
class MeasureState {
 public:
  virtual ~MeasureState() = default;

  /// Adds an edge (`sign` 1), or takes away one that is there (-1).
  virtual void change(const PlacedEdge& edge, int sign) = 0;
  virtual void keep() = 0;
  virtual void undo() = 0;
  virtual double value() const = 0;

  /// What shows a step in the right direction where a maximum stays as it is: a sum of squares.
  virtual std::optional<double> tie_breaker() const { return std::nullopt; }

  /// The loads of all links, if it knows them; else null.
  virtual RouteLoads* link_loads() { return nullptr; }
};

/// A measure and how searches know its value; each is made by a file of the folder
/// `sim/mapping/objectives`, from which the table is generated.
struct MeasureDefinition {
  Measure measure;
  /// Kept up to date while edges of the guest come and go; the problem must outlive it.
  std::unique_ptr<MeasureState> (*state)(const MappingProblem& problem) = nullptr;
};

/// State of a measure of the table, without edges.
std::unique_ptr<MeasureState> state_of(const Measure& measure, const MappingProblem& problem);

/// A number that edges add to.
class TotalState : public MeasureState {
 public:
  void keep() override { kept_ = total_; }
  void undo() override { total_ = kept_; }
  double value() const override { return total_; }

 protected:
  double total_ = 0;

 private:
  double kept_ = 0;
};

/// Values >= 0 of which the largest, the sum and the sum of squares can be asked for. A change
/// costs O(1); a question O(1) per value changed since the last `keep`, or O(log size) per such
/// value where one of them was the largest. Changes since the last `keep` can be undone.
class SummedMax {
 public:
  explicit SummedMax(std::size_t size = 0) : values_(size, 0.0), changed_in_(size, 0), leaves_(1) {
    while (leaves_ < size) leaves_ *= 2;
    tree_.assign(2 * leaves_, 0.0);
  }

  double operator[](std::size_t i) const { return values_[i]; }

  void set(std::size_t i, double value) {
    if (changed_in_[i] != round_) {
      changed_in_[i] = round_;
      changes_.push_back({i, values_[i]});
    }
    values_[i] = value;
  }

  void add(std::size_t i, double value) { set(i, values_[i] + value); }

  double max() const {
    double most = tree_[1];
    bool top_fell = false;
    for (const Change& change : changes_) {
      most = std::max(most, values_[change.entry]);
      top_fell = top_fell || (leaf(change.entry) == tree_[1] && values_[change.entry] < tree_[1]);
    }
    if (!top_fell) return most;
    for (const Change& change : changes_) put(change.entry, values_[change.entry]);
    return tree_[1];
  }

  double sum() const {
    double sum = kept_sum_;
    for (const Change& change : changes_) sum += values_[change.entry] - change.before;
    return sum;
  }

  double sum_of_squares() const {
    double sum = kept_squares_;
    for (const Change& change : changes_) {
      const double now = values_[change.entry];
      if (now != change.before) sum += now * now - change.before * change.before;
    }
    return sum;
  }

  /// What was changed stays.
  void keep() {
    kept_sum_ = sum();
    kept_squares_ = sum_of_squares();
    for (const Change& change : changes_) put(change.entry, values_[change.entry]);
    start_round();
  }

  /// Takes back every change since the last `keep`, to the bit.
  void undo() {
    for (const Change& change : changes_) {
      values_[change.entry] = change.before;
      put(change.entry, change.before);
    }
    start_round();
  }

 private:
  struct Change {
    std::size_t entry;
    double before;
  };

  double leaf(std::size_t i) const { return tree_[leaves_ + i]; }

  void put(std::size_t i, double value) const {
    std::size_t node = leaves_ + i;
    if (tree_[node] == value) return;
    tree_[node] = value;
    for (; node > 1; node /= 2) {
      const double larger = std::max(tree_[node], tree_[node ^ 1]);
      if (tree_[node / 2] == larger) return;
      tree_[node / 2] = larger;
    }
  }

  void start_round() {
    changes_.clear();
    if (++round_ != 0) return;
    std::fill(changed_in_.begin(), changed_in_.end(), 0);
    round_ = 1;
  }

  std::vector<double> values_;
  std::vector<std::uint32_t> changed_in_;  ///< round of the last change of each value
  std::uint32_t round_ = 1;
  std::vector<Change> changes_;  ///< since the last `keep`, each value once
  double kept_sum_ = 0;
  double kept_squares_ = 0;
  std::size_t leaves_;
  /// Largest of each pair: node 1 is the root, the leaves are the last half. Values as of the last
  /// `keep`, or of a later question that had to ask the tree.
  mutable std::vector<double> tree_;
};

}  // namespace vtopo::detail
