#include <algorithm>
#include <array>
#include <bit>
#include <cassert>
#include <cstdlib>
#include <limits>
#include <optional>
#include <tuple>

#include "sim/mapping/partition/guest_bisection.hpp"

namespace vtopo::detail {

namespace {

constexpr int max_passes = 10;

/// Above this number of vertices a balanced pass starts with those at the cut only.
constexpr int max_vertices_of_full_pass = 2000;

/// One refinement: queues of the vertices of both sides by what their move would gain. Entries are
/// never removed: only the newest of a vertex, which has its stamp, counts. The newest goes first
/// at a tie, which keeps moves together.
class BisectionRefinement {
 public:
  BisectionRefinement(const BisectionTask& task, std::int64_t allowed, Sides& sides)
      : task_(task),
        graph_(task.graph),
        sides_(sides),
        balance_(task, allowed, sides),
        gains_(sides.size()),
        stamps_(sides.size()),
        locked_(sides.size()) {}

  void run() {
    for (int i = 0; i < max_passes; ++i)
      if (!pass()) return;
  }

 private:
  struct Entry {
    double gain;
    std::uint64_t stamp;
    int vertex;

    bool operator<(const Entry& other) const {
      return std::tuple(gain, stamp) < std::tuple(other.gain, other.stamp);
    }
  };

  void start_pass() {
    queues_[0].clear();
    queues_[1].clear();
    std::fill(locked_.begin(), locked_.end(), false);
    const bool all = balance_.misfit() > 0 || graph_.num_vertices() <= max_vertices_of_full_pass;
    for (int v = 0; v < graph_.num_vertices(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      const std::uint8_t side = sides_[i];
      double gain = side == 0 ? -task_.bias[i] : task_.bias[i];
      bool at_cut = task_.bias[i] != 0;
      for (const WeightedArc& arc : graph_.of(v)) {
        const bool cut = sides_[static_cast<std::size_t>(arc.target)] != side;
        gain += cut ? arc.weight : -arc.weight;
        at_cut |= cut;
      }
      gains_[i] = gain;
      if (all || at_cut) enqueue(v);
    }
  }

  void enqueue(int vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    auto& queue = queues_[sides_[v]];
    stamps_[v] = ++stamp_;
    queue.push_back({gains_[v], stamp_, vertex});
    std::push_heap(queue.begin(), queue.end());
  }

  static void pop(std::vector<Entry>& queue) {
    std::pop_heap(queue.begin(), queue.end());
    queue.pop_back();
  }

  /// The best vertex that may leave a side; entries above it that may not are dropped unless the
  /// side itself is closed.
  std::optional<Entry> top(std::size_t side) {
    auto& queue = queues_[side];
    while (!queue.empty()) {
      const Entry entry = queue.front();
      const auto v = static_cast<std::size_t>(entry.vertex);
      if (!locked_[v] && stamps_[v] == entry.stamp) {
        if (balance_.may_leave(v)) return entry;
        if (side == 0 ? balance_.excess() < 0 : balance_.excess() > 0) return std::nullopt;
      }
      pop(queue);
    }
    return std::nullopt;
  }

  std::optional<int> next() {
    const auto from_zero = top(0);
    const auto from_one = top(1);
    if (!from_zero && !from_one) return std::nullopt;
    const bool zero = from_zero && (!from_one || from_zero->gain > from_one->gain ||
                                    (from_zero->gain == from_one->gain && balance_.excess() > 0));
    pop(queues_[zero ? 0 : 1]);
    return zero ? from_zero->vertex : from_one->vertex;
  }

  void move_and_update(int vertex) {
    balance_.move(vertex);
    locked_[static_cast<std::size_t>(vertex)] = true;
    const std::uint8_t side = sides_[static_cast<std::size_t>(vertex)];
    for (const WeightedArc& arc : graph_.of(vertex)) {
      const auto t = static_cast<std::size_t>(arc.target);
      if (locked_[t]) continue;
      gains_[t] += sides_[t] == side ? -2 * arc.weight : 2 * arc.weight;
      enqueue(arc.target);
    }
  }

  /// @returns whether the cost or the misfit fell.
  bool pass() {
    start_pass();
    std::vector<int> moved;
    std::size_t best_length = 0;
    std::int64_t best_misfit = balance_.misfit();
    double change = 0;
    double best_change = 0;
    const std::size_t patience = std::max<std::size_t>(100, sides_.size() / 10);
    while (balance_.misfit() > 0 || moved.size() < best_length + patience) {
      const auto vertex = next();
      if (!vertex) break;
      change -= gains_[static_cast<std::size_t>(*vertex)];
      scale_ = std::max(scale_, std::abs(change));
      move_and_update(*vertex);
      moved.push_back(*vertex);
      const bool better = balance_.misfit() < best_misfit || (balance_.misfit() == best_misfit &&
                                                              change < best_change - 1e-9 * scale_);
      if (!better) continue;
      best_misfit = balance_.misfit();
      best_change = change;
      best_length = moved.size();
    }
    for (; moved.size() > best_length; moved.pop_back()) balance_.move(moved.back());
    return best_length > 0;
  }

  const BisectionTask& task_;
  const WeightedGraph& graph_;
  Sides& sides_;
  SideBalance balance_;
  std::vector<double> gains_;
  std::vector<std::uint64_t> stamps_;
  std::vector<bool> locked_;
  std::vector<Entry> queues_[2];
  std::uint64_t stamp_ = 0;
  double scale_ = 0;  ///< largest change so far: rounding is smaller by far
};

/// Brings side 0 to its size, one vertex after the other. Passes nearly always have done so; where
/// all best moves lead to the side that has too many, they end without.
void bring_to_size(const BisectionTask& task, Sides& sides) {
  SideBalance balance(task, 0, sides);
  while (balance.misfit() > 0) {
    const std::uint8_t from = balance.excess() > 0 ? 0 : 1;
    std::optional<int> best;
    double most = -std::numeric_limits<double>::infinity();
    for (int v = 0; v < task.graph.num_vertices(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      if (sides[i] != from || task.graph.weights[i] > balance.misfit()) continue;
      const double gain = gain_of_move(task, sides, v);
      if (gain > most) best = v, most = gain;
    }
    if (!best) return;
    balance.move(*best);
  }
}

}  // namespace

double bisection_cost(const BisectionTask& task, const Sides& sides) {
  double twice_cut = 0;
  double bias = 0;
  for (int v = 0; v < task.graph.num_vertices(); ++v) {
    const std::uint8_t side = sides[static_cast<std::size_t>(v)];
    if (side == 1) bias += task.bias[static_cast<std::size_t>(v)];
    for (const WeightedArc& arc : task.graph.of(v))
      if (sides[static_cast<std::size_t>(arc.target)] != side) twice_cut += arc.weight;
  }
  return twice_cut / 2 + bias;
}

void refine_bisection(const BisectionTask& task, std::int64_t allowed, Sides& sides) {
  if (task.graph.num_vertices() <= max_vertices_of_small_bisection)
    refine_small_bisection(task, allowed, sides);
  else
    BisectionRefinement(task, allowed, sides).run();
  if (allowed == 0) bring_to_size(task, sides);
}

namespace {

constexpr int small_max_passes = 10;
constexpr std::size_t patience = 100;
constexpr std::size_t capacity = max_vertices_of_small_bisection;
constexpr int nowhere = -1;

/// The vertices of a side that may still move in a pass, in any order.
struct OpenVertices {
  std::array<double, capacity> gains{};  ///< what the move of a vertex would gain
  std::array<int, capacity> vertices{};
  int count = 0;
};

class SmallRefinement {
 public:
  SmallRefinement(const BisectionTask& task, std::int64_t allowed, Sides& sides)
      : task_(task), graph_(task.graph), sides_(sides), balance_(task, allowed, sides) {}

