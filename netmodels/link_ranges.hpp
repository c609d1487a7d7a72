#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Links of one kind with what they really have: a platform file may not tell kinds apart.
struct LinkRanges {
  std::string name;        ///< of the kind
  std::int64_t links = 0;  ///< number of directed links
  BytesPerSecond least_bandwidth;
  BytesPerSecond max_bandwidth;
  Seconds least_latency;
  Seconds max_latency;
};

/// One entry per kind, in the order of `Network::link_classes`; O(links).
std::vector<LinkRanges> link_ranges(const Network& network);

/// `10 GB/s`, or `125 MB/s to 2.5 GB/s` where they differ.
std::string bandwidth_range(BytesPerSecond least, BytesPerSecond most);

/// `1 us`, or `2 us to 10 us`.
std::string latency_range(Seconds least, Seconds most);

}  // namespace vtopo::detail
