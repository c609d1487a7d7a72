#include "netmodels/graph/bisection.hpp"

#include <algorithm>
#include <functional>
#include <limits>

#include "netmodels/graph/bisection_search.hpp"

namespace vtopo {

namespace {

constexpr const char* torus_method = "closed form of Arjona Aroca and Fernández Anta (TAMC 2012)";

BytesPerSecond bandwidth_of(const LinkRates& rates, const NetworkDefaults& defaults) {
  return rates.bandwidth.value_or(defaults.bandwidth);
}

std::optional<Bisection> closed_form(std::monostate) {
  return std::nullopt;
}

std::optional<Bisection> closed_form(const DragonflySpec&) {
  return std::nullopt;
}

std::optional<Bisection> closed_form(const TorusSpec& torus) {
  std::vector<TorusDimension> dimensions;
  for (const TorusDimension& dimension : torus.dimensions)
    if (dimension.size > 1) dimensions.push_back(dimension);
  if (dimensions.empty() || torus.hosts_per_router != 1) return std::nullopt;
  const BytesPerSecond bandwidth = bandwidth_of(dimensions[0].rates, torus.defaults);
  const bool wraps = dimensions[0].wraps;
  std::int64_t inner = 1;  // hosts per layer across the dimensions counted so far
  for (const TorusDimension& dimension : dimensions) {
    if (dimension.wraps != wraps || bandwidth_of(dimension.rates, torus.defaults) != bandwidth)
      return std::nullopt;
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
  return Bisection{bandwidth * static_cast<double>(links), links, true, torus_method};
}

/// What one subtree of a level can send upwards.
struct Uplinks {
  std::int64_t hosts;   ///< below the subtree
  std::int64_t cables;  ///< out of the subtree
  BytesPerSecond bandwidth;

  double per_host() const {
    return bandwidth.value * static_cast<double>(cables) / static_cast<double>(hosts);
  }
};

std::optional<Bisection> closed_form(const FatTreeSpec& tree) {
  std::size_t top = tree.levels.size();
  while (top > 0 && tree.levels[top - 1].children == 1) --top;
  if (top == 0) return std::nullopt;  // one host
  std::vector<Uplinks> uplinks;
  std::int64_t hosts = 1, switches = 1;
  for (std::size_t l = 0; l < top; ++l) {
    const FatTreeLevel& level = tree.levels[l];
    uplinks.push_back(
        {hosts, switches * level.parents * level.cables, bandwidth_of(level.rates, tree.defaults)});
    hosts *= level.children;
    switches *= level.parents;
  }
  const auto narrowest = std::min_element(
      uplinks.begin(), uplinks.end(),
      [](const Uplinks& a, const Uplinks& b) { return a.per_host() < b.per_host(); });
  const std::int64_t subtrees = hosts / 2 / narrowest->hosts;
  const std::int64_t links = subtrees * narrowest->cables;
  const BytesPerSecond bandwidth = narrowest->bandwidth * static_cast<double>(links);
  if (narrowest == uplinks.begin())
    return Bisection{bandwidth, links, true, "closed form: no level narrows, full bisection"};
  if (tree.levels[top - 1].children % 2 != 0) return std::nullopt;
  return Bisection{bandwidth, links, true, "closed form: narrowest level of half of the subtrees"};
}

}  // namespace

std::optional<Bisection> closed_form_bisection(const NetworkShape& shape) {
  return std::visit([](const auto& spec) { return closed_form(spec); }, shape);
}

Bisection estimate_bisection(const LinkGraph& graph, const Network& network) {
  const std::vector<char> side = smallest_cut_found(graph, network);
  Bisection ways[2];
  for (const Arc& arc : graph.arcs()) {
    const char from = side[index(arc.from)];
    if (from == side[index(arc.to)]) continue;
    Bisection& way = ways[index(from)];
    const LinkProperties link = network.link(arc.link);
    way.bandwidth += link.sharing == LinkSharing::fatpipe
                         ? BytesPerSecond{std::numeric_limits<double>::infinity()}
                         : link.bandwidth;
    ++way.links;
  }
  Bisection result = ways[1].bandwidth < ways[0].bandwidth ? ways[1] : ways[0];
  result.method = "estimate from above: Fiduccia-Mattheyses passes from several starts";
  return result;
}

}  // namespace vtopo
