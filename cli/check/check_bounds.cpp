#include "cli/check/check_bounds.hpp"

#include <cstdint>
#include <numeric>
#include <optional>

#include "cli/check/distances.hpp"
#include "cli/check/least_volumes.hpp"
#include "cli/check/set_volumes.hpp"
#include "cli/check/shared_ranks.hpp"
#include "cli/check/spectrum.hpp"
#include "cli/check/stars.hpp"
#include "cli/check/used_links.hpp"

namespace vtopo::detail::checking {
namespace {

/// Above, reports do not list the trees that prove volumes between sets.
constexpr std::size_t max_listed_tree_ranks = 1024;

constexpr const char* other_routes =
    "that routes of host pairs without traffic take no other links";

/// Cuts of one kind: slots on one side of each, and capacity both ways.
struct Family {
  std::string name;
  std::vector<std::pair<std::size_t, double>> cuts;
  bool is_disjoint = false;  // sides are single cells
  double hops = 0;
};

class BoundChecker {
 public:
  BoundChecker(const Job& job, const Routes& routes, const Json& bounds, const Json& witness,
               Claims& claims)
      : job_(job), bounds_(bounds), witness_(witness), claims_(claims) {
    is_exact_ = job.all_up && are_links_steps(job, grid_of(witness.value("axes", Json::array())));
    if (witness.contains("used_links")) links_.emplace(job, routes, witness, claims);
    for (const auto& partners : job.sent)
      for (const auto& [to, bytes] : partners) {
        const bool is_whole = unit_ >= 0 && bytes == std::floor(bytes) && bytes < 0x1p53;
        unit_ = is_whole ? std::gcd(unit_, static_cast<std::int64_t>(bytes)) : -1;
      }
    for (const Link& link : job.links)
      are_alike_ = are_alike_ && !link.is_fatpipe && link.bandwidth == job.links[0].bandwidth;
  }

  /// Bounds follow from the partners of each rank, distances of slots, prices and bandwidths.
  void run() {
    check_distances();
    check_hop_bytes();
    std::size_t kept = 0;  // partners in the host of a rank
    Family hosts{"hosts", {}, true, 0};
    for (const auto& [host, slots] : job_.slots) {
      kept = std::max(kept, slots - 1), num_slots_ += slots;
      hosts.cuts.emplace_back(slots, 0);
    }
    double one_flow = 0;
    double injection = 0, all_injection = 0, rate = 0, widest = 0, widest_hop = 0;
    for (std::size_t r = 0; r < job_.num_ranks; ++r) {
      Numbers flows;
      for (const auto& [other, bytes] : job_.both[r])
        flows.push_back(std::max(job_.sent_to(r, other), job_.sent_to(other, r)));
      std::sort(flows.rbegin(), flows.rend());
      if (kept < flows.size()) one_flow = std::max(one_flow, flows[kept]);
    }
    const OfRanks leaving = beyond_partners(job_.sent, kept);
    for (const Json& out : witness_.at("injection"))
      injection = std::max(injection, real(out)), all_injection += real(out);
    for (const Link& link : job_.links) {
      widest = std::max(widest, link.bandwidth);
      if (link.hops > 0)
        rate += link.bandwidth * link.hops, widest_hop = std::max(widest_hop, link.bandwidth);
    }
    const double hop_bytes = real(bounds_.at("hop_bytes_bound"));
    argue("congestion_bound", "hop-bytes", hop_bytes / rate);
    argue("congestion_bound", "one rank", leaving.greatest / injection);
    argue("congestion_bound", "one flow", one_flow / widest_hop);
    read_least_volumes();
    if (!least_.empty()) check_cuts(hosts, leaving.sum, all_injection);
    if (links_) {
      argue_by_routes("flows of one rank", links_->flows_of_one_rank(kept) / widest);
      argue_by_routes("hop-bytes on used links", links_->time_of_hops(hop_bytes));
      argue_by_routes("hosts by used links",
                      links_->time_of_hosts(
                          kept, std::max(leaving.sum, least_.empty() ? 0 : least_sum(hosts) / 2)));
    }
    settle("hop_bytes_bound", 1, true);
    const double bandwidth = job_.links.empty() ? 1 : job_.links[0].bandwidth;
    settle("congestion_bound", bandwidth, are_alike_ && !job_.splits);
  }

