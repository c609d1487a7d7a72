#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <map>
#include <utility>

#include "sim/mapping/grids/folding.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

namespace {

constexpr std::size_t max_positions = 256;
constexpr int max_sweeps = 50;

/// Figures that are looked at for an axis after the first descent, at most: about a millisecond.
/// The first descent may look at four times as many.
constexpr std::int64_t max_work = 400'000;
constexpr std::size_t restarts_per_position = 4;
/// Exchanges at random between two descents.
constexpr int num_changes = 3;

/// A digit of a guest dimension on a host axis, as the dimension runs through it.
struct DigitWalk {
  std::vector<int> values;               ///< one per coordinate of the guest
  std::vector<std::vector<int>> beside;  ///< digits on the other axes, one entry per coordinate
};

/// Digits of guest dimension `i` on host axis `j`; empty if it has none there.
DigitWalk digit_walk(const Folding& folding, std::size_t i, std::size_t j, int length) {
  const FoldPath& path = folding.paths[i];
  const auto digit = std::find(path.digits.begin(), path.digits.end(), j);
  if (digit == path.digits.end()) return {};
  std::vector<int> factors;
  for (const std::size_t axis : path.digits) factors.push_back(folding.layouts[axis].factors[i]);
  const std::vector<int> all = path.values(factors, length);
  const auto own = static_cast<std::size_t>(digit - path.digits.begin());
  DigitWalk walk;
  for (std::size_t t = 0; t < all.size(); t += factors.size()) {
    std::vector<int> others;
    for (std::size_t k = 0; k < factors.size(); ++k)
      if (k != own) others.push_back(all[t + k]);
    walk.values.push_back(all[t + own]);
    walk.beside.push_back(std::move(others));
  }
  return walk;
}

/// Calls `visit(from, to, step)` for each step of the guest dimension that changes its digit.
template <class Visit>
void for_each_step(const DigitWalk& walk, bool closed, Visit visit) {
  const std::size_t count = walk.values.size();
  const std::size_t steps = closed ? count : count - 1;
  for (std::size_t s = 0; s < steps; ++s) {
    const int from = walk.values[s], to = walk.values[(s + 1) % count];
    if (from != to) visit(from, to, s);
  }
}

/// Combination of digits that differs from `c` in one digit.
std::size_t with_digit(std::size_t c, int weight, int from, int to) {
  return c + static_cast<std::size_t>(to * weight) - static_cast<std::size_t>(from * weight);
}

/// Less by more than rounding.
bool is_less(double a, double b) {
  return a < b * (1 - 1e-9);
}

/// Hop-bytes on one host axis.
class AxisHops {
 public:
  AxisHops(const FoldAxis& axis, FoldLayout& layout)
      : axis_(axis), layout_(layout), partners_(layout.positions.size()) {}

  /// Adds the steps of guest dimension `i`.
  void add(std::size_t i, const DigitWalk& walk, const FoldDimension& dimension) {
    const int factor = layout_.factors[i], weight = layout_.weights[i];
    const auto side = static_cast<std::size_t>(factor);
    const double volume = dimension.volume / dimension.size;
    std::vector<double> counts(side * side, 0);
    for_each_step(walk, dimension.closed, [&](int from, int to, std::size_t) {
      counts[static_cast<std::size_t>(from) * side + static_cast<std::size_t>(to)] += volume;
    });
    const double others = static_cast<double>(partners_.size()) / factor;
    for (std::size_t c = 0; c < partners_.size(); ++c) {
      const std::size_t from = c / static_cast<std::size_t>(weight) % side;
      for (std::size_t to = 0; to < side; ++to) {
        const double both = counts[from * side + to] + counts[to * side + from];
        if (both > 0)
          partners_[c].push_back(
              {with_digit(c, weight, static_cast<int>(from), static_cast<int>(to)), both / others});
      }
    }
  }

  /// Exchanges the positions of two combinations if that lowers the total.
  bool exchange(std::size_t a, std::size_t b) {
    const double before = of(a) + of(b);
    std::swap(layout_.positions[a], layout_.positions[b]);
    if (is_less(of(a) + of(b), before)) return true;
    std::swap(layout_.positions[a], layout_.positions[b]);
    return false;
  }

  double total() const {
    double sum = 0;
    for (std::size_t c = 0; c < partners_.size(); ++c) sum += of(c);
    return sum;
  }

  /// Partners that an exchange looks at, where two digits share the axis.
  std::int64_t work() const { return 8; }

 private:
  struct AxisPartner {
    std::size_t combination;
    double volume;
  };

  double of(std::size_t combination) const {
    double sum = 0;
    for (const AxisPartner& partner : partners_[combination])
      sum += partner.volume *
             axis_.hops(layout_.positions[combination], layout_.positions[partner.combination]);
    return sum;
  }

  const FoldAxis& axis_;
  FoldLayout& layout_;
  std::vector<std::vector<AxisPartner>> partners_;
};

/// The most that links of one host axis carry, over the lines of hosts along it. A guest dimension
/// steps there only where its other digits have certain values: on any line it takes one group of
/// its steps, or none, and some line has any choice of groups of the dimensions together.
class AxisLoads {
 public:
  AxisLoads(const FoldAxis& axis, FoldLayout& layout)
      : axis_(axis),
        layout_(layout),
        line_(static_cast<std::size_t>(axis.size)),
        most_(line_.size()),
        sum_(line_.size()) {}

