#pragma once

#include <cstddef>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

/// The beginning of what a rank does.
struct RankPrefix {
  std::vector<Operation> operations;
  std::vector<std::size_t> positions;  ///< of each operation in the whole
};

/// How far the ranks of a program come whose recording ends somewhere on each of them: the longest
/// beginnings in which every message has both of its ends. A loop that ends in the middle keeps its
/// whole rounds, and the part of the last one behind it; requests that are open in the end are
/// waited for.
/// @param program with closed loops and without barriers; messages with ranks that do not exist
/// have no other end.
IdVector<Rank, RankPrefix> matched_prefix(const Program& program);

}  // namespace vtopo::detail
