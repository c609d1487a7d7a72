#include "sim/mapping/more_mappers/layouts/axis_layout.hpp"

#include <algorithm>
#include <limits>
#include <numeric>
#include <unordered_map>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

using PositionMask = std::uint64_t;

constexpr std::size_t max_host_factors = 62;
/// Calls of `hops` beyond which a dimension has its factors from the inside out only.
constexpr double max_folding_work = 3e7;
constexpr std::int64_t max_nodes = 30000000;

/// A prime factor of a place of the hosts.
struct Position {
  int place = 0;
  int prime = 2;
  int stride = 1;  ///< in slots
};

std::vector<int> primes_of(int number) {
  std::vector<int> primes;
  for (int p = 2; number > 1; ++p)
    for (; number % p == 0; number /= p) primes.push_back(p);
  return primes;
}

std::vector<Position> positions_of(const std::vector<int>& sizes, bool largest_first) {
  std::vector<Position> positions;
  int stride = 1;
  for (std::size_t place = 0; place < sizes.size(); ++place) {
    auto primes = primes_of(sizes[place]);
    if (largest_first) std::reverse(primes.begin(), primes.end());
    for (const int prime : primes) {
      positions.push_back({narrow<int>(place), prime, stride});
      stride *= prime;
    }
  }
  return positions;
}

/// Digit of a coordinate: adjacent positions as one.
struct Digit {
  int radix = 1;
  int stride = 1;
};

/// Where a dimension may lie, and what that costs.
struct AxisChoice {
  PositionMask positions = 0;
  double cost = 0;
  AxisOffsets offsets;
};

/// All choices of one dimension.
class AxisChoices {
 public:
  AxisChoices(const Network& network, const HostRadices& radices,
              const std::vector<Position>& positions, const AxisTraffic& traffic, bool whole_axes)
      : network_(network), radices_(radices), positions_(positions), traffic_(traffic) {
    for (const auto& [ends, volume] : traffic.volume)
      edges_.push_back({ends.first, ends.second, volume});
    std::vector<int> primes = primes_of(traffic.size);
    list_masks(primes, 0, 0, 0);
    if (whole_axes) std::erase_if(masks_, [](PositionMask mask) { return !is_run(mask); });
    const double work = static_cast<double>(masks_.size()) * static_cast<double>(edges_.size());
    folds_all_ = work * 48 < max_folding_work;
    folds_none_ = whole_axes || is_symmetric();
  }

  bool complete() const { return folds_all_ || folds_none_; }

  std::vector<AxisChoice> list() const {
    std::vector<AxisChoice> choices;
    for (const PositionMask mask : masks_) choices.push_back(best(mask));
    std::stable_sort(choices.begin(), choices.end(),
                     [](const AxisChoice& a, const AxisChoice& b) { return a.cost < b.cost; });
    return choices;
  }

 private:
  struct Edge {
    int from, to;
    double volume;
  };

  /// Bits that follow each other.
  static bool is_run(PositionMask mask) {
    if (mask == 0) return true;
    while ((mask & 1) == 0) mask >>= 1;
    return (mask & (mask + 1)) == 0;
  }

  /// All pairs exchange the same: no order is better than another.
  bool is_symmetric() const {
    const double pairs = static_cast<double>(traffic_.size) * (traffic_.size - 1);
    if (edges_.empty()) return true;
    return static_cast<double>(edges_.size()) == pairs &&
           std::all_of(edges_.begin(), edges_.end(), [&](const Edge& edge) {
             return edge.volume == edges_.front().volume && edge.from != edge.to;
           });
  }

  /// Sets of positions with the primes, each once: equal primes in ascending positions.
  void list_masks(const std::vector<int>& primes, std::size_t next, std::size_t from,
                  PositionMask mask) {
    if (next == primes.size()) {
      masks_.push_back(mask);
      return;
    }
    const bool continues = next > 0 && primes[next] == primes[next - 1];
    for (std::size_t p = continues ? from : 0; p < positions_.size(); ++p)
      if (positions_[p].prime == primes[next])
        list_masks(primes, next + 1, p + 1, mask | PositionMask{1} << p);
  }

