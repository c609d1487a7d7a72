#pragma once

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// Host of the first rank: the first of the allocation, or the one closest to all others.
enum class GreedyStart { first_host, centre };

/// The heaviest rank first, then always the rank that exchanges most with all placed ones, onto the
/// free slot that adds the least hop-bytes to all its placed partners. O(edges * hosts).
Embedding construct_greedily(const MappingProblem& problem, const Progress& progress,
                             GreedyStart start);

}  // namespace vtopo::detail
