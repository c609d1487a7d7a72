#include "netmodels/network_answers.hpp"

#include <algorithm>

#include "netmodels/models/torus/answers.hpp"

namespace vtopo::detail {

namespace {

/// The graph of the square lattice modulo (2a, 0) and (a, a). A cut is closed curves through links,
/// of which those around the torus have at least 2a links, as all these vectors have, and are two
/// or more; without such ones a half, a^2 routers, lies within curves around parts of the plane,
/// and around A routers there are at least 4 sqrt(A) links. Both make 4a; so do two cuts across
/// the longer dimension, with 2a links of it and all 2a twisted ones.
std::optional<Bisection> twisted_bisection(const TorusSpec& spec, BytesPerSecond bandwidth) {
  const auto [a, longer] = std::minmax(spec.dimensions[0].size, spec.dimensions[1].size);
  if (longer != 2 * a || spec.twist != a || a < 2) return std::nullopt;
  const std::int64_t links = std::int64_t{4} * a;
  return Bisection{bandwidth * static_cast<double>(links), links, true,
                   "closed form: 4a links of a twisted 2a x a torus, Camara et al. 2010"};
}

}  // namespace

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
  if (spec.twist > 0) {
    const bool is_flat = wraps && spec.dimensions.size() == 2;
    return is_flat ? twisted_bisection(spec, bandwidth) : std::nullopt;
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
