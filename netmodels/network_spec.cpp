#include "netmodels/network_spec.hpp"

#include <array>
#include <cmath>

#include "netmodels/dragonfly.hpp"
#include "netmodels/fat_tree.hpp"
#include "netmodels/torus.hpp"
#include "topology/error.hpp"
#include "topology/text.hpp"

namespace vtopo {

namespace {

/// A specification with the words that its errors quote.
struct Spec {
  std::string_view whole;
  std::string_view kind;
  std::string_view parameters;

  [[noreturn]] void fail(std::string_view what) const {
    throw UsageError(fmt::format("\"{}\": {}", whole, what));
  }

  int positive(std::string_view what, std::string_view text) const {
    const auto value = parse_integer(text);
    if (!value)
      throw UsageError(fmt::format("{} \"{}\" in \"{}\" is not an integer", what, text, whole));
    if (*value < 1 || *value > max_id)
      throw UsageError(
          fmt::format("{} {} in \"{}\": accepted are 1 to 2147483647", what, text, whole));
    return static_cast<int>(*value);
  }

  std::vector<int> positives(std::string_view what, std::string_view list) const {
    std::vector<int> values;
    for (const auto piece : split(list, ',')) values.push_back(positive(what, piece));
    return values;
  }
};

/// `8x8x4m`, or SimGrid's `8,8,4`.
std::shared_ptr<const Network> parse_torus(const Spec& spec, const NetworkDefaults& defaults,
                                           const RoutingOptions& routing, bool wraps) {
  TorusSpec torus{{}, defaults, routing};
  const char separator = spec.parameters.find(',') == std::string_view::npos ? 'x' : ',';
  for (std::string_view piece : split(spec.parameters, separator)) {
    const bool mesh = !piece.empty() && piece.back() == 'm';
    if (mesh) piece.remove_suffix(1);
    torus.dimensions.push_back(
        {spec.positive(fmt::format("{} size", spec.kind), piece), wraps && !mesh});
  }
  return make_torus(torus);
}

std::shared_ptr<const Network> parse_fat_tree(const Spec& spec, const NetworkDefaults& defaults,
                                              const RoutingOptions& routing) {
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
  for (std::size_t l = 0; l < levels; ++l)
    tree.levels.push_back({counts[0][l], counts[1][l], counts[2][l]});
  return make_fat_tree(tree);
}

std::shared_ptr<const Network> parse_dragonfly(const Spec& spec, const NetworkDefaults& defaults,
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
  return make_dragonfly({counts[0][0], counts[0][1], counts[1][0], counts[1][1], counts[2][0],
                         counts[2][1], counts[3][0], defaults, routing});
}

}  // namespace

std::shared_ptr<const Network> make_network(std::string_view text, const NetworkDefaults& defaults,
                                            const RoutingOptions& routing) {
  if (!std::isfinite(defaults.bandwidth.value) || defaults.bandwidth.value <= 0)
    throw UsageError(
        fmt::format("bandwidth {} of links: accepted is a finite number > 0 in bytes "
                    "per second",
                    defaults.bandwidth.value));
  const auto colon = text.find(':');
  const Spec spec{text, text.substr(0, colon),
                  colon == std::string_view::npos ? "" : text.substr(colon + 1)};
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

}  // namespace vtopo
