#include "sim/bounds/host_profiles.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <queue>
#include <utility>
#include <variant>

#include "netmodels/graph/link_graph.hpp"
#include "netmodels/load_routing/traffic_routed.hpp"
#include "topology/base/error.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr double hop_rounding = 1e-9;  // of sums of hops that a user gave

/// Says nothing of distances but their hops.
class OtherHops : public WrappedNetwork {
 public:
  using WrappedNetwork::WrappedNetwork;

  void hops_from(HostId source, std::span<const HostId> destinations,
                 std::span<int> result) const override {
    Network::hops_from(source, destinations, result);
  }

 protected:
  NetworkFacts make_facts() const override {
    NetworkFacts facts = WrappedNetwork::make_facts();
    facts.hop_metric = {};
    facts.hierarchy = {};
    facts.distance_profile = nullptr;
    return facts;
  }
};

class NoHops final : public OtherHops {
 public:
  using OtherHops::OtherHops;

  int hops(HostId, HostId) const override { return 0; }
};

/// Searches anew whenever it is asked for another source, but for hosts of one router.
class ShortestPaths final : public OtherHops {
 public:
  ShortestPaths(std::shared_ptr<const Network> base, std::shared_ptr<const LinkGraph> graph)
      : OtherHops(std::move(base)), graph_(std::move(graph)) {
    for (int l = 0; l < num_links(); ++l) hops_of_link_.push_back(link(LinkId{l}).hops);
  }

  int hops(HostId source, HostId destination) const override {
    if (source != source_) leave(source);
    const double hops =
        source == destination ? 0 : to_root_ + hops_[static_cast<std::size_t>(number(destination))];
    return std::isfinite(hops) ? static_cast<int>(hops + hop_rounding)
                               : base()->hops(source, destination);
  }

 private:
  /// The only arc of a vertex that does not lead back; null if there are several or none.
  const Arc* only_arc(int vertex, int back) const {
    const Arc* only = nullptr;
    for (const Arc& arc : graph_->out_arcs(vertex))
      if (arc.to != back && std::exchange(only, &arc) != nullptr) return nullptr;
    return only;
  }

  /// Follows the way that all paths from a host begin with, through its own links, and searches
  /// where it ends.
  void leave(HostId source) const {
    constexpr int most_steps = 3;
    source_ = source;
    to_root_ = 0;
    int root = number(source), back = -1;
    for (int step = 0; step < most_steps; ++step)
      if (const Arc* only = only_arc(root, back)) {
        to_root_ += hops_of_link_[index(only->link)];
        back = std::exchange(root, only->to);
      }
    if (std::exchange(root_, root) != root) search();
  }

  /// From the root to all vertices; a vertex is looked at again when a shorter path to it is found.
  void search() const {
    hops_.assign(static_cast<std::size_t>(graph_->num_vertices()),
                 std::numeric_limits<double>::infinity());
    hops_[static_cast<std::size_t>(root_)] = 0;
    std::queue<std::pair<double, int>> next;
    next.emplace(0, root_);
    for (; !next.empty(); next.pop()) {
      const auto [hops, vertex] = next.front();
      if (hops > hops_[static_cast<std::size_t>(vertex)]) continue;
      for (const Arc& arc : graph_->out_arcs(vertex)) {
        double& known = hops_[static_cast<std::size_t>(arc.to)];
        const double there = hops + hops_of_link_[index(arc.link)];
        if (there < known) known = there, next.emplace(there, arc.to);
      }
    }
  }

  std::shared_ptr<const LinkGraph> graph_;
  std::vector<double> hops_of_link_;
  mutable HostId source_{-1};
  mutable int root_ = -1;             ///< vertex that all paths from the source pass
  mutable double to_root_ = 0;        ///< hops from the source
  mutable std::vector<double> hops_;  ///< from the root to each vertex
};

/// Not an owner.
std::shared_ptr<const Network> pointer_to(const Network& network) {
  return {std::shared_ptr<const Network>(), &network};
}

/// On grids and in trees no path is shorter than the network's own.
bool may_be_undercut(const Network& network) {
  const Routing rule = network.routing();
  const bool takes_detours =
      rule == Routing::valiant || rule == Routing::adaptive || rule == Routing::ideal;
  return takes_detours && !network.coordinates() &&
         !std::holds_alternative<TreeMetric>(network.hop_metric());
}

}  // namespace

