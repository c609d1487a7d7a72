#pragma once

#include <cstdint>
#include <optional>

#include "sim/mapping/mapper.hpp"

namespace vtopo {

/// How hot an annealing starts and how long it takes.
struct HopAnnealingOptions {
  /// First temperature in units of the one at which drawn changes to the start would on average
  /// neither raise nor lower the cost.
  double heat = 1;
  std::int64_t default_steps = 0;  ///< if the problem names neither steps nor a deadline
};

/// Simulated annealing of hop-bytes alone, for networks with `host_codes`: a try reads coordinates,
/// not a table of all hops, so that some ten million are made in a second. Never worse than the
/// start (in whole units: volumes are rounded to 2^-24 of the largest).
/// @returns nothing if the network has no codes or too many slots.
std::optional<Embedding> anneal_hops(const MappingProblem& problem, const Embedding& start,
                                     const HopAnnealingOptions& options);

}  // namespace vtopo
