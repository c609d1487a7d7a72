#pragma once

#include <catch2/catch.hpp>

#include <memory>
#include <string>
#include <vector>

#include "netmodels/network_spec.hpp"
#include "topology/base/error.hpp"

namespace vtopo::tests {

/// Rules that do not look at the traffic.
inline constexpr Routing static_routings[] = {Routing::automatic, Routing::simgrid,
                                              Routing::positive,  Routing::split,
                                              Routing::ecmp,      Routing::valiant};

/// The network under each of them that it accepts; it says which ones it does not.
inline std::vector<std::shared_ptr<const Network>> under_static_routings(const std::string& spec) {
  std::vector<std::shared_ptr<const Network>> networks;
  for (const Routing rule : static_routings) {
    try {
      networks.push_back(make_network(spec, {}, {rule}));
    } catch (const UsageError& error) {
      CHECK_THAT(error.what(), Catch::Contains(to_string(rule)));
    }
  }
  REQUIRE(!networks.empty());
  return networks;
}

}  // namespace vtopo::tests
