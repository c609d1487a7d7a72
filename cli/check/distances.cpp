#include "cli/check/distances.hpp"

#include <set>

namespace vtopo::detail::checking {

Distances::Distances(const Job& job) : job_(job) {
  for (const Link& link : job.links) {
    if (link.is_up) next_[link.from].emplace_back(link.to, link.hops);
    if (link.is_up && !link.is_directed) next_[link.to].emplace_back(link.from, link.hops);
  }
}

Numbers Distances::nearest_slots(std::size_t from, std::size_t count) const {
  std::set<std::size_t> found;
  std::set<std::pair<double, std::size_t>> next{{0, from}};
  Numbers slots;
  while (!next.empty() && slots.size() <= count) {
    const auto [hops, at] = *next.begin();
    next.erase(next.begin());
    if (!found.insert(at).second) continue;
    if (job_.slots.contains(at)) slots.insert(slots.end(), job_.slots.at(at), hops);
    const auto links = next_.find(at);
    if (links == next_.end()) continue;
    for (const auto& [to, more] : links->second) next.emplace(hops + more, to);
  }
  slots.resize(count + 1, infinity);
  return {slots.begin() + 1, slots.end()};
}

}  // namespace vtopo::detail::checking
