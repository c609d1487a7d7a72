#pragma once

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// How ranks are dealt to the halves of a host hierarchy.
struct GuestPartitionOptions {
  int tries = 1;             ///< bisections of each part, of which the best is kept
  bool sees_outside = true;  ///< ranks are attracted to the side closer to their partners elsewhere
  /// Parts of a level exchange ranks before they are halved; kept if that is better in the end.
  bool refines_parts = true;
  bool exchanges = true;  ///< ranks are exchanged at the end
  /// Each part is bisected once, and there are fewer cycles and rounds of each step.
  bool is_quick = false;
  bool halves_all = false;  ///< after the deadline, too; then little of the time is for exchanges
};

/// Option of the mappers that bisect, of which `is_quick` knows the values.
MapperOption effort_option();

/// Whether a mapper is asked for less effort. @throws UsageError for an unknown value.
bool is_quick(const MapperInfo& mapper, const MappingProblem& problem);

/// Whether the time is bounded and many ranks share each host, so that `map_by_halves` begins with
/// a partition that is found at once.
bool may_be_quick(const MappingProblem& problem, const SearchControl& control);

/// Dual recursive bisection: guest and hosts are halved together, level after level, ranks into
/// exactly the slots of a half. F. Pellegrini, "Static mapping by dual recursive bipartitioning of
/// process and architecture graphs" (SHPCC 1994). Where `may_be_quick` and the time is short, a
/// quick partition is refined instead.
Embedding map_by_halves(const MappingProblem& problem, const SearchControl& control,
                        const GuestPartitionOptions& options);

}  // namespace vtopo::detail
