#include "cli/check/distances.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

namespace vtopo::detail::checking {
namespace {

/// Whether two vertices of a grid differ by one step in one dimension.
bool are_neighbours(const Grid& grid, std::size_t from, std::size_t to) {
  std::size_t steps = 0;
  for (const auto& [size, wraps] : grid) {
    const std::size_t apart =
        from % size > to % size ? from % size - to % size : to % size - from % size;
    steps += wraps ? std::min(apart, size - apart) : apart;
    from /= size, to /= size;
  }
  return steps == 1;
}

}  // namespace

Grid grid_of(const Json& axes) {
  Grid grid;
  for (const Json& axis : axes) grid.emplace_back(whole(axis.at(0)), axis.at(1) != 0);
  return grid;
}

bool are_links_steps(const Job& job, const Grid& grid) {
  std::size_t cells = 1;
  for (const auto& [size, wraps] : grid) cells *= cells < unknown ? size : 0;
  bool fits = job.knows_ends;
  for (const std::size_t host : job.hosts) fits = fits && host < cells;
  for (const Link& link : job.links)
    fits = fits && link.hops >= 1 && link.from < cells && link.to < cells &&
           are_neighbours(grid, link.from, link.to);
  return fits;
}

Distances::Distances(const Job& job) : job_(job) {
  for (const Link& link : job.links) {
    if (link.is_up) next_[link.from].emplace_back(link.to, link.hops);
    if (link.is_up && !link.is_directed) next_[link.to].emplace_back(link.from, link.hops);
  }
}

template <class F>
void Distances::search(std::size_t from, F&& found) const {
  std::set<std::size_t> seen;
  std::set<std::pair<double, std::size_t>> next{{0, from}};
  while (!next.empty()) {
    const auto [hops, at] = *next.begin();
    next.erase(next.begin());
    if (!seen.insert(at).second) continue;
    if (!found(at, hops)) return;
    const auto links = next_.find(at);
    if (links == next_.end()) continue;
    for (const auto& [to, more] : links->second) next.emplace(hops + more, to);
  }
}

Numbers Distances::nearest_slots(std::size_t from, std::size_t count) const {
  Numbers slots;
  search(from, [&](std::size_t at, double hops) {
    if (job_.slots.contains(at)) slots.insert(slots.end(), job_.slots.at(at), hops);
    return slots.size() <= count;
  });
  slots.resize(count + 1, infinity);
  return {slots.begin() + 1, slots.end()};
}

Numbers Distances::to_hosts(std::size_t from) const {
  std::map<std::size_t, double> to;
  search(from, [&](std::size_t at, double hops) {
    to.emplace(at, hops);
    return true;
  });
  Numbers result;
  for (const std::size_t host : job_.hosts)
    result.push_back(to.contains(host) ? to.at(host) : infinity);
  return result;
}

}  // namespace vtopo::detail::checking