 private:
  /// An argument for a bound; several may have one name.
  void argue(const std::string& name, const std::string& kind, double value) {
    if (bounds_.at(name + "_kind") == kind) proven_[name] = std::max(proven_[name], value);
  }

  /// One that hangs on the links that routes take.
  void argue_by_routes(const std::string& kind, double value) {
    if (bounds_.at("congestion_bound_kind") != kind) return;
    argue("congestion_bound", kind, value);
    if (!links_->is_certain()) claims_.open.insert(other_routes);
  }

  /// What its argument proves, in whole units where all links are alike and flows are not split,
  /// must be what the report claims.
  void settle(const std::string& name, double bandwidth, bool in_units) {
    const Json &claimed = bounds_.at(name), &kind = bounds_.at(name + "_kind");
    const bool is_congestion = name == "congestion_bound";
    if (!proven_.contains(name) && !(is_congestion && by_used_links_ > 0) && kind.is_string() &&
        !kind.get<std::string>().empty())
      return void(claims_.open.insert(name + " by argument " + kind.dump()));
    const auto in_whole_units = [&](double value) {
      const double units = value * bandwidth / static_cast<double>(unit_);
      const bool rises = unit_ > 0 && units > 0 && in_units;
      return rises && real(claimed) > value * (1 + rounding)
                 ? value * std::ceil(units * (1 - rounding)) / units
                 : value;
    };
    double value = in_whole_units(proven_[name]);
    const auto is_more = [&] { return real(claimed) > value * (1 + rounding); };
    if (is_congestion && is_more() && by_used_links_ > proven_[name]) {
      value = in_whole_units(by_used_links_);
      if (!links_->is_certain()) claims_.open.insert(other_routes);
    }
    // Small guests are also judged by what sets send one way; large ones have no list of trees.
    const std::set<Json> without_sets{"nearest slots", "assignment", "stars",    "spectrum",
                                      "one rank",      "one flow",   "hop-bytes"};
    if (is_more() && !without_sets.contains(kind) &&
        ((small_ && is_congestion) || job_.num_ranks > max_listed_tree_ranks))
      return void(claims_.open.insert(name + " by sets of ranks"));
    claims_.same(name, claimed, value);
  }

  /// Profiles and the closest hosts are no farther than by a shortest path, and no host sends
  /// faster than its links.
  void check_distances() {
    const Json &profiles = witness_.at("profiles"), &places = witness_.at("profile_of");
    const Distances distances(job_);
    double closest = infinity;
    for (std::size_t p = 0; job_.knows_ends && p < job_.hosts.size(); ++p) {
      const Json none = Json::array();
      const Json& profile =
          profiles.empty() ? none : profiles.at(places.empty() ? 0 : whole(places.at(p)));
      const Numbers near = distances.nearest_slots(
          job_.hosts[p], std::max(profile.size(), job_.slots.at(job_.hosts[p])));
      closest = std::min(closest, near[job_.slots.at(job_.hosts[p]) - 1]);
      for (std::size_t k = 0; k < profile.size(); ++k) {
        const double hops = real(profile[k]), least = places.empty() || !job_.all_up ? 0 : near[k];
        claims_.require(hops >= least && (!is_exact_ || hops <= near[k]), "profiles of slots");
        if (hops > near[k]) claims_.open.insert("slots farther away than by a shortest path");
      }
    }
    for (std::size_t p = 0; job_.knows_ends && p < job_.hosts.size(); ++p) {
      double out = 0;
      for (const Link& link : job_.links)
        if (link.is_up && link.hops > 0 &&
            (link.from == job_.hosts[p] || (!link.is_directed && link.to == job_.hosts[p])))
          out += link.bandwidth;
      claims_.require(real(witness_.at("injection").at(p)) >= out * (1 - rounding),
                      fmt::format("bounds: host {} sends faster", job_.hosts[p]));
    }
    if (real(witness_.at("closest")) > closest)
      claims_.open.insert("hosts farther than a shortest path");
  }

