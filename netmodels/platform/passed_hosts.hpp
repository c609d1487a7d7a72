#pragma once

#include <pugixml.hpp>

namespace vtopo::detail {

/// Whether SimGrid may lead routes through hosts: one is a gateway of a zone with other members, or
/// stands between two routes of a zone that searches. Internal to this room.
bool routes_may_pass_hosts(pugi::xml_node platform);

}  // namespace vtopo::detail
