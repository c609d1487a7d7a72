#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"

namespace vtopo {

/// Whether a dimension wraps around (MPI: the flag in `periods`).
enum class Periodicity : bool { open = false, periodic = true };

/// One dimension of a Cartesian grid: its size (>= 1) and whether it wraps.
struct Dimension {
  int size = 1;                                 ///< number of coordinates, >= 1
  Periodicity periodicity = Periodicity::open;  ///< whether it wraps around

  /// Whether it wraps around.
  bool periodic() const { return periodicity == Periodicity::periodic; }

  friend bool operator==(const Dimension&, const Dimension&) = default;  ///< memberwise
};

/// Result of a shift; no value stands for MPI_PROC_NULL.
struct ShiftRanks {
  std::optional<Rank> source;       ///< whom the rank receives from
  std::optional<Rank> destination;  ///< whom the rank sends to

  friend bool operator==(const ShiftRanks&, const ShiftRanks&) = default;  ///< memberwise
};

/// Where a rank of a grid stands after the grid is cut into subgrids.
struct SubgridPlace {
  int subgrid = 0;  ///< row-major number of the coordinates in the dropped dimensions
  Rank rank{};      ///< row-major number of the coordinates in the remaining dimensions

  friend bool operator==(const SubgridPlace&, const SubgridPlace&) = default;  ///< memberwise
};

/// Cartesian virtual topology (MPI_Cart_create). Ranks are row-major: the last dimension is the
/// fastest. A grid of zero dimensions has one rank. No member needs memory per rank.
class Cartesian {
 public:
  /// @throws MpiError (MPI_ERR_DIMS) if a size is < 1 or the product exceeds 2^31-1.
  explicit Cartesian(std::vector<Dimension> dimensions);

  int num_ranks() const { return num_ranks_; }  ///< product of the sizes
  /// Size and periodicity of each dimension; the last one varies fastest.
  std::span<const Dimension> dimensions() const { return dimensions_; }

  /// Ranks between neighbours along each dimension: the product of the later sizes.
  std::span<const int> strides() const { return strides_; }

  /// Coordinates of `rank`, one per dimension (MPI_Cart_coords).
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid.
  std::vector<int> coords(Rank rank) const;

  /// The same into storage of the caller, for loops.
  /// @param coords one entry per dimension.
  /// @throws MpiError (MPI_ERR_RANK) as above, (MPI_ERR_ARG) for another number of entries.
  void coords(Rank rank, std::span<int> coords) const;

  /// Rank at `coords`; periodic coordinates wrap (MPI_Cart_rank). Zero dimensions give rank 0.
  /// @throws MpiError (MPI_ERR_ARG) for a wrong number of coordinates or one outside an open
  /// dimension.
  Rank rank(std::span<const int> coords) const;

  /// Whom `rank` receives from and sends to when everybody shifts by `displacement` along
  /// `dimension` (MPI_Cart_shift); end-off in open dimensions, circular in periodic ones.
  /// @throws MpiError (MPI_ERR_RANK) if the rank is outside the grid, (MPI_ERR_DIMS) if the
  /// dimension is, (MPI_ERR_TOPOLOGY) if the grid has no dimension.
  ShiftRanks shift(Rank rank, int dimension, int displacement) const;

  /// The subgrid of the dimensions that remain (MPI_Cart_sub): all subgrids have this form.
  /// @param remain_dims one per dimension: true keeps it.
  /// @throws MpiError (MPI_ERR_DIMS) for a wrong number of entries.
  Cartesian sub(const std::vector<bool>& remain_dims) const;

  /// Which subgrid `rank` falls into, and its rank there (MPI_Cart_sub).
  /// @throws MpiError (MPI_ERR_DIMS) for a wrong number of entries, (MPI_ERR_RANK) if the rank is
  /// outside the grid.
  SubgridPlace sub_place(const std::vector<bool>& remain_dims, Rank rank) const;

  /// Equal if sizes and periodicities are.
  friend bool operator==(const Cartesian&, const Cartesian&) = default;

 private:
  std::optional<Rank> moved(Rank rank, int dimension, std::int64_t displacement) const;
  void check(Rank rank) const;
  void check(const std::vector<bool>& remain_dims) const;

  std::vector<Dimension> dimensions_;
  std::vector<int> strides_;
  int num_ranks_ = 1;
};

/// Grid of `8x8p` (p behind a size: periodic); first dimension first.
/// @param whole the specification that the sizes are part of, for messages.
/// @throws UsageError for a malformed size or more than 2^31-1 ranks.
Cartesian parse_grid(std::string_view sizes, std::string_view whole);

}  // namespace vtopo
