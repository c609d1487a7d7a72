#pragma once

#include <vector>

#include "sim/evaluation/partners.hpp"
#include "sim/mapping/api/mapper.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Which of Scotch's strategies maps.
enum class ScotchStrategy { standard, quality, speed };

/// What Scotch is asked for.
struct ScotchRequest {
  /// Share by which a host may take more ranks than it should; 0: none if Scotch can.
  double balance = 0;
  ScotchStrategy strategy = ScotchStrategy::standard;
};

/// Place of every rank as Scotch maps them: hosts may take more ranks than slots. Draws from the
/// problem's seed; equal problems give equal places.
/// @throws UsageError with what Scotch says if it fails.
std::vector<Place> scotch_places(const MappingProblem& problem, const Partners& partners,
                                 const HopTable& table, const ScotchRequest& request);

/// Why Scotch cannot map a problem, or nothing.
std::optional<std::string> scotch_unsupported_reason(const MappingProblem& problem);

}  // namespace vtopo::detail
