#pragma once

#include <vector>

#include "sim/placement/allocation.hpp"

namespace vtopo {

/// Which rank sits on which host; never more ranks on a host than it has slots.
class Embedding {
 public:
  /// @param hosts one entry per rank.
  /// @throws FitError if a host is outside the allocation or has more ranks than slots.
  Embedding(std::vector<HostId> hosts, const Allocation& allocation);

  int num_ranks() const { return static_cast<int>(hosts_.size()); }  ///< ranks are from 0 on
  /// Host on which `rank` runs; the rank is not checked.
  HostId host_of(Rank rank) const { return hosts_[index(rank)]; }
  const std::vector<HostId>& hosts() const { return hosts_; }  ///< one entry per rank

  /// Equal if every rank has the same host in both.
  friend bool operator==(const Embedding&, const Embedding&) = default;

 private:
  std::vector<HostId> hosts_;
};

/// One host per slot of the allocation, in allocation order; host i appears slots[i] times.
std::vector<HostId> slot_hosts(const Allocation& allocation);

/// Ranks on hosts that need no allocation: every host takes the ranks that it has.
/// @param hosts one entry per rank.
Embedding embedding_on(const std::vector<HostId>& hosts);

/// Hosts that have a rank, each once, in ascending order.
std::vector<HostId> used_hosts(const Embedding& embedding);

/// @throws FitError if `num_ranks` ranks do not fit into the slots of the allocation.
void check_fit(int num_ranks, const Allocation& allocation);

}  // namespace vtopo
