#pragma once

#include <vector>

#include "netmodels/more_models/hyperx/hyperx.hpp"
#include "topology/base/exact_division.hpp"

namespace vtopo::detail {

/// A dimension of size >= 2. The routers that differ in it alone are a line:
/// router = (high * size + coordinate) * stride + low. Each has a link to every other of its line.
struct HyperXAxis {
  int dimension;  ///< of the specification
  int size;
  int stride;       ///< distance of router ids one coordinate apart: values of `low`
  int lines_above;  ///< values of `high`
  int first_link;
  ExactDivision reciprocal;

  int num_links() const { return stride * lines_above * size * (size - 1); }

  /// Link of the router with coordinate `from` to the router with coordinate `to` of its line.
  LinkId link(int router, int from, int to) const {
    return LinkId{first_link + router * (size - 1) + (to < from ? to : to - 1)};
  }
};

/// Routers and links of a HyperX, and the hosts at them. Dimensions of size 1 are left out.
class HyperXGrid {
 public:
  /// @throws UsageError as make_hyperx, for counts.
  explicit HyperXGrid(const HyperXSpec& spec);

  const std::vector<HyperXAxis>& axes() const { return axes_; }
  int num_routers() const { return num_routers_; }
  int num_hosts() const { return num_routers_ * per_router_; }
  int num_links() const { return first_cable_ + (have_cables() ? 2 * num_hosts() : 0); }

  /// Whether hosts have cables to their routers; else the host is the router.
  bool have_cables() const { return per_router_ > 1; }
  bool is_cable(LinkId link) const { return number(link) >= first_cable_; }
  int router(HostId host) const { return by_router_.quotient(number(host)); }
  LinkId up(HostId host) const { return LinkId{first_cable_ + 2 * number(host)}; }
  LinkId down(HostId host) const { return LinkId{first_cable_ + 2 * number(host) + 1}; }
  HostId host_of(LinkId cable) const { return HostId{(number(cable) - first_cable_) / 2}; }

  const HyperXAxis& axis_of(LinkId link) const;
  /// Routers at both ends of a link that is not a cable.
  LinkEnds ends(LinkId link) const;

  /// Calls `visit(axis, here, from, to)` for each dimension, in order, in which two routers differ:
  /// `here` is the router with the coordinates of the destination in all dimensions before it.
  template <class Visit>
  void for_each_step(int source, int destination, Visit visit) const {
    int here = source;
    for (const HyperXAxis& axis : axes_) {
      const int source_above = axis.reciprocal.quotient(source);
      const int destination_above = axis.reciprocal.quotient(destination);
      const int from = source - source_above * axis.size;
      const int to = destination - destination_above * axis.size;
      if (from != to) visit(axis, here, from, to);
      here += (to - from) * axis.stride;
      source = source_above;
      destination = destination_above;
    }
  }

  /// Dimensions in which two routers differ.
  int distance(int source, int destination) const {
    int total = 0;
    for_each_step(source, destination, [&](const HyperXAxis&, int, int, int) { ++total; });
    return total;
  }

 private:
  std::vector<HyperXAxis> axes_;
  int num_routers_ = 1;
  int per_router_;
  int first_cable_ = 0;
  ExactDivision by_router_;
};

}  // namespace vtopo::detail
