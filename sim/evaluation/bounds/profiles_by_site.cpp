#include <algorithm>
#include <cstdint>
#include <limits>
#include <map>
#include <utility>
#include <variant>

#include "netmodels/models/modelled_network.hpp"
#include "sim/evaluation/bounds/host_profiles.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/narrow.hpp"

namespace vtopo {

namespace {

/// Work on distances between sites at most, in lookups of one route each; allocations that are
/// small enough to ask for all pairs of their hosts are spared no distance.
constexpr double most_lookups = 1 << 22;

/// Routes that one distance looks at.
template <class Shape>
double lookups_per_distance(const Shape&) {
  return 1;
}
double lookups_per_distance(const DragonflySpec& dragonfly) {
  return dragonfly.cables_per_pair;
}

/// Whether one way may be longer than the way back.
template <class Shape>
bool is_one_way(const Shape&) {
  return false;
}
bool is_one_way(const DragonflySpec& dragonfly) {
  return dragonfly.routing.simgrid_compatible;
}

/// Entry h: slots at h hops.
using SlotsAt = std::vector<std::int64_t>;

void add_slots(SlotsAt& slots_at, int hops, std::int64_t slots) {
  const auto entry = index(hops);
  if (entry >= slots_at.size()) slots_at.resize(entry + 1, 0);
  slots_at[entry] += slots;
}

int hosts_per_site(const TorusSpec& torus) {
  return torus.hosts_per_router;
}
int hosts_per_site(const FatTreeSpec& tree) {
  return tree.levels.front().children;
}
int hosts_per_site(const DragonflySpec& dragonfly) {
  return dragonfly.hosts_per_blade;
}
int hosts_per_site(std::monostate) {
  return 0;
}

/// Sites of equal numbers have as many others at each distance, if all hosts are used alike: the
/// turns and, where a dimension does not wrap, the reflections of a grid lead one to the other.
std::int64_t orbit(const TorusSpec& torus, std::int64_t site) {
  std::int64_t result = 0;
  for (const TorusDimension& dimension : torus.dimensions) {
    const std::int64_t at = site % dimension.size;
    site /= dimension.size;
    result *= dimension.size;
    if (!dimension.wraps) result += std::min(at, dimension.size - 1 - at);
  }
  return result;
}
std::int64_t orbit(const FatTreeSpec&, std::int64_t) {
  return 0;
}
template <class Shape>
std::int64_t orbit(const Shape&, std::int64_t site) {
  return site;
}

bool has_all_hosts_alike(const Network& network, const Allocation& allocation) {
  return allocation.num_hosts() == network.num_hosts() &&
         std::equal(allocation.slots.begin() + 1, allocation.slots.end(), allocation.slots.begin());
}

class SiteProfiles {
 public:
  SiteProfiles(const Network& network, const Allocation& allocation)
      : network_(network), allocation_(allocation), shape_(network.shape()) {
    per_site_ = std::visit([](const auto& shape) { return hosts_per_site(shape); }, shape_);
    if (per_site_ == 0) return;
    gather();
    const double lookups =
        static_cast<double>(orbits_.size()) * static_cast<double>(firsts_.size()) *
        std::visit([](const auto& shape) { return lookups_per_distance(shape); }, shape_);
    if (lookups > most_lookups && allocation.num_hosts() > max_exact_hosts) per_site_ = 0;
  }

  bool are_known() const { return per_site_ > 0; }

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
  int site_of(std::size_t place) const {
    return numbers_[number(allocation_.hosts[place]) / per_site_];
  }

  void gather() {
    const bool alike = has_all_hosts_alike(network_, allocation_);
    numbers_.assign(network_.num_hosts() / per_site_, -1);
    for (std::size_t place = 0; place < allocation_.hosts.size(); ++place) {
      const HostId host = allocation_.hosts[place];
      const int at = number(host) / per_site_;
      int& site = numbers_[at];
      if (site < 0) {
        site = firsts_.size();
        firsts_.push_back(host);
        inside_.push_back(0);
        slots_.push_back(0);
        const std::int64_t key =
            alike ? std::visit([&](const auto& shape) { return orbit(shape, at); }, shape_) : at;
        orbit_of_.push_back(orbits_.emplace(key, int_size(orbits_)).first->second);
      } else if (inside_[site] == 0) {
        const HostId first = firsts_[site];
        inside_[site] = network_.hops(first, host);
      }
      slots_[site] += allocation_.slots[place];
    }
    others_of_.assign(int_size(orbits_), {});
  }

  SlotsAt slots_around(std::size_t place) {
    const int site = site_of(place);
    SlotsAt slots_at = others_of(site);
    add_slots(slots_at, 0, allocation_.slots[place] - 1);
    if (inside_[site] == 0) return slots_at;
    add_slots(slots_at, inside_[site], slots_[site] - allocation_.slots[place]);
    closest_ = std::min(closest_, inside_[site]);
    return slots_at;
  }

  /// Slots of the other sites.
  const SlotsAt& others_of(int site) {
    SlotsAt& slots_at = others_of_[orbit_of_[site]];
    if (!slots_at.empty()) return slots_at;
    slots_at = {0};
    std::vector<int> hops(firsts_.entries().size());
    network_.hops_from(firsts_[site], firsts_.entries(), hops);
    const bool one_way = std::visit([](const auto& shape) { return is_one_way(shape); }, shape_);
    for (int other = 0; other < firsts_.size(); ++other) {
      if (other == site) continue;
      int fewest = hops[index(other)];
      if (one_way) fewest = std::min(fewest, network_.hops(firsts_[other], firsts_[site]));
      add_slots(slots_at, fewest, slots_[other]);
      closest_ = std::min(closest_, fewest);
    }
    return slots_at;
  }

  const Network& network_;
  const Allocation& allocation_;
  NetworkShape shape_;
  int per_site_ = 0;
  IdVector<int, int> numbers_;    ///< of the sites of the network among those that are used, or -1
  IdVector<int, HostId> firsts_;  ///< one entry per site, as the next three
  IdVector<int, int> inside_;     ///< hops between two of its hosts; 0: it has one
  IdVector<int, std::int64_t> slots_;
  IdVector<int, int> orbit_of_;
  std::map<std::int64_t, int> orbits_;
  IdVector<int, SlotsAt> others_of_;  ///< one entry per orbit
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
  if (allocation.hosts.empty() || dynamic_cast<const ModelledNetwork*>(&network) == nullptr)
    return std::nullopt;
  SiteProfiles sites(network, allocation);
  if (!sites.are_known()) return std::nullopt;
  return sites.profiles(count, progress);
}

}  // namespace vtopo
