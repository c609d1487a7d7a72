#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/edmonds_karp_max_flow.hpp>

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <map>
#include <set>

#include "sim/bounds/network_cuts.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// Hosts from which sets of hosts are looked for.
constexpr std::size_t max_views = 8;
/// Sets whose cheapest links are looked for, times the routes.
constexpr std::size_t max_sets = 64, max_routes_of_sets = 1 << 19;
/// Cells that share all hosts, at most.
constexpr std::size_t max_cells = 5;

/// Which places are on one side.
using Side = std::vector<bool>;

}  // namespace

/// Makes a graph of the routes: a vertex where each link begins and one where it ends, so that all
/// routes are walks in it.
class JobRoutes {
 public:
  JobRoutes(const Network& network, const std::vector<HostId>& hosts)
      : places_(hosts.size()),
        routes_(places_ * places_),
        number_of_(index(LinkId{network.num_links()}), 0) {
    std::vector<LinkId> route;
    for (std::size_t from = 0; from < places_; ++from)
      for (std::size_t to = 0; to < places_; ++to) {
        if (from == to) continue;
        network.append_route(hosts[from], hosts[to], routes_[from * places_ + to]);
        for (const LinkId link : between(from, to)) {
          if (number_of_[index(link)] > 0) continue;
          links_.push_back(link);
          number_of_[index(link)] = links_.size();
          bandwidths_.push_back(cut_capacity(network.link(link)).value);
        }
        all_have_links_ = all_have_links_ && !between(from, to).empty();
      }
  }

  std::size_t num_places() const { return places_; }
  bool all_have_links() const { return all_have_links_; }

  const std::vector<LinkId>& between(std::size_t from, std::size_t to) const {
    return routes_[from * places_ + to];
  }

  std::vector<bool> used() const { return {number_of_.begin(), number_of_.end()}; }
  std::size_t num_links() const { return links_.size(); }  ///< on any route
  /// Of a link among those, from 0.
  std::size_t number_of(LinkId link) const { return number_of_[index(link)] - 1; }
  double bandwidth(LinkId link) const { return bandwidth(number_of(link)); }
  double bandwidth(std::size_t number) const { return bandwidths_[number]; }

  /// Links of the least bandwidth, of which each route from one side to the other takes one.
  /// @param free cost nothing.
  std::vector<LinkId> cheapest(const Side& from, bool back, const std::vector<LinkId>& free) const;

 private:
  std::size_t places_;
  std::vector<std::vector<LinkId>> routes_;
  std::vector<std::size_t> number_of_;  ///< of a link among those on routes, from 1; 0: on none
  std::vector<LinkId> links_;
  std::vector<double> bandwidths_;
  bool all_have_links_ = true;
};

namespace {

std::int64_t size_of(const Side& side) {
  return std::count(side.begin(), side.end(), true);
}

using Directed = boost::adjacency_list_traits<boost::vecS, boost::vecS, boost::directedS>;
using FlowGraph = boost::adjacency_list<
    boost::vecS, boost::vecS, boost::directedS, boost::no_property,
    boost::property<
        boost::edge_capacity_t, double,
        boost::property<boost::edge_residual_capacity_t, double,
                        boost::property<boost::edge_reverse_t, Directed::edge_descriptor>>>>;

void add_flow_edge(FlowGraph& graph, std::size_t from, std::size_t to, double capacity) {
  const auto forth = add_edge(from, to, graph).first, back = add_edge(to, from, graph).first;
  put(boost::edge_capacity, graph, forth, capacity);
  put(boost::edge_capacity, graph, back, 0.0);
  put(boost::edge_reverse, graph, forth, back);
  put(boost::edge_reverse, graph, back, forth);
}

}  // namespace

