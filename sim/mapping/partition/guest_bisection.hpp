#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "sim/mapping/partition/weighted_graph.hpp"
#include "topology/base/random.hpp"

namespace vtopo::detail {

/// Side of each vertex, 0 or 1.
using Sides = std::vector<std::uint8_t>;

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

/// Good bisection of a graph of unit weights, side 0 with exactly `task.size` vertices: the best of
/// `tries` multilevel ones (heavy-edge matching, growing from random vertices, refinement on each
/// level). G. Karypis and V. Kumar, "A fast and high quality multilevel scheme for partitioning
/// irregular graphs" (SIAM J. Sci. Comput. 1998), which is then coarsened and refined again,
/// vertices of one side together, as long as that gains. The best of all bisections up to 8
/// vertices.
/// @param must_stop if it says so, the best so far, or some bisection, is returned; may be empty.
Sides bisect(const BisectionTask& task, int tries, Random& random,
             const std::function<bool()>& must_stop = nullptr);

}  // namespace vtopo::detail