  void run() {
    for (int i = 0; i < small_max_passes; ++i)
      if (!pass()) return;
  }

 private:
  void start_pass() {
    open_[0].count = open_[1].count = 0;
    for (int v = 0; v < graph_.num_vertices(); ++v) {
      const auto i = static_cast<std::size_t>(v);
      OpenVertices& open = open_[sides_[i]];
      const auto at = static_cast<std::size_t>(open.count);
      open.gains[at] = gain_of_move(task_, sides_, v);
      open.vertices[at] = v;
      positions_[i] = open.count++;
      stamps_[i] = ++stamp_;
    }
  }

  /// Position of the vertex that gains most among those that may leave a side, or `nowhere`. At a
  /// tie the one whose gain changed last, which keeps moves together.
  int best_of(const OpenVertices& open) const {
    int best = nowhere;
    double most = -std::numeric_limits<double>::infinity();
    std::uint64_t newest = 0;
    for (int i = 0; i < open.count; ++i) {
      const double gain = open.gains[static_cast<std::size_t>(i)];
      if (gain < most) continue;
      const auto v = static_cast<std::size_t>(open.vertices[static_cast<std::size_t>(i)]);
      if ((gain == most && stamps_[v] < newest) || !balance_.may_leave(v)) continue;
      best = i;
      most = gain;
      newest = stamps_[v];
    }
    return best;
  }

