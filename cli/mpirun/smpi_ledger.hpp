#pragma once

#include "sim/research/validation/ledger.hpp"

namespace vtopo::detail {

/// Has SMPI simulate points of a ledger with its own version of their algorithms: up to `most`,
/// spread evenly over those of at least `least_counted` on up to 32 ranks whose algorithm SMPI has.
/// It sees the links of the machine with one route for each pair of hosts, and the machine's
/// overhead; factors of its own are 1. Points that it cannot simulate stay without a time.
/// @param progress share of the points that are done.
/// @throws InputError if smpirun is missing.
void add_smpi_times(const MeasuredMachine& machine, int most, const Progress& progress,
                    MachineLedger& ledger);

}  // namespace vtopo::detail
