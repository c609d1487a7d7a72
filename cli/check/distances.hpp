#pragma once

#include <cstddef>
#include <map>
#include <utility>
#include <vector>

#include "cli/check/evidence.hpp"

namespace vtopo::detail::checking {

/// Hops over links that are up.
class Distances {
 public:
  explicit Distances(const Job& job);

  /// To the `count` nearest other slots of the job, the nearest first (Dijkstra's search).
  Numbers nearest_slots(std::size_t from, std::size_t count) const;

 private:
  const Job& job_;
  std::map<std::size_t, std::vector<std::pair<std::size_t, double>>> next_;
};

}  // namespace vtopo::detail::checking
