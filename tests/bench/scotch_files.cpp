#include "scotch_files.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <limits>
#include <numeric>

#include "sim/evaluation/partners.hpp"
#include "topology/base/error.hpp"

namespace scotch {

namespace {

using namespace vtopo;
using namespace vtopo::detail;

[[noreturn]] void refuse(const Network& network) {
  throw UsageError(fmt::format("Scotch has no target like {}", network.description()));
}

std::string grid_target(const HostCoordinates& grid, const Network& network) {
  const AxisKind kind = grid.axes.front().kind;
  if (kind == AxisKind::complete || grid.hosts_per_router != 1) refuse(network);
  std::string text =
      fmt::format("{} {}", kind == AxisKind::ring ? "torusXD" : "meshXD", grid.axes.size());
  for (const NetworkAxis& axis : grid.axes) {
    if (axis.kind != kind) refuse(network);
    text += fmt::format(" {}", axis.size);
  }
  return text + '\n';
}

/// From the top: groups inside each group, and the hops that the way out of one adds. Where hops
/// differ between the groups of a level, a tree knows only the most.
std::string tree_target(const std::vector<HostGroups>& levels) {
  std::string text;
  HostGroups below;
  int count = 0;
  for (const HostGroups& level : levels) {
    if (level.hosts == below.hosts) continue;
    text = fmt::format(" {} {}", level.hosts / below.hosts, level.hops - below.hops) + text;
    below = level;
    ++count;
  }
  return fmt::format("tleaf {}{}\n", count, text);
}

double volume_of(const Partners& partners, Rank rank) {
  double sum = 0;
  for (const Partner& partner : partners.of(rank)) sum += partner.both().value;
  return sum;
}

/// Hop-bytes of a rank with its partners if it sat on `host`.
double cost_on(const Partners& partners, Rank rank, HostId host, const std::vector<HostId>& hosts,
               const Network& network) {
  double sum = 0;
  for (const Partner& partner : partners.of(rank))
    sum += partner.both().value * network.hops(host, hosts[index(partner.rank)]);
  return sum;
}

}  // namespace

std::string graph(const CommGraph& guest) {
  const Partners partners(guest);
  std::size_t arcs = 0;
  std::string rows;
  for (int r = 0; r < guest.num_ranks(); ++r) {
    const auto list = partners.of(Rank{r});
    arcs += list.size();
    rows += fmt::format("{}", list.size());
    for (const Partner& partner : list)
      rows += fmt::format("\t{} {}", std::max(1LL, std::llround(partner.both().value)),
                          number(partner.rank));
    rows += '\n';
  }
  return fmt::format("0\n{}\t{}\n0\t010\n", guest.num_ranks(), arcs) + rows;
}

std::string target(const Network& network) {
  if (const auto grid = network.coordinates()) return grid_target(*grid, network);
  const auto levels = network.hierarchy();
  if (levels.empty()) refuse(network);
  return tree_target(levels);
}

std::vector<HostId> read_mapping(const std::string& path, int num_ranks, const Network& network) {
  std::ifstream file(path);
  int count = 0;
  if (!(file >> count) || count != num_ranks)
    throw InputError(fmt::format("{}: {} vertices instead of {}", path, count, num_ranks));
  std::vector<HostId> hosts(static_cast<std::size_t>(num_ranks), HostId{-1});
  for (int vertex = 0, host = 0; file >> vertex >> host;) {
    if (vertex < 0 || vertex >= num_ranks || host < 0 || host >= network.num_hosts())
      throw InputError(fmt::format("{}: vertex {} on target {}", path, vertex, host));
    hosts[static_cast<std::size_t>(vertex)] = HostId{host};
  }
  if (std::count(hosts.begin(), hosts.end(), HostId{-1}) > 0)
    throw InputError(fmt::format("{}: vertices without a target", path));
  return hosts;
}

Embedding repaired(std::vector<HostId> hosts, const CommGraph& guest, const Network& network,
                   const Allocation& allocation) {
  const Partners partners(guest);
  std::vector<int> free(static_cast<std::size_t>(network.num_hosts()), 0);
  for (std::size_t h = 0; h < allocation.hosts.size(); ++h)
    free[index(allocation.hosts[h])] = allocation.slots[h];
  std::vector<int> by_volume(hosts.size());
  std::iota(by_volume.begin(), by_volume.end(), 0);
  std::stable_sort(by_volume.begin(), by_volume.end(), [&](int a, int b) {
    return volume_of(partners, Rank{a}) > volume_of(partners, Rank{b});
  });
  std::vector<int> homeless;
  for (const int rank : by_volume)
    if (free[index(hosts[static_cast<std::size_t>(rank)])]-- <= 0) homeless.push_back(rank);
  for (int& slots : free) slots = std::max(slots, 0);
  for (const int rank : homeless) {
    double least = std::numeric_limits<double>::infinity();
    HostId best = allocation.hosts.front();
    for (const HostId host : allocation.hosts) {
      if (free[index(host)] == 0) continue;
      const double cost = cost_on(partners, Rank{rank}, host, hosts, network);
      if (cost >= least) continue;
      least = cost;
      best = host;
    }
    --free[index(best)];
    hosts[static_cast<std::size_t>(rank)] = best;
  }
  return Embedding(std::move(hosts), allocation);
}

}  // namespace scotch
