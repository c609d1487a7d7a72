#include <fmt/format.h>

#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& torus_keys() {
  static const std::vector<NetworkKey> keys{
      {"per_router", ">= 1, default 1",
       "hosts per router; with 2 or more each host has a cable to its router"},
      {"bandwidth", "one, or one per dimension", "of the cables of a dimension, per direction"},
      {"latency", "one, or one per dimension", "of the cables of a dimension"},
      {"host_bandwidth", "one", "of the cables of hosts, with per_router >= 2"},
      {"host_latency", "one", "of the cables of hosts, with per_router >= 2"}};
  return keys;
}

/// Those of tori: a mesh has no wrap to twist.
const std::vector<NetworkKey>& twisted_keys() {
  static const std::vector<NetworkKey> keys = [] {
    auto all = torus_keys();
    all.push_back(
        {"twist", "1 to the first or the last size - 1",
         "less than the first size: the wrap of the last dimension shifts the first by as "
         "much; otherwise that of the first shifts the last, as 8x8x16,twist=8"});
    return all;
  }();
  return keys;
}

template <bool wraps>
std::shared_ptr<const Network> make(const SpecText& spec, const NetworkDefaults& defaults,
                                    const RoutingOptions& routing) {
  return make_torus(parse_torus(spec, defaults, routing, wraps));
}

}  // namespace

TorusSpec parse_torus(const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing, bool wraps) {
  TorusSpec torus{{}, defaults, routing};
  const SpecKeys keys(spec, wraps ? twisted_keys() : torus_keys());
  const char separator = spec.parameters.find(',') == std::string_view::npos ? 'x' : ',';
  for (std::string_view piece : split(spec.parameters, separator)) {
    const bool mesh = !piece.empty() && piece.back() == 'm';
    if (mesh) piece.remove_suffix(1);
    torus.dimensions.push_back(
        {spec.positive(fmt::format("{} size", spec.kind), piece), wraps && !mesh});
  }
  const auto rates = keys.rates("", torus.dimensions.size(), "one per dimension");
  for (std::size_t d = 0; d < rates.size(); ++d) torus.dimensions[d].rates = rates[d];
  if (keys.find("twist")) torus.twist = keys.positive_or_one("twist");
  torus.hosts_per_router = keys.positive_or_one("per_router");
  torus.host_rates = keys.rates("host_", 1, "the cables of hosts").front();
  if (torus.hosts_per_router == 1 && (torus.host_rates.bandwidth || torus.host_rates.latency))
    spec.fail(
        "host_bandwidth and host_latency are those of cables between hosts and routers; accepted "
        "with per_router=2 or more, for a single host is its router");
  return torus;
}

namespace networks {

std::vector<NetworkInfo> torus() {
  const std::string source =
      "W. J. Dally, \"Performance Analysis of k-ary n-cube Interconnection Networks\" (IEEE "
      "Transactions on Computers, 1990)";
  return {{.name = "torus",
           .syntax = "SIZExSIZE..., m after a size: a mesh dimension, without wrap",
           .keys = twisted_keys(),
           .example = "torus:8x8x8",
           .source = source,
           .make = make<true>,
           .has_ties = true,
           .from_cluster = "TORUS"},
          {.name = "mesh",
           .syntax = "SIZExSIZE..., no dimension wraps",
           .keys = torus_keys(),
           .example = "mesh:32x32",
           .source = source,
           .make = make<false>}};
}

}  // namespace networks

}  // namespace vtopo::detail
