#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// Rule that chooses among the routes of a modelled network (`--routing`). All but `adaptive` and
/// `ideal` are static: they do not look at loads.
enum class Routing {
  simgrid,   ///< the one route that SimGrid takes
  positive,  ///< torus: as simgrid, but at exactly half a ring always the positive way
  split,     ///< torus: at exactly half a ring, half of the flow each way
  ecmp,      ///< at each vertex the flow splits evenly over all next links of shortest routes
  valiant,   ///< by way of an intermediate drawn at random: the expected load
  adaptive,  ///< for the whole traffic, each flow between ecmp and valiant so that loads are even
  ideal,     ///< for the whole traffic, so that the busiest link is as little busy as can be
  /// `auto`: on tori as simgrid, but at exactly half a ring by the parity of the source's
  /// coordinate, which loads both directions evenly; on networks without such ties simgrid; of a
  /// file that describes a machine the rule that the file states.
  automatic,
};

/// All of them, in the order above.
std::vector<Routing> all_routings();

/// Whether routes follow from the traffic of all flows (`Network::routed`).
bool depends_on_traffic(Routing routing);

/// @throws UsageError for a name other than those above, `auto` for the last.
Routing parse_routing(std::string_view name);
/// Its name as above.
std::string to_string(Routing routing);

/// How a modelled network routes. Routes are SimGrid's where nothing is said; the default of
/// `--routing` and of scenarios is `auto`.
struct RoutingOptions {
  Routing rule = Routing::simgrid;  ///< which routes flows take
  /// Reproduce SimGrid 3.32 also where its routes are not valid paths (dragonflies inside a group).
  bool simgrid_compatible = false;
};

}  // namespace vtopo
