#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "topology/base/units.hpp"

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

/// A grid to be laid over an application's domain and over hosts with several ranks each.
///
/// The domain is a box that is cut into num_ranks equal boxes, and neighbours exchange halos
/// through the cuts. `volumes[i]` is what crosses one cut through the whole domain perpendicular to
/// dimension i, in bytes, one direction: for g points per dimension, the product of the g[j] with
/// j != i times the bytes per point and the width of the halo. Only ratios matter.
struct WeightedGrid {
  int num_ranks = 1;                  ///< boxes that the domain is cut into
  std::span<const Bytes> volumes;     ///< one per dimension, finite and >= 0
  std::span<const int> fixed = {};    ///< per dimension its size, or 0 if free; empty: all free
  std::span<const int> extents = {};  ///< per dimension the largest size accepted, such as the
                                      ///< number of points; empty: any size
  int slots = 1;                      ///< ranks per host, a divisor of num_ranks
};

/// Sizes of a weighted grid, one entry per dimension in each list.
struct WeightedDims {
  std::vector<int> dims;    ///< ranks; dims[i] = hosts[i] * tile[i]
  std::vector<int> hosts;   ///< hosts, each with one box of ranks
  std::vector<int> tile;    ///< ranks in the box of one host
  Bytes halo_volume;        ///< sum of volumes[i] * dims[i]
  Bytes inter_host_volume;  ///< sum of volumes[i] * hosts[i]
};

/// Sizes of the grid with the smallest halo volume, aware of volumes per dimension and of slots per
/// host (an extension of MPI_Dims_create, after MPI Forum issue 120).
///
/// Every rank sends 2/num_ranks of the halo volume. A dimension counts as many cuts as it has
/// ranks, as in a periodic domain; an open one has one cut less, which is the same for all
/// candidates. Minimises, each as a tie-break of the one before: the volume between hosts when each
/// holds a box of ranks, the halo volume, the sum of the squares of dims; then prefers the larger
/// dims[0], hosts[0], dims[1], ... With one slot per host all volume is between hosts. Exact up to
/// rounding of doubles. The volume between hosts is reached only if the ranks of each host are a
/// box, which consecutive ranks of a grid in general are not.
///
/// Differs from the proposal in that all grids of hosts of equal volume are candidates, not the
/// first one: C. Niethammer and R. Rabenseifner, "An MPI interface for application and hardware
/// aware Cartesian topology optimization", EuroMPI 2019.
/// @throws UsageError as free_dims does; for a volume that is negative or not finite, a number of
/// fixed sizes or extents other than that of volumes, slots that do not divide num_ranks, and if
/// fixed sizes, extents and slots leave no grid.
WeightedDims weighted_dims_create(const WeightedGrid& grid);

/// `volumes` of a domain of points.
/// @param extents points per dimension, each >= 1.
/// @param per_point bytes of a halo point, times the width of the halo.
/// @throws UsageError if an extent is < 1.
std::vector<Bytes> cut_volumes(std::span<const int> extents, Bytes per_point);

}  // namespace vtopo