  /// Each slot has one rank, whose partners are on the slots nearest to it.
  void check_hop_bytes() {
    const Json &profiles = witness_.at("profiles"), &places = witness_.at("profile_of");
    const Json prices = witness_.value("prices", Json());
    double nearest = 0, assigned = 0;
    for (std::size_t r = 0; r < job_.num_ranks && !profiles.empty(); ++r) {
      Numbers both, costs(profiles.size());
      for (const auto& [other, bytes] : job_.both[r]) both.push_back(bytes);
      std::sort(both.rbegin(), both.rend());
      for (std::size_t p = 0; p < costs.size(); ++p)
        for (std::size_t k = 0; k < both.size(); ++k) costs[p] += both[k] * real(profiles[p].at(k));
      nearest += *std::min_element(costs.begin(), costs.end()) / 2;
      if (prices.is_null()) continue;
      const double price = real(prices.at("ranks").at(r));
      assigned += price / 2;
      std::size_t slot = 0;
      for (std::size_t p = 0; p < job_.hosts.size(); ++p)
        for (std::size_t s = 0; s < job_.slots.at(job_.hosts[p]); ++s, ++slot) {
          const double of_slot = real(prices.at("slots").at(slot)),
                       cost = costs.at(whole(places.at(p)));
          claims_.require(
              of_slot <= 0 && price + of_slot <= cost + rounding * (std::abs(price) + cost),
              fmt::format("bounds: rank {} and slot {} cost less than their prices", r, slot));
          if (r == 0) assigned += of_slot / 2;
        }
    }
    argue("hop_bytes_bound", "nearest slots", nearest);
    argue("hop_bytes_bound", "assignment", assigned);
    if (witness_.contains("stars") && job_.knows_ends)
      argue("hop_bytes_bound", "stars",
            hop_bytes_by_stars(job_, is_exact_, witness_.at("stars"), claims_));
    if (job_.knows_ends && bounds_.at("hop_bytes_bound_kind") == "spectrum")
      argue("hop_bytes_bound", "spectrum",
            hop_bytes_by_spectrum(job_, real(bounds_.at("hop_bytes_bound"))));
  }

  /// What sets of ranks exchange at least, as far as theorems say so.
  void read_least_volumes() {
    std::vector<Side> sides;
    std::vector<std::size_t> cells(job_.num_ranks);
    std::iota(cells.begin(), cells.end(), std::size_t{0});
    for (const Json& side : witness_.value("grid", Json::array()))
      sides.push_back({whole(side.at(0)), side.at(1) != 0, real(side.at(2))});
    for (std::size_t r = 0; witness_.contains("grid_cells") && r < job_.num_ranks; ++r)
      cells[r] = whole(witness_.at("grid_cells").at(r), job_.num_ranks);
    std::size_t ranks = 1;
    for (const Side& side : sides)
      ranks *= side.size >= 2 && ranks <= job_.num_ranks ? side.size : 0;
    claims_.require(sides.empty() || ranks == job_.num_ranks,
                    "bounds: a grid of another number of ranks");
    theorems_.emplace(job_.both, sides);
    if (job_.num_ranks <= max_small_ranks) small_.emplace(job_.both);
    const double hypercube =
        hypercube_hop_bytes(job_, sides, witness_.value("axes", Json::array()));
    if (hypercube > 0) argue("hop_bytes_bound", "hypercube", hypercube);
    claims_.require(
        hypercube > 0 || !job_.knows_ends || bounds_.at("hop_bytes_bound_kind") != "hypercube",
        "bounds: not a hypercube on a grid of hosts");
    if (!sides.empty())
      claims_.require(!theorems_->missing_edge(cells), "bounds: the guest does not have that grid");
    double connectivity = 0;
    for (const Json& claim : witness_.value("least_volumes", Json::array())) {
      const auto k = least_.size();
      least_.push_back(real(claim));
      const double certain = small_ ? small_->least(k) : theorems_->certain(k);
      if (least_[k] > certain * (1 + rounding))
        connectivity =
            std::max(connectivity, least_[k] * count(job_.both) / static_cast<double>(k) /
                                       static_cast<double>(job_.num_ranks - k));
    }
    claims_.require(connectivity == 0 ||
                        (sides.empty() && theorems_->has_connectivity(connectivity * (1 - 1e-6))),
                    "bounds: some ranks may exchange less than least_volumes");
  }

