#pragma once

#include <vector>

#include "netmodels/network_defaults.hpp"
#include "netmodels/routing.hpp"

namespace vtopo::detail {

/// Dragonfly+ of A. Shpiner, Z. Haramaty, S. Eliad, V. Zdornov, B. Gafni and E. Zahavi,
/// "Dragonfly+: Low Cost Topology for Scaling Datacenters" (HiPINEB 2017): cells of leaf and spine
/// switches, each leaf joined with all spines of its cell, and all cells joined spine to spine.
/// Hosts of a leaf are numbered one after the other, then leaf by leaf, then cell by cell.
struct DragonflyPlusSpec {
  int cells = 1;           ///< joined all to all
  int leaves = 1;          ///< per cell; the most of any cell if `hosts` says more
  int spines = 1;          ///< per cell
  int hosts_per_leaf = 1;  ///< the most of any leaf if `hosts` says more
  int links = 1;           ///< between two cells, in each direction
  /// Hosts at each leaf of each cell; empty: all cells have `leaves` leaves of `hosts_per_leaf`.
  std::vector<std::vector<int>> hosts = {};
  NetworkDefaults defaults;
  RoutingOptions routing = {};
  LinkRates host_rates = {};    ///< between hosts and leaves
  LinkRates local_rates = {};   ///< between leaves and spines
  LinkRates global_rates = {};  ///< between spines of two cells
};

}  // namespace vtopo::detail
