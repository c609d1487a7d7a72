#include "netmodels/network_spec.hpp"

#include <array>

#include "netmodels/link_rates.hpp"
#include "netmodels/models/dragonfly/dragonfly.hpp"
#include "netmodels/models/fat_tree/fat_tree.hpp"
#include "netmodels/models/torus/torus.hpp"
#include "netmodels/network_spec_keys.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

/// `8x8x4m`, or SimGrid's `8,8,4`.
TorusSpec parse_torus(const SpecText& spec, const NetworkDefaults& defaults,
                      const RoutingOptions& routing, bool wraps) {
  TorusSpec torus{{}, defaults, routing};
  const SpecKeys keys(spec,
                      {"per_router", "bandwidth", "latency", "host_bandwidth", "host_latency"});
  const char separator = spec.parameters.find(',') == std::string_view::npos ? 'x' : ',';
  for (std::string_view piece : split(spec.parameters, separator)) {
    const bool mesh = !piece.empty() && piece.back() == 'm';
    if (mesh) piece.remove_suffix(1);
    torus.dimensions.push_back(
        {spec.positive(fmt::format("{} size", spec.kind), piece), wraps && !mesh});
  }
  const auto rates = keys.rates("", torus.dimensions.size(), "one per dimension");
  for (std::size_t d = 0; d < rates.size(); ++d) torus.dimensions[d].rates = rates[d];
  torus.hosts_per_router = keys.positive_or_one("per_router");
  torus.host_rates = keys.rates("host_", 1, "the cables of hosts").front();
  if (torus.hosts_per_router == 1 && (torus.host_rates.bandwidth || torus.host_rates.latency))
    spec.fail(
        "host_bandwidth and host_latency are those of cables between hosts and routers; accepted "
        "with per_router=2 or more, for a single host is its router");
  return torus;
}

/// Bandwidths above the hosts' cables from the ratio of what a switch has below to what it has
/// above: given for the leaf switches, 1 above them, or given for each level of switches.
void taper(const SpecText& spec, const SpecKeys& keys, FatTreeSpec& tree) {
  const std::size_t tapers = tree.levels.size() - 1;
  if (!keys.find("taper")) return;
  if (tapers == 0)
    spec.fail(
        "taper is what switches have below to what they have above; accepted with 2 levels "
        "or more");
  const auto ratios = keys.ratios("taper", tapers, "one per level of switches below the top");
  const BytesPerSecond host_bandwidth =
      tree.levels[0].rates.bandwidth.value_or(tree.defaults.bandwidth);
  for (FatTreeLevel& level : tree.levels) {
    if (level.rates.bandwidth.value_or(host_bandwidth) != host_bandwidth)
      spec.fail(
          "taper gives the bandwidths above those of the hosts' cables; accepted with one value of "
          "bandwidth");
    level.rates.bandwidth = host_bandwidth;
  }
  for (std::size_t l = 0; l < tapers; ++l) {
    const FatTreeLevel& below = tree.levels[l];
    FatTreeLevel& above = tree.levels[l + 1];
    const double entering = below.rates.bandwidth->value * below.children * below.cables;
    const double ratio = l < ratios.size() ? ratios[l] : 1;
    above.rates.bandwidth = {entering / (ratio * above.parents * above.cables)};
  }
}

FatTreeSpec parse_fat_tree(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing) {
  const SpecKeys keys(spec, {"down", "bandwidth", "latency", "taper"});
  const auto parts = split(spec.parameters, ';');
  if (parts.size() != 4)
    spec.fail(
        "a fat tree is written levels;children,..;parents,..;cables,.. as fat-tree:2;4,4;1,2;1,2");
  const auto levels = static_cast<std::size_t>(spec.positive("number of levels", parts[0]));
  std::array<std::vector<int>, 3> counts;
  constexpr std::array<std::string_view, 3> names{"children", "parents", "cables"};
  for (std::size_t i = 0; i < 3; ++i) {
    counts[i] = spec.positives(names[i], parts[i + 1]);
    if (counts[i].size() != levels)
      spec.fail(fmt::format("{} numbers of {} for {} levels", counts[i].size(), names[i], levels));
  }
  FatTreeSpec tree{{}, defaults, routing};
  const auto rates = keys.rates("", levels, "one per level, cables of hosts first");
  for (std::size_t l = 0; l < levels; ++l)
    tree.levels.push_back({counts[0][l], counts[1][l], counts[2][l], rates[l]});
  taper(spec, keys, tree);
  if (keys.choice("down", {"simgrid", "dmodk"}) == 1) tree.down = DownCables::dmodk;
  return tree;
}

