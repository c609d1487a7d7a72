#include "netmodels/load_routing/load_balance.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>

namespace vtopo::detail {

namespace {

using Numbers = std::vector<double>;

double dot(const Numbers& a, const Numbers& b) {
  double sum = 0;
  for (std::size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

/// value^load_balance_steepness
double steep(double value) {
  double power = value;
  for (int exponent = 1; exponent < load_balance_steepness; exponent *= 2) power *= power;
  return power;
}
static_assert(load_balance_steepness == 32, "a power of two for `steep`");

/// The convex function: logarithm of the (steepness + 1)-norm of the congestion of all links, each
/// weighted by its capacity; its derivatives by loads are the costs of links, up to a factor.
class Potential {
 public:
  explicit Potential(const Numbers& capacity) : capacity_(capacity) {}

  double value(const Numbers& load) const {
    const double largest = largest_of(load);
    return std::log(largest) + std::log(sum_of(load, largest)) / (load_balance_steepness + 1);
  }

  /// Derivative by the load of each link.
  Numbers costs(const Numbers& load) const {
    const double largest = largest_of(load);
    if (largest == 0) return Numbers(load.size());
    const double scale = 1 / (largest * sum_of(load, largest));
    Numbers cost(load.size());
    for (std::size_t l = 0; l < load.size(); ++l)
      if (counts(l)) cost[l] = steep(congestion(load, l) / largest) * scale;
    return cost;
  }

 private:
  bool counts(std::size_t l) const { return std::isfinite(capacity_[l]); }
  double congestion(const Numbers& load, std::size_t l) const {
    return std::max(0.0, load[l]) / capacity_[l];
  }
  double largest_of(const Numbers& load) const {
    double largest = 0;
    for (std::size_t l = 0; l < load.size(); ++l)
      if (counts(l)) largest = std::max(largest, congestion(load, l));
    return largest;
  }
  double sum_of(const Numbers& load, double largest) const {
    double sum = 0;
    for (std::size_t l = 0; l < load.size(); ++l) {
      if (!counts(l)) continue;
      const double relative = congestion(load, l) / largest;
      sum += capacity_[l] * steep(relative) * relative;
    }
    return sum;
  }

  const Numbers& capacity_;
};

/// The flows and where they are on the way to the fixed point.
class Balancing {
 public:
  Balancing(const TwoRoutings& flows, double gap)
      : flows_(flows), wanted_(gap), potential_(flows.capacity), second_(flows.volume.size(), 0.0) {
    load_.resize(flows.capacity.size());
    for (std::size_t f = 0; f < second_.size(); ++f)
      for (const auto& [link, share] : flows.first.row(f))
        load_[index(link)] += share * flows.volume[f];
  }

  Balance run() {
    Balance result;
    if (has_load()) {
      look();
      double step = 1 / std::max(largest_derivative(), 1e-300);
      while (gap_ > wanted_ && result.steps < load_balance_steps) {
        ++result.steps;
        const Numbers before = derivative_;
        const Numbers moved = move(step);
        if (moved.empty()) break;
        look();
        double square = 0, curve = 0;
        for (std::size_t f = 0; f < moved.size(); ++f) {
          square += moved[f] * moved[f];
          curve += moved[f] * (derivative_[f] - before[f]);
        }
        step = curve > 0 ? std::clamp(square / curve, 1e-12, 1e12) : step * 4;
      }
    }
    result.gap = gap_;
    result.second = std::move(second_);
    return result;
  }

 private:
  bool has_load() const {
    for (std::size_t l = 0; l < load_.size(); ++l)
      if (load_[l] > 0 && std::isfinite(flows_.capacity[l])) return true;
    return false;
  }

  /// Derivatives and gap at the loads of now.
  void look() {
    const Numbers cost = potential_.costs(load_);
    derivative_.resize(second_.size());
    double spent = 0, saved = 0;
    for (std::size_t f = 0; f < second_.size(); ++f) {
      double first = 0, second = 0;
      for (const auto& [link, share] : flows_.first.row(f)) first += share * cost[index(link)];
      for (const auto& [link, share] : flows_.second.row(f)) second += share * cost[index(link)];
      derivative_[f] = flows_.volume[f] * (second - first);
      const double pays = second_[f] * second + (1 - second_[f]) * first;
      spent += flows_.volume[f] * pays;
      saved += flows_.volume[f] * (pays - std::min(first, second));
    }
    gap_ = spent > 0 ? saved / spent : 0;
    values_.push_back(potential_.value(load_));
  }

  double largest_derivative() const {
    double largest = 0;
    for (const double by : derivative_) largest = std::max(largest, std::abs(by));
    return largest;
  }

  /// Moves along the projected gradient, by half as far until the potential falls enough against
  /// the last ten. @returns by how much each flow moved; empty if nothing helps.
  Numbers move(double step) {
    constexpr double enough = 1e-4;
    Numbers direction(second_.size());
    for (std::size_t f = 0; f < second_.size(); ++f)
      direction[f] = std::clamp(second_[f] - step * derivative_[f], 0.0, 1.0) - second_[f];
    const double slope = dot(direction, derivative_);
    if (slope >= 0) return {};
    const Numbers by = load_of(direction);
    const std::size_t recent = std::min<std::size_t>(values_.size(), 10);
    const double limit =
        *std::max_element(values_.end() - static_cast<std::ptrdiff_t>(recent), values_.end());
    Numbers load(load_.size());
    for (int halvings = 0; halvings < 40; ++halvings) {
      const double part = std::ldexp(1.0, -halvings);
      for (std::size_t l = 0; l < load.size(); ++l) load[l] = load_[l] + part * by[l];
      if (potential_.value(load) > limit + enough * part * slope) continue;
      load_.swap(load);
      for (std::size_t f = 0; f < direction.size(); ++f) {
        direction[f] *= part;
        second_[f] = std::clamp(second_[f] + direction[f], 0.0, 1.0);
      }
      return direction;
    }
    return {};
  }

  Numbers load_of(const Numbers& direction) const {
    Numbers by(load_.size());
    for (std::size_t f = 0; f < direction.size(); ++f) {
      const double moved = direction[f] * flows_.volume[f];
      if (moved == 0) continue;
      for (const auto& [link, share] : flows_.first.row(f)) by[index(link)] -= share * moved;
      for (const auto& [link, share] : flows_.second.row(f)) by[index(link)] += share * moved;
    }
    return by;
  }

  const TwoRoutings& flows_;
  double wanted_;
  Potential potential_;
  Numbers second_, load_, derivative_;
  Numbers values_;  ///< of the potential, step by step
  double gap_ = 0;
};

}  // namespace

Balance balance_loads(const TwoRoutings& flows, double gap) {
  return Balancing(flows, gap).run();
}

Balance balance_loads(const TwoRoutings& flows) {
  return balance_loads(flows, load_balance_gap);
}

std::vector<double> link_costs(const std::vector<double>& capacity,
                               const std::vector<double>& load) {
  return Potential(capacity).costs(load);
}

}  // namespace vtopo::detail
