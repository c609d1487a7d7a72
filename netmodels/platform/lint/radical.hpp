#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo::detail::lint {

/// Numbers first..last of hosts.
struct NumberRange {
  std::int64_t first = 0;
  std::int64_t last = 0;
};

/// Most hosts that SimGrid is asked to build for one cluster; 5 KiB each.
constexpr std::int64_t max_cluster_hosts = std::int64_t{1} << 22;

/// Hosts of a cluster as its radical names them, up to the first mistake in it.
struct RadicalText {
  std::vector<NumberRange> ranges;  ///< in the order of the text
  std::int64_t count = 0;
  std::string problem;  ///< empty if the radical is good
};

/// Reads `0-63` or `0-3,8-11,20`.
RadicalText read_radical(std::string_view text);

/// Whether a number is in two of the ranges.
bool names_a_host_twice(std::vector<NumberRange> ranges);

}  // namespace vtopo::detail::lint
