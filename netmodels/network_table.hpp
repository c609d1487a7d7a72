#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_defaults.hpp"
#include "netmodels/network_spec_keys.hpp"

namespace vtopo::detail {

/// A network that specifications name. `netmodels/models/<name>/info.cpp` defines those of its
/// folder, as `std::vector<NetworkInfo> vtopo::networks::<name>()`.
struct NetworkInfo {
  std::string name;    ///< specifications start with it: `fat-tree`
  std::string syntax;  ///< of its parameters: `LEVELS;CHILDREN,...;PARENTS,...;CABLES,...`
  std::vector<NetworkKey> keys;  ///< accepted after the parameters, those of all networks last
  std::string example;           ///< a whole specification
  std::string source;            ///< paper
  /// Network of a specification with this name.
  /// @throws UsageError that names the value, the specification and what is accepted.
  std::shared_ptr<const Network> (*make)(const SpecText& spec, const NetworkDefaults& defaults,
                                         const RoutingOptions& routing);
  /// Whether it decides by itself what `Routing::automatic` is; on others that is `simgrid`.
  bool has_ties = false;
  /// Topology of SimGrid's `<cluster>` whose `topo_parameters` are parameters of this network
  /// (`TORUS`); empty: there is none.
  std::string from_cluster = {};
};

/// All networks, sorted by name.
const std::vector<NetworkInfo>& all_networks();

/// Their names.
std::vector<std::string> network_names();

/// Specification of a cluster of SimGrid; empty if no network has this topology.
/// @param parameters `topo_parameters` without blanks.
std::string spec_of_cluster(std::string_view topology, std::string_view parameters);

}  // namespace vtopo::detail