/// A minimum cut: what the source still reaches when no more can flow (Ford and Fulkerson 1956).
std::vector<LinkId> JobRoutes::cheapest(const Side& from, bool back,
                                        const std::vector<LinkId>& free) const {
  const std::size_t source = 2 * links_.size(), sink = source + 1;
  std::vector<std::pair<std::size_t, std::size_t>> steps;
  for (std::size_t a = 0; a < places_; ++a)
    for (std::size_t b = 0; b < places_; ++b) {
      if (from[a] == back || from[b] != back) continue;
      std::size_t last = source;
      for (const LinkId link : between(a, b)) {
        const std::size_t begin = 2 * number_of(link);
        steps.emplace_back(last, begin);
        last = begin + 1;
      }
      steps.emplace_back(last, sink);
    }
  std::sort(steps.begin(), steps.end());
  steps.erase(std::unique(steps.begin(), steps.end()), steps.end());
  FlowGraph graph(sink + 1);
  double unlimited = 1;
  for (const double bandwidth : bandwidths_)
    if (bandwidth < std::numeric_limits<double>::infinity()) unlimited += bandwidth;
  const double more_than_links = unlimited * static_cast<double>(links_.size() + 1);
  for (const auto& [begin, end] : steps) add_flow_edge(graph, begin, end, more_than_links);
  for (std::size_t l = 0; l < links_.size(); ++l) {
    const bool is_free = std::find(free.begin(), free.end(), links_[l]) != free.end();
    add_flow_edge(graph, 2 * l, 2 * l + 1, is_free ? 0 : std::min(bandwidths_[l], unlimited));
  }
  std::vector<boost::default_color_type> colors(sink + 1);
  const auto numbers = get(boost::vertex_index, graph);
  std::vector<Directed::edge_descriptor> before(sink + 1);
  boost::edmonds_karp_max_flow(
      graph, source, sink,
      boost::color_map(boost::make_iterator_property_map(colors.begin(), numbers))
          .predecessor_map(boost::make_iterator_property_map(before.begin(), numbers)));
  std::vector<LinkId> cut;
  for (std::size_t l = 0; l < links_.size(); ++l)
    if (colors[2 * l] != boost::white_color && colors[2 * l + 1] == boost::white_color)
      cut.push_back(links_[l]);
  return cut;
}

