#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo::detail {

/// Which ranks the nodes of a file are, whatever its format.
struct NodeRanks {
  std::vector<Rank> ranks;  ///< of each node, all of 0..N-1
  std::string remark;       ///< what to say where the names do not say the ranks; else empty
};

/// Names that are exactly the numbers 0 to N-1, bare or all behind one prefix (`7`, `n7`,
/// `rank-07`), are the ranks; any other names are ranks in the order given.
/// @param names different ones, in the order in which the file names them first.
NodeRanks ranks_of_names(std::span<const std::string> names);

/// The same of nodes that a format calls by numbers.
NodeRanks ranks_of_numbers(std::span<const std::int64_t> numbers);

}  // namespace vtopo::detail
