#include <array>
#include <bit>
#include <cstdint>
#include <numbers>

#include "sim/check/evidence.hpp"
#include "topology/base/text.hpp"
#include "topology/base/units.hpp"

// What k vertices of a Cartesian grid exchange with the others at least: by the lines that they
// meet (Loomis and Whitney 1949), Bollobas and Leader (1991) for equal sides, Harper (1964) for
// hypercubes, and the eigenvalues of grids. Then grids of ranks, and tori and meshes with their
// links and routes, as their names define them.
namespace vtopo::detail::checking {
namespace {

double vertices(const Evidence& e) {
  return static_cast<double>(e.num_ranks);
}

/// Of the grid.
double all_edges(const Evidence& e) {
  double sum = 0;
  for (const Side& side : e.guest_grid)
    sum += static_cast<double>(e.num_ranks / side.size * (side.size - (side.wraps ? 0 : 1))) *
           side.volume;
  return sum;
}

/// Volumes of the grid are multiples of their greatest common divisor.
/// @param direction 1: down, -1: up.
double whole_units(const Evidence& e, double value, double direction) {
  std::int64_t unit = 0;
  for (const Side& side : e.guest_grid) {
    if (side.volume != std::floor(side.volume) || side.volume >= 0x1p53) return value;
    unit = std::gcd(unit, static_cast<std::int64_t>(side.volume));
  }
  const double units = value / static_cast<double>(unit);
  if (!(value > 0) || units * rounding >= 0.5) return value;
  return direction * std::floor(direction * units + units * rounding + 1e-6) *
         static_cast<double>(unit);
}

/// Least weighted number of lines that k ranks meet: the product of the lines of all dimensions is
/// at least k^(d-1). Lagrange's multiplier by halving; any gives a lower bound. Then what is inside
/// at most, or what is cut at least: a line that is met and not full is cut, on a ring twice.
double by_lines(const Evidence& e, std::size_t k, bool inside) {
  const auto ranks = static_cast<double>(k);
  double low = 0, high = 0, surplus = 0;
  std::vector<std::array<double, 3>> dimensions;  // weight, fewest and most lines
  for (const Side& side : e.guest_grid) {
    const auto size = static_cast<double>(side.size);
    const double weight = (side.wraps && !inside ? 2 : 1) * side.volume;
    const bool may_fill = k >= side.size && (side.wraps || !inside);
    const double price = may_fill ? weight * size / (size - 1) : weight;
    surplus += inside ? price * ranks : may_fill ? weight * ranks / (size - 1) : 0;
    dimensions.push_back({price, std::ceil(ranks / size), std::min(vertices(e) / size, ranks)});
    high = std::max(high, price * dimensions.back()[2]);
  }
  const double needed = (count(dimensions) - 1) * std::log(ranks);
  // At a multiplier: the bound, and by how much the lines fall short.
  const auto at = [&](double multiplier) {
    double sum = multiplier * needed, terms = sum, missing = needed;
    for (const auto& [price, fewest, most] : dimensions) {
      const double lines = std::clamp(multiplier / price, fewest, most), log = std::log(lines);
      sum += price * lines - multiplier * log, terms += price * lines + multiplier * log;
      missing -= log;
    }
    return std::pair(sum - 1e-11 * terms, missing);
  };
  for (int i = 0; i < 50; ++i) (at((low + high) / 2).second > 0 ? low : high) = (low + high) / 2;
  const double least = std::max({at(0).first, at(low).first, at(high).first});
  return inside ? surplus - least : least - surplus;
}

/// What k ranks exchange among themselves at most.
double inside(const Evidence& e, std::size_t k) {
  if (k < 2) return 0;
  double volume = 0;
  bool is_hypercube = true;
  for (const Side& side : e.guest_grid)
    volume = std::max(volume, side.volume), is_hypercube = is_hypercube && side.size == 2;
  if (!is_hypercube) return std::min(all_edges(e), whole_units(e, by_lines(e, k, true), 1));
  std::size_t edges = 0;  // of the first k vertices in binary order: those with an edge down
  for (std::size_t vertex = 1; vertex < k; ++vertex)
    edges += static_cast<std::size_t>(std::popcount(vertex));
  return static_cast<double>(edges) * volume;
}

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

/// With what was changed.
std::string kind_of(const Evidence& e, std::size_t dimension, const Link& link) {
  std::string kind = fmt::format("dimension {}", dimension);
  const double factor = link.bandwidth / parse_bandwidth(e.option("bandwidth")).value;
  if (e.option("scale-bandwidth") != "" && factor != 1)
    kind += fmt::format(", bandwidth times {:.3g}", factor);
  return kind + (link.is_up ? "" : ", failed");
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
        e.kinds_of_links.push_back(kind_of(e, d, e.links[l]));
        const Json& link = e.json.at("links")[l++];
        e.require(link.size() == 4 && link[0] == name && link[1] == a && link[2] == b,
                  fmt::format("scenario.network: link {} is {}, the evidence has {}", l - 1, name,
                              link.dump()));
        for (std::size_t i = 0; i < 3; ++i) e.vouch(link[i]);
      }
    }
  e.require(l == e.links.size(), fmt::format("scenario.network: has {} links", l));
  const bool is_edited = e.option("scale-bandwidth") != "" || e.option("fail-link") != "" ||
                         e.option("fail-host") != "";
  const std::set<std::string> kinds(e.kinds_of_links.begin(), e.kinds_of_links.end());
  e.num_kinds = is_edited ? kinds.size() : sides.size();
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

/// Ahlswede and Bezrukov 1995, of two open dimensions: of all sets some corner of the grid is cut
/// by the fewest edges, one in each row and column that is neither empty nor full. Corners by their
/// longest and shortest columns and how many are full.
double cut_of_corners(const Evidence& e, std::size_t k) {
  if (e.guest_grid.size() != 2 || e.guest_grid[0].wraps || e.guest_grid[1].wraps) return 0;
  const std::size_t width = e.guest_grid[0].size, height = e.guest_grid[1].size;
  double least = infinity;
  const auto consider = [&](std::size_t fewest, std::size_t most, std::size_t columns,
                            std::size_t rows) {
    if (fewest <= k && k <= most)
      least = std::min(least, e.guest_grid[1].volume * static_cast<double>(columns) +
                                  e.guest_grid[0].volume * static_cast<double>(rows));
  };
  for (std::size_t longest = 1; longest <= height; ++longest) {
    const std::size_t below = std::min(longest, height - 1);
    for (std::size_t used = 1; used <= width; ++used)
      for (std::size_t full = longest < height ? 0 : 1; full <= (longest < height ? 0 : used);
           ++full) {
        const std::size_t open = used - full, first = full == 0 ? longest - 1 : 0;
        if (used < width) {
          consider(full * height + open + first, full * height + open * below, open, longest);
          continue;
        }
        for (std::size_t last = 1; last <= below && open > 0; ++last)
          consider(full * height + open * last + (full == 0 ? longest - last : 0),
                   full * height + (open - 1) * below + last, open, longest - last);
      }
  }
  return least < infinity && width + height <= 128 ? least : 0;
}

}  // namespace

