#include "netmodels/more_models/hyperx/facts.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "netmodels/graph/plane_layout.hpp"
#include "netmodels/links.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Coordinate of each vertex in a dimension: hosts, then routers that are not hosts.
std::vector<int> coordinates_in(const HyperXGrid& grid, const HyperXAxis& axis) {
  const int hosts = grid.num_hosts(), routers = grid.have_cables() ? grid.num_routers() : 0;
  std::vector<int> coordinates(static_cast<std::size_t>(hosts + routers));
  for (int v = 0; v < hosts + routers; ++v) {
    const int router = v < hosts ? grid.router(HostId{v}) : v - hosts;
    coordinates[static_cast<std::size_t>(v)] = router / axis.stride % axis.size;
  }
  return coordinates;
}

/// Hosts by themselves, and routers with their hosts.
void add_single_cells(const HyperXGrid& grid, std::vector<VertexCells>& families) {
  const int hosts = grid.num_hosts(), routers = grid.num_routers();
  VertexCells single{"hosts", hosts, {}, AxisKind::complete, 1};
  VertexCells around{"routers", routers, {}, AxisKind::complete, 0};
  for (int h = 0; h < hosts; ++h) {
    single.cell_of.push_back(h);
    around.cell_of.push_back(grid.router(HostId{h}));
  }
  for (int r = 0; r < routers; ++r) around.cell_of.push_back(r);
  families.push_back(std::move(single));
  families.push_back(std::move(around));
}

/// Links from one half of the routers to the other, sizes ascending from `first` on.
std::int64_t lexicographic_cut(const std::vector<int>& sizes, std::size_t first,
                               std::int64_t routers) {
  if (first == sizes.size()) return 0;
  const std::int64_t size = sizes[first], lines = routers / size;
  // The layer in the middle of an odd number is itself halved.
  const std::int64_t middle = size % 2 == 0 ? 0 : lexicographic_cut(sizes, first + 1, lines);
  return lines * (size * size / 4) + middle;
}

/// Specification that gives the same network again: `hyperx:4x4,per_router=2,links=1/2`, with rates
/// where they are given.
std::string hyperx_description(const HyperXSpec& spec) {
  std::vector<int> sizes, links;
  std::vector<LinkRates> rates;
  for (const HyperXDimension& dimension : spec.dimensions) {
    sizes.push_back(dimension.size);
    links.push_back(dimension.links);
    rates.push_back(dimension.rates);
  }
  std::string text = fmt::format("hyperx:{}", fmt::join(sizes, "x"));
  if (spec.hosts_per_router > 1) text += fmt::format(",per_router={}", spec.hosts_per_router);
  const bool same = std::equal(links.begin() + 1, links.end(), links.begin());
  if (same && links.front() > 1) text += fmt::format(",links={}", links.front());
  if (!same) text += fmt::format(",links={}", fmt::join(links, "/"));
  text += rate_keys(rates, spec.defaults);
  if (spec.hosts_per_router > 1) text += rate_keys({&spec.host_rates, 1}, spec.defaults, "host_");
  return text;
}

/// Sizes as complete axes.
HostCoordinates hyperx_coordinates(const HyperXSpec& spec) {
  HostCoordinates coordinates{{}, spec.hosts_per_router};
  for (const HyperXDimension& dimension : spec.dimensions)
    coordinates.axes.push_back({dimension.size, AxisKind::complete});
  return coordinates;
}

/// `plane`: hosts of equal coordinate in a dimension.
HostParts hyperx_planes(const HyperXSpec& spec, int hosts) {
  HostParts planes{"plane", "planes", {}, true};
  std::int64_t stride = spec.hosts_per_router;
  for (const HyperXDimension& dimension : spec.dimensions) {
    planes.partitions.push_back(equal_parts(hosts, stride, dimension.size));
    stride *= dimension.size;
  }
  return planes;
}

/// Planes and halves of each dimension; with several hosts per router also hosts and routers.
std::vector<VertexCells> hyperx_cuts(const HyperXGrid& grid) {
  std::vector<VertexCells> families;
  for (const HyperXAxis& axis : grid.axes()) {
    // A hop in the dimension leaves one plane and enters another.
    VertexCells planes{fmt::format("planes of dimension {}", axis.dimension), axis.size,
                       coordinates_in(grid, axis), AxisKind::complete, 0.5};
    if (axis.size > 3) {
      VertexCells halves{fmt::format("halves of dimension {}", axis.dimension), 2, planes.cell_of,
                         AxisKind::complete, 0};
      for (int& cell : halves.cell_of) cell = 2 * cell < axis.size ? 0 : 1;
      families.push_back(std::move(halves));
    }
    families.push_back(std::move(planes));
  }
  if (grid.have_cables() && !families.empty()) add_single_cells(grid, families);
  return families;
}

/// Hosts by hops from any.
std::vector<std::int64_t> hyperx_distance_profile(const HyperXGrid& grid) {
  // Routers by the number of coordinates that differ: the coefficients of the product over the
  // dimensions of 1 + (size - 1) x.
  std::vector<std::int64_t> routers{1};
  for (const HyperXAxis& axis : grid.axes()) {
    routers.push_back(0);
    for (std::size_t h = routers.size() - 1; h > 0; --h)
      routers[h] += routers[h - 1] * (axis.size - 1);
  }
  if (!grid.have_cables()) return routers;
  std::vector<std::int64_t> hosts{1, 0};
  const std::int64_t per_router = grid.num_hosts() / grid.num_routers();
  for (const std::int64_t at : routers) hosts.push_back(at * per_router);
  --hosts[2];
  return hosts;
}

