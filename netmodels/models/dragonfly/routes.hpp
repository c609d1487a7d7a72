#pragma once

#include <vector>

#include "netmodels/models/dragonfly/layout.hpp"

namespace vtopo::detail {

/// Local links before and after cable `cable` on a route between routers of two groups.
inline int local_hops_by(const DragonflyLayout& layout, const DragonflyRouter& from,
                         const DragonflyRouter& to, int cable) {
  return DragonflyLayout::local_hops(from, layout.gateway(from.group, to.group, cable)) +
         DragonflyLayout::local_hops(layout.gateway(to.group, from.group, cable), to);
}

/// The cable by which a minimal route goes from a router to one of another group: the one with the
/// fewest local links; of k such cables, in their order, number (destination host modulo k), so
/// that the hosts of a router spread over them.
inline int nearest_cable(const DragonflyLayout& layout, const DragonflyRouter& from,
                         const DragonflyRouter& to, HostId destination) {
  if (layout.cables() == 1) return 0;
  int nearest = 0, fewest = local_hops_by(layout, from, to, 0), equals = 1;
  for (int cable = 1; cable < layout.cables(); ++cable) {
    const int hops = local_hops_by(layout, from, to, cable);
    nearest = hops < fewest ? cable : nearest;
    equals = hops < fewest ? 1 : equals + (hops == fewest ? 1 : 0);
    fewest = hops < fewest ? hops : fewest;
  }
  for (int skipped = number(destination) % equals; skipped > 0;)
    if (local_hops_by(layout, from, to, ++nearest) == fewest) --skipped;
  return nearest;
}

/// Local links on a minimal route between routers of two groups.
int fewest_local_hops(const DragonflyLayout& layout, const DragonflyRouter& from,
                      const DragonflyRouter& to);

/// The part of a minimal route from a router to another group: to the cable, and the cable.
template <class Sink>
void walk_out(const DragonflyLayout& layout, const DragonflyRouter& from, int group, int cable,
              Sink&& sink) {
  layout.walk_local(from, layout.gateway(from.group, group, cable), sink);
  sink(layout.blue(from.group, group, cable));
}

/// The part of a minimal route behind the cable from another group, to a router.
template <class Sink>
void walk_in(const DragonflyLayout& layout, const DragonflyRouter& to, int group, int cable,
             Sink&& sink) {
  layout.walk_local(layout.gateway(to.group, group, cable), to, sink);
}

/// Hands the links of the minimal route between two hosts to `sink` in the order of travel: up,
/// green and black to the nearest cable, blue, green and black, down.
template <class Sink>
void walk_minimal(const DragonflyLayout& layout, HostId source, HostId destination, Sink&& sink) {
  if (source == destination) return;
  const DragonflyRouter from = layout.router_of(source), to = layout.router_of(destination);
  sink(layout.up(source));
  if (from.group == to.group) {
    layout.walk_local(from, to, sink);
  } else {
    const int cable = nearest_cable(layout, from, to, destination);
    walk_out(layout, from, to.group, cable, sink);
    walk_in(layout, to, from.group, cable, sink);
  }
  sink(layout.down(destination));
}

/// The links that SimGrid 3.32 lists inside a group (`DragonflyZone::get_local_route`): once it has
/// changed the blade it goes on as if it were in chassis 0.
template <class Sink>
void walk_local_as_simgrid(const DragonflyLayout& layout, const DragonflyRouter& from,
                           const DragonflyRouter& to, Sink&& sink) {
  if (from.blade == to.blade) return layout.walk_local(from, to, sink);
  sink(layout.green(from, to.blade));
  const DragonflyRouter forgotten{to.group, to.blade, 0, to.blade};
  if (to.chassis != 0) sink(layout.black(forgotten, to.chassis));
}

/// Shares of a flow that splits evenly, at each router, over all next links of shortest routes, as
/// equal-cost multipath does: over several cables between two groups, and over green-black and
/// black-green. Shortest among the minimal routes of a dragonfly, which have one global link
/// between groups and none inside a group; in the order of links unless the whole flow takes one
/// route. O(cables^2).
void append_ecmp_shares(const DragonflyLayout& layout, HostId source, HostId destination,
                        std::vector<LinkShare>& shares);

/// Most links that count as hops on the minimal route between any two hosts. Exact; looks at pairs
/// of groups until one reaches the bound, which without many cables is the first.
int dragonfly_diameter(const DragonflyLayout& layout);

}  // namespace vtopo::detail
