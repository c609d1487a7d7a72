#pragma once

#include <string>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "topology/base/progress.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

/// Lower bounds over every embedding of the guest on the allocation, and which argument gave the
/// best one; empty where the bound is 0.
struct Bounds {
  Bytes hop_bytes;                   ///< no embedding has fewer
  Seconds congestion;                ///< no embedding has a smaller `Metrics::max_congestion`
  std::string hop_bytes_kind = {};   ///< argument behind `hop_bytes`
  std::string congestion_kind = {};  ///< argument behind `congestion`
};

/// The best of several lower bounds; each holds for all embeddings and under every routing rule.
///
/// Hop-bytes:
/// - `nearest slots`: every rank has its heaviest partners on the slots nearest to the host that
///   suits it best; half the sum over ranks.
/// - `assignment`: the same with each slot given to one rank (Gilmore 1962, Lawler 1963), up to 256
///   slots.
/// - `stars`: the same with the costs of pairs moved between their ranks where that helps (Hahn and
/// Grant 1998), of few ranks and hosts.
/// - `hosts`: what ranks must send out of their hosts, over the fewest hops between two hosts: what
/// a
///   rank has beyond its heaviest partners, trees of partners that are larger than a host
///   (spreading metrics: Even, Naor, Rao, Schieber 2000), forests; of up to 14 ranks the optimum.
/// - `cuts`: the least volume across each cut that the network names (`Network::cuts`: planes,
///   subtrees, routers), added up over cuts that share no link.
/// - `spectrum`: eigenvalues of volumes and distances (Hadley, Rendl, Wolkowicz 1992), where the
///   guest is an expander, of up to 1,024 slots.
/// - `hypercube`: the optimum of a hypercube on a whole torus or mesh whose sizes are powers of
/// two.
///
/// Congestion: volume that must take some links over their bandwidth.
/// - `hop-bytes`: the bound above over all links.
/// - `one rank`, `hosts`: what a rank, or all ranks, must send out of hosts.
/// - `one flow`: the heaviest flow that must leave a host, over the widest link.
/// - `flows of one rank`: of more flows than a host has links two share one.
/// - `cheapest cuts`: of up to 256 hosts (32 where the network names its cuts), the least volume
///   between sets of hosts over the cheapest links that all routes between them take (maximum
///   flows): hosts, sets that one link parts for some host, cells of such sets.
/// - `cells`: of such cells, the least over all ways to divide the ranks between them, where a
/// search
///   ends in time.
/// - names of cuts (`planes of dimension 0`, `leaf switches`, `groups`): the least volume between
///   the ranks on both sides, over the numbers of ranks that the slots permit.
/// Where flows do not split and all links are alike, a whole number of units of volume is on each.
///
/// Least volumes across cuts are certain: edge-isoperimetric inequalities where the guest holds a
/// Cartesian grid, else its algebraic connectivity up to 1,024 ranks, rounding errors taken off,
/// and always what a rank has beyond its heaviest partners.
///
/// Where two hosts of the allocation have no route, distances are those of the undamaged model, or
/// one hop where there is none: an embedding may do without those hosts. The same holds above 4,096
/// hosts, where the distances of all pairs are too many to ask for, unless few give all: those of
/// sites that are not symmetric (`Network::sites`).
///
/// Distances are `Network::hops`, under rules with detours those of shortest paths (`LeastHops`),
/// so the hops that the shares of a flow travel on average are no fewer. Shares of a flow add up to
/// the whole flow across any cut. Where routes are drawn (Valiant), loads are expected values: the
/// bound is one on the largest expected load, which is itself no more than the expected largest
/// load.
///
/// Without the library vtopo::bounds every bound is 0.
/// @throws FitError if the guest does not fit into the allocation: there is no embedding to bound.
Bounds lower_bounds(const CommGraph& guest, const Network& network, const Allocation& allocation,
                    const Progress& progress = {});

}  // namespace vtopo