namespace {

/// Sets of hosts that the route from some host to them takes no given link, and how little that
/// link carries for what it parts; the most promising first.
std::vector<Side> sides_of_links(const JobRoutes& routes) {
  std::map<Side, double> found;
  const std::size_t places = routes.num_places(), views = std::min(places, max_views);
  for (std::size_t view = 0; view < views; ++view) {
    const std::size_t here = view * places / views;
    std::map<LinkId, Side> behind;
    for (std::size_t there = 0; there < places; ++there)
      for (const LinkId link : routes.between(here, there))
        behind.try_emplace(link, places).first->second[there] = true;
    for (auto& [link, side] : behind) {
      const auto count = size_of(side), others = narrow<std::int64_t>(places) - count;
      if (count < 2 || others < 2) continue;
      const double load = static_cast<double>(count) * static_cast<double>(others);
      if (side.front()) side.flip();
      const auto [at, is_new] = found.emplace(std::move(side), routes.bandwidth(link) / load);
      if (!is_new) at->second = std::min(at->second, routes.bandwidth(link) / load);
    }
  }
  std::set<std::pair<double, Side>> sorted;
  for (const auto& [side, value] : found) sorted.emplace(value, side);
  std::vector<Side> sides;
  for (const auto& [value, side] : sorted)
    if (sides.size() < std::clamp(max_routes_of_sets / (places * places), std::size_t{4}, max_sets))
      sides.push_back(side);
  return sides;
}

LinkCut cut_around(const JobRoutes& routes, const Side& side) {
  LinkCut cut;
  for (std::size_t place = 0; place < side.size(); ++place)
    if (side[place]) cut.places.push_back(narrow<int>(place));
  cut.out = routes.cheapest(side, false, {});
  cut.in = routes.cheapest(side, true, cut.out);
  return cut;
}

/// The first and the last links of routes.
LinkCuts cuts_around_hosts(const JobRoutes& routes) {
  LinkCuts hosts{{}, true};
  for (std::size_t here = 0; here < routes.num_places(); ++here) {
    std::set<LinkId> out, in;
    for (std::size_t there = 0; there < routes.num_places(); ++there) {
      if (routes.between(here, there).empty() || routes.between(there, here).empty()) continue;
      out.insert(routes.between(here, there).front());
      in.insert(routes.between(there, here).back());
    }
    hosts.cuts.push_back({{narrow<int>(here)}, {out.begin(), out.end()}, {in.begin(), in.end()}});
  }
  return hosts;
}

/// Links that all routes between two of the cells take, or all routes inside one.
std::vector<CellLink> links_of_cells(const JobRoutes& routes, const LinkCuts& cells) {
  const std::size_t count = cells.cuts.size();
  std::vector<std::size_t> cell_of(routes.num_places());
  for (std::size_t cell = 0; cell < count; ++cell)
    for (const int place : cells.cuts[cell].places) cell_of[index(place)] = cell;
  std::vector<std::int64_t> pairs(count * count);
  std::vector<std::vector<std::int64_t>> taken(routes.num_links(), pairs);
  for (std::size_t from = 0; from < routes.num_places(); ++from)
    for (std::size_t to = 0; to < routes.num_places(); ++to) {
      if (from == to) continue;
      const std::size_t pair = cell_of[from] * count + cell_of[to];
      ++pairs[pair];
      for (const LinkId link : routes.between(from, to)) ++taken[routes.number_of(link)][pair];
    }
  std::map<std::vector<bool>, double> least;
  for (std::size_t link = 0; link < taken.size(); ++link) {
    std::vector<bool> all(count * count);
    for (std::size_t pair = 0; pair < pairs.size(); ++pair)
      all[pair] = pairs[pair] > 0 && taken[link][pair] == pairs[pair];
    const auto [at, is_new] = least.try_emplace(std::move(all), routes.bandwidth(link));
    if (!is_new) at->second = std::min(at->second, routes.bandwidth(link));
  }
  std::vector<CellLink> links;
  for (const auto& [all, bandwidth] : least)
    if (std::find(all.begin(), all.end(), true) != all.end())
      links.push_back({all, BytesPerSecond{bandwidth}});
  return links;
}

/// Two, three, ... sides that do not overlap, the sparsest cuts first, and the rest as one more.
void add_cells(const JobRoutes& routes, const std::vector<Side>& sides,
               std::vector<LinkCuts>& found) {
  Side rest(routes.num_places(), true);
  LinkCuts cells{{}, true};
  for (Side side : sides) {
    if (2 * size_of(side) > narrow<std::int64_t>(side.size())) side.flip();
    const auto is_free = [&](const Side& candidate) {
      for (std::size_t place = 0; place < rest.size(); ++place)
        if (candidate[place] && !rest[place]) return false;
      return candidate != rest;
    };
    if (!is_free(side)) side.flip();
    if (!is_free(side)) continue;
    cells.cuts.push_back(cut_around(routes, side));
    for (std::size_t place = 0; place < rest.size(); ++place)
      if (side[place]) rest[place] = false;
    found.push_back(cells);
    found.back().cuts.push_back(cut_around(routes, rest));
    found.back().links = links_of_cells(routes, found.back());
    if (cells.cuts.size() + 1 == max_cells) return;
  }
}

}  // namespace

UsedLinks links_of_routes(const Network& network, const std::vector<HostId>& hosts) {
  auto routes = std::make_shared<const JobRoutes>(network, hosts);
  UsedLinks result{routes->used(), {}};
  for (const LinkCut& host : cuts_around_hosts(*routes).cuts)
    result.doors.push_back({int_size(host.out), int_size(host.in)});
  const int most = network.facts().cuts ? max_hosts_of_known_cuts : max_routed_hosts;
  if (int_size(hosts) <= most) result.routes = std::move(routes);
  return result;
}

std::vector<LinkCuts> cheapest_link_cuts(const UsedLinks& used) {
  if (used.routes == nullptr || used.routes->num_places() < 2 || !used.routes->all_have_links())
    return {};
  const JobRoutes& routes = *used.routes;
  std::vector<LinkCuts> found{cuts_around_hosts(routes), {{}, false}};
  const auto sides = sides_of_links(routes);
  for (const Side& side : sides) found.back().cuts.push_back(cut_around(routes, side));
  add_cells(routes, sides, found);
  std::erase_if(found, [](const LinkCuts& cuts) { return cuts.cuts.empty(); });
  return found;
}

