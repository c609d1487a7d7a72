#pragma once

#include "netmodels/models/torus/grid.hpp"

namespace vtopo::detail {

/// The rule of dimension-order routes: one dimension after the other, each the shorter way around.
struct DimensionOrder {
  RingTies ties = RingTies::simgrid;
  bool splits = false;  ///< at exactly half a ring half of the flow goes each way

  /// Calls `visit(positive, share)` for the way, or the two, that a flow takes along a line.
  template <class Visit>
  void for_each_way(const TorusAxis& axis, int from, int to, Visit visit) const {
    if (splits && axis.is_tie(from, to)) {
      visit(true, 0.5);
      visit(false, 0.5);
    } else {
      visit(axis.goes_positive(from, to, ties), 1.0);
    }
  }

  /// Calls `visit(LinkRun)` for the links between two routers in the order of travel.
  template <class Visit>
  void for_each_run(const TorusGrid& grid, int source, int destination, Visit visit) const {
    grid.for_each_stretch(
        source, destination, [&](const TorusAxis& axis, const TorusStretch& stretch) {
          if (stretch.from == stretch.to) return;
          for_each_way(axis, stretch.from, stretch.to, [&](bool positive, double share) {
            if (positive)
              visit_ahead(axis, stretch, share, visit);
            else
              visit_back(axis, stretch, share, visit);
          });
        });
  }

 private:
  /// Up to the destination, or to the wrap and on from coordinate 0.
  template <class Visit>
  static void visit_ahead(const TorusAxis& axis, const TorusStretch& stretch, double share,
                          Visit& visit) {
    const int first = 2 * axis.cable(stretch.high, stretch.low, 0), step = 2 * axis.stride;
    const int end = stretch.to > stretch.from ? stretch.to : axis.size;
    visit(LinkRun{LinkId{first + step * stretch.from}, step, end - stretch.from, share});
    if (end == axis.size && stretch.to > 0) visit(LinkRun{LinkId{first}, step, stretch.to, share});
  }

  /// Down to the destination, or to coordinate 0 and on from the wrap.
  template <class Visit>
  static void visit_back(const TorusAxis& axis, const TorusStretch& stretch, double share,
                         Visit& visit) {
    const int first = 2 * axis.cable(stretch.high, stretch.low, 0) + 1, step = 2 * axis.stride;
    const int end = stretch.to < stretch.from ? stretch.to : 0;
    if (stretch.from > 0)
      visit(LinkRun{LinkId{first + step * (stretch.from - 1)}, -step, stretch.from - end, share});
    if (stretch.to > stretch.from)
      visit(LinkRun{LinkId{first + step * (axis.size - 1)}, -step, axis.size - stretch.to, share});
  }
};

}  // namespace vtopo::detail
