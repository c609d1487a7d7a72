
#include "sim/check/evidence.hpp"

// Bounds by partner lists, prices and cuts, and the table of what proves a bound by its argument.
namespace vtopo::detail::checking {
namespace {

/// Of the heaviest flows that do not split, `kept` left out: `shared` of the lightest of one flow
/// more than `shared - 1` through each door share one.
double through_doors(Numbers flows, std::size_t kept, double doors) {
  std::sort(flows.rbegin(), flows.rend());
  double most = 0;
  for (std::size_t shared = 1; doors >= 1; ++shared) {
    const std::size_t last = kept + (shared - 1) * static_cast<std::size_t>(doors);
    if (last >= flows.size()) break;
    most = std::max(most,
                    std::accumulate(flows.begin() + static_cast<std::ptrdiff_t>(last + 1 - shared),
                                    flows.begin() + static_cast<std::ptrdiff_t>(last + 1), 0.0));
  }
  return most;
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
/// inside, and as far as other theorems say so; and no less than they say.
void check_least_volumes(Evidence& e) {
  if (!e.witness().contains("least_volumes")) return;
  const Json& list = e.witness().at("least_volumes");
  const auto n = static_cast<double>(e.num_ranks);
  e.require(list.is_array() && list.size() == e.num_ranks / 2 + 1,
            "bounds: least_volumes of other sets");
  double connectivity = 0;
  Numbers proven;
  for (std::size_t k = 0; k < list.size(); ++k) {
    const double claim = real(list[k]), ranks = static_cast<double>(k);
    double certain = 0;
    for (const auto& theorem : {cut_by_partners, cut_of_grid, cut_of_any_set})
      certain = std::max(certain, theorem(e, k));
    if (claim > certain * (1 + rounding))
      connectivity = std::max(connectivity, claim * n / ranks / (n - ranks));
    proven.push_back(certain), e.least.push_back(claim);
  }
  e.require(connectivity == 0 || has_connectivity(e, connectivity * (1 - 1e-6)),
            "bounds: some ranks may exchange less than least_volumes");
  if (connectivity > 0) return;  // by a value that is not known exactly
  for (std::size_t k = 0; k < list.size(); ++k)
    e.require(e.least[k] >= proven[k] * (1 - 1e-6),
              fmt::format("bounds: {} ranks exchange {} at least", k, proven[k]));
  e.vouch(list);
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

/// Ranks send what they have beyond the partners that a host has room for, those with most of it by
/// the fastest hosts.
Proof time_of_one_rank(Evidence& e) {
  Numbers sent = beyond(e.sent_beyond, e.max_slots - 1), rates;
  for (std::size_t p = 0; p < e.hosts.size(); ++p)
    rates.insert(rates.end(), e.slots[p], e.injection.at(p));
  std::sort(sent.rbegin(), sent.rend()), std::sort(rates.rbegin(), rates.rend());
  double longest = 0;
  for (std::size_t r = 0; r < sent.size(); ++r)
    longest = std::max(longest, time_over(sent[r], rates.at(r)));
  return longest;
}

constexpr const char *bound_of_hops = "hop_bytes_bound", *bound_of_time = "congestion_bound";

/// What proves a bound again, by the name of its argument; without one: of cuts, named by cells.
struct Verifier {
  const char *bound, *argument;
  Proof (*prove)(Evidence&);
  bool looks_at_sets = false, looks_at_routes = false;
};

constexpr Verifier verifiers[] = {
    {bound_of_hops, "nearest slots", nearest_slots},
    {bound_of_hops, "assignment", assignment},
    {bound_of_hops, "stars", hop_bytes_by_stars},
    {bound_of_hops, "spectrum", hop_bytes_by_spectrum},
    {bound_of_hops, "hypercube", hop_bytes_of_hypercube},
    {bound_of_hops, "hosts", hop_bytes_between_hosts, true},
    {bound_of_hops, "cuts", hop_bytes_over_cuts, true},
    {bound_of_time, "hop-bytes", time_of_hop_bytes},
    {bound_of_time, "one rank", time_of_one_rank},
    {bound_of_time, "one flow", time_of_one_flow},
    {bound_of_time, "hosts", time_of_hosts, true},
    {bound_of_time, "flows of one rank", time_of_flows_of_one_rank, false, true},
    {bound_of_time, "cheapest cuts", time_over_cheapest_cuts, true, true},
    {bound_of_time, "cells", time_of_cells, false, true},
    {bound_of_time, nullptr, [](Evidence& e) { return time_over_cuts(e, false); }, true},
    {bound_of_time, nullptr, [](Evidence& e) { return time_over_cuts(e, true); }, true, true}};

/// What its argument proves, in whole units of volume where all links are alike and flows do not
/// split, must be what the report claims.
void check_bound(Evidence& e, const std::string& name) {
  const Json &claimed = e.bounds().at(name), &kind = e.bounds().at(name + "_kind");
  const bool is_time = name == bound_of_time;
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

UsedLinks used_links(const Evidence& e) {
  UsedLinks is;
  std::vector<std::set<std::size_t>> out(e.hosts.size()), in(out);
  const auto add_doors = [&](const Link& ends, std::size_t first, std::size_t last) {
    if (e.place_of.contains(ends.from)) out[e.place_of.at(ends.from)].insert(first);
    if (e.place_of.contains(ends.to)) in[e.place_of.at(ends.to)].insert(last);
  };
  std::size_t pairs = 0;
  for (const auto& [ends, route] : e.routes) {
    if (!e.place_of.contains(ends.first) || !e.place_of.contains(ends.second)) continue;
    for (const auto& [l, share] : route.parts) is.used.insert(l);
    if (!route.parts.empty())
      add_doors({"", ends.first, ends.second}, route.parts.front().first, route.parts.back().first);
    ++pairs;
  }
  is.are_listed = !e.splits && pairs == e.hosts.size() * (e.hosts.size() - 1);
  bool knows_doors = is.are_listed || e.knows_ends;
  if (!is.are_listed) out.assign(out.size(), {}), in = out, is.used.clear();
  for (std::size_t l = 0; !is.are_listed && l < e.links.size(); ++l) {
    if (e.links[l].is_up) is.used.insert(l);
    add_doors(e.links[l], l, l);
    knows_doors = knows_doors && e.links[l].is_directed;
  }
  for (std::size_t p = 0; knows_doors && p < e.hosts.size(); ++p)
    is.out = std::max(is.out, count(out[p])), is.in = std::max(is.in, count(in[p]));
  return is;
}

/// Hop-bytes over what links carry times hops; a fatpipe carries anything.
Proof time_of_hop_bytes(Evidence& e) {
  double rate = 0;
  for (const Link& link : e.links)
    if (link.hops > 0) rate += capacity_of(link) * link.hops;
  return time_over(real(e.bounds().at("hop_bytes_bound")), rate);
}

/// Of the flows of a rank, the heaviest that has no place in its host.
Proof time_of_one_flow(Evidence& e) {
  double heaviest = 0, widest = 0;
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    Numbers flows;
    for (const auto& [other, bytes] : e.both[r])
      flows.push_back(std::max(volume_of(e.sent, r, other), volume_of(e.sent, other, r)));
    std::sort(flows.rbegin(), flows.rend());
    if (e.max_slots <= flows.size()) heaviest = std::max(heaviest, flows[e.max_slots - 1]);
  }
  for (const Link& link : e.links)
    if (link.hops > 0 || link.is_fatpipe) widest = std::max(widest, capacity_of(link));
  return time_over(heaviest, widest);
}

/// A rank with more flows than doors, beside those that stay inside its host.
Proof time_of_flows_of_one_rank(Evidence& e) {
  const UsedLinks is = used_links(e);
  double most = 0, widest = 0;
  for (std::size_t r = 0; r < e.num_ranks; ++r) {
    Numbers sent, received;
    for (const auto& [other, bytes] : e.both[r]) {
      sent.push_back(volume_of(e.sent, r, other)), received.push_back(volume_of(e.sent, other, r));
    }
    most = std::max({most, through_doors(sent, e.max_slots - 1, is.out),
                     through_doors(received, e.max_slots - 1, is.in)});
  }
  for (const Link& link : e.links) widest = std::max(widest, capacity_of(link));
  return time_over(most, widest);
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

/// Bounds of the report, and what proves them, whatever bounds hang on it.
void check_bounds(Evidence& e) {
  check_distances(e), check_grid(e), check_trees(e), check_least_volumes(e);
  hop_bytes_over_cuts(e);
  for (const char* name : {bound_of_hops, bound_of_time}) {
    check_bound(e, name);
    const std::string kind = std::string(name) + "_kind";
    e.vouch_if(e.claimed.contains(&e.bounds().at(name)), e.bounds().at(kind));
  }
}

}  // namespace vtopo::detail::checking
