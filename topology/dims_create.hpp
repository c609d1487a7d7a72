#pragma once

#include <span>
#include <string_view>
#include <vector>

namespace vtopo {

/// Which of the balanced grids MPI_Dims_create returns: the standard asks for sizes as close to
/// each other as possible and fixes no criterion.
enum class DimsRule {
  optimal,  ///< smallest difference between the largest and the smallest free size, then the
            ///< lexicographically smallest non-increasing sequence
  mpich,    ///< what MPICH 4.0.2 returns
  openmpi,  ///< what Open MPI 4.1.4 returns
  smpi      ///< what SMPI of SimGrid 3.32 returns
};

/// Rule of a name: `optimal`, `mpich`, `openmpi`, `smpi`.
/// @throws UsageError for any other name.
DimsRule parse_dims_rule(std::string_view name);

/// The name that parse_dims_rule takes.
std::string_view to_string(DimsRule rule);

/// Sizes of a balanced grid of `num_ranks` ranks (MPI_Dims_create, MPI-5.0 section 8.5.2).
/// Erroneous calls are errors under every rule, also those that a library lets pass.
/// @param fixed one entry per dimension: its size, or 0 if it is free.
/// @return one size per dimension; fixed ones are kept, free ones do not increase from one free
/// dimension to the next.
/// @throws MpiError as free_dims does, UsageError for more than 20 free dimensions under
/// the rule of MPICH, which has no more.
std::vector<int> dims_create(int num_ranks, std::span<const int> fixed,
                             DimsRule rule = DimsRule::optimal);

}  // namespace vtopo
