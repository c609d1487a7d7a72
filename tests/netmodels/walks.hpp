#pragma once

#include <algorithm>
#include <span>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// All distances in links between vertices by Floyd and Warshall: slow and obvious. Hosts pass
/// traffic on only if `hosts_pass_on`. Entry [a][b]; `far` where there is no way.
class AllDistances {
 public:
  static constexpr int far = 1'000'000;

  AllDistances(const Network& network, const std::vector<bool>& failed, bool hosts_pass_on) {
    int vertices = network.num_hosts();
    for (int l = 0; l < network.num_links(); ++l) {
      const auto ends = network.link_ends(LinkId{l});
      vertices = std::max({vertices, ends->from + 1, ends->to + 1});
    }
    const auto size = static_cast<std::size_t>(vertices);
    table_.assign(size, std::vector<int>(size, far));
    for (std::size_t v = 0; v < size; ++v) table_[v][v] = 0;
    for (int l = 0; l < network.num_links(); ++l) {
      const auto ends = network.link_ends(LinkId{l});
      if (!failed[static_cast<std::size_t>(l)] && ends->from != ends->to)
        table_[static_cast<std::size_t>(ends->from)][static_cast<std::size_t>(ends->to)] = 1;
    }
    const std::size_t first = hosts_pass_on ? 0 : static_cast<std::size_t>(network.num_hosts());
    for (std::size_t via = first; via < size; ++via)
      for (std::size_t a = 0; a < size; ++a)
        for (std::size_t b = 0; b < size; ++b)
          table_[a][b] = std::min(table_[a][b], table_[a][via] + table_[via][b]);
  }

  int between(int a, int b) const {
    const int distance = table_[static_cast<std::size_t>(a)][static_cast<std::size_t>(b)];
    return distance >= far ? far : distance;
  }

 private:
  std::vector<std::vector<int>> table_;
};

/// Whether the links lead from `source` to `destination` one after the other and none is failed.
inline bool is_walk(const Network& network, std::span<const LinkId> route, HostId source,
                    HostId destination, const std::vector<bool>& failed) {
  int here = number(source);
  for (const LinkId link : route) {
    const auto ends = network.link_ends(link);
    if (!ends || ends->from != here || failed[index(link)]) return false;
    here = ends->to;
  }
  return here == number(destination);
}

}  // namespace vtopo
