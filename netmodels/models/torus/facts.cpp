#include "netmodels/models/torus/twisted.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstddef>
#include <utility>
#include <vector>

#include "netmodels/graph/plane_layout.hpp"
#include "netmodels/links.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// `plane`: hosts of equal coordinate in a dimension.
HostParts torus_planes(const TorusSpec& spec, int hosts) {
  HostParts planes{"plane", "planes", {}, true};
  std::int64_t stride = spec.hosts_per_router;
  for (const TorusDimension& dimension : spec.dimensions) {
    planes.partitions.push_back(equal_parts(hosts, stride, dimension.size));
    stride *= dimension.size;
  }
  return planes;
}

/// Coordinates in each dimension, in which pairs of planes cut a ring; with several hosts per
/// router also hosts and routers.
std::vector<VertexCells> torus_cuts(const TorusSpec& spec, int hosts) {
  const int per_router = spec.hosts_per_router;
  const int routers = hosts / per_router, first_router = per_router > 1 ? hosts : 0;
  std::vector<int> router_of(static_cast<std::size_t>(first_router + routers));
  for (std::size_t v = 0; v < router_of.size(); ++v) {
    const int vertex = static_cast<int>(v);
    router_of[v] = vertex < first_router ? vertex / per_router : vertex - first_router;
  }
  std::vector<VertexCells> families;
  int stride = 1;
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
    const auto& [size, wraps, rates] = spec.dimensions[d];
    if (size > 1) {
      // Both cables of a ring of two lie between the same coordinates.
      families.push_back({fmt::format("planes of dimension {}", d), size, router_of,
                          wraps && size > 2 ? AxisKind::ring : AxisKind::path, 1});
      for (int& cell : families.back().cell_of) cell = cell / stride % size;
    }
    stride *= size;
  }
  // By a twisted wrap planes lead to any other; these links count for the planes of their
  // dimension.
  if (spec.twist > 0) {
    VertexCells& shifted =
        spec.twist < spec.dimensions[0].size ? families.front() : families.back();
    shifted.joined = AxisKind::complete;
    shifted.hops = 0;
  }
  if (first_router == 0 || families.empty()) return families;
  VertexCells single{"hosts", hosts, std::vector<int>(static_cast<std::size_t>(hosts)),
                     AxisKind::complete, 1};
  for (int h = 0; h < hosts; ++h) single.cell_of[static_cast<std::size_t>(h)] = h;
  families.push_back(std::move(single));
  families.push_back({"routers", routers, std::move(router_of), AxisKind::complete, 0});
  return families;
}

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

/// Hosts by hops from one in the middle, as far as the nearest `count` are.
/// @param at routers by hops in dimensions that the specification does not have.
CountsAt torus_distance_profile(const TorusSpec& spec, std::int64_t count, CountsAt at) {
  for (const TorusDimension& dimension : spec.dimensions) at = sums(at, along(dimension), count);
  if (spec.hosts_per_router == 1) return at;
  CountsAt hosts{1, 0};
  for (const std::int64_t routers : at) hosts.push_back(routers * spec.hosts_per_router);
  --hosts[2];
  return hosts;
}

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

/// With one host per router, one bandwidth, and dimensions that all wrap or all do not: 2 * psi or
/// psi cables, psi = sum over i <= a of the product of the sizes k_j, j > i, with sizes descending
/// and k_a the first even one, or the last if all are odd: J. Arjona Aroca and A. Fernández Anta,
/// "Bisection (Band)Width of Product Networks with Application to Data Centers" (TAMC 2012). With
/// a twist, of 2a x a with twist a alone: 4a cables (as above).
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

HostCoordinates torus_coordinates(const TorusSpec& spec) {
  HostCoordinates coordinates{{}, spec.hosts_per_router};
  for (const TorusDimension& dimension : spec.dimensions)
    coordinates.axes.push_back({dimension.size, dimension.wraps ? AxisKind::ring : AxisKind::path});
  return coordinates;
}

/// Routers of a twisted torus are nearer than the places in the grid say: it has no coordinates.
void add_distances(const TorusSpec& spec, const TwistedRoutes& twisted, int diameter,
                   NetworkFacts& facts) {
  constexpr int max_in_table = 255;
  if (diameter <= max_in_table) facts.hop_metric = RouterMetric{spec.hosts_per_router};
  facts.sites = HostSites{spec.hosts_per_router, {}};
  facts.distance_profile = [&spec, &twisted](std::int64_t count) {
    TorusSpec others = spec;
    others.dimensions = {spec.dimensions.begin() + 1, spec.dimensions.end() - 1};
    return torus_distance_profile(others, count, twisted.plane_profile());
  };
}

void add_distances(const TorusSpec& spec, NetworkFacts& facts) {
  facts.coordinates = torus_coordinates(spec);
  facts.hop_metric = GridMetric{*facts.coordinates, spec.hosts_per_router > 1 ? 2 : 0};
  facts.sites = HostSites{spec.hosts_per_router, facts.coordinates->axes};
  facts.distance_profile = [&spec](std::int64_t count) {
    return torus_distance_profile(spec, count, {1});
  };
}

}  // namespace

std::string torus_description(const TorusSpec& spec) {
  std::string result = "torus:";
  std::vector<LinkRates> rates;
  for (std::size_t d = 0; d < spec.dimensions.size(); ++d) {
    const TorusDimension& dimension = spec.dimensions[d];
    result += fmt::format("{}{}{}", d == 0 ? "" : "x", dimension.size, dimension.wraps ? "" : "m");
    rates.push_back(dimension.rates);
  }
  if (spec.hosts_per_router > 1) result += fmt::format(",per_router={}", spec.hosts_per_router);
  if (spec.twist > 0) result += fmt::format(",twist={}", spec.twist);
  result += rate_keys(rates, spec.defaults);
  if (spec.hosts_per_router > 1) result += rate_keys({&spec.host_rates, 1}, spec.defaults, "host_");
  return result;
}

void add_torus_facts(const TorusSpec& spec, const TwistedRoutes* twisted, int diameter,
                     NetworkFacts& facts) {
  const int hosts = facts.num_hosts;
  facts.diameter = [diameter] { return diameter; };
  facts.parts = [&spec, hosts] { return std::vector{torus_planes(spec, hosts)}; };
  facts.cuts = [&spec, hosts] { return torus_cuts(spec, hosts); };
  facts.bisection = [&spec] { return torus_bisection(spec); };
  facts.layout = plane_layout(spec.dimensions, hosts, spec.hosts_per_router);
  if (twisted != nullptr)
    add_distances(spec, *twisted, diameter, facts);
  else
    add_distances(spec, facts);
}

}  // namespace vtopo::detail
