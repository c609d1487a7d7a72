#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"

namespace vtopo {

/// Least bandwidth that joins any two halves of the hosts (of an odd number one half has one more).
struct Bisection {
  BytesPerSecond bandwidth;  ///< per direction; the smaller one where they differ
  std::int64_t links = 0;    ///< directed links from one half to the other
  bool exact = false;        ///< a closed form; else an upper bound found by search
  std::string method;        ///< the formula with its source, or the search
};

/// Bisection by a formula that is known to be right for this network; nothing for others.
/// - Torus or mesh with one host per router, one bandwidth, and dimensions that all wrap or all do
///   not: 2 * psi or psi cables, psi = sum over i <= a of the product of the sizes k_j, j > i, with
///   sizes descending and k_a the first even one, or the last if all are odd: J. Arjona Aroca and
///   A. Fernández Anta, "Bisection (Band)Width of Product Networks with Application to Data
///   Centers" (TAMC 2012).
/// - Fat tree in which no level narrows: any half sends at its full injection bandwidth (the tree
///   is rearrangeably non-blocking: Zahavi 2010, as `FatTreeSpec`). One that narrows, with an even
///   number of subtrees below its roots: the narrowest level of half of the subtrees, as what a
///   subtree can send grows less and less with the number of its hosts that send.
/// Dragonflies have none: their bisection depends on the arrangement of global links (Hastings et
/// al., CLUSTER 2015).
std::optional<Bisection> closed_form_bisection(const NetworkShape& shape);

/// Smallest cut found by Fiduccia-Mattheyses passes (DAC 1982) over all vertices, balanced over the
/// working hosts, from several starts: hosts in the order of ids, of breadth-first searches from
/// two ends, of each coordinate of a torus, and of the Fiedler vector (power iteration). An upper
/// bound of the bisection, the same on every machine; O(links log links) per pass.
Bisection estimate_bisection(const LinkGraph& graph, const Network& network);

}  // namespace vtopo
