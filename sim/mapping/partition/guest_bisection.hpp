#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <span>
#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/state/hop_table.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

/// Arc of a weighted graph as seen from one end.
struct WeightedArc {
  int target = 0;
  double weight = 0;  ///< bytes, both directions together
};

/// Undirected graph with weights of vertices (ranks) and edges (bytes), each edge at both ends.
struct WeightedGraph {
  std::vector<std::size_t> offsets{0};  ///< one entry per vertex and one more
  std::vector<WeightedArc> arcs;
  std::vector<int> weights;  ///< ranks that a vertex stands for, one entry per vertex

  int num_vertices() const { return static_cast<int>(weights.size()); }
  std::span<const WeightedArc> of(int vertex) const {
    const std::size_t first = offsets[static_cast<std::size_t>(vertex)];
    return {arcs.data() + first, offsets[static_cast<std::size_t>(vertex) + 1] - first};
  }
  /// Ends the arcs of the next vertex.
  void close_vertex(int weight) {
    offsets.push_back(arcs.size());
    weights.push_back(weight);
  }
};

/// The guest with one vertex per rank.
WeightedGraph guest_graph(const Partners& partners);

/// Ranks that all vertices stand for.
std::int64_t total_weight(const WeightedGraph& graph);

/// Subgraph of some vertices, numbered as in `vertices`.
/// @param local scratch: one entry per vertex of the graph, all -1 before and after.
WeightedGraph induced_graph(const WeightedGraph& graph, std::span<const int> vertices,
                            std::vector<int>& local);

/// Graph in which vertices of equal `coarse_of` are one; edges inside disappear.
WeightedGraph contracted_graph(const WeightedGraph& graph, std::span<const int> coarse_of,
                               int num_coarse);

/// Side of each vertex, 0 or 1.
using Sides = std::vector<std::uint8_t>;

/// Matches vertices, in random order, along their heaviest edge relative to the weights of its
/// ends, so that coarse vertices stay of similar weight.
/// @param sides if not empty, only vertices of one side are matched.
/// @returns the number of coarse vertices.
int match(const WeightedGraph& graph, std::int64_t max_weight, const Sides& sides, Random& random,
          std::vector<int>& coarse_of);

/// A graph to be cut in two. The cost of a bisection is the weight of its cut and, for every vertex
/// on side 1, its bias: what that costs more than side 0 because of the vertices around the graph.
struct BisectionTask {
  WeightedGraph graph;
  std::vector<double> bias;  ///< bytes, one entry per vertex
  std::int64_t size = 0;     ///< ranks that side 0 gets
};

/// Weight of the cut and bias of the vertices on side 1.
double bisection_cost(const BisectionTask& task, const Sides& sides);

/// Lowers the cost of a bisection by moves of single vertices with hill climbing, pass after pass
/// until none gains, and brings side 0 to within `allowed` ranks of its size if vertices are small
/// enough: exactly, with allowed = 0 and unit weights. C. M. Fiduccia and R. M. Mattheyses, "A
/// linear-time heuristic for improving network partitions" (DAC 1982).
void refine_bisection(const BisectionTask& task, std::int64_t allowed, Sides& sides);

/// Good bisection of a graph, side 0 with exactly `task.size` ranks where all weights are 1, else
/// within half of the heaviest vertex of that: the best of `tries` multilevel ones (heavy-edge
/// matching, growing from random vertices, refinement on each level). G. Karypis and V. Kumar, "A
/// fast and high quality multilevel scheme for partitioning irregular graphs" (SIAM J. Sci. Comput.
/// 1998), which is then coarsened and refined again, vertices of one side together, as long as that
/// gains. Of up to 8 vertices of weight 1 the best of all bisections.
/// @param must_stop if it says so, the best so far, or some bisection, is returned; may be empty.
/// @param cycles in which it is coarsened and refined again, at most.
Sides bisect(const BisectionTask& task, int tries, Random& random,
             const std::function<bool()>& must_stop = nullptr, int cycles = 4);

/// What the move of a vertex to the other side gains.
inline double gain_of_move(const BisectionTask& task, const Sides& sides, int vertex) {
  const std::uint8_t side = sides[static_cast<std::size_t>(vertex)];
  const double bias = task.bias[static_cast<std::size_t>(vertex)];
  double gain = side == 0 ? -bias : bias;
  for (const WeightedArc& arc : task.graph.of(vertex))
    gain += sides[static_cast<std::size_t>(arc.target)] == side ? -arc.weight : arc.weight;
  return gain;
}

/// Ranks on both sides of a bisection while vertices move: how far side 0 is from its size, and who
/// may leave a side. Task and sides must outlive it.
class SideBalance {
 public:
  /// @param allowed ranks that side 0 may have more or less than its size in the end; on the way
  /// there it may be a little more.
  SideBalance(const BisectionTask& task, std::int64_t allowed, Sides& sides)
      : weights_(task.graph.weights), allowed_(allowed), sides_(sides) {
    std::int64_t total = 0;
    std::int64_t heaviest = 1;
    for (std::size_t v = 0; v < sides.size(); ++v) {
      total += weights_[v];
      heaviest = std::max<std::int64_t>(heaviest, weights_[v]);
      if (sides[v] == 0) excess_ += weights_[v];
    }
    excess_ -= task.size;
    tolerance_ = std::max({allowed, heaviest, total / 50});
  }

  /// Ranks on side 0 beyond its size; negative: it lacks some.
  std::int64_t excess() const { return excess_; }

  /// Ranks beyond what is allowed.
  std::int64_t misfit() const { return std::max<std::int64_t>(std::abs(excess_) - allowed_, 0); }

  bool may_leave(std::size_t vertex) const {
    const std::int64_t weight = weights_[vertex];
    const std::int64_t after = std::abs(excess_ + (sides_[vertex] == 0 ? -weight : weight));
    return after <= tolerance_ || after < std::abs(excess_);
  }

  /// To the other side.
  void move(int vertex) {
    const auto v = static_cast<std::size_t>(vertex);
    excess_ += sides_[v] == 0 ? -weights_[v] : weights_[v];
    sides_[v] ^= 1;
  }

 private:
  const std::vector<int>& weights_;
  std::int64_t allowed_;
  Sides& sides_;
  std::int64_t excess_ = 0;
  std::int64_t tolerance_ = 0;
};

/// Largest graph of `refine_small_bisection`.
constexpr int max_vertices_of_small_bisection = 128;

/// Largest graph of which `bisect_exactly` looks at every bisection.
constexpr int max_vertices_of_exact_bisection = 8;

/// `refine_bisection` for graphs of up to 128 vertices: the best move is looked for among all,
/// which is faster there than to keep them in order.
void refine_small_bisection(const BisectionTask& task, std::int64_t allowed, Sides& sides);

/// The best bisection of up to 8 vertices of weight 1, side 0 with exactly `task.size` of them.
Sides bisect_exactly(const BisectionTask& task);

}  // namespace vtopo::detail