  double least(std::size_t k) const {
    const std::size_t fewer = std::min(k, job_.num_ranks - k);
    claims_.require(fewer < least_.size(), "bounds: least_volumes end early");
    return least_[fewer];
  }

  /// The fewest and the most ranks on some slots.
  std::pair<std::size_t, std::size_t> ranks_on(std::size_t slots) const {
    const std::size_t others = num_slots_ - slots;
    return {job_.num_ranks > others ? job_.num_ranks - others : 0, std::min(slots, job_.num_ranks)};
  }

  double least_on(std::size_t slots) const {
    const auto [fewest, most] = ranks_on(slots);
    double value = fewest == 0 || most >= job_.num_ranks ? 0 : infinity;
    for (std::size_t k = fewest; value > 0 && k <= most; ++k) value = std::min(value, least(k));
    return value;
  }

  /// Of disjoint sets that hold all ranks, each on so many slots; both sides of a pair count.
  double least_sum(const Family& family) const {
    std::size_t first = job_.num_ranks, most = 0;
    for (const auto& [slots, capacity] : family.cuts)
      first = std::min(first, ranks_on(slots).first), most = std::max(most, ranks_on(slots).second);
    if (small_) return 2 * small_->least_between_sets(first, most);
    double sum = theorems_->beyond(job_.num_ranks, std::max<std::size_t>(most, 1) - 1);
    if (most >= job_.num_ranks) return sum;
    if (most >= 2)
      sum =
          std::max(sum, 2 * between_sets_by_graph(job_.both, witness_.value("trees", Json::array()),
                                                  most, claims_));
    double each = infinity;
    first = std::max<std::size_t>(first, 1);
    for (std::size_t k = first; k <= most; ++k)
      each = std::min(each, least(k) / static_cast<double>(k));
    return std::max({sum, each * count(job_.both), theorems_->between_sets(first, most)});
  }

  /// Cuts between cells: slots on one side, capacity of the links across. No link counts for more
  /// hops than it has.
  /// @param only_used links that routes between the hosts of the job are said to take.
  std::vector<Family> read_cuts(const Json& cells, bool only_used) const {
    std::vector<Family> families;
    Numbers used(job_.links.size());
    for (const Json& entry : cells) {
      const std::size_t n = whole(entry.at("count"), entry.at("cell_of").size() + 1);
      const bool is_ring = entry.at("joined") == "ring";
      Family family{entry.at("name"), {}, entry.at("joined") == "complete", real(entry.at("hops"))};
      const auto cell = [&](std::size_t vertex) {
        const Json& list = entry.at("cell_of");
        return vertex >= list.size() || list[vertex] == -1 ? n : whole(list[vertex], n);
      };
      std::vector<std::size_t> slots(n + 1);
      Numbers capacity(n + 1), crossed(job_.links.size());
      for (const auto& [host, number] : job_.slots) slots[cell(host)] += number;
      for (std::size_t l = 0; l < job_.links.size(); ++l) {
        const auto [low, high] = std::minmax({cell(job_.links[l].from), cell(job_.links[l].to)});
        if (low == high || !job_.links[l].is_up) continue;
        if (job_.links[l].hops <= 0) family.hops = 0;
        double bandwidth = only_used && !links_->takes(l) ? 0 : job_.links[l].bandwidth;
        if (job_.links[l].is_fatpipe) bandwidth = infinity;
        const bool is_neighbour = high < n && (high - low == 1 || (is_ring && high - low == n - 1));
        claims_.require(family.is_disjoint || is_neighbour,
                        "bounds: a link joins cells that are apart");
        crossed[l] = family.is_disjoint && high < n ? 2 : 1;
        capacity[family.is_disjoint || high - low == 1 ? low : high] += bandwidth;
        if (family.is_disjoint) capacity[high] += bandwidth;
      }
      for (std::size_t l = 0; l < job_.links.size(); ++l) {
        used[l] += crossed[l] * family.hops;
        claims_.require(!job_.links[l].is_up || used[l] <= job_.links[l].hops + rounding,
                        "bounds: cuts count more hops than " + job_.links[l].name + " has");
      }
      if (is_ring && n % 2 == 1) family.hops /= 2;
      for (std::size_t c = 0; c < (is_ring ? n % 2 == 1 ? n : n / 2 : n); ++c) {
        const auto [low, high] = std::minmax({c, (c + n / 2) % n});
        const auto at = [](std::size_t i) { return static_cast<std::ptrdiff_t>(i); };
        if (family.is_disjoint)
          family.cuts.emplace_back(slots[c], capacity[c]);
        else if (is_ring)
          family.cuts.emplace_back(std::accumulate(slots.begin() + at(low) + 1,
                                                   slots.begin() + at(high) + 1, std::size_t{0}),
                                   capacity[low] + capacity[high]);
        else if (c + 1 < n)
          family.cuts.emplace_back(
              std::accumulate(slots.begin(), slots.begin() + at(c) + 1, std::size_t{0}),
              capacity[c]);
      }
      std::erase_if(family.cuts, [](const auto& cut) { return cut.first == 0; });
      families.push_back(std::move(family));
    }
    return families;
  }

