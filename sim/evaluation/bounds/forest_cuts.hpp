#pragma once

#include "sim/evaluation/partners.hpp"

namespace vtopo::detail {

/// Least volume, both ways, between sets of at most `most` ranks that hold all ranks, by forests:
/// a tree of c ranks lies in c / most sets at least and loses one edge less than it meets sets, its
/// lightest ones at best. Summed over edge-disjoint spanning forests, each of the heaviest edges
/// that are left (Kruskal 1956).
double least_across_forests(const Partners& partners, int most);

}  // namespace vtopo::detail