  std::vector<Digit> digits_of(PositionMask mask) const {
    std::vector<Digit> digits;
    int last_place = -1;
    for (std::size_t p = 0; p < positions_.size(); ++p) {
      if ((mask >> p & 1) == 0) continue;
      const Position& position = positions_[p];
      if (position.place == last_place &&
          digits.back().stride * digits.back().radix == position.stride)
        digits.back().radix *= position.prime;
      else
        digits.push_back({position.prime, position.stride});
      last_place = position.place;
    }
    return digits;
  }

  AxisChoice best(PositionMask mask) const {
    AxisChoice choice{mask, std::numeric_limits<double>::infinity(), {}};
    auto digits = digits_of(mask);
    std::vector<std::size_t> order(digits.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    do {
      std::vector<Digit> sorted;
      sorted.reserve(order.size());
      for (const std::size_t d : order) sorted.push_back(digits[d]);
      for (const bool reflected : {false, true})
        for (const bool bent : {false, true}) {
          take(offsets_of(sorted, reflected, bent), choice);
          if (folds_none_) return choice;
        }
    } while (folds_all_ && digits.size() <= 4 && std::next_permutation(order.begin(), order.end()));
    return choice;
  }

  void take(AxisOffsets offsets, AxisChoice& choice) const {
    double cost = 0;
    for (const Edge& edge : edges_) {
      cost += edge.volume * network_.hops(host(offsets, edge.from), host(offsets, edge.to));
      if (cost >= choice.cost) return;
    }
    choice.cost = cost;
    choice.offsets = std::move(offsets);
  }

  HostId host(const AxisOffsets& offsets, int coordinate) const {
    return radices_.slot_hosts[index(offsets[index(coordinate)])];
  }

  /// @param digits the one that varies fastest first.
  AxisOffsets offsets_of(const std::vector<Digit>& digits, bool reflected, bool bent) const {
    AxisOffsets offsets(index(traffic_.size));
    for (int c = 0; c < traffic_.size; ++c) {
      int rest = c, offset = 0;
      for (std::size_t d = 0; d < digits.size(); ++d) {
        int value = rest % digits[d].radix;
        rest /= digits[d].radix;
        if (reflected && rest % 2 == 1) value = digits[d].radix - 1 - value;
        // 0 2 4 5 3 1: both ends of the outermost digit are next to each other
        if (bent && d + 1 == digits.size())
          value = 2 * value < digits[d].radix ? 2 * value : 2 * (digits[d].radix - 1 - value) + 1;
        offset += value * digits[d].stride;
      }
      offsets[index(c)] = offset;
    }
    return offsets;
  }

  const Network& network_;
  const HostRadices& radices_;
  const std::vector<Position>& positions_;
  const AxisTraffic& traffic_;
  std::vector<Edge> edges_;
  std::vector<PositionMask> masks_;
  bool folds_all_ = true, folds_none_ = false;
};

/// Disjoint choices of all dimensions that take every position.
class AxisCover {
 public:
  AxisCover(std::vector<std::vector<AxisChoice>> choices, std::size_t positions, std::size_t most,
            AxisLayouts& result)
      : choices_(std::move(choices)), most_(most), result_(result) {
    all_ = positions == 0 ? 0 : ~PositionMask{0} >> (64 - positions);
    order_.resize(choices_.size());
    std::iota(order_.begin(), order_.end(), std::size_t{0});
    // few choices first: the last dimension takes what is left
    std::stable_sort(order_.begin(), order_.end(), [&](std::size_t a, std::size_t b) {
      return choices_[a].size() < choices_[b].size();
    });
    least_.assign(order_.size() + 1, 0);
    for (std::size_t i = order_.size(); i-- > 0;)
      least_[i] =
          least_[i + 1] + (choices_[order_[i]].empty() ? 0 : choices_[order_[i]].front().cost);
    const auto& last = choices_[order_.back()];
    for (std::size_t c = 0; c < last.size(); ++c) with_positions_.emplace(last[c].positions, c);
    chosen_.resize(choices_.size());
  }

  void run() {
    for (const auto& choices : choices_)
      if (choices.empty()) return;
    add(0, 0, 0);
    if (nodes_ > max_nodes) result_.complete = false;
  }

