#pragma once

#include <cstdint>
#include <vector>

#include "topology/base/random.hpp"

namespace vtopo::detail {

/// Square matrix in rows.
struct SquareMatrix {
  std::size_t size = 0;
  std::vector<double> values;

  explicit SquareMatrix(std::size_t n = 0) : size(n), values(n * n, 0.0) {}
  double* row(std::size_t i) { return values.data() + i * size; }
  const double* row(std::size_t i) const { return values.data() + i * size; }
  bool is_symmetric() const;
};

/// Units to be assigned to as many slots. Slots of one place are at distance 0 and interchangeable.
struct AssignmentProblem {
  SquareMatrix flows;        ///< row: from; zero from a unit to itself
  SquareMatrix distances;    ///< between slots, row: from; zero from a slot to itself
  std::vector<int> places;   ///< of every slot, from 0; exchanges within a place are left out
  std::size_t num_real = 0;  ///< units from here on have no flows
};

/// Robust tabu search for the quadratic assignment problem: the sum of flow * distance over ordered
/// pairs falls. Every step makes the best exchange that is not tabu; what each exchange would
/// change is kept and updated in O(1) per pair. E. D. Taillard, "Robust taboo search for the
/// quadratic assignment problem" (Parallel Computing 17, 1991). Takes 4 matrices of units * units
/// doubles, 6 if flows or distances are not symmetric.
class RobustTabu {
 public:
  /// @param slots of every unit, a permutation.
  RobustTabu(AssignmentProblem problem, std::vector<int> slots, std::uint64_t seed);

  /// Makes an exchange; false if there is none to make.
  bool step();

  double cost() const { return cost_; }
  double best_cost() const { return best_cost_; }
  const std::vector<int>& slots() const { return slots_; }
  const std::vector<int>& best_slots() const { return best_slots_; }

  /// What exchanging two units would add to the cost, from the table that steps keep up to date.
  double change(std::size_t i, std::size_t j) const {
    return changes_.row(i < j ? i : j)[i < j ? j : i];
  }

 private:
  struct Exchange {
    std::size_t i = 0;
    std::size_t j = 0;
    bool found = false;
  };

  bool may_exchange(std::size_t i, std::size_t j) const;
  std::int64_t& tabu_until(std::size_t unit, std::size_t slot_owner);
  Exchange choose();
  void make(std::size_t i, std::size_t j);
  void exchange_distances(std::size_t i, std::size_t j);
  void update_changes(std::size_t r, std::size_t s);
  void add_products(std::size_t r, std::size_t s, const SquareMatrix& flows,
                    const SquareMatrix& distances, double factor);
  double changed(std::size_t i, std::size_t j) const;
  std::int64_t draw_tenure();

  std::size_t size_;
  std::size_t num_real_;
  bool symmetric_;
  SquareMatrix flows_;
  SquareMatrix flows_back_;      ///< transposed; empty if symmetric
  SquareMatrix distances_;       ///< between units where they are
  SquareMatrix distances_back_;  ///< transposed; empty if symmetric
  SquareMatrix changes_;         ///< row < column
  std::vector<int> slots_;
  std::vector<int> best_slots_;
  std::vector<int> places_;  ///< of every slot
  std::size_t num_places_;
  std::vector<std::int64_t> tabu_until_;  ///< row: unit, column: place
  std::vector<double> u_;
  std::vector<double> v_;
  double cost_ = 0;
  double best_cost_ = 0;
  std::int64_t step_ = 0;
  std::int64_t patience_;  ///< steps after which an exchange that was never made is made
  Random random_;
};

}  // namespace vtopo::detail
