#include "sim/mapping/search/robust_tabu.hpp"

#include <algorithm>
#include <limits>
#include <utility>

namespace vtopo::detail {

namespace {

/// Sum of (a[k] - b[k]) * (c[k] - d[k]), in four parts that do not wait for each other.
double sum_of_products(const double* a, const double* b, const double* c, const double* d,
                       std::size_t size) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t k = 0;
  for (; k + 4 <= size; k += 4)
    for (std::size_t part = 0; part < 4; ++part)
      sums[part] += (a[k + part] - b[k + part]) * (c[k + part] - d[k + part]);
  for (; k < size; ++k) sums[0] += (a[k] - b[k]) * (c[k] - d[k]);
  return sums[0] + sums[1] + sums[2] + sums[3];
}

SquareMatrix transposed(const SquareMatrix& matrix) {
  SquareMatrix result(matrix.size);
  for (std::size_t i = 0; i < matrix.size; ++i)
    for (std::size_t j = 0; j < matrix.size; ++j) result.row(j)[i] = matrix.row(i)[j];
  return result;
}

}  // namespace

bool SquareMatrix::is_symmetric() const {
  for (std::size_t i = 0; i < size; ++i)
    for (std::size_t j = 0; j < i; ++j)
      if (row(i)[j] != row(j)[i]) return false;
  return true;
}

RobustTabu::RobustTabu(AssignmentProblem problem, std::vector<int> slots, std::uint64_t seed)
    : size_(slots.size()),
      num_real_(problem.num_real),
      symmetric_(problem.flows.is_symmetric() && problem.distances.is_symmetric()),
      flows_(std::move(problem.flows)),
      distances_(size_),
      changes_(size_),
      slots_(std::move(slots)),
      best_slots_(slots_),
      places_(std::move(problem.places)),
      num_places_(
          places_.empty()
              ? 0
              : static_cast<std::size_t>(*std::max_element(places_.begin(), places_.end())) + 1),
      tabu_until_(size_ * num_places_),
      u_(size_),
      v_(size_),
      patience_(5 * static_cast<std::int64_t>(size_) * static_cast<std::int64_t>(size_)),
      random_(seed) {
  for (std::size_t i = 0; i < size_; ++i) {
    const double* row = problem.distances.row(static_cast<std::size_t>(slots_[i]));
    for (std::size_t j = 0; j < size_; ++j) {
      distances_.row(i)[j] = row[slots_[j]];
      cost_ += flows_.row(i)[j] * distances_.row(i)[j];
    }
  }
  best_cost_ = cost_;
  if (!symmetric_) {
    flows_back_ = transposed(flows_);
    distances_back_ = transposed(distances_);
  }
  // Before the first step, so that patience does not run out for all at once.
  for (std::size_t entry = 0; entry < tabu_until_.size(); ++entry)
    tabu_until_[entry] = -static_cast<std::int64_t>(entry);
  for (std::size_t i = 0; i < size_; ++i)
    for (std::size_t j = i + 1; j < size_; ++j) changes_.row(i)[j] = changed(i, j);
}

/// What exchanging two units would add to the cost, from scratch: the sums over all units include
/// the two themselves, which is made good afterwards.
double RobustTabu::changed(std::size_t i, std::size_t j) const {
  const double* from_i = flows_.row(i);
  const double* from_j = flows_.row(j);
  const double there = from_i[j] * distances_.row(i)[j];
  const double back = from_j[i] * distances_.row(j)[i];
  const double out =
      sum_of_products(from_i, from_j, distances_.row(j), distances_.row(i), size_) + there + back;
  if (symmetric_) return 2 * out;
  const double in = sum_of_products(flows_back_.row(i), flows_back_.row(j), distances_back_.row(j),
                                    distances_back_.row(i), size_) +
                    there + back;
  return out + in + (from_i[j] - from_j[i]) * (distances_.row(j)[i] - distances_.row(i)[j]);
}

/// Units without flows are interchangeable, and so are the slots of a place.
bool RobustTabu::may_exchange(std::size_t i, std::size_t j) const {
  return i < num_real_ && places_[static_cast<std::size_t>(slots_[i])] !=
                              places_[static_cast<std::size_t>(slots_[j])];
}

