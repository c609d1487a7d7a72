#include <fmt/format.h>

#include "netmodels/models/tree/tree.hpp"
#include "netmodels/network_table.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

const std::vector<NetworkKey>& tree_keys() {
  static const std::vector<NetworkKey> keys{
      {"bandwidth", "one, or one per level", "of the links of hosts first, per direction"},
      {"latency", "one, or one per level", "of the links of hosts first"}};
  return keys;
}

}  // namespace

TreeSpec parse_tree(const SpecText& spec, const NetworkDefaults& defaults,
                    const RoutingOptions& routing) {
  const SpecKeys keys(spec, tree_keys());
  const auto parts = split(spec.parameters, '@');
  if (parts.size() != 2)
    spec.fail("a tree is written ARITIES@DISTANCES from the hosts up, as tree:4:8:6@1:10:100");
  const auto arities = split(parts[0], ':'), distances = split(parts[1], ':');
  if (arities.size() != distances.size())
    spec.fail(fmt::format("{} arities and {} distances; accepted: a distance for each level",
                          arities.size(), distances.size()));
  TreeSpec tree{{}, defaults, routing};
  const auto rates = keys.rates("", arities.size(), "one per level, links of hosts first");
  for (std::size_t level = 0; level < arities.size(); ++level)
    tree.levels.push_back({spec.positive("arity", arities[level]),
                           spec.positive("distance", distances[level]), rates[level]});
  return tree;
}

namespace networks {

std::vector<NetworkInfo> tree() {
  return {
      {.name = "tree",
       .syntax = "ARITY:ARITY...@DISTANCE:DISTANCE..., from the hosts up; hops are the distances",
       .keys = tree_keys(),
       .example = "tree:4:8:6@1:10:100",
       .source = "C. Schulz, J. L. Traeff, \"Better Process Mapping and Sparse Quadratic "
                 "Assignment\" (SEA 2017), as KaHIP, SharedMap and VieM",
       .make = [](const SpecText& spec, const NetworkDefaults& defaults,
                  const RoutingOptions& routing) {
         return make_tree(parse_tree(spec, defaults, routing));
       }}};
}

}  // namespace networks

}  // namespace vtopo::detail