namespace {

/// Ranks go to cells one after the other. Within a cell they may share a host of several slots.
class DividedRanks {
 public:
  DividedRanks(const Partners& partners, const LinkCuts& cells, const Allocation& allocation)
      : partners_(partners),
        cells_(cells.cuts.size()),
        cell_of_(index(Rank{partners.num_ranks()}), cells_),
        links_(cells.links),
        is_one_each_(allocation.num_slots() == allocation.num_hosts()) {
    for (const LinkCut& cut : cells.cuts) {
      free_.push_back(0);
      for (const int place : cut.places) free_.back() += allocation.slots[index(place)];
    }
  }

  /// The least time; where the search does not end, a time that no division is below. 0 where that
  /// is not above `known`.
  double least(double known) {
    if (cell_of_.size() > max_divided_ranks) return 0;
    ends_at_ = known * (1 + 1e-9);
    if (search(std::numeric_limits<double>::infinity())) return best_;
    const double found = best_;
    for (const double part : {0.95, 0.8, 0.6, 0.4})
      if (found * part > ends_at_ && search(found * part)) return best_;
    return 0;
  }

 private:
  static constexpr int max_divisions = 60'000;
  static constexpr std::size_t max_divided_ranks = 64;

  using Volumes = std::array<double, max_cells * max_cells>;

  bool search(double below) {
    best_ = below, steps_ = 0;
    place(0, Volumes{});
    return steps_ < max_divisions && best_ > ends_at_ &&
           best_ < std::numeric_limits<double>::infinity();
  }

  void place(std::size_t at, const Volumes& volumes) {
    double time = 0;
    for (const CellLink& link : links_) {
      double sum = 0;
      for (std::size_t pair = 0; pair < link.pairs.size(); ++pair)
        if (link.pairs[pair]) sum += volumes[pair];
      if (sum > 0) time = std::max(time, sum / link.bandwidth.value);
    }
    if (time >= best_ || best_ <= ends_at_ || ++steps_ >= max_divisions) return;
    if (at == cell_of_.size()) {
      best_ = time;
      return;
    }
    for (std::size_t cell = 0; cell < cells_; ++cell) {
      if (free_[cell] == 0) continue;
      Volumes more = volumes;
      for (const Partner& partner : partners_.of(id_at<Rank>(at))) {
        const std::size_t other = cell_of_[index(partner.rank)];
        if (other == cells_ || (other == cell && !is_one_each_)) continue;
        more[cell * cells_ + other] += partner.sent.value;
        more[other * cells_ + cell] += partner.received.value;
      }
      --free_[cell], cell_of_[index(id_at<Rank>(at))] = cell;
      place(at + 1, more);
      ++free_[cell], cell_of_[index(id_at<Rank>(at))] = cells_;
    }
  }

  const Partners& partners_;
  std::size_t cells_;
  std::vector<std::size_t> cell_of_;  ///< by rank; `cells_`: not yet
  const std::vector<CellLink>& links_;
  bool is_one_each_;                ///< slot of each host
  std::vector<std::int64_t> free_;  ///< slots of each cell
  double best_ = std::numeric_limits<double>::infinity();
  double ends_at_ = 0;  ///< a division that takes no longer shows that the known bound is as good
  int steps_ = 0;
};

}  // namespace

double least_divided_time(const Partners& partners, const LinkCuts& cells,
                          const Allocation& allocation, double known) {
  if (cells.links.empty()) return 0;
  return DividedRanks(partners, cells, allocation).least(known) * (1 - 1e-12);
}

CutFamily capacities_of(const LinkCuts& cuts, const Network& network,
                        const Allocation& allocation) {
  CutFamily family{"cheapest cuts", {}, cuts.disjoint, 0};
  const auto capacity = [&](const std::vector<LinkId>& links) {
    BytesPerSecond sum;
    for (const LinkId link : links) sum += cut_capacity(network.link(link));
    return sum;
  };
  for (const LinkCut& cut : cuts.cuts) {
    NetworkCut result;
    for (const int place : cut.places) result.slots += allocation.slots[index(place)];
    std::vector<LinkId> both = cut.out;
    for (const LinkId link : cut.in)
      if (std::find(cut.out.begin(), cut.out.end(), link) == cut.out.end()) both.push_back(link);
    result.capacity = capacity(both);
    result.one_way = std::max(capacity(cut.out), capacity(cut.in));
    family.cuts.push_back(result);
  }
  return family;
}

}  // namespace vtopo::detail