 private:
  void add(std::size_t i, PositionMask taken, double cost) {
    if (++nodes_ > max_nodes) return;
    const std::size_t axis = order_[i];
    if (i + 1 == order_.size()) {
      const auto found = with_positions_.find(all_ & ~taken);
      if (found == with_positions_.end()) return;
      chosen_[axis] = found->second;
      keep(cost + choices_[axis][found->second].cost);
      return;
    }
    for (std::size_t c = 0; c < choices_[axis].size(); ++c) {
      const AxisChoice& choice = choices_[axis][c];
      if (!(cost + choice.cost + least_[i + 1] < limit())) return;
      if ((choice.positions & taken) != 0) continue;
      chosen_[axis] = c;
      add(i + 1, taken | choice.positions, cost + choice.cost);
    }
  }

  double limit() const {
    return result_.best.size() < most_ ? std::numeric_limits<double>::infinity()
                                       : result_.best.back().hop_bytes;
  }

  void keep(double cost) {
    if (!(cost < limit())) return;
    AxisLayout layout{{}, cost};
    for (std::size_t a = 0; a < choices_.size(); ++a)
      layout.offsets.push_back(choices_[a][chosen_[a]].offsets);
    const auto at =
        std::upper_bound(result_.best.begin(), result_.best.end(), cost,
                         [](double c, const AxisLayout& other) { return c < other.hop_bytes; });
    result_.best.insert(at, std::move(layout));
    if (result_.best.size() > most_) result_.best.pop_back();
  }

  std::vector<std::vector<AxisChoice>> choices_;
  std::size_t most_;
  AxisLayouts& result_;
  PositionMask all_ = 0;
  std::vector<std::size_t> order_, chosen_;
  std::vector<double> least_;
  std::unordered_map<PositionMask, std::size_t> with_positions_;
  std::int64_t nodes_ = 0;
};

/// Ways to give the positions of each prime to dimensions.
double assignments_of(const std::vector<Position>& positions, const GridTraffic& traffic) {
  std::map<int, int> left;
  for (const Position& position : positions) ++left[position.prime];
  double ways = 1;
  for (const AxisTraffic& axis : traffic.axes) {
    std::map<int, int> taken;
    for (const int prime : primes_of(axis.size)) ways = ways * left[prime]-- / ++taken[prime];
  }
  return ways;
}

}  // namespace

GridTraffic grid_traffic(const CommGraph& guest, const Cartesian& grid) {
  const auto dimensions = grid.dimensions();
  const auto strides = grid.strides();
  GridTraffic traffic;
  for (const Dimension& dimension : dimensions) traffic.axes.push_back({dimension.size, {}});
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    std::size_t differing = 0, axis = 0;
    for (std::size_t d = 0; d < dimensions.size(); ++d)
      if (number(source) / strides[d] % dimensions[d].size !=
          number(edge.destination) / strides[d] % dimensions[d].size) {
        ++differing;
        axis = d;
      }
    if (differing > 1) traffic.is_all = false;
    if (differing != 1) return;
    const auto at = [&](Rank rank) { return number(rank) / strides[axis] % dimensions[axis].size; };
    traffic.axes[axis].volume[{at(source), at(edge.destination)}] += edge.volume.value;
  });
  return traffic;
}

AxisLayouts best_axis_layouts(const Network& network, const HostRadices& radices,
                              const GridTraffic& traffic, bool whole_axes, std::size_t most) {
  AxisLayouts result;
  std::vector<std::vector<Position>> orders{positions_of(radices.sizes, false)};
  if (positions_of(radices.sizes, true).size() > max_host_factors) return result;
  const auto same = [](const Position& a, const Position& b) { return a.prime == b.prime; };
  if (const auto reversed = positions_of(radices.sizes, true);
      !std::equal(reversed.begin(), reversed.end(), orders[0].begin(), same))
    orders.push_back(reversed);
  for (const auto& positions : orders) {
    std::vector<std::vector<AxisChoice>> choices;
    for (const AxisTraffic& axis : traffic.axes) {
      const AxisChoices of_axis(network, radices, positions, axis, whole_axes);
      choices.push_back(of_axis.list());
      result.complete = result.complete && of_axis.complete();
    }
    result.assignments += assignments_of(positions, traffic);
    AxisCover(std::move(choices), positions.size(), most, result).run();
  }
  return result;
}

}  // namespace vtopo::detail
