#pragma once

#include <cstdint>
#include <unordered_map>
#include <utility>

#include "netmodels/platform/lint/inventory.hpp"

namespace vtopo::detail::lint {

/// An ordered pair of netpoints as one number.
inline std::uint64_t pair_of(int source, int destination) {
  return (std::uint64_t{static_cast<std::uint32_t>(source)} << 32U) |
         static_cast<std::uint32_t>(destination);
}

/// The pair behind such a number.
inline std::pair<int, int> ends_of(std::uint64_t pair) {
  return {static_cast<int>(pair >> 32U), static_cast<int>(pair & 0xFFFFFFFFU)};
}

/// Routes that a zone declares, both directions of symmetrical ones.
struct ZoneRoutes {
  std::unordered_map<std::uint64_t, pugi::xml_node> pairs;
  bool resolved = true;  ///< false: a route has an end that is unknown
};

/// Checks the routes of a zone one by one: ends, gateways, links, duplicates. Marks links as used.
ZoneRoutes check_zone_routes(Findings& findings, Inventory& inventory, int zone);

}  // namespace vtopo::detail::lint
