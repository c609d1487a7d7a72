#include "sim/mapping/grids/grid_fold.hpp"

#include <algorithm>
#include <cstddef>
#include <cstdlib>
#include <utility>

namespace vtopo::detail {

namespace {

using Steps = std::span<const DigitSteps>;
using Digits = std::span<const std::size_t>;

/// Combinations of the digits.
int num_values(Steps steps, Digits digits) {
  int count = 1;
  for (const std::size_t digit : digits) count *= steps[digit].factor;
  return count;
}

double snake_hops(Steps steps, Digits digits, bool closed) {
  double hops = 0;
  int slower = num_values(steps, digits);
  for (const std::size_t digit : digits) {
    slower /= steps[digit].factor;
    hops += steps[digit].all * slower;
    if (closed && slower % 2 != 0) hops += steps[digit].closing;
  }
  return hops;
}

double comb_hops(Steps steps, Digits digits) {
  const DigitSteps& tooth = steps[digits.front()];
  const Digits rest = digits.subspan(1);
  const int rows = num_values(steps, rest);
  return rows * (tooth.all - tooth.first) + tooth.first +
         (rows % 2 == 0 ? tooth.first : tooth.closing) + 2 * snake_hops(steps, rest, false);
}

/// Values of reflected digits at a step of the walk.
void snake_values(std::span<const int> factors, int step, std::span<int> values) {
  for (std::size_t t = 0; t < factors.size(); ++t) {
    const int value = step % factors[t];
    step /= factors[t];
    values[t] = step % 2 == 0 ? value : factors[t] - 1 - value;
  }
}

void comb_values(std::span<const int> factors, int rows, int step, std::span<int> values) {
  const int width = factors[0] - 1;
  const bool back = step >= rows * width;
  const int row = back ? rows * factors[0] - 1 - step : step / width;
  const int column = step % width;
  values[0] = back ? 0 : (row % 2 == 0 ? 1 + column : width - column);
  snake_values(factors.subspan(1), row, values.subspan(1));
}

}  // namespace

int FoldAxis::hops(int from, int to) const {
  if (within_host) return 0;
  const int straight = std::abs(from - to);
  return wraps ? std::min(straight, size - straight) : straight;
}

FoldLayout::FoldLayout(std::vector<int> digit_factors, std::span<const int> order, bool reflected)
    : factors(std::move(digit_factors)), weights(factors.size(), 0) {
  int combinations = 1;
  for (const int dimension : order) {
    weights[static_cast<std::size_t>(dimension)] = combinations;
    combinations *= factors[static_cast<std::size_t>(dimension)];
  }
  for (int c = 0; c < combinations; ++c) {
    int position = 0;
    for (std::size_t t = order.size(); t-- > 0;) {
      const auto dimension = static_cast<std::size_t>(order[t]);
      const int value = c / weights[dimension] % factors[dimension];
      const bool turned = reflected && position % 2 != 0;
      position = position * factors[dimension] + (turned ? factors[dimension] - 1 - value : value);
    }
    positions.push_back(position);
  }
}

DigitSteps digit_steps(const FoldAxis& axis, const FoldLayout& layout, std::size_t dimension) {
  DigitSteps steps;
  steps.factor = layout.factors[dimension];
  if (steps.factor == 1) return steps;
  const int weight = layout.weights[dimension];
  const int span = (steps.factor - 1) * weight;
  const auto hops = [&](int from, int to) {
    return axis.hops(layout.positions[static_cast<std::size_t>(from)],
                     layout.positions[static_cast<std::size_t>(to)]);
  };
  std::int64_t all = 0, first = 0, closing = 0;
  const int combinations = static_cast<int>(layout.positions.size());
  for (int c = 0; c < combinations; ++c) {
    const int value = c / weight % steps.factor;
    if (value + 1 < steps.factor) all += hops(c, c + weight);
    if (value != 0) continue;
    first += hops(c, c + weight);
    closing += hops(c, c + span);
  }
  const int other_combinations = combinations / steps.factor;
  const auto others = static_cast<double>(other_combinations);
  steps.all = static_cast<double>(all) / others;
  steps.first = static_cast<double>(first) / others;
  steps.closing = static_cast<double>(closing) / others;
  return steps;
}

double FoldPath::hops(Steps steps, bool closed) const {
  return kind == Kind::comb ? comb_hops(steps, digits) : snake_hops(steps, digits, closed);
}

std::vector<int> FoldPath::values(std::span<const int> factors, int length) const {
  std::vector<int> result(digits.size() * static_cast<std::size_t>(length));
  int rows = 1;
  for (std::size_t t = 1; t < factors.size(); ++t) rows *= factors[t];
  for (int step = 0; step < length; ++step) {
    const auto values =
        std::span(result).subspan(static_cast<std::size_t>(step) * digits.size(), digits.size());
    if (digits.empty()) continue;
    if (kind == Kind::comb)
      comb_values(factors, rows, step, values);
    else
      snake_values(factors, step, values);
  }
  return result;
}

FoldPath best_path(Steps steps, bool closed, bool full, double& hops) {
  FoldPath best;
  for (std::size_t axis = 0; axis < steps.size(); ++axis)
    if (steps[axis].factor > 1) best.digits.push_back(axis);
  const auto cheaper = [&](std::size_t a, std::size_t b) {
    return steps[a].all * (steps[b].factor - 1) < steps[b].all * (steps[a].factor - 1);
  };
  std::stable_sort(best.digits.begin(), best.digits.end(), cheaper);
  hops = best.hops(steps, closed);
  const std::vector<std::size_t> sorted = best.digits;
  const auto consider = [&](FoldPath path) {
    const double its_hops = path.hops(steps, closed);
    if (its_hops >= hops) return;
    hops = its_hops;
    best = std::move(path);
  };
  for (std::size_t t = 0; closed && sorted.size() > 1 && t < sorted.size(); ++t) {
    FoldPath path{FoldPath::Kind::snake, sorted};
    std::rotate(path.digits.begin() + static_cast<std::ptrdiff_t>(t),
                path.digits.begin() + static_cast<std::ptrdiff_t>(t) + 1, path.digits.end());
    consider(path);  // the digit is the slowest
    if (!full) continue;
    std::rotate(path.digits.begin(), path.digits.end() - 1, path.digits.end());
    path.kind = FoldPath::Kind::comb;  // the digit is the fastest
    consider(path);
  }
  return best;
}

}  // namespace vtopo::detail