/// The guest has all edges of the grid.
void check_grid(const Evidence& e) {
  const std::size_t n = e.num_ranks;
  std::size_t stride = 1;
  for (const Side& side : e.guest_grid) stride *= side.size >= 2 && stride <= n ? side.size : 0;
  if (e.guest_grid.empty()) return;
  e.require(stride == n, "bounds: a grid of another number of ranks");
  std::vector<std::size_t> rank_at(n, n);
  for (std::size_t r = 0; r < n; ++r)
    rank_at[e.witness().contains("grid_cells") ? whole(e.witness().at("grid_cells").at(r), n) : r] =
        r;
  stride = 1;
  bool is_most = true, is_cube = true;
  double of_cube = infinity;
  for (const Side& side : e.guest_grid) is_cube = is_cube && side.size == 2;
  for (const Side& side : e.guest_grid) {
    double least = infinity, wrap = infinity;
    for (std::size_t cell = 0; cell < n; ++cell) {
      const std::size_t at = cell / stride % side.size;
      const std::size_t other = at + 1 < side.size ? cell + stride : cell - at * stride;
      e.require(rank_at[cell] < n && rank_at[other] < n, "bounds: a grid without some ranks");
      double& volume = at + 1 == side.size && !side.wraps ? wrap : least;
      volume = std::min(volume, volume_of(e.both, rank_at[cell], rank_at[other]));
    }
    e.require(side.volume <= least, "bounds: the guest does not have that grid");
    is_most = is_most && (is_cube || side.volume == least) &&
              (side.wraps || side.size == 2 || wrap < least);
    of_cube = std::min(of_cube, least);
    stride *= side.size;
  }
  for (const Side& side : e.guest_grid)  // Harper's theorem is for cubes of one volume
    is_most = is_most && (!is_cube || side.volume == of_cube);
  const Json& grid = e.witness().at("grid");
  is_most = is_most && std::all_of(grid.begin(), grid.end(), [](const Json& side) {
              return side.size() == 3 && (side[1] == 0 || side[1] == 1);
            });
  if (!e.is_known_grid) return;  // of others a weaker one is right, too
  e.require(is_most, "bounds: the guest has more of that grid");
  e.vouch(grid);
}

