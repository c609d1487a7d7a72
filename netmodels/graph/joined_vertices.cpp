#include "netmodels/graph/joined_vertices.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

/// The widest link that is shared, or 1: what a link without limit counts as.
double widest(const std::vector<double>& bandwidths) {
  double most = 0;
  for (const double bandwidth : bandwidths)
    if (std::isfinite(bandwidth)) most = std::max(most, bandwidth);
  return most > 0 ? most : 1;
}

}  // namespace

std::optional<JoinedVertices> JoinedVertices::of(const Network& network) {
  JoinedVertices links;
  links.num_vertices = network.num_hosts();
  for (int l = 0; l < network.num_links(); ++l) {
    const auto sides = network.link_sides(LinkId{l});
    if (!sides) return std::nullopt;
    links.num_vertices = std::max({links.num_vertices, sides->from + 1, sides->to + 1});
    if (sides->from == sides->to) continue;
    links.sides.push_back(*sides);
    const LinkProperties link = network.link(LinkId{l});
    links.bandwidths.push_back(link.sharing == LinkSharing::fatpipe
                                   ? std::numeric_limits<double>::infinity()
                                   : link.bandwidth.value);
  }
  return links;
}

void merge_neighbours(std::vector<WeightedNeighbour>& row) {
  std::sort(row.begin(), row.end());
  std::size_t kept = 0;
  for (std::size_t i = 0; i < row.size(); ++i)
    if (kept > 0 && row[kept - 1].first == row[i].first)
      row[kept - 1].second += row[i].second;
    else
      row[kept++] = row[i];
  row.resize(kept);
}

WeightedNeighbours joined_cells(const JoinedVertices& links, const std::vector<int>& cell_of,
                                int count) {
  WeightedNeighbours neighbours(index(count));
  const double most = widest(links.bandwidths);
  for (std::size_t l = 0; l < links.sides.size(); ++l) {
    const int from = cell_of[index(links.sides[l].from)], to = cell_of[index(links.sides[l].to)];
    if (from < 0 || to < 0 || from == to) continue;
    const double weight = std::min(links.bandwidths[l], most) / most;
    neighbours[index(from)].push_back({to, weight});
    neighbours[index(to)].push_back({from, weight});
  }
  for (auto& row : neighbours) merge_neighbours(row);
  return neighbours;
}

}  // namespace vtopo::detail