std::shared_ptr<const Network> with_shortest_paths(const Network& network) {
  auto graph = working_graph(network);
  if (!graph) return nullptr;
  return std::make_shared<ShortestPaths>(pointer_to(network), std::move(graph));
}

LeastHops::LeastHops(const Network& network) : network_(network) {
  if (!may_be_undercut(network)) return;
  paths_ = with_shortest_paths(network);
  if (!paths_) paths_ = std::make_shared<NoHops>(pointer_to(network));
}

namespace {

/// Hops between the hosts of an allocation, the fewer of both directions; below the diagonal. All
/// routes of a host are asked for in a row: a platform then answers many at once.
using FewerHops = std::vector<std::vector<int>>;

FewerHops fewer_hops(const Network& network, const std::vector<HostId>& hosts,
                     const Progress& progress) {
  FewerHops fewer(hosts.size());
  for (std::size_t place = 0; place < hosts.size(); ++place) fewer[place].resize(place);
  for (std::size_t here = 0; here < hosts.size(); ++here) {
    if (progress) progress(static_cast<double>(here) / static_cast<double>(hosts.size()));
    for (std::size_t there = here + 1; there < hosts.size(); ++there)
      fewer[there][here] = network.hops(hosts[here], hosts[there]);
    for (std::size_t there = 0; there < here; ++there)
      fewer[here][there] = std::min(fewer[here][there], network.hops(hosts[here], hosts[there]));
  }
  return fewer;
}

/// Other slots by their hops from `place`; entry h: slots with h hops.
void count_slots(const FewerHops& fewer, const std::vector<int>& slots, std::size_t place,
                 std::vector<std::int64_t>& slots_at) {
  std::fill(slots_at.begin(), slots_at.end(), 0);
  for (std::size_t other = 0; other < slots.size(); ++other) {
    const int hops = other == place ? 0 : fewer[std::max(place, other)][std::min(place, other)];
    const auto entry = index(hops);
    if (entry >= slots_at.size()) slots_at.resize(entry + 1, 0);
    slots_at[entry] += slots[other] - (other == place ? 1 : 0);
  }
}

HostProfiles asked_profiles(const Network& network, const Allocation& allocation, std::size_t count,
                            const Progress& progress) {
  const FewerHops fewer = fewer_hops(network, allocation.hosts, progress);
  HostProfiles result;
  result.closest = std::numeric_limits<int>::max();
  for (const auto& row : fewer)
    for (const int hops : row) result.closest = std::min(result.closest, hops);
  if (allocation.num_hosts() < 2) result.closest = 0;
  std::map<HostProfile, int> known;
  std::vector<std::int64_t> slots_at;
  for (std::size_t place = 0; place < allocation.hosts.size(); ++place) {
    count_slots(fewer, allocation.slots, place, slots_at);
    const auto [entry, is_new] =
        known.emplace(profile_of_slots(slots_at, count), int_size(result.profiles));
    if (is_new) result.profiles.push_back(entry->first);
    result.profile_of.push_back(entry->second);
  }
  return result;
}

HostProfiles profile_of_all(const Network& network, const Allocation& allocation, std::size_t count,
                            bool all_hops) {
  const int most = allocation.slots.empty()
                       ? 1
                       : *std::max_element(allocation.slots.begin(), allocation.slots.end());
  HostProfile nearest = nearest_by_shape(network, most, count);
  int one = all_hops ? 1 : 0;
  if (nearest.size() >= index(most)) one = std::min(one, nearest[index(most - 1)]);
  if (nearest.empty()) {
    nearest.assign(count, one);
    std::fill_n(nearest.begin(), std::min(count, index(most - 1)), 0);
  }
  return {{std::move(nearest)}, {}, one};
}

}  // namespace

