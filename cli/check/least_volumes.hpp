#pragma once

#include <optional>
#include <vector>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// A dimension of a Cartesian grid within the guest; volumes both ways, at least.
struct Side {
  std::size_t size = 2;
  bool wraps = false;
  double volume = 0;
};

/// What theorems say that any k of the ranks exchange with the others at least, in bytes both ways.
class LeastVolumes {
 public:
  /// @param both what each rank exchanges with each other one.
  /// @param sides of a grid that the guest holds, the fastest first; empty: none is known.
  LeastVolumes(const Volumes& both, std::vector<Side> sides);

  /// The first edge of the grid that the guest does not have; nothing if it has all of them.
  /// @param cell_of each rank.
  std::optional<std::pair<std::size_t, std::size_t>> missing_edge(
      const std::vector<std::size_t>& cell_of) const;

  /// By the heaviest partners of each rank, which are all inside, and by the grid: lines that the
  /// set meets (Loomis and Whitney 1949), Bollobas and Leader (1991) for equal sides, Harper (1964)
  /// for hypercubes, and the eigenvalues of grids.
  double certain(std::size_t k) const;

  /// What k ranks send beyond their `kept` heaviest partners, of those that send least.
  double beyond(std::size_t k, std::size_t kept) const;

  /// Whether the second eigenvalue of the Laplacian is no less (Fiedler 1973: any k ranks exchange
  /// that times k (n - k) / n): a Cholesky factorisation of the shifted matrix, up to 1,024 ranks.
  bool has_connectivity(double value) const;

  /// Twice what lies between disjoint sets of `first` to `most` ranks each, by what a set of the
  /// grid has inside at most.
  double between_sets(std::size_t first, std::size_t most) const;

 private:
  double lines(std::size_t k, bool inside) const;
  double inside(std::size_t k) const;
  double all() const;
  double grid_cut(std::size_t k) const;
  double whole_units(double value, double direction) const;

  const Volumes& both_;
  std::vector<Side> sides_;
  std::vector<Numbers> beyond_;  // by rank: without its k heaviest partners
  std::size_t most_partners_ = 0;
};

/// What a guest that holds a hypercube sends over a grid of as many hosts at least, in bytes times
/// hops, whatever the embedding; 0 unless all links are steps between neighbours of that grid.
/// @param axes of the grid of hosts, `[size, wraps]`, the fastest first.
double hypercube_hop_bytes(const Job& job, const std::vector<Side>& sides, const Json& axes);

}  // namespace vtopo::detail::checking
