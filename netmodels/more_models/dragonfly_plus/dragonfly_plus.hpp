#pragma once

#include <memory>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/network_table.hpp"

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

/// Dragonfly+. Link l of the `links` from a cell to another one starts at spine (p * links + l)
/// modulo spines, where p counts the other cells in their order; it ends where the link l back
/// starts. Under `Routing::simgrid` every hop follows from the destination alone, as tables of
/// switches do: inside a cell by spine (destination host modulo spines), to another cell by link
/// (destination host modulo links). `ecmp` splits evenly at each switch over the links of shortest
/// routes; `valiant` as `append_dragonfly_plus_valiant` says. Links: those of hosts, 2h up and
/// 2h + 1 down, then of leaves, then of cells. Vertices: hosts, then cell by cell spines and
/// leaves.
/// @throws UsageError if a number is < 1, `hosts` does not fit the other numbers, a rate is out of
/// range, hosts, switches or links exceed 2^31-1, or the routing rule is one of rings.
std::shared_ptr<const Network> make_dragonfly_plus(const DragonflyPlusSpec& spec);

/// What a specification says.
/// @throws UsageError that names the value, the specification and what is accepted.
DragonflyPlusSpec parse_dragonfly_plus(const SpecText& spec, const NetworkDefaults& defaults,
                                       const RoutingOptions& routing);

}  // namespace vtopo::detail