/// Until which step a unit must not go to where another one is.
std::int64_t& RobustTabu::tabu_until(std::size_t unit, std::size_t slot_owner) {
  const int place = places_[static_cast<std::size_t>(slots_[slot_owner])];
  return tabu_until_[unit * num_places_ + static_cast<std::size_t>(place)];
}

/// The best exchange that is not tabu or leads to a new best; one that has been forbidden to
/// nobody for very long comes first.
RobustTabu::Exchange RobustTabu::choose() {
  Exchange best;
  bool best_is_overdue = false;
  double least = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < num_real_; ++i) {
    const double* row = changes_.row(i);
    for (std::size_t j = i + 1; j < size_; ++j) {
      if (!may_exchange(i, j)) continue;
      const std::int64_t first = tabu_until(i, j);
      const std::int64_t second = tabu_until(j, i);
      const bool allowed = first < step_ || second < step_;
      const bool overdue = std::max(first, second) < step_ - patience_;
      const bool record = cost_ + row[j] < best_cost_;
      const bool better =
          (overdue || record) == best_is_overdue ? row[j] < least : !best_is_overdue;
      if (!better || !(allowed || record)) continue;
      best = {i, j, true};
      best_is_overdue = overdue || record;
      least = row[j];
    }
  }
  return best;
}

std::int64_t RobustTabu::draw_tenure() {
  const auto n = static_cast<std::int64_t>(size_);
  const std::int64_t shortest = n * 9 / 10;
  const std::int64_t longest = (n * 11 + 9) / 10;
  return shortest + static_cast<std::int64_t>(
                        random_.below(static_cast<std::uint64_t>(longest - shortest + 1)));
}

bool RobustTabu::step() {
  ++step_;
  const Exchange chosen = choose();
  if (!chosen.found)
    return std::any_of(tabu_until_.begin(), tabu_until_.end(),
                       [&](std::int64_t until) { return until >= step_; });
  make(chosen.i, chosen.j);
  if (cost_ < best_cost_) {
    best_cost_ = cost_;
    best_slots_ = slots_;
  }
  return true;
}

void RobustTabu::make(std::size_t i, std::size_t j) {
  tabu_until(i, i) = step_ + draw_tenure();
  tabu_until(j, j) = step_ + draw_tenure();
  cost_ += change(i, j);
  std::swap(slots_[i], slots_[j]);
  exchange_distances(i, j);
  update_changes(i, j);
}

void RobustTabu::exchange_distances(std::size_t i, std::size_t j) {
  const auto exchange = [&](SquareMatrix& matrix) {
    std::swap_ranges(matrix.row(i), matrix.row(i) + size_, matrix.row(j));
    for (std::size_t k = 0; k < size_; ++k) std::swap(matrix.row(k)[i], matrix.row(k)[j]);
  };
  exchange(distances_);
  if (!symmetric_) exchange(distances_back_);
}

/// Adds factor * (u[i] - u[j]) * (v[i] - v[j]) to every pair, where u and v are the differences of
/// the rows of the two units exchanged.
void RobustTabu::add_products(std::size_t r, std::size_t s, const SquareMatrix& flows,
                              const SquareMatrix& distances, double factor) {
  for (std::size_t k = 0; k < size_; ++k) {
    u_[k] = flows.row(r)[k] - flows.row(s)[k];
    v_[k] = factor * (distances.row(s)[k] - distances.row(r)[k]);
  }
  for (std::size_t i = 0; i < num_real_; ++i) {
    double* row = changes_.row(i);
    for (std::size_t j = i + 1; j < size_; ++j) row[j] += (u_[i] - u_[j]) * (v_[i] - v_[j]);
  }
}

void RobustTabu::update_changes(std::size_t r, std::size_t s) {
  add_products(r, s, flows_, distances_, symmetric_ ? 2 : 1);
  if (!symmetric_) add_products(r, s, flows_back_, distances_back_, 1);
  for (const std::size_t unit : {r, s})
    for (std::size_t other = 0; other < size_; ++other)
      if (other != unit)
        changes_.row(std::min(unit, other))[std::max(unit, other)] = changed(unit, other);
}

}  // namespace vtopo::detail
