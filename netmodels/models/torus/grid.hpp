#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// Which way a route takes at exactly half a ring.
enum class RingTies {
  simgrid,   ///< positive, but negative from coordinate size/2
  positive,  ///< positive
  parity,    ///< positive from even coordinates, negative from odd ones
};

/// A dimension of size >= 2 with its place among routers and links. Its lines (rings, or rows of a
/// mesh) are counted by `low`, the position in the faster dimensions, and `high`, that in the
/// slower ones: router = (high * size + coordinate) * stride + low. Cable c of a line joins
/// coordinate c with the next one; its directions are links 2 * cable and, back, 2 * cable + 1.
struct TorusAxis {
  int dimension;  ///< of the specification
  int size;
  bool wraps;
  int stride;       ///< distance of router ids one step apart: values of `low`
  int lines_above;  ///< values of `high`
  int cables;       ///< per line
  int first_cable;  ///< of the dimension
  ExactDivision reciprocal;

  int num_lines() const { return stride * lines_above; }
  int num_cables() const { return num_lines() * cables; }
  bool has_ties() const { return wraps && size % 2 == 0; }

  int coordinate(int router) const { return router / stride % size; }

  int cable(int high, int low, int coordinate) const {
    return first_cable + (high * cables + coordinate) * stride + low;
  }

  /// Steps from one coordinate to another in positive direction, by the wrap if need be.
  int forward(int from, int to) const {
    const int direct = to - from;
    return direct < 0 ? direct + size : direct;
  }

  bool is_tie(int from, int to) const { return wraps && 2 * forward(from, to) == size; }

  /// Whether the route goes in positive direction; as it pleases where it does not move.
  bool goes_positive(int from, int to, RingTies ties) const {
    if (!wraps) return to > from;
    return 2 * forward(from, to) - goes_at_half(from, ties) < size;
  }

  /// 1 where a route from this coordinate over exactly half the ring goes in positive direction,
  /// else 0.
  int goes_at_half(int from, RingTies ties) const {
    const int back_from_half = ties == RingTies::simgrid && 2 * from == size ? 1 : 0;
    const int back_from_odd = ties == RingTies::parity ? from & 1 : 0;
    return 1 - back_from_half - back_from_odd;
  }

  /// Steps of the shorter way, < 0 in negative direction.
  int signed_steps(int from, int to, RingTies ties) const {
    if (!wraps) return to - from;
    const int positive = forward(from, to);
    return goes_positive(from, to, ties) ? positive : positive - size;
  }

  /// Fewest steps, whichever way.
  int distance(int from, int to) const {
    const int positive = forward(from, to);
    const int negative = size - positive;
    if (!wraps) return to >= from ? positive : negative;
    return positive < negative ? positive : negative;
  }
};

/// A router as one axis sees it.
struct TorusPlace {
  int coordinate;
  int above;  ///< position in the slower dimensions: `high` of its line
};

/// What a dimension-order route does in one dimension: from one coordinate of a line to another.
struct TorusStretch {
  int high;
  int low;
  int from;
  int to;
};

/// A wrap that does not lead back to its line: in positive direction it adds `by` to the coordinate
/// of another axis.
struct TorusTwist {
  std::size_t turned;   ///< axis whose wrap it is
  std::size_t shifted;  ///< axis that is shifted
  int by;               ///< 1 to its size - 1
};

/// Routers and cables of a torus or mesh, dimensions of size 1 left out as no route runs in them.
class TorusGrid {
 public:
  static constexpr int max_axes = 31;  ///< of size >= 2, with at most 2^31-1 routers

  /// @throws UsageError if there is no dimension, a size is < 1, or there are more than 2^31-1
  /// routers or directed links, or a twist that is as `TorusSpec::twist` does not say.
  explicit TorusGrid(const std::vector<TorusDimension>& dimensions, int twist = 0);

  const std::vector<TorusAxis>& axes() const { return axes_; }
  int num_routers() const { return num_routers_; }
  int num_cables() const { return num_cables_; }
  const std::optional<TorusTwist>& twist() const { return twist_; }
  int diameter() const;  ///< without twist, as all distances below

  const TorusAxis& axis_of(LinkId link) const;
  LinkEnds ends(LinkId link) const;

  /// The router one step along an axis, by the wrap if need be. The axis wraps.
  int next(int router, std::size_t axis) const;
  /// The one of which that is the next.
  int previous(int router, std::size_t axis) const;

  /// Calls `visit(axis, stretch)` for each dimension in the order of travel, also where the route
  /// does not move.
  template <class Visit>
  void for_each_stretch(int source, int destination, Visit visit) const {
    int low = 0;
    for (const TorusAxis& axis : axes_) {
      const int source_above = axis.reciprocal.quotient(source);
      const int destination_above = axis.reciprocal.quotient(destination);
      const int to = destination - destination_above * axis.size;
      visit(axis, TorusStretch{source_above, low, source - source_above * axis.size, to});
      low += to * axis.stride;
      source = source_above;
      destination = destination_above;
    }
  }

  /// Places of a router, one entry per axis.
  void split(int router, std::span<TorusPlace> places) const {
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const int above = axes_[a].reciprocal.quotient(router);
      places[a] = {router - above * axes_[a].size, above};
      router = above;
    }
  }

  int distance(int source, int destination) const {
    int total = 0;
    for (const TorusAxis& axis : axes_) {
      const int source_above = axis.reciprocal.quotient(source);
      const int destination_above = axis.reciprocal.quotient(destination);
      total += axis.distance(source - source_above * axis.size,
                             destination - destination_above * axis.size);
      source = source_above;
      destination = destination_above;
    }
    return total;
  }

  /// The same from a router that has been split.
  int distance(std::span<const TorusPlace> source, int destination) const {
    int total = 0;
    for (std::size_t a = 0; a < axes_.size(); ++a) {
      const int above = axes_[a].reciprocal.quotient(destination);
      total += axes_[a].distance(source[a].coordinate, destination - above * axes_[a].size);
      destination = above;
    }
    return total;
  }

 private:
  std::vector<TorusAxis> axes_;
  int num_routers_ = 0;
  int num_cables_ = 0;
  std::optional<TorusTwist> twist_;

  int shifted(int router, std::size_t axis, int by) const;
};

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

/// How the hosts of a torus stand on its routers.
struct TorusHosts {
  int per_router;  ///< 1: host and router are the same
  int first_link;  ///< of the hosts' cables: up to the router 2 * host beyond it, down the next
  ExactDivision reciprocal;  ///< of `per_router`

  int router(HostId host) const { return reciprocal.quotient(number(host)); }
  bool have_cables() const { return per_router > 1; }
  LinkId up(HostId host) const { return LinkId{first_link + 2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{first_link + 2 * number(host) + 1}; }
};

/// Valiant and Brebner, "Universal Schemes for Parallel Communication" (STOC 1981): a route by way
/// of a router drawn uniformly over all, both legs in dimension order with SimGrid's ties. Traffic
/// between hosts of one router does not leave it.

/// Appends the links of the expected routes between two different routers, each once. O(links).
void append_valiant_shares(const TorusGrid& grid, int source, int destination,
                           std::vector<LinkShare>& shares);

/// Expected links on the way between two different routers. O(dimensions).
double mean_valiant_distance(const TorusGrid& grid, int source, int destination);

/// Expected traffic of all flows in O(1) per flow and O(links) at the end, each leg counted as a
/// flow. `grid` and `hosts` must outlive the result.
std::unique_ptr<LinkTraffic> make_valiant_traffic(int num_links, const TorusGrid& grid,
                                                  const TorusHosts& hosts);

}  // namespace vtopo::detail