/// Hosts without a route between them may be none that the job uses: its metrics show it. To search
/// for further ones may take long where each search fails, so what holds for any machine must do.
HostProfiles host_profiles(const Network& given, const Allocation& allocation, std::size_t count,
                           bool all_hops, const Progress& progress) {
  const LeastHops least(given);
  const Network& network = least.network();
  if (auto known = profiles_by_site(network, allocation, count, progress)) return std::move(*known);
  bool joins_hosts = true;
  if (allocation.num_hosts() <= max_exact_hosts) try {
      return asked_profiles(network, allocation, count, progress);
    } catch (const InputError&) {
      joins_hosts = false;
    }
  HostProfiles result = profile_of_all(network, allocation, count, all_hops);
  result.joins_hosts = joins_hosts;
  return result;
}

HostProfile nearest_by_shape(const Network& network, int slots, std::size_t count) {
  const auto at = network.distance_profile(static_cast<std::int64_t>(count) + 1);
  HostProfile nearest;
  for (std::size_t h = 0; h < at.size(); ++h)
    for (std::int64_t i = h == 0 ? 1 : 0; i < at[h] * slots && nearest.size() < count; ++i)
      nearest.push_back(static_cast<int>(h));
  if (nearest.size() < count) nearest.clear();
  return nearest;
}

namespace {

/// Work on distances between sites at most, in lookups of one route each; allocations that are
/// small enough to ask for all pairs of their hosts are spared no distance.
constexpr double max_lookups = 1 << 22;

/// Entry h: slots at h hops.
using SlotsAt = std::vector<std::int64_t>;

void add_slots(SlotsAt& slots_at, int hops, std::int64_t slots) {
  const auto entry = static_cast<std::size_t>(hops);
  if (entry >= slots_at.size()) slots_at.resize(entry + 1, 0);
  slots_at[entry] += slots;
}

/// Sites of equal numbers have as many others at each distance, if all hosts are used alike.
std::int64_t orbit(const HostSites& sites, std::int64_t site) {
  if (sites.axes.empty()) return site;
  std::int64_t result = 0;
  for (const NetworkAxis& axis : sites.axes) {
    const std::int64_t at = site % axis.size;
    site /= axis.size;
    result *= axis.size;
    if (axis.kind == AxisKind::path) result += std::min(at, axis.size - 1 - at);
  }
  return result;
}

bool has_all_hosts_alike(const Network& network, const Allocation& allocation) {
  return allocation.num_hosts() == network.num_hosts() &&
         std::equal(allocation.slots.begin() + 1, allocation.slots.end(), allocation.slots.begin());
}

class SiteProfiles {
 public:
  SiteProfiles(const Network& network, const Allocation& allocation, HostSites sites)
      : network_(network), allocation_(allocation), sites_(std::move(sites)) {
    gather();
  }

  bool are_too_many() const {
    const double lookups = static_cast<double>(orbits_.size()) *
                           static_cast<double>(firsts_.size()) * sites_.lookups_per_distance;
    return lookups > max_lookups && allocation_.num_hosts() > max_exact_hosts;
  }

  HostProfiles profiles(std::size_t count, const Progress& progress) {
    closest_ = std::numeric_limits<int>::max();
    std::map<std::pair<int, int>, int> known;  // orbit and slots of a host
    std::map<HostProfile, int> numbers;
    HostProfiles result;
    for (std::size_t place = 0; place < allocation_.hosts.size(); ++place) {
      const int orbit = orbit_of_[site_of(place)];
      const auto [entry, is_new] = known.emplace(std::pair{orbit, allocation_.slots[place]}, 0);
      if (is_new) {
        if (progress) progress(static_cast<double>(orbit) / int_size(orbits_));
        HostProfile profile = profile_of_slots(slots_around(place), count);
        const auto [at, first] = numbers.emplace(std::move(profile), int_size(result.profiles));
        if (first) result.profiles.push_back(at->first);
        entry->second = at->second;
      }
      result.profile_of.push_back(entry->second);
    }
    result.closest = allocation_.num_hosts() < 2 ? 0 : closest_;
    return result;
  }

 private:
  std::size_t site_of(std::size_t place) const {
    return static_cast<std::size_t>(numbers_[static_cast<std::size_t>(
        number(allocation_.hosts[place]) / sites_.hosts_per_site)]);
  }

