#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace vtopo {

/// Every host in one of several parts.
struct HostPartition {
  int count = 0;             ///< parts are 0..count-1
  std::vector<int> part_of;  ///< one entry per host
};

/// Host h in part h / stride % count.
inline HostPartition equal_parts(int hosts, std::int64_t stride, int count) {
  HostPartition partition{count, std::vector<int>(static_cast<std::size_t>(hosts))};
  for (std::size_t h = 0; h < partition.part_of.size(); ++h)
    partition.part_of[h] = static_cast<int>(static_cast<std::int64_t>(h) / stride % count);
  return partition;
}

/// Named parts of a machine, as `--hosts` selects them: `leaf:0-3`, `plane:1=0,2`.
struct HostParts {
  std::string name;    ///< of one: `leaf`
  std::string plural;  ///< `leaves`
  /// One; or one per dimension, which the selection then names first.
  std::vector<HostPartition> partitions;
  bool by_dimension = false;
};

}  // namespace vtopo