  void close(OpenVertices& open, int position) {
    const auto at = static_cast<std::size_t>(position);
    const auto last = static_cast<std::size_t>(--open.count);
    positions_[static_cast<std::size_t>(open.vertices[at])] = nowhere;
    if (at == last) return;
    open.gains[at] = open.gains[last];
    open.vertices[at] = open.vertices[last];
    positions_[static_cast<std::size_t>(open.vertices[at])] = position;
  }

  void move_and_update(int vertex) {
    balance_.move(vertex);
    const std::uint8_t side = sides_[static_cast<std::size_t>(vertex)];
    for (const WeightedArc& arc : graph_.of(vertex)) {
      const auto t = static_cast<std::size_t>(arc.target);
      if (positions_[t] == nowhere) continue;
      open_[sides_[t]].gains[static_cast<std::size_t>(positions_[t])] +=
          sides_[t] == side ? -2 * arc.weight : 2 * arc.weight;
      stamps_[t] = ++stamp_;
    }
  }

  /// Makes the best move. @returns its vertex, or `nowhere` if none is left.
  int step(double& change) {
    const int of_zero = best_of(open_[0]);
    const int of_one = best_of(open_[1]);
    if (of_zero == nowhere && of_one == nowhere) return nowhere;
    const auto gain = [&](int side, int at) {
      return open_[side].gains[static_cast<std::size_t>(at)];
    };
    bool zero = of_one == nowhere;
    if (of_zero != nowhere && of_one != nowhere)
      zero = gain(0, of_zero) > gain(1, of_one) ||
             (gain(0, of_zero) == gain(1, of_one) && balance_.excess() > 0);
    OpenVertices& open = open_[zero ? 0 : 1];
    const int at = zero ? of_zero : of_one;
    const int vertex = open.vertices[static_cast<std::size_t>(at)];
    change -= open.gains[static_cast<std::size_t>(at)];
    close(open, at);
    move_and_update(vertex);
    return vertex;
  }

  /// @returns whether the cost or the misfit fell.
  bool pass() {
    start_pass();
    std::array<int, capacity> moved{};
    std::size_t length = 0;
    std::size_t best_length = 0;
    std::int64_t best_misfit = balance_.misfit();
    double change = 0;
    double best_change = 0;
    while (balance_.misfit() > 0 || length < best_length + patience) {
      const int vertex = step(change);
      if (vertex == nowhere) break;
      scale_ = std::max(scale_, std::abs(change));
      moved[length++] = vertex;
      const bool better = balance_.misfit() < best_misfit || (balance_.misfit() == best_misfit &&
                                                              change < best_change - 1e-9 * scale_);
      if (!better) continue;
      best_misfit = balance_.misfit();
      best_change = change;
      best_length = length;
    }
    while (length > best_length) balance_.move(moved[--length]);
    return best_length > 0;
  }

  const BisectionTask& task_;
  const WeightedGraph& graph_;
  Sides& sides_;
  SideBalance balance_;
  OpenVertices open_[2];
  std::array<int, capacity> positions_{};  ///< of each vertex among the open ones, or nowhere
  std::array<std::uint64_t, capacity> stamps_{};  ///< when its gain changed last
  std::uint64_t stamp_ = 0;
  double scale_ = 0;  ///< largest change so far: rounding is smaller by far
};

/// Cost with the vertices of a set on side 0.
double cost_of_set(const BisectionTask& task, unsigned set) {
  double cost = 0;
  for (int v = 0; v < task.graph.num_vertices(); ++v) {
    if ((set >> v & 1U) == 0) {
      cost += task.bias[static_cast<std::size_t>(v)];
      continue;
    }
    for (const WeightedArc& arc : task.graph.of(v))
      if ((set >> arc.target & 1U) == 0) cost += arc.weight;
  }
  return cost;
}

}  // namespace

void refine_small_bisection(const BisectionTask& task, std::int64_t allowed, Sides& sides) {
  assert(task.graph.num_vertices() <= max_vertices_of_small_bisection);
  SmallRefinement(task, allowed, sides).run();
}

Sides bisect_exactly(const BisectionTask& task) {
  const auto size = task.bias.size();
  unsigned best = 0;
  double best_cost = std::numeric_limits<double>::infinity();
  for (unsigned set = 0; set < 1U << size; ++set) {
    if (std::popcount(set) != task.size) continue;
    const double cost = cost_of_set(task, set);
    if (cost < best_cost) best = set, best_cost = cost;
  }
  Sides sides(size);
  for (std::size_t v = 0; v < size; ++v) sides[v] = (best >> v & 1U) == 0 ? 1 : 0;
  return sides;
}

}  // namespace vtopo::detail