  void add(std::size_t i, const DigitWalk& walk, const FoldDimension& dimension) {
    std::map<std::vector<int>, std::vector<Step>> groups;
    const int factor = layout_.factors[i], weight = layout_.weights[i];
    for_each_step(walk, dimension.closed, [&](int from, int to, std::size_t step) {
      std::vector<Step>& group = groups[walk.beside[step]];
      for (std::size_t c = 0; c < layout_.positions.size(); ++c)
        if (static_cast<int>(c) / weight % factor == from)
          group.push_back({c, with_digit(c, weight, from, to)});
    });
    Dimension steps{dimension.volume, {}};
    for (auto& [beside, group] : groups) {
      work_ += std::ssize(group);
      steps.groups.push_back(std::move(group));
    }
    dimensions_.push_back(std::move(steps));
  }

  /// Exchanges the positions of two combinations if that lowers the total, which has been asked for
  /// since others changed the positions.
  bool exchange(std::size_t a, std::size_t b) {
    std::swap(layout_.positions[a], layout_.positions[b]);
    const double after = sum_of_powers();
    if (is_less(after, total_)) {
      total_ = after;
      return true;
    }
    std::swap(layout_.positions[a], layout_.positions[b]);
    return false;
  }

  double total() { return total_ = sum_of_powers(); }

  std::int64_t work() const { return 4 * work_; }

 private:
  struct Step {
    std::size_t from, to;  ///< combinations
  };
  struct Dimension {
    double volume;
    std::vector<std::vector<Step>> groups;
  };

  /// Fourth powers of the loads, so that a lower maximum counts, and links near to it do.
  double sum_of_powers() {
    std::fill(sum_.begin(), sum_.end(), 0);
    for (const Dimension& dimension : dimensions_) {
      std::fill(most_.begin(), most_.end(), 0);
      for (const std::vector<Step>& group : dimension.groups) {
        std::fill(line_.begin(), line_.end(), 0);
        for (const Step& step : group) load(step);
        for (std::size_t l = 0; l < line_.size(); ++l) most_[l] = std::max(most_[l], line_[l]);
      }
      for (std::size_t l = 0; l < sum_.size(); ++l) sum_[l] += dimension.volume * most_[l];
    }
    double total = 0;
    for (const double load : sum_) total += load * load * load * load;
    return total;
  }

  /// One direction of a step: the other one loads the links back alike.
  void load(const Step& step) {
    const int low = std::min(layout_.positions[step.from], layout_.positions[step.to]);
    const int high = std::max(layout_.positions[step.from], layout_.positions[step.to]);
    const bool around = axis_.wraps && 2 * (high - low) > axis_.size;
    const int begin = around ? high : low;
    const int hops = around ? axis_.size - (high - low) : high - low;
    for (int h = 0; h < hops; ++h) line_[static_cast<std::size_t>((begin + h) % axis_.size)] += 1;
  }

  const FoldAxis& axis_;
  FoldLayout& layout_;
  std::vector<Dimension> dimensions_;
  std::int64_t work_ = 0;
  double total_ = 0;
  std::vector<double> line_, most_, sum_;  ///< by link
};

/// Exchanges positions while that lowers the figure of the axis, then again and again from the best
/// ones with a few exchanged at random.
template <class Axis>
void arrange(Axis& axis, std::vector<int>& positions) {
  const std::int64_t most = max_work / std::max<std::int64_t>(1, axis.work());
  std::int64_t left = 4 * most;
  std::vector<char> is_open(positions.size(), 1);  // whether an exchange may help
  const auto descend = [&] {
    bool improved = true;
    axis.total();  // from which exchanges go on
    for (int sweep = 0; improved && left > 0 && sweep < max_sweeps; ++sweep) {
      improved = false;
      for (std::size_t a = 0; a < positions.size() && left > 0; ++a) {
        if (!std::exchange(is_open[a], 0)) continue;
        for (std::size_t b = 0; b < positions.size(); ++b, --left)
          if (b != a && axis.exchange(a, b)) is_open[a] = is_open[b] = improved = true;
      }
    }
  };
  descend();
  std::vector<int> best = positions;
  double least = axis.total();
  Random random(1);
  left = std::min(left, most);
  for (std::size_t r = 0; r < restarts_per_position * positions.size() && left > 0; ++r) {
    for (int change = 0; change < num_changes; ++change) {
      const auto a = random.below(positions.size()), b = random.below(positions.size());
      std::swap(positions[a], positions[b]);
      is_open[a] = is_open[b] = 1;
    }
    descend();
    if (const double total = axis.total(); is_less(total, least)) {
      least = total;
      best = positions;
    } else {
      positions = best;
    }
  }
  positions = best;
}

template <class Axis>
void refine_axis(Folding& folding, std::size_t j, const std::vector<FoldDimension>& guest,
                 const FoldAxis& host) {
  Axis axis(host, folding.layouts[j]);
  int sharing = 0;
  for (std::size_t i = 0; i < guest.size(); ++i) {
    const DigitWalk walk = digit_walk(folding, i, j, guest[i].size);
    if (walk.values.empty()) continue;
    ++sharing;
    axis.add(i, walk, guest[i]);
  }
  if (sharing > 1) arrange(axis, folding.layouts[j].positions);
}

}  // namespace

void refine(Folding& folding, const std::vector<FoldDimension>& guest,
            const std::vector<FoldAxis>& hosts, FoldGoal goal) {
  for (std::size_t j = 0; j < hosts.size(); ++j) {
    if (folding.layouts[j].positions.size() > max_positions || hosts[j].within_host) continue;
    if (goal == FoldGoal::hop_bytes)
      refine_axis<AxisHops>(folding, j, guest, hosts[j]);
    else
      refine_axis<AxisLoads>(folding, j, guest, hosts[j]);
  }
}

}  // namespace vtopo::detail
