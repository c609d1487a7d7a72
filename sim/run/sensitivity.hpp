#pragma once

#include <optional>
#include <string>
#include <vector>

#include "sim/run/observer.hpp"
#include "sim/run/report.hpp"

namespace vtopo::detail {

struct PlacedReport;
struct RunPlan;

/// Varies, one at a time, the bandwidth and the latency of each kind of links, what messages cost
/// at their ends (up and down by a share) and the routing rule (every other one that the network
/// offers), and compares the best row with the baseline, or with the next best where the baseline
/// is the best: by the clock where both are simulated, else by the static bound. Embeddings stay.
///
/// The cause of a changed order is named by a link and the ranks that send most over it. Of a
/// bandwidth that falls it is the busiest link of the varied kind under the row that was best, of
/// one that rises that of the row that wins; of a latency a link of the kind on the route that has
/// most of them; of a routing the busiest link of the row that was best; of costs at the ends there
/// is not a link and the ranks are those that send most messages.
///
/// `adaptive` and `ideal` routes are those that the loads make under the bandwidths as given.
/// @param share by which properties rise and fall.
/// @param placed the report of the plan, with its verdict.
/// @returns nothing for less than two rows, and for traces.
std::optional<Sensitivity> sensitivity_of(double share, const RunPlan& plan,
                                          const PlacedReport& placed, Observer& observer);

/// `portfolio beats block under all 10 variations by 20 %, by 4.1 % at least (bandwidth of rings 0
/// -20 %)`, or which variations change that, by how much, and what link and ranks cause it.
std::string describe(const Sensitivity& sensitivity);

}  // namespace vtopo::detail
