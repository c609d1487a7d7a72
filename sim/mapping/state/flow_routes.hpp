#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/models/torus/grid.hpp"
#include "netmodels/network.hpp"

namespace vtopo {

/// The links of flows between hosts, as fast as a search over embeddings asks for them: tori and
/// meshes with one host per router and dimension-order routes are walked in place; routes of small
/// networks are kept from the first question on; else every question goes to the network.
class FlowRoutes {
 public:
  /// The network must outlive the routes.
  explicit FlowRoutes(const Network& network);

  /// Calls `visit(LinkId, double share)` for every link of a flow between two different hosts, in
  /// the order of travel where there is one route.
  template <class Visit>
  void for_each_link(HostId from, HostId to, Visit visit) {
    if (grid_)
      walk(from, to, visit);
    else
      for (const LinkShare& part : links_of(from, to)) visit(part.link, part.share);
  }

 private:
  template <class Visit>
  void walk(HostId from, HostId to, Visit& visit) const {
    grid_->for_each_stretch(
        number(from), number(to), [&](const TorusAxis& axis, const TorusStretch& stretch) {
          if (stretch.from == stretch.to) return;
          const bool split = splits_ && axis.is_tie(stretch.from, stretch.to);
          const double share = split ? 0.5 : 1;
          const bool positive = split || axis.goes_positive(stretch.from, stretch.to, ties_);
          vtopo::for_each_link(axis, stretch, positive, [&](LinkId link) { visit(link, share); });
          if (split)
            vtopo::for_each_link(axis, stretch, false, [&](LinkId link) { visit(link, share); });
        });
  }

  /// Valid until the next call.
  std::span<const LinkShare> links_of(HostId from, HostId to);
  void append(HostId from, HostId to, std::vector<LinkShare>& links);

  /// Part of `pool_`; `last` is 0 where the route is not known yet.
  struct Kept {
    std::uint32_t first = 0;
    std::uint32_t last = 0;
  };

  const Network& network_;
  std::optional<TorusGrid> grid_;  ///< if routes are walked
  RingTies ties_ = RingTies::simgrid;
  bool splits_ = false;     ///< half of a flow each way at half a ring
  std::vector<Kept> kept_;  ///< of every ordered pair of hosts; empty on large networks
  std::vector<LinkShare> pool_;
  std::vector<LinkShare> asked_;
  std::vector<LinkId> route_;
};

}  // namespace vtopo
