#include "sim/mapping/partition/guest_partition.hpp"

namespace vtopo::detail::mappers {

namespace {

Embedding map_multisection(const MappingProblem& problem, const SearchControl& control);

}  // namespace

/// Hierarchical multisection: the guest is partitioned into the subtrees of the machine's top level
/// with exactly the slots of each, each part into those of the next level, by bisections that look
/// at the part alone; on each level parts exchange ranks, at the end ranks change places. Levels:
/// of fat trees and dragonflies their own, else groups of hosts by hops. M. F. Faraj, A. van der
/// Grinten, H. Meyerhenke, J. L. Träff and C. Schulz, "High-Quality Hierarchical Process Mapping"
/// (SEA 2020).
MapperInfo multisection() {
  return {.name = "multisection",
          .summary = "partitions the guest into the subtrees of the machine, level by level",
          .reference = "Faraj et al., SEA 2020",
          .options = {effort_option()},
          .map = map_multisection,
          .uses_seed = true,
          .work = {.microseconds_per_rank = 6,
                   .microseconds_per_edge = 3,
                   .min_share = 0.5,
                   .quick_share = 0.4},
          .work_on_grids = WorkEstimate{.microseconds_per_rank = 12, .microseconds_per_edge = 6}};
}

namespace {

Embedding map_multisection(const MappingProblem& problem, const SearchControl& control) {
  return map_by_halves(problem, control,
                       {.tries = 4,
                        .sees_outside = false,
                        .refines_parts = true,
                        .exchanges = true,
                        .is_quick = is_quick(multisection(), problem)});
}

}  // namespace

}  // namespace vtopo::detail::mappers
