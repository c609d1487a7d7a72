#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>

#include "sim/evaluation/bounds/host_profiles.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo::detail {

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
    std::vector<int> hops(firsts_.size());
    network_.hops_from(firsts_[site], firsts_, hops);
    for (std::size_t other = 0; other < firsts_.size(); ++other) {
      if (other == site) continue;
      int fewest = hops[other];
      if (!sites_.same_back)
        fewest = std::min(fewest, network_.hops(firsts_[other], firsts_[site]));
      add_slots(slots_at, fewest, slots_[other]);
      closest_ = std::min(closest_, fewest);
    }
    return slots_at;
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
  std::vector<SlotsAt> others_of_;  ///< one entry per orbit
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
