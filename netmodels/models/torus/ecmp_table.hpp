#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// One axis of the box of all shortest routes between two routers: coordinates `begin` to
/// `begin + places - 1`, by the wrap if need be. At half a ring the whole ring, the source in its
/// middle and the destination at its end.
struct EcmpSide {
  int begin;
  int places;
  bool positive;  ///< from the source at `begin` on; else from the source at the end on
  bool tied;      ///< at half a ring

  static EcmpSide between(const TorusAxis& axis, int from, int to);
};

/// What each router of a box sends over each of its links onwards, as a share of the flow: an even
/// split at every router.
class EcmpTable {
 public:
  explicit EcmpTable(const TorusGrid& grid)
      : walks_(grid.axes().size()), turns_(grid.axes().size()) {}

  /// Shares of the routers of a box, those of the first axis side by side in order of coordinates;
  /// those of every other axis from the source on, or at half a ring in order of coordinates. Valid
  /// up to the next call.
  const double* shares(std::span<const EcmpSide> sides);

 private:
  /// A side in the order in which flows reach its places.
  struct Walk {
    std::vector<int> place;  ///< by turn
    std::vector<int> next;   ///< place after the turn; none at the last one
    int other_next = -1;     ///< of the first turn, at half a ring
    std::ptrdiff_t stride = 1;
  };

  void lay_walks(std::span<const EcmpSide> sides);
  void fill();
  double* enter_line();
  bool next_line();
  void fill_line(double* line);

  std::vector<double> shares_;
  std::vector<Walk> walks_;
  std::vector<std::size_t> turns_;       ///< of the line in hand, on every axis but the first
  std::vector<std::ptrdiff_t> onwards_;  ///< from it to the next routers on those axes
};

}  // namespace vtopo::detail
