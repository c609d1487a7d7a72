#include "sim/mapping/grids/host_tiles.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace vtopo::detail {

HostFill::HostFill(const Allocation& allocation, int num_ranks) {
  host_of_position_.reserve(static_cast<std::size_t>(num_ranks));
  std::optional<int> first;
  bool equal = true;
  for (int host = 0, left = num_ranks; left > 0; ++host) {
    const int slots = allocation.slots[static_cast<std::size_t>(host)];
    const int taken = std::min(slots, left);
    host_of_position_.insert(host_of_position_.end(), static_cast<std::size_t>(taken), host);
    left -= taken;
    if (!first) first = taken;
    // The last host may take less than the others, never more.
    equal = equal && (left > 0 ? taken == *first : taken <= *first);
  }
  if (equal) uniform_ = first.value_or(1);
}

int HostFill::typical_ranks() const {
  if (uniform_) return *uniform_;
  return num_ranks() / (host_of_position_.back() + 1);  // hosts differ: there are ranks
}

Embedding fill_hosts(const FillOrder& order, const Allocation& allocation) {
  const HostFill fill(allocation, static_cast<int>(order.size()));
  std::vector<HostId> hosts(order.size());
  for (int position = 0; position < fill.num_ranks(); ++position)
    hosts[index(order[static_cast<std::size_t>(position)])] =
        allocation.hosts[static_cast<std::size_t>(fill.host_at(position))];
  return {std::move(hosts), allocation};
}

LeavingEdges leaving_edges(const CommGraph& guest, const FillOrder& order, const HostFill& fill) {
  std::vector<int> host_of(order.size());
  for (int position = 0; position < fill.num_ranks(); ++position)
    host_of[index(order[static_cast<std::size_t>(position)])] = fill.host_at(position);
  std::vector<std::int64_t> leaving(static_cast<std::size_t>(fill.num_hosts()), 0);
  guest.for_each_edge([&](Rank source, const CommEdge& edge) {
    const int host = host_of[index(source)];
    if (host != host_of[index(edge.destination)]) ++leaving[static_cast<std::size_t>(host)];
  });
  LeavingEdges result;
  for (const std::int64_t edges : leaving) {
    result.sum += edges;
    result.most = std::max(result.most, edges);
  }
  return result;
}

FillOrder best_order(const CommGraph& guest, const HostFill& fill, std::vector<FillOrder> orders) {
  assert(!orders.empty());
  if (orders.size() == 1) return std::move(orders.front());
  std::size_t best = 0;
  LeavingEdges least = leaving_edges(guest, orders[0], fill);
  for (std::size_t i = 1; i < orders.size(); ++i) {
    const LeavingEdges edges = leaving_edges(guest, orders[i], fill);
    if (edges < least) {
      least = edges;
      best = i;
    }
  }
  return std::move(orders[best]);
}

std::optional<std::string> grid_missing(const MappingProblem& problem) {
  if (problem.grid) return std::nullopt;
  return "needs a Cartesian grid, such as --topology cart:8x8";
}

}  // namespace vtopo::detail
