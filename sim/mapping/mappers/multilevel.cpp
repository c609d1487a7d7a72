#include "sim/mapping/guest_partition.hpp"

namespace vtopo::mappers {

/// Dual recursive bisection with refinement on each level: neighbouring parts exchange ranks, or
/// change places as a whole, before they are halved; ranks are exchanged at the end. The levels are
/// those of C. Walshaw and M. Cross, "Multilevel Mesh Partitioning for Heterogeneous Communication
/// Networks" (Future Generation Computer Systems 2001), the hosts' halves those of Pellegrini.
MapperInfo multilevel() {
  return {"multilevel",
          "halves guest and hosts together, refines on each level, exchanges ranks",
          "Walshaw and Cross, FGCS 2001; Pellegrini, SHPCC 1994",
          [](const MappingProblem& problem) {
            return map_by_halves(
                problem,
                {.tries = 4, .sees_outside = true, .refines_parts = true, .exchanges = true});
          },
          {}};
}

}  // namespace vtopo::mappers
