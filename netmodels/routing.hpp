#pragma once

#include <string>
#include <string_view>

namespace vtopo {

/// Rule that chooses among the routes of a modelled network (`--routing`). Static: it does not look
/// at loads.
enum class Routing {
  simgrid,   ///< the one route that SimGrid takes
  positive,  ///< torus: as simgrid, but at exactly half a ring always the positive way
  split,     ///< torus: at exactly half a ring, half of the flow each way
  ecmp,      ///< at each vertex the flow splits evenly over all next links of shortest routes
  valiant,   ///< by way of an intermediate drawn at random: the expected load
};

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
