#include "netmodels/fabric/distances.hpp"

#include <algorithm>
#include <map>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

FabricDistances::FabricDistances(const FabricSpec& spec, const std::vector<bool>& works)
    : num_hosts_(int_size(spec.hosts)),
      num_vertices_(num_hosts_ + int_size(spec.switches)),
      ports_(num_vertices_),
      incoming_(num_vertices_) {
  for (std::size_t c = 0; c < spec.cables.size(); ++c) {
    const auto [a, b, bandwidth, latency] = spec.cables[c];
    for (const std::size_t link : {2 * c, 2 * c + 1}) {
      if (!works[link]) continue;
      const int from = link % 2 == 0 ? a : b, to = link % 2 == 0 ? b : a;
      ports_[from].push_back({id_at<LinkId>(link), to});
      incoming_[to].push_back({id_at<LinkId>(link), from});
    }
  }
  group_hosts();
  for (const HostId member : members_) rows_.push_back(distances_to(member));
}

int FabricDistances::to_host(int vertex, HostId destination) const {
  if (vertex >= num_hosts_) return to_group(vertex, group(destination));
  int least = unreachable;
  for (const auto& [link, to] : ports(vertex)) {
    if (to == number(destination)) return 1;
    if (to < num_hosts_) continue;
    least = std::min(least, to_group(to, group(destination)));
  }
  return least == unreachable ? unreachable : least + 1;
}

int FabricDistances::diameter() const {
  int longest = 0;
  for (const HostId a : members_)
    for (int b = 0; b < num_hosts_; ++b) {
      if (number(a) == b) continue;
      const int distance = to_host(number(a), HostId{b});
      if (distance != unreachable) longest = std::max(longest, distance);
    }
  return longest;
}

/// Groups by the sorted list of neighbours that lead to and from a host.
void FabricDistances::group_hosts() {
  std::map<std::pair<std::vector<int>, std::vector<int>>, int> known;
  auto neighbours = [](const std::vector<FabricPort>& links) {
    std::vector<int> result;
    result.reserve(links.size());
    for (const auto& port : links) result.push_back(port.to);
    std::sort(result.begin(), result.end());
    return result;
  };
  for (int h = 0; h < num_hosts_; ++h) {
    const auto [entry, is_new] =
        known.emplace(std::pair(neighbours(ports_[h]), neighbours(incoming_[h])), num_groups_);
    if (is_new) {
      members_.push_back(HostId{h});
      ++num_groups_;
    }
    groups_.push_back(entry->second);
  }
}

/// Breadth-first search against the direction of the links, through switches alone.
IdVector<int, std::uint16_t> FabricDistances::distances_to(HostId member) const {
  IdVector<int, std::uint16_t> row(num_vertices_ - num_hosts_, unreachable);
  std::vector<int> frontier{number(member)}, next;
  for (std::uint16_t distance = 1; !frontier.empty() && distance < unreachable; ++distance) {
    next.clear();
    for (const int vertex : frontier)
      for (const auto& port : incoming_[vertex]) {
        if (port.to < num_hosts_) continue;
        std::uint16_t& entry = row[port.to - num_hosts_];
        if (entry != unreachable) continue;
        entry = distance;
        next.push_back(port.to);
      }
    frontier.swap(next);
  }
  return row;
}

}  // namespace vtopo::detail
