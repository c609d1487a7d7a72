#include "sim/mapping/partition/guest_partition.hpp"

namespace vtopo::mappers {

/// Hierarchical multisection: the guest is partitioned into the subtrees of the machine's top level
/// with exactly the slots of each, each part into those of the next level, by bisections that look
/// at the part alone; on each level parts exchange ranks, at the end ranks change places. Levels:
/// of fat trees and dragonflies their own, else groups of hosts by hops. M. F. Faraj, A. van der
/// Grinten, H. Meyerhenke, J. L. Träff and C. Schulz, "High-Quality Hierarchical Process Mapping"
/// (SEA 2020).
MapperInfo multisection() {
  return {"multisection",
          "partitions the guest into the subtrees of the machine, level by level",
          "Faraj et al., SEA 2020",
          [](const MappingProblem& problem) {
            return map_by_halves(
                problem,
                {.tries = 4, .sees_outside = false, .refines_parts = true, .exchanges = true});
          },
          {}};
}

}  // namespace vtopo::mappers
