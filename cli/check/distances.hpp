#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Sizes of the dimensions and whether they wrap, the fastest first.
using Grid = std::vector<std::pair<std::size_t, bool>>;

/// @param axes `[size, wraps]`, the fastest first.
/// @throws InputError for sizes that are no whole numbers.
Grid grid_of(const Json& axes);

/// Whether vertices are cells of the grid and all links steps between neighbours. While they are
/// up, no machine has a distance other than that of a shortest path.
bool are_links_steps(const Job& job, const Grid& grid);

/// Hops over links that are up.
class Distances {
 public:
  explicit Distances(const Job& job);

  /// To the `count` nearest other slots of the job, the nearest first (Dijkstra's search).
  Numbers nearest_slots(std::size_t from, std::size_t count) const;

  /// To each host of the job, in its order; infinite where there is no path.
  Numbers to_hosts(std::size_t from) const;

 private:
  /// Calls `found(vertex, hops)` by ascending hops until that returns false.
  template <class F>
  void search(std::size_t from, F&& found) const;

  const Job& job_;
  std::map<std::size_t, std::vector<std::pair<std::size_t, double>>> next_;
};

}  // namespace vtopo::detail::checking
