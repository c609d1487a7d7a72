#pragma once

#include "topology/base/units.hpp"
#include "topology/patterns/collectives.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// Most segments of a message.
inline constexpr std::int64_t max_segments = 1'000'000'000;

/// Whether a library chooses the algorithm.
bool is_automatic(const PatternSpec& spec);

/// The algorithm that is named, or the first of the collective; null if the pattern is none.
const CollectiveAlgorithm* algorithm_of(const PatternSpec& spec);

/// The pattern with the algorithm and the options that the library takes, as it is if none does.
PatternSpec with_algorithm(const PatternSpec& spec, int ranks, Bytes volume);

/// Steps of a collective.
/// @param spec of an algorithm, not `auto`.
/// @throws UsageError with the reason if the pattern does not exist for so many ranks.
CommunicationSteps collective_steps(const PatternSpec& spec, int ranks, Bytes volume);

}  // namespace vtopo::detail