/// Let w be the bandwidth and S the size of a dimension, N the routers.
/// - The dimension of the least w * S has an even size: halving it cuts w * S * N / 4, and no
/// halves
///   have less between them, as w * S is the algebraic connectivity (M. Fiedler, "Algebraic
///   Connectivity of Graphs", 1973); Ahn et al. (SC09) give the same. With several hosts per router
///   half of the hosts' cables are another cut, and the smaller one is the bisection: with any
///   number of routers on one side, of which the hosts make up for what is not half, the cut is
///   concave in this number.
/// - One bandwidth and one host per router: routers in lexicographic order, the largest dimension
///   the fastest, have the fewest links to the others (J. H. Lindsey, "Assignment of Numbers to
///   Vertices", American Mathematical Monthly, 1964).
/// @param rates of each dimension, then of the hosts' cables.
std::optional<Bisection> hyperx_bisection(const HyperXGrid& grid,
                                          const std::vector<LinkProperties>& rates) {
  if (grid.axes().empty()) return std::nullopt;
  const auto bandwidth_of = [&](const HyperXAxis& axis) {
    return rates[static_cast<std::size_t>(axis.dimension)].bandwidth;
  };
  const auto weight = [&](const HyperXAxis& a) { return bandwidth_of(a).value * a.size; };
  const HyperXAxis* narrowest = &grid.axes().front();
  bool one_bandwidth = true;
  std::vector<int> sizes;
  for (const HyperXAxis& axis : grid.axes()) {
    if (weight(axis) < weight(*narrowest)) narrowest = &axis;
    one_bandwidth = one_bandwidth && bandwidth_of(axis) == bandwidth_of(grid.axes().front());
    sizes.push_back(axis.size);
  }
  const std::int64_t routers = grid.num_routers();
  if (narrowest->size % 2 == 0) {
    const std::int64_t links = routers * narrowest->size / 4;
    const Bisection halved{bandwidth_of(*narrowest) * static_cast<double>(links), links, true,
                           "closed form: half of a dimension (Ahn et al., SC09; Fiedler 1973)"};
    const std::int64_t cables = grid.num_hosts() / 2;
    const BytesPerSecond injection = rates.back().bandwidth * static_cast<double>(cables);
    if (!grid.have_cables() || halved.bandwidth < injection) return halved;
    return Bisection{injection, cables, true, "closed form: full bisection"};
  }
  if (grid.have_cables() || !one_bandwidth) return std::nullopt;
  std::sort(sizes.begin(), sizes.end());
  const std::int64_t links = lexicographic_cut(sizes, 0, routers);
  return Bisection{bandwidth_of(*narrowest) * static_cast<double>(links), links, true,
                   "closed form of Lindsey (1964)"};
}

std::vector<LinkClass> hyperx_classes(const HyperXGrid& grid,
                                      const std::vector<LinkProperties>& rates) {
  std::vector<LinkClass> classes;
  for (std::size_t d = 0; d + 1 < rates.size(); ++d)
    classes.push_back({fmt::format("dimension {}", d), 0, rates[d].bandwidth, rates[d].latency});
  for (const HyperXAxis& axis : grid.axes())
    classes[static_cast<std::size_t>(axis.dimension)].links = axis.num_links();
  if (grid.have_cables())
    classes.push_back({"hosts", 2 * std::int64_t{grid.num_hosts()}, rates.back().bandwidth,
                       rates.back().latency});
  return classes;
}

BytesPerSecond hyperx_injection(const HyperXGrid& grid, const std::vector<LinkProperties>& rates) {
  if (grid.have_cables()) return rates.back().bandwidth;
  BytesPerSecond sum{0};
  for (const HyperXAxis& axis : grid.axes())
    sum += rates[static_cast<std::size_t>(axis.dimension)].bandwidth * (axis.size - 1);
  return sum;
}

}  // namespace

void add_hyperx_facts(const HyperXSpec& spec, const HyperXGrid& grid,
                      const std::vector<LinkProperties>& rates, NetworkFacts& facts) {
  const int cable_hops = grid.have_cables() ? 2 : 0, hosts = grid.num_hosts();
  facts.description = hyperx_description(spec);
  facts.coordinates = hyperx_coordinates(spec);
  facts.hop_metric = GridMetric{*facts.coordinates, cable_hops};
  facts.sites = HostSites{spec.hosts_per_router, facts.coordinates->axes};
  facts.layout = plane_layout(spec.dimensions, hosts, spec.hosts_per_router);
  facts.link_classes = hyperx_classes(grid, rates);
  facts.injection_bandwidth = [&](HostId) { return hyperx_injection(grid, rates); };
  facts.diameter = [&grid, cable_hops] { return int_size(grid.axes()) + cable_hops; };
  facts.parts = [&spec, hosts] { return std::vector{hyperx_planes(spec, hosts)}; };
  facts.cuts = [&] { return hyperx_cuts(grid); };
  facts.distance_profile = [&](std::int64_t) { return hyperx_distance_profile(grid); };
  facts.bisection = [&] { return hyperx_bisection(grid, rates); };
}

}  // namespace vtopo::detail
