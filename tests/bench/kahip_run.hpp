#pragma once

#include <optional>
#include <string>

#include "scotch_run.hpp"
#include "sim/research/bench/instance.hpp"
#include "topology/base/units.hpp"

/// Process mapping by KaHIP's programs, with the options of KaHIP 3.
namespace kahip {

/// Whether KaHIP can be asked: all hosts of a fat tree, the same number of slots on each.
bool applies_to(const vtopo::detail::BenchProblem& problem);

/// Runs `kaffpa` (with its mapping enabled) or `global_multisection` on files in `folder`, and
/// moves the ranks too many on a host to free ones. The hierarchy is that of the tree, distances
/// are its hops.
/// @param effort KaHIP's preconfiguration: `fast`, `eco`.
/// @param imbalance how much more than an even share of the ranks a host may take, 0.03 for 3 %.
/// @returns nothing if it takes more than `limit` processor time.
/// @throws InputError if it fails or writes no mapping.
std::optional<scotch::BestRun> run(const std::string& program, const std::string& effort,
                                   const vtopo::detail::BenchProblem& problem, double imbalance,
                                   const std::string& folder, vtopo::Seconds limit);

}  // namespace kahip
