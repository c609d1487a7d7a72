#pragma once

#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/comm_graph.hpp"

/// What Scotch reads and writes; formats of the Scotch and libScotch 7.0 user's guide.
namespace scotch {

/// Source graph (`.grf`) of a guest: undirected, loads are the volumes of both directions, rounded
/// to whole bytes; edges without volume and self loops are left out.
std::string graph(const vtopo::CommGraph& guest);

/// Target architecture (`.tgt`) with the hops of the network: `torusXD` and `meshXD` number the
/// first dimension fastest as vtopo does; fat trees and dragonflies of one chassis are `tleaf`,
/// whose distances are sums over the levels that a route climbs.
/// @throws UsageError for any other network.
std::string target(const vtopo::Network& network);

/// Target of each vertex from a mapping file (`.map`).
/// @throws InputError for another number of vertices or a target that the network does not have.
std::vector<vtopo::HostId> read_mapping(const std::string& path, int num_ranks,
                                        const vtopo::Network& network);

/// Mapping with no more ranks per host than slots: of a host with too many, the ranks with the
/// least volume move, each to the free slot with the fewest hop-bytes to its partners.
vtopo::Embedding repaired(std::vector<vtopo::HostId> hosts, const vtopo::CommGraph& guest,
                          const vtopo::Network& network, const vtopo::Allocation& allocation);

}  // namespace scotch
