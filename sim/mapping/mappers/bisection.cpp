#include "sim/mapping/partition/guest_partition.hpp"

namespace vtopo::mappers {

/// Dual recursive bisection without refinement of the embedding: both graphs are halved together,
/// ranks drawn to the side closer to partners placed before. F. Pellegrini, "Static mapping by dual
/// recursive bipartitioning of process and architecture graphs" (SHPCC 1994); T. Hoefler and M.
/// Snir, "Generic Topology Mapping Strategies for Large-Scale Parallel Architectures" (ICS 2011).
MapperInfo bisection() {
  return {"bisection",
          "halves guest and hosts together, again and again",
          "Pellegrini, SHPCC 1994; Hoefler and Snir, ICS 2011",
          [](const MappingProblem& problem) {
            return map_by_halves(
                problem,
                {.tries = 2, .sees_outside = true, .refines_parts = false, .exchanges = false});
          },
          {}};
}

}  // namespace vtopo::mappers
