#include "sim/mapping/grids/folding.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <map>
#include <set>
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

namespace {

constexpr std::int64_t max_layout_work = 20'000'000;
constexpr int max_estimates = 40'000;
constexpr int max_visits = 2'000'000;
constexpr int max_orders = 24;  // of the digits on one host axis

/// One way to share a host axis and what steps of each guest dimension cost there.
struct PricedLayout {
  std::vector<int> order;
  bool reflected = false;
  std::vector<DigitSteps> steps;
};

class FoldSearch {
 public:
  FoldSearch(const std::vector<FoldDimension>& guest, const std::vector<FoldAxis>& hosts, int count)
      : guest_(guest),
        hosts_(hosts),
        count_(static_cast<std::size_t>(count)),
        factors_(hosts.size(), std::vector<int>(guest.size(), 1)),
        chosen_(hosts.size()) {
    std::int64_t ranks = 1, slots = 1;
    for (const FoldDimension& dimension : guest) ranks *= dimension.size;
    for (const FoldAxis& axis : hosts) slots *= axis.size;
    full_ = ranks == slots;
    for (const FoldAxis& axis : hosts) left_.push_back(axis.size);
  }

  std::vector<Folding> run() {
    if (!guest_.empty()) factor(0, 0, guest_.front().size);
    std::vector<Folding> result;
    for (auto& [hops, folding] : best_) result.push_back(std::move(folding));
    return result;
  }

 private:
  bool exhausted() const {
    if (visits_ > max_visits) return true;
    return !best_.empty() && (work_ > max_layout_work || estimates_ > max_estimates);
  }

  /// Chooses the digits of guest dimension `i` on host axes from `j` on; `size` values are left.
  void factor(std::size_t i, std::size_t j, int size) {
    ++visits_;
    if (exhausted()) return;
    if (size == 1) {
      if (i + 1 == guest_.size())
        layouts(0);
      else
        factor(i + 1, 0, guest_[i + 1].size);
      return;
    }
    std::int64_t room = 1;
    for (std::size_t axis = j; axis < hosts_.size(); ++axis) room *= left_[axis];
    if (room < size) return;
    for (const int f : digit_sizes(size, left_[j])) {
      const int left = left_[j];
      factors_[j][i] = f;
      left_[j] = left / f;
      factor(i, j + 1, (size + f - 1) / f);
      left_[j] = left;
      factors_[j][i] = 1;
    }
  }

  /// Sizes to try, largest first: divisors if every slot takes a rank, else also what fills.
  std::vector<int> digit_sizes(int size, int room) const {
    const int most = std::min(size, room);
    if (full_) {
      std::vector<int> sizes;
      for (int f = most; f >= 1; --f)
        if (size % f == 0 && room % f == 0) sizes.push_back(f);
      return sizes;
    }
    std::set<int, std::greater<>> sizes;
    for (int part = 1; part * part <= most || part <= 4; ++part) {
      if (part > most) break;
      for (const int f : {part, room / part, size / part, (size + part - 1) / part})
        if (f >= 1 && f <= most) sizes.insert(f);
    }
    return {sizes.begin(), sizes.end()};
  }

  const std::vector<PricedLayout>& priced_layouts(std::size_t j) {
    auto [entry, is_new] = layouts_.try_emplace({j, factors_[j]});
    if (!is_new) return entry->second;
    std::vector<int> order;
    for (std::size_t i = 0; i < guest_.size(); ++i)
      if (factors_[j][i] > 1) order.push_back(static_cast<int>(i));
    int orders = 0;
    do {
      for (const bool reflected : {false, true})
        if (!reflected || (order.size() > 1 && hosts_[j].wraps))
          entry->second.push_back(priced(j, order, reflected));
    } while (++orders < max_orders && work_ < max_layout_work &&
             std::next_permutation(order.begin(), order.end()));
    return entry->second;
  }

  PricedLayout priced(std::size_t j, const std::vector<int>& order, bool reflected) {
    const FoldLayout layout(factors_[j], order, reflected);
    work_ += static_cast<std::int64_t>(layout.positions.size() * (order.size() + 1));
    PricedLayout result{order, reflected, {}};
    for (std::size_t i = 0; i < guest_.size(); ++i)
      result.steps.push_back(digit_steps(hosts_[j], layout, i));
    return result;
  }

  /// Chooses how host axes from `j` on are shared.
  void layouts(std::size_t j) {
    if (j == hosts_.size()) return estimate();
    for (const PricedLayout& layout : priced_layouts(j)) {
      if (exhausted()) return;
      chosen_[j] = &layout;
      layouts(j + 1);
    }
  }

  void estimate() {
    ++estimates_;
    double total = 0;
    std::vector<FoldPath> paths;
    std::vector<DigitSteps> steps(hosts_.size());
    for (std::size_t i = 0; i < guest_.size(); ++i) {
      std::int64_t values = 1;
      for (std::size_t j = 0; j < hosts_.size(); ++j) {
        steps[j] = chosen_[j]->steps[i];
        values *= steps[j].factor;
      }
      const FoldDimension& dimension = guest_[i];
      double hops = 0;
      paths.push_back(best_path(steps, dimension.closed, values == dimension.size, hops));
      total += dimension.volume * hops / static_cast<double>(values);
    }
    keep(total, std::move(paths));
  }

  void keep(double total, std::vector<FoldPath> paths) {
    const double rounded = static_cast<double>(static_cast<float>(total));  // equal ones meet
    if (best_.contains(rounded)) return;
    if (best_.size() == count_) {
      if (best_.rbegin()->first <= rounded) return;
      best_.erase(std::prev(best_.end()));
    }
    Folding folding{{}, std::move(paths), total};
    for (std::size_t j = 0; j < hosts_.size(); ++j)
      folding.layouts.emplace_back(factors_[j], chosen_[j]->order, chosen_[j]->reflected);
    best_.emplace(rounded, std::move(folding));
  }

  const std::vector<FoldDimension>& guest_;
  const std::vector<FoldAxis>& hosts_;
  std::size_t count_;
  bool full_ = false;
  std::vector<int> left_;                  ///< per host axis: room for further digits
  std::vector<std::vector<int>> factors_;  ///< per host axis, per guest dimension
  std::vector<const PricedLayout*> chosen_;
  std::map<std::pair<std::size_t, std::vector<int>>, std::vector<PricedLayout>> layouts_;
  std::map<double, Folding> best_;
  std::int64_t work_ = 0;
  int estimates_ = 0;
  int visits_ = 0;
};

}  // namespace

std::vector<Folding> find_foldings(const std::vector<FoldDimension>& guest,
                                   const std::vector<FoldAxis>& hosts, int count) {
  return FoldSearch(guest, hosts, count).run();
}

}  // namespace vtopo::detail
