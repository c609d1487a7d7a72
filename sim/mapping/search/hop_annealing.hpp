#pragma once

#include <cstdint>
#include <optional>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// Simulated annealing of hop-bytes alone, for networks with `host_codes`: a try reads coordinates,
/// not a table of all hops, so that some ten million are made in a second. Never worse than the
/// start but for rounding: volumes are whole multiples of the least, or of 2^-24 of the largest.
/// Starts at a temperature that depends on the start: one that is good is refined, not melted,
/// unless there are many steps.
/// @param default_steps if `control` has neither steps nor a deadline.
/// @returns nothing if the network has no codes or too many slots.
std::optional<Embedding> anneal_hops(const MappingProblem& problem, const SearchControl& control,
                                     const Embedding& start, std::int64_t default_steps);

/// Whether `anneal_hops` knows the network, and the slots are not too many.
bool can_anneal_hops(const MappingProblem& problem);

}  // namespace vtopo::detail
