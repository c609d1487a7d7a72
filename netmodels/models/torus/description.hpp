#pragma once

#include <string>

#include "netmodels/models/torus/spec.hpp"

namespace vtopo::detail {

/// Specification that gives the same torus again: `torus:8x8x4m,per_router=2`, with
/// `,bandwidth=9.4GBps/4.7GBps/9.4GBps` and `,latency=...` (one value, or one per dimension) and,
/// for several hosts per router, `,host_bandwidth=...` and `,host_latency=...` where they are
/// given.
std::string describe(const TorusSpec& spec);

}  // namespace vtopo::detail
