#pragma once

#include <vector>

#include "sim/mapping/partition/host_hierarchy.hpp"
#include "sim/mapping/state/hop_table.hpp"

namespace vtopo::detail {

/// Mean hops between parts of a host hierarchy, both directions together; estimated from some hosts
/// of large parts.
class PartDistances {
 public:
  /// The arguments must outlive the distances.
  PartDistances(const HostHierarchy& hierarchy, const HopTable& table);

  double between(int part, int other) const;

  /// What an edge between two parts costs more than one inside of them; > 0.
  double apart(int part, int other) const;

 private:
  const HopTable& table_;
  std::vector<std::vector<Place>> samples_;  ///< one entry per part
};

}  // namespace vtopo::detail
