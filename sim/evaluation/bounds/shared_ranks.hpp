#pragma once

#include <cstdint>

#include "sim/evaluation/bounds/guest_cuts.hpp"
#include "sim/evaluation/bounds/network_cuts.hpp"

namespace vtopo::detail {

/// Sum over disjoint cells that share all ranks of what the ranks of each exchange with the others
/// at least, whatever their numbers: the linear program over the lower convex hulls of these
/// volumes, solved by its one price, that of a rank. 0 where there are too many sizes to look at.
double least_shared_sum(GuestCuts& guest, const CutFamily& family, std::int64_t slots);

/// Least time in which cells can be so full that they hold all ranks, each sending over its
/// capacity what so many ranks exchange at least. Seconds.
double least_shared_time(GuestCuts& guest, const CutFamily& family, std::int64_t slots);

}  // namespace vtopo::detail
