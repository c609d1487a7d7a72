#pragma once

#include <string>
#include <string_view>

#include "topology/base/units.hpp"

namespace vtopo {

/// Volume such as `64KiB`, `1MB`, `1500` (bytes) or `0`.
/// @throws UsageError unless it is a number from 0 to `max_volume` with a known unit.
Bytes parse_bytes(std::string_view text);

/// Bandwidth such as `10GBps`, `10 GB/s`, `100Gbps` (bits), `1e9` (bytes per second) or `inf`.
/// @throws UsageError unless it is a number from 0.001 to 1e18, or `inf`, with a known unit.
BytesPerSecond parse_bandwidth(std::string_view text);

/// Time such as `100ns`, `2ms` or `0.5` (seconds).
/// @throws UsageError unless it is a number from 0 to 1e9 with a known unit.
Seconds parse_seconds(std::string_view text);

/// For people, three significant digits: `1.5 MiB`, `0 B`.
std::string format_bytes(Bytes volume);

/// For people, three significant digits: `10 GB/s`.
std::string format_bandwidth(BytesPerSecond bandwidth);

/// For people, three significant digits: `1.26 ms`, `40 ns`.
std::string format_seconds(Seconds time);

}  // namespace vtopo
