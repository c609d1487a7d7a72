#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// Ranks in the order in which they fill the hosts of an allocation, each rank once: what mappers
/// for several ranks per host decide.
using FillOrder = std::vector<Rank>;

/// Slots of the hosts that a guest fills, hosts in allocation order, each filled before the next.
class HostFill {
 public:
  HostFill(const Allocation& allocation, int num_ranks);

  int num_ranks() const { return static_cast<int>(host_of_position_.size()); }

  /// Hosts that take ranks.
  int num_hosts() const { return num_ranks() == 0 ? 0 : host_of_position_.back() + 1; }

  /// Position in the allocation of the host that takes the rank at `position` of a fill order.
  int host_at(int position) const { return host_of_position_[static_cast<std::size_t>(position)]; }

  /// Whether a host begins at `position`, or the guest ends there.
  bool is_boundary(int position) const {
    return position == 0 || position == num_ranks() || host_at(position - 1) != host_at(position);
  }

  /// Ranks on every host, the last one maybe less; nothing if hosts differ.
  std::optional<int> uniform_ranks() const { return uniform_; }

  /// Ranks per host by which shapes are chosen: the mean, rounded down, where hosts differ.
  int typical_ranks() const;

 private:
  std::vector<int> host_of_position_;
  std::optional<int> uniform_;
};

/// Embedding that fills the hosts in the given order.
Embedding fill_hosts(const FillOrder& order, const Allocation& allocation);

/// Directed edges of the guest that leave a host (Jsum), and the most for one host (Jmax).
struct LeavingEdges {
  std::int64_t sum = 0;
  std::int64_t most = 0;

  friend auto operator<=>(const LeavingEdges&, const LeavingEdges&) = default;
};

/// Leaving edges of the embedding that fills hosts in the given order.
LeavingEdges leaving_edges(const CommGraph& guest, const FillOrder& order, const HostFill& fill);

/// The order of least Jsum, then Jmax; the first of equals.
/// @param orders at least one.
FillOrder best_order(const CommGraph& guest, const HostFill& fill, std::vector<FillOrder> orders);

/// "needs a Cartesian grid" where the guest has none: `unsupported_reason` of these mappers.
std::optional<std::string> grid_missing(const MappingProblem& problem);

}  // namespace vtopo::detail
