#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/research/bench/instance.hpp"
#include "topology/base/units.hpp"

namespace scotch {

/// The better of several runs of `scotch_gmap` on the same files.
struct BestRun {
  std::string options;         ///< of that run: `-b0.0 -cq`
  vtopo::Embedding embedding;  ///< at most as many ranks per host as slots
  int moved = 0;               ///< ranks that a repair had to move
  double hop_bytes = 0;        ///< by vtopo's evaluation
  vtopo::Seconds cpu_time;     ///< of that run alone
};

/// Runs `scotch_gmap` once with each list of options on files in `folder` and repairs the mappings.
/// Each mapping's average dilation by vtopo has to be the one that Scotch prints, where all hosts
/// are used and the target has the network's distances: then both number hosts in one order.
/// @returns nothing if every run takes more than `limit` processor time.
/// @throws InputError if Scotch fails or the numbers differ.
std::optional<BestRun> best_run(const vtopo::detail::BenchProblem& problem,
                                const std::string& folder,
                                const std::vector<std::string>& option_lists, vtopo::Seconds limit);

}  // namespace scotch
