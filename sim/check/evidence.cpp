#include "sim/check/evidence.hpp"

#include "topology/base/error.hpp"

namespace vtopo::detail::checking {
namespace {

constexpr std::size_t most_slots = 1'000'001;  // of a host
constexpr std::size_t max_distance = 1 << 20;  // hops

std::vector<Side> grid_of(const Json& list) {
  std::vector<Side> sides;
  for (const Json& side : list)
    sides.push_back({whole(side.at(0)), side.at(1) != 0, side.size() > 2 ? real(side.at(2)) : 0});
  return sides;
}

/// Sums of all but the k largest volumes of each rank.
std::vector<Numbers> beyond_of(const Volumes& volumes) {
  std::vector<Numbers> result;
  for (const auto& partners : volumes) {
    Numbers sums;
    for (const auto& [other, bytes] : partners) sums.push_back(bytes);
    std::sort(sums.begin(), sums.end());
    std::partial_sum(sums.begin(), sums.end(), sums.begin());
    result.emplace_back(sums.rbegin(), sums.rend());
  }
  return result;
}

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

std::string_view without_number(std::string_view what) {
  const auto end = what.find("] ");
  return end == std::string_view::npos ? what : what.substr(end + 2);
}

double real(const Json& value) {
  if (value.is_null()) return infinity;
  if (value.is_number()) return value.get<double>();
  throw InputError(fmt::format("evidence: {} is not a number", value.dump().substr(0, 40)));
}

std::size_t whole(const Json& value, std::size_t below) {
  if (value.is_number_integer() && value >= 0 && value < below) return value.get<std::size_t>();
  throw InputError(fmt::format("evidence: {} is not a whole number from 0 to {}",
                               value.dump().substr(0, 40), below - 1));
}

Numbers numbers_of(const Json& list) {
  Numbers numbers;
  for (const Json& number : list) numbers.push_back(real(number));
  return numbers;
}

double volume_of(const Volumes& volumes, std::size_t from, std::size_t to) {
  const auto found = volumes[from].find(to);
  return found == volumes[from].end() ? 0 : found->second;
}

void Evidence::require(bool holds, const std::string& sentence) const {
  if (!holds) throw WrongFigure(where + sentence);
}

void Evidence::same(const std::string& name, const Json& number, double value,
                    double tolerance) const {
  const double claim = number.is_null() ? infinity : number.is_number() ? real(number) : -infinity;
  const double most = std::max(std::abs(claim), std::abs(value));
  require(claim == value || (std::isfinite(most) && std::abs(claim - value) <= tolerance * most),
          fmt::format("{} is {}, the report says {}", name, value, number.dump()));
  vouch(number);
}

void Evidence::equal(const std::string& name, const Json& claim, const Json& value) const {
  constexpr std::size_t most_text = 400;
  const auto text = [](const Json& of) { return of.dump().substr(0, most_text); };
  require(claim == value,
          fmt::format("{} is {}, the report says {}", name, text(value), text(claim)));
  vouch(claim);
}

const Json& Evidence::member(const Json& object, const std::string& name) const {
  const auto found = object.is_object() ? object.find(name) : object.end();
  require(object.is_object() && found != object.end(), name + " is missing");
  return *found;
}

std::string Evidence::option(const char* name) const {
  const auto scenario = report.find("scenario");
  if (scenario == report.end() || !scenario->is_object() || !scenario->contains(name)) return "";
  const Json& value = scenario->at(name);
  return value.is_string() ? value.get<std::string>() : value.dump();
}

bool Evidence::knows_links() const {
  const Json assumptions = report.value("assumptions", Json::array());
  const auto says_so = [](const Json& assumption) {  // of a platform file
    return assumption.is_string() &&
           assumption.get<std::string>().starts_with("distances alone are known");
  };
  return !option("network").starts_with("distances:") &&
         std::none_of(assumptions.begin(), assumptions.end(), says_so);
}

Evidence::Evidence(const Json& of_report, const Json& of_evidence)
    : report(of_report), json(of_evidence) {
  const Json& kinds = json.at("link_kinds");
  for (const Json& entry : json.at("links")) {
    const Json& kind = kinds.at(whole(entry.at(3), kinds.size()));
    Link link{entry.at(0),
              unknown,
              unknown,
              entry.size() < 5,
              real(kind.at(0)),
              real(kind.at(1)),
              real(kind.at(2)),
              whole(kind.at(3), 2) != 0,
              whole(kind.at(4), 2) != 0};
    if (!entry.at(1).is_null()) link.from = whole(entry.at(1)), link.to = whole(entry.at(2));
    if (!(link.bandwidth > 0 && link.latency >= 0 && link.hops >= 0))
      throw InputError(
          fmt::format("evidence: link \"{}\" has a bandwidth that is not positive, or "
                      "a latency or hops below 0",
                      link.name));
    knows_ends = knows_ends && link.from != unknown, all_up = all_up && link.is_up;
    if (link.is_up) neighbours[link.from].emplace_back(link.to, link.hops);
    if (link.is_up && !link.is_directed) neighbours[link.to].emplace_back(link.from, link.hops);
    links.push_back(std::move(link));
  }
  const auto has_routes = [](const Json& row) { return row.contains("routes"); };
  const Json& rows = json.at("rows");
  splits = json.value("splits_flows", false) || std::any_of(rows.begin(), rows.end(), has_routes);
  for (const Json& host : json.at("allocation")) {
    slots.push_back(whole(json.at("slots").at(hosts.size()), most_slots));
    hosts.push_back(whole(host));
    num_slots += slots.back(), max_slots = std::max(max_slots, slots.back());
    if (slots.back() == 0 || !place_of.emplace(hosts.back(), place_of.size()).second)
      throw InputError(
          fmt::format("evidence: host {} is allocated twice or without a slot", hosts.back()));
  }
  num_ranks = rows.at(0).at("embedding").size();
  if (num_ranks == 0) throw InputError("evidence: there are no ranks");
  sent = volumes_of(json.at("edges")), both.resize(num_ranks);
  for (std::size_t r = 0; r < num_ranks; ++r)
    for (const auto& [to, bytes] : sent[r]) both[r][to] += bytes, both[to][r] += bytes;
  sent_beyond = beyond_of(sent), both_beyond = beyond_of(both);
  injection = numbers_of(witness().at("injection"));
  const auto is_fatpipe = [](const Link& link) { return link.is_fatpipe; };
  if (std::any_of(links.begin(), links.end(), is_fatpipe))  // a host may send by it
    injection.assign(hosts.size(), infinity);
  guest_grid = grid_of(witness().value("grid", Json::array()));
  host_grid = grid_of(witness().value("axes", Json::array()));
}

Volumes Evidence::volumes_of(const Json& edges) const {
  Volumes volumes(num_ranks);
  for (const Json& edge : edges) {
    const std::size_t source = whole(edge.at(0), num_ranks), to = whole(edge.at(1), num_ranks);
    const double bytes = real(edge.at(2));
    if (!(bytes >= 0 && std::isfinite(bytes)))
      throw InputError(fmt::format("evidence: a volume of {} bytes", bytes));
    if (source != to && bytes > 0) volumes[source][to] += bytes;
  }
  return volumes;
}

Routes Evidence::routes_of(const Json& list) {
  const std::string rule = report.at("rows").at(0).at("routing");
  const bool detours = rule == "valiant" || rule == "adaptive" || rule == "ideal";
  std::map<std::size_t, Numbers> shortest;  // by source
  Routes listed;
  for (const Json& entry : list) {
    const std::size_t from = whole(entry.at(0)), to = whole(entry.at(1));
    const bool parts = entry.size() > 4 && !entry.at(4).is_null();
    Route route{static_cast<double>(whole(entry.at(2), max_distance)), 0,
                entry.size() > 5 ? real(entry.at(5)) : 0};
    splits = splits || parts;
    where = fmt::format("route from host {} to host {}: ", from, to);
    std::map<std::size_t, double> flow{{from, 1.0}, {to, -1.0}};  // still to leave a vertex
    for (const Json& l : entry.at(3)) {
      const Link& link = links[whole(l, links.size())];
      const double share = parts ? real(entry.at(4).at(route.parts.size())) : 1.0;
      const bool back = !link.is_directed && flow[link.from] < share / 2;
      require(link.is_up && share > 0 && share <= 1 + rounding, "it cannot use " + link.name);
      require(parts || detours || !knows_ends || flow[back ? link.to : link.from] > 0.5,
              link.name + " does not begin where the link before ends");
      flow[back ? link.to : link.from] -= share, flow[back ? link.from : link.to] += share;
      route.parts.emplace_back(whole(l), share);
      route.mean_hops += link.hops * share, route.latency += link.latency * share;
    }
    for (const auto& [vertex, amount] : flow)
      require(!knows_ends || std::abs(amount) < 1e-6, fmt::format("ends at vertex {}", vertex));
    if (detours) {
      open.insert("distances where flows take detours (only that no path is shorter)");
      if (knows_ends && !shortest.contains(from)) shortest[from] = hops_from(from);
      const double fewest =
          knows_ends && place_of.contains(to) ? shortest[from][place_of.at(to)] : 0;
      require(fewest <= route.distance + 1e-6,
              fmt::format("its distance cannot be {} hops: the shortest path has {}",
                          route.distance, fewest));
    } else {
      require(parts ? route.distance <= route.mean_hops + 1e-6
                    : std::abs(route.mean_hops - route.distance) < 1e-6,
              fmt::format("it has {} hops and not {}", route.mean_hops, route.distance));
      if (parts) open.insert("distances where flows split (only that no mean is smaller)");
    }
    require(listed.emplace(std::pair(from, to), route).second, "it is listed twice");
  }
  where.clear();
  return listed;
}

std::vector<Flow> Evidence::flows_of(const Json& embedding, const Json& edges,
                                     const Routes& listed) const {
  std::vector<Flow> flows;
  const bool is_of_job = !embedding.is_null();
  for (const Json& edge : edges) {
    const std::size_t a = whole(edge.at(0), is_of_job ? num_ranks : unknown);
    const std::size_t b = whole(edge.at(1), is_of_job ? num_ranks : unknown);
    const std::size_t from = is_of_job ? whole(embedding[a][0]) : a;
    const std::size_t to = is_of_job ? whole(embedding[b][0]) : b;
    const auto route = listed.find({from, to});
    require(from == to || route != listed.end(), fmt::format("no route {} to {}", from, to));
    const std::size_t others = is_of_job ? 0 : num_ranks;
    const double bytes = real(edge.at(2));
    flows.push_back({others + a, others + b, from, from == to ? nullptr : &route->second, bytes,
                     edge.size() < 4 || bytes > 0, is_of_job});
  }
  return flows;
}

std::size_t Evidence::max_partners() const {
  std::size_t most = 0;
  for (const auto& partners : both) most = std::max(most, partners.size());
  return most;
}

double Evidence::unit_of_volume() const {
  std::int64_t unit = 0;
  for (const auto& partners : sent)
    for (const auto& [to, bytes] : partners) {
      if (bytes != std::floor(bytes) || bytes >= 0x1p53) return 0;
      unit = std::gcd(unit, static_cast<std::int64_t>(bytes));
    }
  return static_cast<double>(unit);
}

double Evidence::unit_of_time() const {
  const auto is_alike = [&](const Link& link) {
    return !link.is_fatpipe && link.bandwidth == links[0].bandwidth;
  };
  const bool are_alike = !links.empty() && std::all_of(links.begin(), links.end(), is_alike);
  return are_alike && !splits ? unit_of_volume() / links[0].bandwidth : 0;
}

Numbers beyond(const std::vector<Numbers>& of_ranks, std::size_t kept) {
  Numbers rest;
  for (const Numbers& of_rank : of_ranks) rest.push_back(kept < of_rank.size() ? of_rank[kept] : 0);
  return rest;
}

std::pair<std::size_t, std::size_t> Evidence::ranks_on(std::size_t some) const {
  const std::size_t others = num_slots - some;
  return {num_ranks > others ? num_ranks - others : 0, std::min(some, num_ranks)};
}

double Evidence::least_of(std::size_t fewest, std::size_t most) const {
  double value = fewest == 0 || most >= num_ranks ? 0 : infinity;
  for (std::size_t k = fewest; value > 0 && k <= most; ++k) {
    require(std::min(k, num_ranks - k) < least.size(), "bounds: least_volumes end early");
    value = std::min(value, least[std::min(k, num_ranks - k)]);
  }
  return value;
}

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

/// Hops to the nearest slots are those of shortest paths, all of them where links are steps in a
/// grid and up; no host sends faster than the links at it.
void check_distances(Evidence& e) {
  const Json &profiles = e.witness().at("profiles"), &kinds = e.witness().at("profile_of");
  const Json &injection = e.witness().at("injection"), &nearest = e.witness().at("closest");
  const bool is_grid = e.all_up && are_links_steps(e);
  check_numbers(e, profiles, kinds);
  double closest = infinity;
  Numbers least;  // of all hosts, where they share a profile
  const bool may_differ_by_direction = !e.knows_links();
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
                   fewest = kinds.empty() || !e.all_up || may_differ_by_direction ? 0 : hops[k + 1];
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
  if (closest == infinity) closest = 0;  // of a host alone
  if (is_grid) check_grid_of_hosts(e, least, closest);
  if (real(nearest) > closest) e.open.insert("hosts farther than a shortest path");
}

}  // namespace vtopo::detail::checking
