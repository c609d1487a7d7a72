#pragma once

#include "sim/mapping/partition/guest_bisection.hpp"

namespace vtopo::detail {

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