  /// What the cuts of a family must let through, and how long the worst of them takes.
  std::pair<double, double> across(const Family& family) const {
    double volume = 0, sum = 0, most = 0, widest = 0;
    std::size_t together = 1;
    std::map<Cell, double> cells;
    for (const auto& [slots, capacity] : family.cuts) {
      volume += least_on(slots), sum += capacity;
      most = std::max(most, capacity > 0 ? least_on(slots) / capacity : 0);
      widest = std::max(widest, capacity), together = std::max(together, ranks_on(slots).second);
      ++cells[{ranks_on(slots).first, ranks_on(slots).second, capacity}];
    }
    if (!family.is_disjoint) return {volume, most};
    const auto [shared, time] =
        by_shared_ranks(cells, job_.num_ranks, [&](std::size_t k) { return least(k); });
    volume = std::max(least_sum(family), shared);
    // Some cell holds the rank that exchanges most with ranks that have no room beside it.
    if (widest > 0)
      most = std::max(most, beyond_partners(job_.both, together - 1).greatest / widest);
    return {volume, std::max({most, time, sum > 0 ? volume / sum : 0})};
  }

  void check_cuts(const Family& hosts, double leaving, double all_injection) {
    double hop_bytes = 0;
    const Json none = Json::array(), &cells = job_.knows_ends ? witness_.at("cells") : none;
    for (const Family& family : read_cuts(cells, false)) {
      const auto [volume, most] = across(family);
      hop_bytes += family.hops * volume;
      argue("congestion_bound", family.name, most);
    }
    if (links_)
      for (const Family& family : read_cuts(cells, true))
        if (bounds_.at("congestion_bound_kind") == family.name)
          by_used_links_ = std::max(by_used_links_, across(family).second);
    argue("hop_bytes_bound", "cuts", hop_bytes);
    argue("hop_bytes_bound", "hosts", across(hosts).first / 2 * real(witness_.at("closest")));
    argue("congestion_bound", "hosts", std::max(leaving, least_sum(hosts) / 2) / all_injection);
  }

  const Job& job_;
  const Json &bounds_, &witness_;
  Claims& claims_;
  bool is_exact_;  // distances are those of shortest paths
  std::map<std::string, double> proven_;
  bool are_alike_ = true;
  std::size_t num_slots_ = 0;
  std::optional<LeastVolumes> theorems_;
  std::optional<SmallSets> small_;
  std::optional<UsedLinks> links_;
  Numbers least_;             // what k ranks and the others exchange at least
  double by_used_links_ = 0;  // a bound of the busiest link, if no route takes other links
  std::int64_t unit_ = 0;
};

}  // namespace

void check_bounds(const Job& job, const Routes& routes, const Json& bounds, const Json& witness,
                  Claims& claims) {
  BoundChecker(job, routes, bounds, witness, claims).run();
}

}  // namespace vtopo::detail::checking