void read_keys(const SpecText& spec, DragonflySpec& dragonfly) {
  const SpecKeys keys(spec, {"arrangement", "pair_links", "bandwidth", "latency"});
  constexpr std::array arrangements{GlobalArrangement::simgrid, GlobalArrangement::absolute,
                                    GlobalArrangement::relative, GlobalArrangement::circulant};
  const auto arrangement =
      keys.choice("arrangement", {"simgrid", "absolute", "relative", "circulant"});
  if (arrangement) dragonfly.arrangement = arrangements[*arrangement];
  dragonfly.cables_per_pair = keys.positive_or_one("pair_links");
  const auto rates = keys.rates("", 4, "host/green/black/blue");
  dragonfly.host_rates = rates[0];
  dragonfly.green_rates = rates[1];
  dragonfly.black_rates = rates[2];
  dragonfly.blue_rates = rates[3];
}

DragonflySpec parse_dragonfly(const SpecText& spec, const NetworkDefaults& defaults,
                              const RoutingOptions& routing) {
  const auto parts = split(spec.parameters, ';');
  std::array<std::vector<int>, 4> counts;
  constexpr std::array<std::string_view, 4> names{"groups", "chassis", "blades", "hosts per blade"};
  bool complete = parts.size() == 4;
  for (std::size_t i = 0; complete && i < 4; ++i) {
    counts[i] = spec.positives(names[i], parts[i]);
    complete = counts[i].size() == (i < 3 ? 2 : 1);
  }
  if (!complete)
    spec.fail(
        "a dragonfly is written groups,links;chassis,links;blades,links;hosts as "
        "dragonfly:9,4;6,3;16,1;4");
  DragonflySpec dragonfly{counts[0][0], counts[0][1], counts[1][0], counts[1][1], counts[2][0],
                          counts[2][1], counts[3][0], defaults,     routing};
  read_keys(spec, dragonfly);
  return dragonfly;
}

/// Makes the network of a shape.
struct Maker {
  using Made = std::shared_ptr<const Network>;
  Made operator()(const TorusSpec& spec) const { return make_torus(spec); }
  Made operator()(const FatTreeSpec& spec) const { return make_fat_tree(spec); }
  Made operator()(const DragonflySpec& spec) const { return make_dragonfly(spec); }
  Made operator()(std::monostate) const { return nullptr; }
};

}  // namespace

NetworkShape parse_network(std::string_view text, const NetworkDefaults& defaults,
                           const RoutingOptions& routing) {
  link_properties({}, defaults);  // refuses defaults out of range
  const SpecText spec(text);
  if (spec.kind == "torus") return parse_torus(spec, defaults, routing, true);
  if (spec.kind == "mesh") return parse_torus(spec, defaults, routing, false);
  if (spec.kind == "fat-tree") return parse_fat_tree(spec, defaults, routing);
  if (spec.kind == "dragonfly") return parse_dragonfly(spec, defaults, routing);
  const std::array<std::string, 4> kinds{"torus", "mesh", "fat-tree", "dragonfly"};
  throw UsageError(
      fmt::format("unknown network \"{}\" in \"{}\"; accepted: torus:8x8x8, mesh:32x32, "
                  "fat-tree:2;4,4;1,2;1,2, dragonfly:9,4;6,3;16,1;4{}",
                  spec.kind, text, suggestion(spec.kind, kinds)));
}

std::shared_ptr<const Network> make_network(std::string_view text, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing) {
  return std::visit(Maker{}, parse_network(text, defaults, routing));
}

}  // namespace vtopo
