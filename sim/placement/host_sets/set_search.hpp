#pragma once

#include <compare>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "sim/placement/host_sets/free_hosts.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// What a job costs on a set of hosts; the smaller time is better, at a tie the fewer hop-bytes.
struct SetCost {
  double seconds = 0;    ///< predicted
  double hop_bytes = 0;  ///< decides ties

  friend auto operator<=>(const SetCost&, const SetCost&) = default;  ///< in this order
};

/// A set with its cost and how it was found.
struct FoundSet {
  HostSet hosts;
  SetCost cost;
  std::string origin;  ///< `box`, `part`, ...: human-readable
};

/// Cost of a set; it may be left out if it is not below that of `limit`, where there is one.
using SetEvaluation = std::function<std::optional<SetCost>(const HostSet&, const SetCost* limit)>;

/// How long to search.
struct SetSearchBudget {
  std::int64_t sets = 2000;  ///< evaluations, >= 1
  bool every_set = false;    ///< all sets are tried, however many
  std::uint64_t seed = 1;    ///< of everything random
};

/// What a search found.
struct SetSearchResult {
  std::vector<FoundSet> best;  ///< at most eight, best first, and the best of every origin
  std::int64_t tried = 0;      ///< sets evaluated
  bool complete = false;       ///< whether those were all sets there are
};

/// Number of sets of as few hosts as have room; nothing where hosts have different slots, or above
/// 10^15.
std::optional<std::int64_t> number_of_sets(const FreeHosts& from);

/// Evaluates the usual sets, runs, boxes, parts and grown sets, exchanges hosts of the best ones
/// for others while that helps, and goes on from random changes of the best set until the budget
/// is used. All sets are tried instead if the budget has room for them. Deterministic.
/// @throws UsageError for `every_set` where there is no number of sets, or more than 2,000,000.
SetSearchResult search_host_sets(const FreeHosts& from, const SetEvaluation& evaluate,
                                 const SetSearchBudget& budget, const Progress& progress = {});

}  // namespace vtopo::detail
