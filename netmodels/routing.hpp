#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

/// Rule that chooses among the routes of a modelled network (`--routing`). All but the last ones
/// are static: they do not look at loads.
enum class Routing {
  simgrid,   ///< the one route that SimGrid takes
  positive,  ///< torus: as simgrid, but at exactly half a ring always the positive way
  split,     ///< torus: at exactly half a ring, half of the flow each way
  ecmp,      ///< at each vertex the flow splits evenly over all next links of shortest routes
  valiant,   ///< by way of an intermediate drawn at random: the expected load
  adaptive,  ///< for the whole traffic, each flow between ecmp and valiant so that loads are even
  ideal,     ///< for the whole traffic, so that the busiest link is as little busy as can be
};

/// All of them, in the order above.
std::vector<Routing> all_routings();

/// Whether routes follow from the traffic of all flows (`Network::routed`).
bool depends_on_traffic(Routing routing);

/// @throws UsageError for a name other than those above.
Routing parse_routing(std::string_view name);
/// Its name as above.
std::string to_string(Routing routing);

/// How a modelled network routes.
struct RoutingOptions {
  Routing rule = Routing::simgrid;  ///< which routes flows take
  /// Reproduce SimGrid 3.32 also where its routes are no walks (dragonflies inside a group).
  bool simgrid_compatible = false;
};

}  // namespace vtopo
