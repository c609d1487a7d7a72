#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "topology/ids.hpp"

namespace vtopo {

/// Whether a dimension wraps around (MPI: the flag in `periods`).
enum class Periodicity : bool { open = false, periodic = true };

/// One dimension of a Cartesian grid: its size (>= 1) and whether it wraps.
struct Dimension {
  int size = 1;
  Periodicity periodicity = Periodicity::open;

  bool periodic() const { return periodicity == Periodicity::periodic; }
};

/// Result of a shift; no value stands for MPI_PROC_NULL.
struct ShiftRanks {
  std::optional<Rank> source;
  std::optional<Rank> destination;
};

/// Cartesian virtual topology (MPI-5.0 section 8.5.1). Ranks are row-major: the last dimension is
/// the fastest. A grid of zero dimensions has one rank.
class Cartesian {
 public:
  /// @throws UsageError if a size is < 1 or the product exceeds 2^31-1.
  explicit Cartesian(std::vector<Dimension> dimensions);

  int num_ranks() const { return num_ranks_; }
  std::span<const Dimension> dimensions() const { return dimensions_; }

  /// Coordinates of `rank`, one per dimension (MPI_Cart_coords).
  /// @throws UsageError if the rank is outside the grid.
  std::vector<int> coords(Rank rank) const;

  /// Rank at `coords`; periodic coordinates wrap (MPI_Cart_rank).
  /// @throws UsageError for a wrong number of coordinates or one outside an open dimension.
  Rank rank(std::span<const int> coords) const;

  /// Whom `rank` receives from and sends to when everybody shifts by `displacement` along
  /// `dimension` (MPI_Cart_shift); end-off in open dimensions, circular in periodic ones.
  /// @throws UsageError if the rank or the dimension is outside the grid.
  ShiftRanks shift(Rank rank, int dimension, int displacement) const;

 private:
  std::optional<Rank> moved(Rank rank, int dimension, std::int64_t displacement) const;
  void check(Rank rank) const;

  std::vector<Dimension> dimensions_;
  std::vector<int> strides_;
  int num_ranks_ = 1;
};

}  // namespace vtopo
