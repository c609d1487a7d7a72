#pragma once

#include <vector>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/network.hpp"
#include "topology/base/compressed_rows.hpp"

namespace vtopo::detail {

/// What flows from one vertex of a link graph to another.
struct Demand {
  int from = 0;       ///< vertex where it starts
  int to = 0;         ///< another one, where it ends
  double volume = 0;  ///< > 0
};

/// A problem of routing: demands, and for each of them one routing to begin with.
struct CongestionProblem {
  std::vector<Demand> demands;
  CompressedRows<LinkShare> start;  ///< a row per demand
  std::vector<double> capacity;     ///< of each link; infinite: its load does not count
  double floor = 0;                 ///< congestion that no routing avoids
};

/// How far to go.
struct CongestionEffort {
  double gap = 0.01;  ///< relative, between what is found and its certificate
  double work = 3e9;  ///< links looked at, about; a number, so that results repeat
  int threads = 1;    ///< they change no result
};

/// A routing with little congestion, and how much less there could be.
struct MinCongestion {
  CompressedRows<LinkShare> shares;  ///< a row per demand, each link once
  double congestion = 0;             ///< largest load / capacity of a link, at least `floor`
  double bound = 0;                  ///< no routing over the paths allowed has less
  int rounds = 0;                    ///< that it took
};

/// Fractional routing that minimises the largest congestion over all paths with the fewest links
/// and all pairs of such paths by way of one intermediate vertex (`Legs`), beginning with the
/// routings given.
///
/// The certificate is a price per link: volumes times the lengths of shortest paths by these
/// prices, over prices times capacities, is no more than any routing's congestion (linear
/// programming duality). Prices are exponential in congestion, as in the multiplicative weights of
/// N. Garg and J. Konemann (SIAM J. Comput. 37, 2007) and L. K. Fleischer (SIAM J. Discrete Math.
/// 13, 2000); once the demands have settled they multiply those of the round before, which is the
/// exponential method of multipliers (P. Tseng and D. P. Bertsekas, Math. Program. 60, 1993): the
/// exponent need not grow for prices and routing to converge. Rounds alternate: shortest paths by
/// the prices of now, which certify and join the paths that demands have; then one demand after the
/// other looks for shorter paths by what prices have become and moves volume from dear paths to
/// cheap ones, by Newton steps on the sum of the exponentials. Where vtopo was built with Clp,
/// small problems go on to the optimum (`optimal_volumes`).
MinCongestion min_congestion(const LinkGraph& graph, const CongestionProblem& problem,
                             const CongestionEffort& effort = {});

}  // namespace vtopo::detail
