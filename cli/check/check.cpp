#include <cstdint>
#include <numeric>
#include <string_view>

#include "cli/check/check_report.hpp"
#include "cli/check/evidence.hpp"
#include "topology/base/error.hpp"

// The core: slow and obvious on purpose, an oracle that shares nothing with what makes reports.
namespace vtopo::detail {
namespace checking {
namespace {

struct Load {
  double bytes = 0, seconds = 0, flows = 0;
};

/// Of flows under an embedding.
struct Figures {
  Values values;  ///< by their names in rows and phases
  std::vector<std::int64_t> histogram = {};
  std::map<std::string, Load> loads = {};
};

Figures figures_of(const Evidence& e, const std::vector<Flow>& flows) {
  Figures is{{{"ranks", static_cast<double>(e.num_ranks)}, {"hosts", count(e.hosts)}}};
  auto& v = is.values;
  double &edges = v["edges"], &bytes = v["total_bytes"], &inside = v["intra_host_bytes"],
         &hop_bytes = v["hop_bytes"], &farthest = v["max_dilation"], &hops = v["mean_dilation"],
         &jsum = v["jsum"], &jmax = v["jmax"], &most = v["max_link_load"],
         &mean = v["mean_link_load"], &longest = v["max_congestion"], &time = v["mean_congestion"],
         &most_flows = v["max_flows_per_link"];
  std::map<std::size_t, double> leaving;
  for (const Flow& flow : flows) {
    for (const auto& [l, share] : flow.route&& flow.bytes > 0 ? flow.route->parts : Parts()) {
      Load& load = is.loads[e.links[l].name];
      const double part = flow.bytes * share, seconds = part / e.links[l].bandwidth;
      load.bytes += part, load.flows += 1;
      load.seconds =
          e.links[l].is_fatpipe ? std::max(load.seconds, seconds) : load.seconds + seconds;
    }
    if (!flow.is_of_job) continue;
    const double distance = flow.route ? flow.route->distance : 0;
    farthest = std::max(farthest, distance), hops += distance, edges += 1;
    is.histogram.resize(static_cast<std::size_t>(farthest) + 1);
    ++is.histogram[static_cast<std::size_t>(distance)];
    (flow.route ? jsum : inside) += flow.route ? 1 : flow.bytes;
    bytes += flow.bytes, hop_bytes += flow.route ? flow.bytes * flow.route->mean_hops : 0;
    if (flow.route) jmax = std::max(jmax, ++leaving[flow.host]);
  }
  for (const auto& [name, load] : is.loads) {
    mean += load.bytes / count(e.links), time += load.seconds / count(is.loads);
    most = std::max(most, load.bytes), longest = std::max(longest, load.seconds);
    most_flows = std::max(most_flows, load.flows);
  }
  hops /= std::max(1.0, edges);
  v["mean_hops_per_byte"] = bytes > 0 ? hop_bytes / bytes : 0;
  return is;
}

void check_top_links(const Evidence& e, const Json& row, Figures figures) {
  double before = figures.values["max_congestion"];
  for (const Json& top : row.at("top_links")) {
    const std::string name = top.at("name");
    const Load& load = figures.loads[name];
    e.same("bytes of " + name, top.at("bytes"), load.bytes);
    e.same("seconds of " + name, top.at("seconds"), load.seconds);
    if (row.at("routing") != "valiant") e.same("flows of " + name, top.at("flows"), load.flows);
    e.require(load.seconds <= before * (1 + rounding), "order of top_links");
    before = load.seconds;
  }
}

/// Max-min fairness (Bertsekas and Gallager 1987): rates that fill no link above its bandwidth,
/// each with a full link on which no flow is faster, are the only ones.
void check_rates(const Evidence& e, const Json& claims, std::vector<Flow> flows) {
  constexpr double near = 1e-6;
  std::erase_if(flows, [](const Flow& flow) { return !flow.route || flow.bytes == 0; });
  e.require(claims.size() == flows.size(), "not every flow has a rate");
  Numbers fill(e.links.size()), fastest(e.links.size());
  for (std::size_t f = 0; f < flows.size(); ++f)
    for (const auto& [l, share] : flows[f].route->parts) {
      const double rate = real(claims[f].at(1));
      fill[l] = e.links[l].is_fatpipe ? std::max(fill[l], rate * share) : fill[l] + rate * share;
      fastest[l] = std::max(fastest[l], e.links[l].is_fatpipe ? 0 : rate);
    }
  for (std::size_t l = 0; l < e.links.size(); ++l)
    e.require(fill[l] <= e.links[l].bandwidth * (1 + near), e.links[l].name + " is too full");
  for (std::size_t f = 0; f < flows.size(); ++f) {
    const double rate = real(claims[f].at(1));
    const auto limits = [&](const auto& part) {
      const auto& [l, share] = part;
      const double filled = e.links[l].is_fatpipe ? rate * share : fill[l];
      return claims[f].at(0) == l && rate >= fastest[l] * (1 - near) &&
             filled >= e.links[l].bandwidth * (1 - near);
    };
    const Parts& parts = flows[f].route->parts;
    e.require(parts.empty() ? rate == infinity : std::any_of(parts.begin(), parts.end(), limits),
              fmt::format("flow {} is not limited by link {}", f, claims[f].at(0).dump()));
  }
}

void check_row(Evidence& e, std::size_t r) {
  const Json &row = e.report.at("rows").at(r), &of_row = e.json.at("rows").at(r);
  const Routes own = of_row.contains("routes") ? e.routes_of(of_row.at("routes")) : Routes();
  const Routes& routes = of_row.contains("routes") ? own : e.routes;
  e.where = fmt::format("row {} ({}): ", r, row.at("mapper").get<std::string>());
  std::set<std::pair<std::size_t, std::size_t>> taken;
  for (const Json& entry : of_row.at("embedding")) {
    const std::size_t host = whole(entry.at(0)), slot = whole(entry.at(1));
    const bool exists = e.place_of.contains(host) && slot < e.slots[e.place_of.at(host)];
    e.require(exists && taken.emplace(host, slot).second,
              fmt::format("slot {} of host {} is taken or not allocated", slot, host));
  }
  e.require(taken.size() == e.num_ranks, "not every rank has a host");
  std::vector<Flow> flows = e.flows_of(of_row.at("embedding"), e.json.at("edges"), routes);
  for (const Flow& other : e.flows_of({}, e.json.value("background", Json::array()), routes))
    flows.push_back(other);
  const Figures figures = figures_of(e, flows);
  Values values = figures.values;
  const bool has_phases = row.contains("phases");
  if (has_phases) values.erase("max_congestion"), values.erase("max_flows_per_link");
  check_values(e, row, values);
  e.require(row.at("hop_histogram") == Json(figures.histogram), "hop_histogram");
  check_top_links(e, row, figures);
  if (has_phases && e.json.contains("phases") && !of_row.contains("routes"))
    check_phases(e, row, of_row);
  else if (has_phases)
    e.open.insert("phases at the same time, beside other jobs or under routes that follow them");
  if (of_row.contains("flows")) {
    e.require(!has_phases, "phases of a burst");
    check_rates(e, of_row.at("flows"), flows);
    check_clock(e, row, {{flows}}, "burst");
  } else if (!row.at("makespan").is_null() && !of_row.contains("clock")) {
    e.open.insert("makespans of traces, endpoint costs and other network models than CM02");
  }
  for (const auto& [name, bound] : {std::pair("hop_bytes", "hop_bytes_bound"),
                                    std::pair("max_congestion", "congestion_bound")}) {
    e.same(bound, row.at(bound), real(e.bounds().at(bound)));
    e.require(real(row.at(name)) >= real(row.at(bound)) * (1 - rounding),
              fmt::format("{} is below its lower bound", name));
  }
  e.where.clear();
}

/// What a rank costs on a host of each profile: its heaviest partners are on the nearest slots.
/// What flows in both directions counts for both ranks.
Numbers costs_of(const Evidence& e, std::size_t rank) {
  const Json& profiles = e.witness().at("profiles");
  Numbers volumes, costs(profiles.size());
  for (const auto& [other, bytes] : e.both[rank]) volumes.push_back(bytes);
  std::sort(volumes.rbegin(), volumes.rend());
  for (std::size_t p = 0; p < costs.size(); ++p)
    for (std::size_t k = 0; k < volumes.size(); ++k)
      costs[p] += volumes[k] * real(profiles[p].at(k));
  return costs;
}

Proof nearest_slots(Evidence& e) {
  double sum = 0;
  for (std::size_t r = 0; r < e.num_ranks && !e.witness().at("profiles").empty(); ++r) {
    const Numbers costs = costs_of(e, r);
    sum += *std::min_element(costs.begin(), costs.end()) / 2;
  }
  return sum;
}

Proof assignment(Evidence& e) {
  std::vector<std::size_t> kinds;
  for (const Json& kind : e.witness().at("profile_of")) kinds.push_back(whole(kind));
  return sum_of_prices(e, e.witness().at("prices"), kinds, costs_of) / 2;
}

/// What sets of ranks exchange at least: by the heaviest partners of each rank, which are all
/// inside, and as far as other theorems say so.
void check_least_volumes(Evidence& e) {
  const Json list = e.witness().value("least_volumes", Json::array());
  const auto n = static_cast<double>(e.num_ranks);
  double connectivity = 0;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const double claim = real(list[k]), ranks = static_cast<double>(k);
    double certain = 0;
    for (const auto& theorem : {cut_by_partners, cut_of_grid, cut_of_any_set})
      if (claim > certain * (1 + rounding)) certain = std::max(certain, theorem(e, k));
    if (claim > certain * (1 + rounding))
      connectivity = std::max(connectivity, claim * n / ranks / (n - ranks));
    e.least.push_back(claim);
  }
  e.require(connectivity == 0 || has_connectivity(e, connectivity * (1 - 1e-6)),
            "bounds: some ranks may exchange less than least_volumes");
}

/// Cuts between cells: those on one side have consecutive numbers. No link counts for more hops
/// than it has.
/// @param used only these links have traffic; null: all.
std::vector<Family> families_of(const Evidence& e, const std::set<std::size_t>* used) {
  std::vector<Family> families;
  Numbers hops(e.links.size());
  for (const Json& entry : e.knows_ends ? e.witness().at("cells") : Json::array()) {
    const Json& list = entry.at("cell_of");
    const std::size_t n = whole(entry.at("count"), list.size() + 1), half = n / 2;
    const auto cell_of = [&](std::size_t vertex) {  // some vertices have none
      return vertex >= list.size() || list[vertex] == -1 ? unknown : whole(list[vertex], n);
    };
    const bool is_ring = entry.at("joined") == "ring", is_path = entry.at("joined") == "path";
    Family family{entry.at("name"), {}, !is_ring && !is_path, real(entry.at("hops"))};
    if (is_ring && n % 2 == 1) family.hops /= 2;
    family.cuts.resize(is_ring && n % 2 == 0 ? half : is_path && n > 0 ? n - 1 : n);
    Numbers crossed(e.links.size());
    const auto is_inside = [&](std::size_t c, std::size_t cell) {
      const auto [low, high] = std::minmax({c, (c + half) % n});
      return is_ring ? cell > low && cell <= high : is_path ? cell <= c : cell == c;
    };
    for (std::size_t p = 0; p < e.hosts.size(); ++p)
      for (std::size_t c = 0; c < family.cuts.size(); ++c)
        family.cuts[c].slots += is_inside(c, cell_of(e.hosts[p])) ? e.slots[p] : 0;
    for (std::size_t l = 0; l < e.links.size(); ++l) {
      const Link& link = e.links[l];
      const auto [a, b] = std::minmax({cell_of(link.from), cell_of(link.to)});
      const std::size_t first = family.is_disjoint ? a : 0, step = family.is_disjoint ? b - a : 1;
      e.require(family.is_disjoint || b - a <= 1 || (is_ring && b - a == n - 1) || !link.is_up,
                "bounds: a link joins cells that are apart");
      const bool carries = used == nullptr || used->contains(l);
      for (std::size_t c = first; link.is_up && a < b && c < family.cuts.size(); c += step) {
        if (is_inside(c, a) == is_inside(c, b)) continue;
        if (link.is_fatpipe || carries) family.cuts[c].capacity += capacity_of(link);
        crossed[l] += 1;
        if (link.hops <= 0) family.hops = 0;
      }
    }
    for (std::size_t l = 0; l < e.links.size(); ++l)
      e.require((hops[l] += crossed[l] * family.hops) <= e.links[l].hops + rounding,
                "bounds: cuts count more hops than " + e.links[l].name + " has");
    std::erase_if(family.cuts, [](const Cut& cut) { return cut.slots == 0; });
    families.push_back(std::move(family));
  }
  return families;
}

/// What the cuts of a family must let through, and how long the worst of them takes.
std::pair<double, double> across(const Evidence& e, const Family& family) {
  double volume = 0, capacity = 0, time = 0;
  for (const Cut& cut : family.cuts) {
    const auto [fewest, most] = e.ranks_on(cut.slots);
    const double least = e.least_of(fewest, most);
    volume += least, capacity += cut.capacity;
    time = std::max(time, time_over(least, cut.capacity));
  }
  if (!family.is_disjoint) return {volume, time};
  const auto [between, longest] = between_cells(e, family);
  return {between, std::max({time, longest, time_over(between, capacity)})};
}

Proof hop_bytes_over_cuts(Evidence& e) {
  if (e.least.empty()) return std::nullopt;
  double sum = 0;
  for (const Family& family : families_of(e, nullptr)) sum += family.hops * across(e, family).first;
  return sum;
}

/// The bound has the name of the cells.
Proof time_over_cuts(Evidence& e, bool only_used) {
  const Json& name = e.bounds().at("congestion_bound_kind");
  const auto has_name = [&](const Json& cells) { return cells.at("name") == name; };
  const Json& cells = e.witness().at("cells");
  if (!e.knows_ends || e.least.empty() || std::none_of(cells.begin(), cells.end(), has_name))
    return std::nullopt;
  const std::set<std::size_t> used = only_used ? used_links(e).used : std::set<std::size_t>();
  double longest = 0;
  for (const Family& family : families_of(e, only_used ? &used : nullptr))
    if (name == family.name) longest = std::max(longest, across(e, family).second);
  return longest;
}

/// Some rank sends what it has beyond the partners that a host has room for.
Proof time_of_one_rank(Evidence& e) {
  return time_over(greatest(beyond(e.sent_beyond, e.max_slots - 1)), greatest(e.injection));
}

constexpr const char *hop_bytes = "hop_bytes_bound", *congestion = "congestion_bound";

/// What proves a bound again, by the name of its argument; without one: of cuts, named by cells.
struct Verifier {
  const char *bound, *argument;
  Proof (*prove)(Evidence&);
  bool looks_at_sets = false, looks_at_routes = false;
};

constexpr Verifier verifiers[] = {
    {hop_bytes, "nearest slots", nearest_slots},
    {hop_bytes, "assignment", assignment},
    {hop_bytes, "stars", hop_bytes_by_stars},
    {hop_bytes, "spectrum", hop_bytes_by_spectrum},
    {hop_bytes, "hypercube", hop_bytes_of_hypercube},
    {hop_bytes, "hosts", hop_bytes_between_hosts, true},
    {hop_bytes, "cuts", hop_bytes_over_cuts, true},
    {congestion, "hop-bytes", time_of_hop_bytes},
    {congestion, "one rank", time_of_one_rank},
    {congestion, "one flow", time_of_one_flow},
    {congestion, "hosts", time_of_hosts, true},
    {congestion, "flows of one rank", time_of_flows_of_one_rank, false, true},
    {congestion, "hosts by used links", time_of_hosts_by_used_links, true, true},
    {congestion, "hop-bytes on used links", time_of_hop_bytes_on_used_links, false, true},
    {congestion, nullptr, [](Evidence& e) { return time_over_cuts(e, false); }, true},
    {congestion, nullptr, [](Evidence& e) { return time_over_cuts(e, true); }, true, true}};

/// What its argument proves, in whole units of volume where all links are alike and flows do not
/// split, must be what the report claims.
void check_bound(Evidence& e, const std::string& name) {
  const Json &claimed = e.bounds().at(name), &kind = e.bounds().at(name + "_kind");
  const bool is_time = name == congestion;
  const double unit = is_time ? e.unit_of_time() : e.unit_of_volume();
  std::string others;  // that prove more, maybe
  Proof value = !kind.is_string() || kind == "" ? Proof(0) : std::nullopt;
  for (const Verifier& verifier : verifiers) {
    const bool is_more = real(claimed) > value.value_or(0) * (1 + rounding);
    if (name != verifier.bound || (verifier.argument ? kind != verifier.argument : !is_more))
      continue;
    const Proof proof = verifier.prove(e);
    if (!proof) continue;
    // Small guests are also judged by what sets send one way; large ones have no list of trees.
    if (verifier.looks_at_sets &&
        (e.num_ranks > max_listed_tree_ranks || (is_time && e.num_ranks <= max_small_ranks)))
      others = "sets of ranks";
    if (verifier.looks_at_routes && !e.splits && e.hosts.size() <= max_routed_hosts &&
        !used_links(e).are_listed)
      others = "routes that are not listed";
    const bool rises = unit > 0 && *proof > 0 && real(claimed) > *proof * (1 + rounding);
    value = std::max(value.value_or(0),
                     rises ? std::ceil(*proof / unit * (1 - rounding)) * unit : *proof);
  }
  if (!value)
    e.open.insert(name + " by argument " + kind.dump());
  else if (!others.empty() && real(claimed) > *value * (1 + rounding))
    e.open.insert(name + " by " + others);
  else
    e.same(name, claimed, *value);
}

}  // namespace

Values values_of(const Evidence& e, const std::vector<Flow>& flows) {
  return figures_of(e, flows).values;
}

void check_values(Evidence& e, const Json& claims, Values values) {
  if (e.report.at("rows").at(0).at("routing") == "valiant" && values.erase("max_flows_per_link"))
    e.open.insert("flows per link under routing valiant, where both legs count");
  for (const auto& [name, value] : values) e.same(name, claims.at(name), value);
}

double sum_of_prices(const Evidence& e, const Json& prices, const std::vector<std::size_t>& kinds,
                     Numbers (*costs)(const Evidence&, std::size_t)) {
  const Numbers of_slots = numbers_of(prices.at("slots"));
  e.require(of_slots.size() == e.num_slots && greatest(of_slots) <= 0,
            "bounds: a slot has a price above 0");
  double value = sum(of_slots);
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    const double price = real(prices.at("ranks").at(r));
    const Numbers by_kind = costs(e, r);
    value += price;
    for (std::size_t p = 0, slot = 0; p < e.hosts.size(); ++p)
      for (std::size_t s = 0; s < e.slots[p]; ++s, ++slot) {
        const double cost = by_kind.at(kinds.at(p)), size = std::abs(price) + std::abs(cost);
        e.require(price + of_slots[slot] <= cost + rounding * size,
                  fmt::format("bounds: rank {} and slot {} cost less than their prices", r, slot));
      }
  }
  return value;
}

}  // namespace checking

CheckResult check_report(const nlohmann::json& report, const nlohmann::json& evidence) {
  using namespace checking;
  try {
    Evidence e(report, evidence);
    std::optional<std::string> wrong;
    e.verified.insert("embeddings, routes, hops, volumes, loads, bounds, best row");
    try {
      e.routes = e.routes_of(evidence.at("routes"));
      check_sums_of_phases(e);
      for (std::size_t r = 0; r < report.at("rows").size(); ++r) check_row(e, r);
      check_distances(e), check_grid(e), check_least_volumes(e);
      hop_bytes_over_cuts(e);  // its witnesses are right, whatever bounds hang on
      check_bound(e, hop_bytes), check_bound(e, congestion);
      check_best(e);
    } catch (const WrongFigure& error) {
      wrong = error.what();
    }
    return {wrong, {e.verified.begin(), e.verified.end()}, {e.open.begin(), e.open.end()}};
  } catch (const nlohmann::json::exception& error) {
    throw InputError(
        fmt::format("not a report with all of its evidence: {}", without_number(error.what())));
  } catch (const std::out_of_range&) {
    throw InputError("not a report with all of its evidence: a list ends early");
  }
}

}  // namespace vtopo::detail
