#include "sim/check/evidence.hpp"

// Bounds by cells of hosts and the links that all routes between them take.
namespace vtopo::detail::checking {
namespace {

/// Each route that leaves a cell of hosts, or leads there, takes one of the links that are listed.
void check_cut(const Evidence& e, const std::set<std::size_t>& places, const Json& cell) {
  std::set<std::size_t> out, in;
  for (const Json& link : cell.at("out")) out.insert(whole(link, e.links.size()));
  for (const Json& link : cell.at("in")) in.insert(whole(link, e.links.size()));
  for (const auto& [ends, route] : e.routes) {
    const auto from = e.place_of.find(ends.first), to = e.place_of.find(ends.second);
    if (from == e.place_of.end() || to == e.place_of.end()) continue;
    const bool leaves = places.contains(from->second);
    if (leaves == places.contains(to->second)) continue;
    const auto is_cut = [&](const auto& part) { return (leaves ? out : in).contains(part.first); };
    e.require(std::any_of(route.parts.begin(), route.parts.end(), is_cut),
              fmt::format("bounds: a cheapest cut misses the route from host {} to host {}",
                          ends.first, ends.second));
  }
}

/// Ranks divided between cells in all ways that may be faster than the best so far: each message
/// between two cells, and inside one whose hosts have a slot each, takes a link that all routes
/// have.
class Divisions {
 public:
  struct Shared {
    std::set<std::pair<std::size_t, std::size_t>> pairs;  ///< of cells
    double capacity;
  };

  const Evidence& e;
  std::vector<Shared> links;
  std::vector<std::size_t> room;  ///< slots of each cell
  double best = infinity;
  int steps = 0;

  void divide(std::vector<std::size_t>& cell_of, Numbers loads) {
    double time = 0;
    for (std::size_t l = 0; l < links.size(); ++l)
      time = std::max(time, time_over(loads[l], links[l].capacity));
    if (time >= best || ++steps > max_steps) return;
    if (cell_of.size() == e.num_ranks) {
      best = time;
      return;
    }
    const std::size_t rank = cell_of.size();
    for (std::size_t cell = 0; cell < room.size(); ++cell) {
      if (room[cell] == 0) continue;
      Numbers more = loads;
      for (const auto& [other, bytes] : e.both[rank]) {
        if (other >= rank) continue;
        for (std::size_t l = 0; l < links.size(); ++l) {
          if (links[l].pairs.contains({cell, cell_of[other]}))
            more[l] += volume_of(e.sent, rank, other);
          if (links[l].pairs.contains({cell_of[other], cell}))
            more[l] += volume_of(e.sent, other, rank);
        }
      }
      --room[cell], cell_of.push_back(cell);
      divide(cell_of, more);
      ++room[cell], cell_of.pop_back();
    }
  }

  static constexpr int max_steps = 4'000'000;
};

}  // namespace

/// Hosts against all others, or cells that hold all hosts, over the links of every cut.
Proof time_over_cheapest_cuts(Evidence& e) {
  if (e.least.empty() || !used_links(e).are_listed || !e.witness().contains("link_cuts"))
    return std::nullopt;
  double longest = 0;
  for (const Json& list : e.witness().at("link_cuts")) {
    Family family{"cheapest cuts", {}, list.at("disjoint") == true, 0};
    std::set<std::size_t> taken;
    for (const Json& cell : list.at("cuts")) {
      std::set<std::size_t> places, links;
      for (const Json& place : cell.at("places"))
        places.insert(whole(place, e.hosts.size())), taken.insert(whole(place));
      check_cut(e, places, cell);
      Cut cut;
      for (const std::size_t place : places) cut.slots += e.slots[place];
      for (const char* way : {"out", "in"})
        for (const Json& link : cell.at(way)) links.insert(whole(link));
      for (const std::size_t l : links) cut.capacity += capacity_of(e.links[l]);
      family.cuts.push_back(cut);
    }
    e.require(!family.is_disjoint || taken.size() == e.hosts.size(),
              "bounds: cheapest cuts leave out hosts");
    longest = std::max(longest, across(e, family).second);
  }
  return longest;
}

/// The least over all ways to divide ranks between the cells of some list.
Proof time_of_cells(Evidence& e) {
  if (!used_links(e).are_listed || !e.witness().contains("link_cuts")) return std::nullopt;
  double longest = 0;
  bool has_ended = false;
  for (const Json& list : e.witness().at("link_cuts")) {
    constexpr std::size_t max_cells = 5;
    const Json& cells = list.at("cuts");
    if (list.at("disjoint") != true || cells.size() > max_cells) continue;
    Divisions divisions{e, {}, std::vector<std::size_t>(cells.size()), infinity, 0};
    std::map<std::size_t, std::size_t> cell_of;  // by host
    for (std::size_t c = 0; c < cells.size(); ++c)
      for (const Json& json : cells[c].at("places")) {
        const std::size_t place = whole(json, e.hosts.size());
        e.require(cell_of.emplace(e.hosts[place], c).second, "bounds: a host in two cells");
        divisions.room[c] += e.slots[place];
      }
    e.require(cell_of.size() == e.hosts.size(), "bounds: hosts outside of all cells");
    std::map<std::pair<std::size_t, std::size_t>, std::map<std::size_t, std::size_t>> taken;
    std::map<std::pair<std::size_t, std::size_t>, std::size_t> routes;
    for (const auto& [ends, route] : e.routes) {
      if (!cell_of.contains(ends.first) || !cell_of.contains(ends.second)) continue;
      const std::pair pair{cell_of.at(ends.first), cell_of.at(ends.second)};
      ++routes[pair];
      for (const auto& [l, share] : route.parts) ++taken[pair][l];
    }
    std::map<std::size_t, std::set<std::pair<std::size_t, std::size_t>>> pairs_of;
    for (const auto& [pair, links] : taken)
      for (const auto& [l, times] : links)
        if (times == routes[pair] && (pair.first != pair.second || e.max_slots == 1))
          pairs_of[l].insert(pair);
    std::map<std::set<std::pair<std::size_t, std::size_t>>, double> least;
    for (const auto& [l, pairs] : pairs_of) {
      double& known = least.try_emplace(pairs, infinity).first->second;
      known = std::min(known, capacity_of(e.links[l]));
    }
    for (const auto& [pairs, capacity] : least) divisions.links.push_back({pairs, capacity});
    // No division is faster than the claim; a faster one is what there is instead.
    const double claim = real(e.bounds().at("congestion_bound"));
    divisions.best = claim * (1 - rounding);
    std::vector<std::size_t> none;
    divisions.divide(none, Numbers(divisions.links.size()));
    if (divisions.steps > Divisions::max_steps) continue;
    longest = std::max(longest, divisions.best < claim * (1 - rounding) ? divisions.best : claim);
    has_ended = true;
  }
  return has_ended ? Proof(longest) : std::nullopt;
}

}  // namespace vtopo::detail::checking
