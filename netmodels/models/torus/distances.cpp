#include <algorithm>
#include <cstddef>

#include "netmodels/models/torus/answers.hpp"

namespace vtopo::detail {

namespace {

/// Entry h: hosts or routers at h hops.
using CountsAt = std::vector<std::int64_t>;

/// Routers by their distance along one dimension, from the middle if it does not wrap.
CountsAt along(const TorusDimension& dimension) {
  CountsAt at{1};
  const int middle = dimension.wraps ? 0 : (dimension.size - 1) / 2;
  for (int c = 0; c < dimension.size; ++c) {
    int distance = c > middle ? c - middle : middle - c;
    if (dimension.wraps) distance = std::min(distance, dimension.size - distance);
    if (distance == 0) continue;
    at.resize(std::max(at.size(), static_cast<std::size_t>(distance) + 1), 0);
    ++at[static_cast<std::size_t>(distance)];
  }
  return at;
}

/// Sums of two distances, as far as `count` hosts are.
CountsAt sums(const CountsAt& a, const CountsAt& b, std::int64_t count) {
  CountsAt at;
  std::int64_t found = 0;
  for (std::size_t h = 0; h + 1 < a.size() + b.size() && found <= count; ++h) {
    at.push_back(0);
    for (std::size_t i = h + 1 > b.size() ? h + 1 - b.size() : 0; i <= h && i < a.size(); ++i)
      at.back() += a[i] * b[h - i];
    found += at.back();
  }
  return at;
}

}  // namespace

std::vector<std::int64_t> torus_distance_profile(const TorusSpec& spec, std::int64_t count,
                                                 std::vector<std::int64_t> at) {
  for (const TorusDimension& dimension : spec.dimensions) at = sums(at, along(dimension), count);
  if (spec.hosts_per_router == 1) return at;
  CountsAt hosts{1, 0};
  for (const std::int64_t routers : at) hosts.push_back(routers * spec.hosts_per_router);
  --hosts[2];
  return hosts;
}

}  // namespace vtopo::detail
