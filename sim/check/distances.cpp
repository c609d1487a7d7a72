#include "sim/check/evidence.hpp"

namespace vtopo::detail::checking {

std::vector<std::pair<double, std::size_t>> Evidence::near(std::size_t from,
                                                           std::size_t most) const {
  std::vector<std::pair<double, std::size_t>> found;
  std::set<std::size_t> seen;
  std::set<std::pair<double, std::size_t>> next{{0, from}};
  for (std::size_t in_all = 0; !next.empty() && in_all <= most;) {
    const auto [hops, at] = *next.begin();
    next.erase(next.begin());
    if (!seen.insert(at).second) continue;
    if (const auto place = place_of.find(at); place != place_of.end())
      found.emplace_back(hops, place->second), in_all += slots[place->second];
    if (const auto around = neighbours.find(at); around != neighbours.end())
      for (const auto& [to, more] : around->second) next.emplace(hops + more, to);
  }
  return found;
}

Numbers Evidence::hops_from(std::size_t host) const {
  Numbers hops(hosts.size(), infinity);
  for (const auto& [far, place] : near(host, num_slots)) hops[place] = far;
  return hops;
}

bool are_links_steps(const Evidence& e) {
  std::size_t cells = 1;
  for (const Side& side : e.host_grid) cells *= cells < unknown ? side.size : 0;
  const auto is_step = [&](const Link& link) {
    std::size_t from = link.from, to = link.to, steps = 0;
    for (const auto& [size, wraps, volume] : e.host_grid) {
      const auto [low, high] = std::minmax({from % size, to % size});
      steps += wraps ? std::min(high - low, size + low - high) : high - low;
      from /= size, to /= size;
    }
    return link.hops >= 1 && steps == 1;
  };
  return e.knows_ends &&
         std::all_of(e.hosts.begin(), e.hosts.end(), [&](auto host) { return host < cells; }) &&
         std::all_of(e.links.begin(), e.links.end(), [&](const Link& link) {
           return link.from < cells && link.to < cells && is_step(link);
         });
}

namespace {

/// Profiles are numbered as hosts need them, each once.
void check_numbers(const Evidence& e, const Json& profiles, const Json& kinds) {
  std::size_t next = 0;
  for (const Json& kind : kinds) {
    e.require(whole(kind) <= next, "bounds: profiles are not in their order");
    if (kind == next) ++next;
  }
  e.require(kinds.empty() ? profiles.size() <= 1
                          : next == profiles.size() && kinds.size() == e.hosts.size(),
            "bounds: a profile of no host");
}

/// Where links are steps nothing is farther away, or nearer, than it seems.
void check_grid_of_hosts(const Evidence& e, const Numbers& least, double closest) {
  const Json& profiles = e.witness().at("profiles");
  for (const Json& profile : profiles)
    e.require(profile.size() == e.max_partners(), "bounds: profiles of other ranks");
  for (std::size_t k = 0; e.witness().at("profile_of").empty() && k < least.size(); ++k)
    e.require(real(profiles.at(0)[k]) == least[k], "profiles of slots");
  e.require(real(e.witness().at("closest")) == closest, "bounds: closest hosts");
  for (const char* name : {"profiles", "profile_of", "injection", "closest"})
    e.vouch(e.witness().at(name));
}

}  // namespace

/// Hops to the nearest slots are those of shortest paths, all of them where links are steps in a
/// grid and up; no host sends faster than the links at it.
void check_distances(Evidence& e) {
  const Json &profiles = e.witness().at("profiles"), &kinds = e.witness().at("profile_of");
  const Json &injection = e.witness().at("injection"), &nearest = e.witness().at("closest");
  const bool is_grid = e.all_up && are_links_steps(e);
  check_numbers(e, profiles, kinds);
  double closest = infinity;
  Numbers least;  // of all hosts, where they share a profile
  e.require(injection.size() == e.hosts.size(), "bounds: injection of other hosts");
  for (std::size_t p = 0; e.knows_ends && p < e.hosts.size(); ++p) {
    Json profile = Json::array();
    if (!profiles.empty()) profile = profiles.at(kinds.empty() ? 0 : whole(kinds.at(p)));
    const std::size_t others = std::max(profile.size(), e.slots[p]);
    Numbers hops;
    for (const auto& [far, place] : e.near(e.hosts[p], others))
      hops.insert(hops.end(), e.slots[place], far);
    hops.resize(std::max(hops.size(), others + 1), infinity);
    closest = std::min(closest, hops[e.slots[p]]);
    least.resize(profile.size(), infinity);
    for (std::size_t k = 0; k < profile.size(); ++k) {
      const double claimed = real(profile[k]),
                   fewest = kinds.empty() || !e.all_up ? 0 : hops[k + 1];
      e.require(claimed >= fewest && (!is_grid || claimed <= hops[k + 1]), "profiles of slots");
      if (claimed > hops[k + 1]) e.open.insert("slots farther away than by a shortest path");
      least[k] = std::min(least[k], hops[k + 1]);
    }
    double out = 0;
    for (const Link& link : e.links)
      if (link.is_up && link.hops > 0 &&
          (link.from == e.hosts[p] || (!link.is_directed && link.to == e.hosts[p])))
        out += link.bandwidth;
    const double claimed = real(injection.at(p));
    e.require(claimed >= out * (1 - rounding) && (!is_grid || claimed <= out * (1 + rounding)),
              fmt::format("bounds: host {} sends faster or slower", e.hosts[p]));
  }
  if (is_grid) check_grid_of_hosts(e, least, closest);
  if (real(nearest) > closest) e.open.insert("hosts farther than a shortest path");
}

}  // namespace vtopo::detail::checking
