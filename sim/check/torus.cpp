#include "sim/check/scenario.hpp"
#include "topology/base/error.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

// Grids of ranks, and tori and meshes with their links and routes, as their names define them.
namespace vtopo::detail::checking {
namespace {

/// Sizes between `x`, each with a letter behind it or not; nothing for anything else.
std::optional<std::vector<Side>> sides_of(std::string_view sizes, char letter, bool with,
                                          bool without) {
  std::vector<Side> sides;
  std::size_t cells = 1;
  for (auto size : split(sizes, 'x')) {
    const bool marked = size.ends_with(letter);
    if (marked) size.remove_suffix(1);
    const auto number = parse_integer(size);
    if (!number || *number < 1 || static_cast<std::size_t>(*number) > unknown) return std::nullopt;
    sides.push_back({static_cast<std::size_t>(*number), marked ? with : without});
    if ((cells *= sides.back().size) > unknown) return std::nullopt;
  }
  return sides;
}

/// A step along a dimension; nothing over the edge of a mesh.
std::optional<std::size_t> step_from(const std::vector<Side>& sides, std::size_t at, std::size_t d,
                                     bool is_forward) {
  std::size_t stride = 1;
  for (std::size_t i = 0; i < d; ++i) stride *= sides[i].size;
  const std::size_t size = sides[d].size, here = at / stride % size;
  const bool leaves = is_forward ? here + 1 == size : here == 0;
  if (leaves && !sides[d].wraps) return std::nullopt;
  const std::size_t there = is_forward ? (here + 1) % size : (here + size - 1) % size;
  return at - here * stride + there * stride;
}

/// The link forward from a vertex in a dimension, by number; the one back is the next number.
using Cables = std::map<std::pair<std::size_t, std::size_t>, std::size_t>;

/// Dimension after dimension, each cable by the vertex where it begins; forward, then back.
Cables check_links(Evidence& e, const std::vector<Side>& sides, std::size_t hosts) {
  Cables cables;
  std::size_t l = 0;
  for (std::size_t d = 0; d < sides.size(); ++d)
    for (std::size_t from = 0; from < hosts && sides[d].size > 1; ++from) {
      const auto to = step_from(sides, from, d, true);
      if (!to) continue;
      cables[{d, from}] = l;
      for (const auto& [sign, a, b] : {std::tuple('+', from, *to), std::tuple('-', *to, from)}) {
        const std::string name = fmt::format("d{}{}:{}->{}", d, sign, a, b);
        e.require(l < e.links.size(), "scenario.network: the evidence does not have " + name);
        const Json& link = e.json.at("links")[l++];
        e.require(link.size() == 4 && link[0] == name && link[1] == a && link[2] == b,
                  fmt::format("scenario.network: link {} is {}, the evidence has {}", l - 1, name,
                              link.dump()));
        for (std::size_t i = 0; i < 3; ++i) e.vouch(link[i]);
        e.kinds_of_links.push_back(fmt::format("dimension {}", d));
      }
    }
  e.require(l == e.links.size(), fmt::format("scenario.network: has {} links", l));
  e.num_kinds = sides.size();
  return cables;
}

void check_rates_of(const Evidence& e) {
  if (e.option("scale-bandwidth") != "") return;
  const double wide = parse_bandwidth(e.option("bandwidth")).value,
               late = parse_seconds(e.option("latency")).value;
  for (const Link& link : e.links)
    e.require(link.bandwidth == wide && link.latency == late && link.hops == 1 && !link.is_fatpipe,
              "scenario.bandwidth and latency are not those of " + link.name);
  if (!e.all_up) return;
  e.vouch(e.json.at("links")), e.vouch(e.json.at("link_kinds"));
}

/// In dimension order, each the shorter way; of half a ring as the rule says.
void check_routes(const Evidence& e, const std::vector<Side>& sides, const Cables& cables) {
  const std::string rule = e.report.at("rows")[0].at("routing");
  if (!e.all_up || (rule != "simgrid" && rule != "positive" && rule != "auto")) return;
  for (const Json& route : e.json.at("routes")) {
    std::size_t at = whole(route.at(0)), stride = 1;
    const std::size_t to = whole(route.at(1));
    Json links = Json::array();
    for (std::size_t d = 0; d < sides.size(); ++d) {
      const auto& [size, wraps, volume] = sides[d];
      const std::size_t here = at / stride % size, there = to / stride % size;
      const std::size_t ahead = (there + size - here) % size;
      stride *= size;
      bool forward = wraps ? 2 * ahead < size : there > here;
      if (wraps && 2 * ahead == size)
        forward = rule == "positive" || (rule == "simgrid" ? here != size / 2 : here % 2 == 0);
      for (std::size_t i = forward ? 0 : ahead; forward ? i < ahead : i < size && ahead > 0; ++i) {
        const std::size_t before = at;
        at = *step_from(sides, at, d, forward);
        links.push_back(cables.at({d, forward ? before : at}) + (forward ? 0 : 1));
      }
    }
    e.require(at == to && route.at(3) == links && route.size() == 4,
              fmt::format("route from {} to {} under routing {} is {}, the evidence has {}",
                          route[0].dump(), route[1].dump(), rule, links.dump(), route[3].dump()));
  }
  e.vouch(e.json.at("routes"));
}

/// Axes, and planes of each dimension.
void check_planes(const Evidence& e, const std::vector<Side>& sides, std::size_t hosts) {
  Json axes = Json::array(), cells = Json::array();
  std::size_t stride = 1;
  for (std::size_t d = 0; d < sides.size(); ++d) {
    const auto& [size, wraps, volume] = sides[d];
    axes.push_back({size, wraps ? 1 : 0});
    Json cell_of = Json::array();
    for (std::size_t v = 0; v < hosts; ++v) cell_of.push_back(v / stride % size);
    if (size > 1)
      cells.push_back({{"name", fmt::format("planes of dimension {}", d)},
                       {"joined", wraps && size > 2 ? "ring" : "path"},
                       {"count", size},
                       {"hops", 1},
                       {"cell_of", cell_of}});
    stride *= size;
  }
  e.equal("evidence.bounds.axes", e.member(e.witness(), "axes"), axes);
  e.equal("evidence.bounds.cells", e.member(e.witness(), "cells"), cells);
}

}  // namespace

std::optional<std::vector<Side>> cart_of(const std::string& topology) {
  if (topology.starts_with("hypercube:")) {
    const auto dimensions = parse_integer(topology.substr(10));
    if (!dimensions || *dimensions < 1 || *dimensions > 24) return std::nullopt;
    return std::vector<Side>(static_cast<std::size_t>(*dimensions));
  }
  const bool is_cart = topology.starts_with("cart:");
  return sides_of(std::string_view(topology).substr(is_cart ? 5 : 0), 'p', true, false);
}

Json edges_of_grid(const std::vector<Side>& sides, const Numbers& bytes) {
  const std::vector<Side> fastest_first(sides.rbegin(), sides.rend());
  std::size_t ranks = 1;
  for (const Side& side : sides) ranks *= side.size;
  Json edges = Json::array();
  for (std::size_t rank = 0; rank < ranks; ++rank)
    for (std::size_t d = sides.size(); d-- > 0;)
      for (const bool is_forward : {false, true})
        if (const auto other = step_from(fastest_first, rank, d, is_forward))
          edges.push_back({rank, *other, bytes[bytes.size() == 1 ? 0 : sides.size() - 1 - d]});
  return edges;
}

std::optional<std::vector<Side>> torus_of(const std::string& network) {
  const bool is_mesh = network.starts_with("mesh:");
  if (!is_mesh && !network.starts_with("torus:")) return std::nullopt;
  return sides_of(std::string_view(network).substr(is_mesh ? 5 : 6), 'm', false, !is_mesh);
}

void check_torus(Evidence& e) {
  const auto sides = torus_of(e.option("network"));
  if (!sides) return;
  std::size_t hosts = 1;
  for (const Side& side : *sides) hosts *= side.size;
  const Cables cables = check_links(e, *sides, hosts);
  check_rates_of(e), check_routes(e, *sides, cables), check_planes(e, *sides, hosts);
  e.vouch(e.report.at("scenario").at("network"));
}

}  // namespace vtopo::detail::checking
