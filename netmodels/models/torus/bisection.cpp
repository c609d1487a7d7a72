#include "netmodels/network_answers.hpp"

#include <algorithm>

#include "netmodels/models/torus/answers.hpp"

namespace vtopo::detail {

std::optional<Bisection> torus_bisection(const TorusSpec& spec) {
  std::vector<TorusDimension> dimensions;
  for (const TorusDimension& dimension : spec.dimensions)
    if (dimension.size > 1) dimensions.push_back(dimension);
  if (dimensions.empty() || spec.hosts_per_router != 1) return std::nullopt;
  const auto bandwidth_of = [&](const TorusDimension& dimension) {
    return dimension.rates.bandwidth.value_or(spec.defaults.bandwidth);
  };
  const BytesPerSecond bandwidth = bandwidth_of(dimensions[0]);
  const bool wraps = dimensions[0].wraps;
  std::int64_t inner = 1;  // hosts per layer across the dimensions counted so far
  for (const TorusDimension& dimension : dimensions) {
    if (dimension.wraps != wraps || bandwidth_of(dimension) != bandwidth) return std::nullopt;
    inner *= dimension.size;
  }
  std::sort(dimensions.begin(), dimensions.end(),
            [](const auto& a, const auto& b) { return a.size > b.size; });
  std::int64_t psi = 0;
  for (const TorusDimension& dimension : dimensions) {
    inner /= dimension.size;
    psi += inner;
    if (dimension.size % 2 == 0) break;
  }
  const std::int64_t links = wraps ? 2 * psi : psi;
  return Bisection{bandwidth * static_cast<double>(links), links, true,
                   "closed form of Arjona Aroca and Fernández Anta (TAMC 2012)"};
}

}  // namespace vtopo::detail
