#include <fmt/format.h>

#include <array>

#include "netmodels/models/fat_tree/fat_tree.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& fat_tree_keys() {
  static const std::vector<NetworkKey> keys{
      {"down",
       "simgrid (default), dmodk",
       "which parallel cable leads down: SimGrid 3.32's, or the one by which D-mod-k leads up from "
       "the destination, with which shifts do not collide",
       {"simgrid", "dmodk"}},
      {"bandwidth", "one, or one per level", "of a cable, cables of hosts first, per direction"},
      {"latency", "one, or one per level", "of a cable, cables of hosts first"},
      {"taper", "ratio such as 2 or 22:18; or one per level of switches below the top",
       "bandwidth that a switch has below to that which it has above; sets the bandwidths above "
       "the hosts' cables"},
      {"rails", ">= 1, default 1",
       "planes: as many trees, each host with a cable (or its PARENTS and CABLES) to each; the "
       "same as that many times the PARENTS of hosts"}};
  return keys;
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

}  // namespace

FatTreeSpec parse_fat_tree(const SpecText& spec, const NetworkDefaults& defaults,
                           const RoutingOptions& routing) {
  const SpecKeys keys(spec, fat_tree_keys());
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
  // The parents of hosts are the digit that all switches above have in common: planes by
  // themselves.
  const std::int64_t planes = std::int64_t{tree.levels[0].parents} * keys.positive_or_one("rails");
  if (planes > max_id)
    spec.fail("rails times the parents of hosts; accepted are up to 2147483647 planes");
  tree.levels[0].parents = static_cast<int>(planes);
  if (keys.choice("down") == 1) tree.down = DownCables::dmodk;
  return tree;
}

namespace networks {

std::vector<NetworkInfo> fat_tree() {
  return {{.name = "fat-tree",
           .syntax = "LEVELS;CHILDREN,...;PARENTS,...;CABLES,... per level, leaf level first",
           .keys = fat_tree_keys(),
           .example = "fat-tree:2;4,4;1,2;1,2",
           .source = "E. Zahavi, \"D-Mod-K Routing Providing Non-Blocking Traffic for Shift "
                     "Permutations on Real Life Fat Trees\" (Technion, 2010)",
           .make =
               [](const SpecText& spec, const NetworkDefaults& defaults,
                  const RoutingOptions& routing) {
                 return make_fat_tree(parse_fat_tree(spec, defaults, routing));
               },
           .from_cluster = "FAT_TREE"}};
}

}  // namespace networks

}  // namespace vtopo::detail