  void gather() {
    const bool alike = has_all_hosts_alike(network_, allocation_);
    const int per_site = sites_.hosts_per_site;
    numbers_.assign(static_cast<std::size_t>(network_.num_hosts() / per_site), -1);
    for (std::size_t place = 0; place < allocation_.hosts.size(); ++place) {
      const HostId host = allocation_.hosts[place];
      const std::int64_t at = number(host) / per_site;
      int& site = numbers_[static_cast<std::size_t>(at)];
      if (site < 0) {
        site = int_size(firsts_);
        firsts_.push_back(host);
        inside_.push_back(0);
        slots_.push_back(0);
        const std::int64_t key = alike ? orbit(sites_, at) : at;
        orbit_of_.push_back(orbits_.emplace(key, int_size(orbits_)).first->second);
      } else if (inside_[static_cast<std::size_t>(site)] == 0) {
        const HostId first = firsts_[static_cast<std::size_t>(site)];
        inside_[static_cast<std::size_t>(site)] = network_.hops(first, host);
      }
      slots_[static_cast<std::size_t>(site)] += allocation_.slots[place];
    }
    others_of_.resize(orbits_.size());
  }

  SlotsAt slots_around(std::size_t place) {
    const std::size_t site = site_of(place);
    SlotsAt slots_at = others_of(site);
    add_slots(slots_at, 0, allocation_.slots[place] - 1);
    if (inside_[site] == 0) return slots_at;
    add_slots(slots_at, inside_[site], slots_[site] - allocation_.slots[place]);
    closest_ = std::min(closest_, inside_[site]);
    return slots_at;
  }

  /// Slots of the other sites.
  const SlotsAt& others_of(std::size_t site) {
    SlotsAt& slots_at = others_of_[static_cast<std::size_t>(orbit_of_[site])];
    if (!slots_at.empty()) return slots_at;
    slots_at = {0};
    if (!sites_.same_back && orbits_.size() == firsts_.size() && rows_.empty())
      for (std::size_t from = 0; from < firsts_.size(); ++from) rows_.push_back(hops_from(from));
    const std::vector<int> hops = rows_.empty() ? hops_from(site) : rows_[site];
    for (std::size_t other = 0; other < firsts_.size(); ++other) {
      if (other == site) continue;
      int fewest = hops[other];
      if (!sites_.same_back)
        fewest = std::min(fewest, rows_.empty() ? network_.hops(firsts_[other], firsts_[site])
                                                : rows_[other][site]);
      add_slots(slots_at, fewest, slots_[other]);
      closest_ = std::min(closest_, fewest);
    }
    return slots_at;
  }

  /// To all sites. A network may search anew for each source, so that is asked for them at once.
  std::vector<int> hops_from(std::size_t site) const {
    std::vector<int> hops(firsts_.size());
    network_.hops_from(firsts_[site], firsts_, hops);
    return hops;
  }

  const Network& network_;
  const Allocation& allocation_;
  HostSites sites_;
  std::vector<int> numbers_;    ///< of the sites of the network among those that are used, or -1
  std::vector<HostId> firsts_;  ///< one entry per site, as the next three
  std::vector<int> inside_;     ///< hops between two of its hosts; 0: it has one
  std::vector<std::int64_t> slots_;
  std::vector<int> orbit_of_;
  std::map<std::int64_t, int> orbits_;
  std::vector<SlotsAt> others_of_;      ///< one entry per orbit
  std::vector<std::vector<int>> rows_;  ///< hops by sites, where all are needed; else empty
  int closest_ = 0;
};

}  // namespace

HostProfile profile_of_slots(const std::vector<std::int64_t>& slots_at, std::size_t count) {
  HostProfile hops;
  hops.reserve(count);
  for (std::size_t h = 0; h < slots_at.size(); ++h) {
    const auto room = static_cast<std::int64_t>(count - hops.size());
    hops.insert(hops.end(), static_cast<std::size_t>(std::min(slots_at[h], room)),
                static_cast<int>(h));
  }
  return hops;
}

std::optional<HostProfiles> profiles_by_site(const Network& network, const Allocation& allocation,
                                             std::size_t count, const Progress& progress) {
  auto known = network.sites();
  if (allocation.hosts.empty() || !known) return std::nullopt;
  SiteProfiles sites(network, allocation, std::move(*known));
  if (sites.are_too_many()) return std::nullopt;
  return sites.profiles(count, progress);
}

}  // namespace vtopo::detail