double cut_of_grid(const Evidence& e, std::size_t ranks) {
  const std::size_t n = e.num_ranks, k = std::min(ranks, n - std::min(ranks, n));
  if (e.guest_grid.empty() || k == 0) return 0;
  const double apart = all_edges(e) - inside(e, k) - inside(e, n - k);
  const Side& first = e.guest_grid.front();
  const auto size = static_cast<double>(first.size), dimensions = count(e.guest_grid);
  const auto few = static_cast<double>(k);
  bool are_equal = true, are_rings = first.size % 2 == 0;
  double volume = infinity, eigenvalue = infinity, equal_sides = infinity;
  for (const Side& side : e.guest_grid) {
    are_equal = are_equal && side.size == first.size, are_rings = are_rings && side.wraps;
    volume = std::min(volume, side.volume);
    const double angle = (side.wraps ? 2 : 1) * std::numbers::pi / static_cast<double>(side.size);
    eigenvalue = std::min(eigenvalue, side.volume * (2 - 2 * std::cos(angle)));
  }
  if (are_equal && first.size == 2) return apart;
  for (double r = 1; r <= dimensions; ++r)
    equal_sides =
        std::min(equal_sides, r * std::pow(few, 1 - 1 / r) * std::pow(size, dimensions / r - 1));
  equal_sides *= are_equal ? (are_rings ? 2 : 1) * volume : 0;
  eigenvalue *= few * (1 - few / vertices(e));
  return whole_units(e,
                     std::max({0.0, apart, by_lines(e, k, false), by_lines(e, n - k, false),
                               equal_sides, eigenvalue, cut_of_corners(e, k)}),
                     -1);
}

double between_parts_of_grid(const Evidence& e, std::size_t first, std::size_t most) {
  double most_inside = 0;
  for (std::size_t k = first; k <= most && !e.guest_grid.empty(); ++k)
    most_inside = std::max(most_inside, inside(e, k) / static_cast<double>(k));
  return all_edges(e) - most_inside * vertices(e);
}

/// A hypercube on a grid of as many hosts whose sizes are powers of two, links only between
/// neighbours: its optimum.
Proof hop_bytes_of_hypercube(Evidence& e) {
  if (!e.knows_ends) return std::nullopt;
  const std::size_t n = e.hosts.size();
  double volume = infinity, sum = 0;
  std::size_t cells = 1;
  bool fits = !e.guest_grid.empty() && e.num_ranks == n && e.max_slots == 1 && are_links_steps(e);
  for (const Side& side : e.guest_grid)
    fits = fits && side.size == 2, volume = std::min(volume, side.volume);
  for (const Side& side : e.host_grid) {
    const auto s = static_cast<double>(side.size);
    fits = fits && std::has_single_bit(side.size), cells *= cells <= n ? side.size : 0;
    sum += side.wraps && side.size > 2 ? 3 * s / 8 - 0.5 : (s - 1) / 2;
  }
  e.require(fits && cells == n, "bounds: not a hypercube on a grid of hosts");
  return sum * static_cast<double>(n) * volume;
}

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
