#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/host_names.hpp"
#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"

namespace vtopo::detail {

/// Where a launcher puts a rank.
struct NodeSlot {
  std::string node;  ///< name of the machine
  int slot = 0;      ///< of the node: its core, if the network knows its inside
};

/// Slots of nodes. Each place has as many as the allocation gives it, or one if it gives none, in
/// the order of places; a host without places inside is a node.
class NodeSlots {
 public:
  /// The network must outlive it.
  NodeSlots(const Network& network, const Allocation& allocation);

  /// @param slot of the host, from 0.
  NodeSlot of(HostId host, int slot) const;

  /// Host of a slot of `node`; nothing beyond the last one.
  std::optional<HostId> host(const NamedHosts& node, std::int64_t slot) const;

  /// Slots of a node.
  std::int64_t count(const NamedHosts& node) const;

 private:
  int width(HostId host) const { return std::max(1, slots_[index(host)]); }

  const Network* network_;
  std::vector<int> slots_;  ///< one entry per host of the network
};

}  // namespace vtopo::detail
