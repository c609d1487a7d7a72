#pragma once

#include <vector>

#include "sim/placement/embedding.hpp"
#include "sim/evaluation/partners.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Embedding from places that may hold more ranks than slots. Overfull hosts, in the order of the
/// allocation, give ranks away one by one: always to the nearest free slot (of equal ones the first
/// in the allocation), and always the rank whose move costs the fewest hop-bytes.
/// @param places one entry per rank.
/// @throws FitError if there are more ranks than slots.
Embedding without_overfull_hosts(const Partners& partners, const HopTable& table,
                                 const Allocation& allocation, std::vector<Place> places);

}  // namespace vtopo::detail
