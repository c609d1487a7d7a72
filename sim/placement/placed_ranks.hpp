#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/host_names.hpp"
#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/error.hpp"

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

/// Which rank sits where, while a file says so.
class PlacedRanks {
 public:
  /// The network and the allocation must outlive it.
  /// @param num_ranks how many must be placed; absent: as many as the file says, up to the slots.
  PlacedRanks(std::optional<int> num_ranks, const Network& network, const Allocation& allocation);

  /// Whether an embedding of `count` ranks can be built.
  bool accepts(std::int64_t count) const {
    return open_ ? count >= 0 && count <= num_ranks() : count == num_ranks();
  }

  /// The most that can be placed.
  int num_ranks() const { return open_ ? max_ranks_of_a_file : static_cast<int>(hosts_.size()); }
  int num_placed() const { return num_placed_; }
  const Network& network() const { return *network_; }
  const Allocation& allocation() const { return *allocation_; }

  /// Host of a name; of that of a node with places inside its next place that has a slot left.
  /// @throws InputError with the nearest name if the network has no such host.
  HostId host_named(std::string_view name, const FilePosition& position);

  /// The same where the file also says which slot of the node: that decides between its places.
  /// @throws InputError also for a slot that such a node does not have.
  HostId host_named(std::string_view name, std::string_view slot, const FilePosition& position);

  /// The same where the file names cores as Open MPI does: `3`, `0,2`, `0-3`, `p3`, `0:*`, or
  /// `1:0-1` of a socket. The first core that it names decides between places of a node.
  /// @throws InputError also for what is no such list, and for a core that such a node does not
  /// have.
  HostId host_with_cores(std::string_view name, const FilePosition& position,
                         std::string_view cores, const FilePosition& cores_position);

  /// The same where slots of all hosts count from 0, in the allocation.
  /// @throws InputError also for a slot that the host does not have.
  HostId host_with_slot(std::string_view name, std::string_view slot, const FilePosition& position);

  /// @throws InputError if the network has no host with that number.
  HostId host_numbered(std::int64_t id, const FilePosition& position) const;

  /// @throws InputError if the rank is unknown or placed before, or the host is not in the
  /// allocation. Full slots are reported when the file has been read, with how many it needs.
  void place(Rank rank, HostId host, const FilePosition& position);

  /// Places the rank after those placed so far.
  void place_next(HostId host, const FilePosition& position) {
    place(Rank{num_placed_}, host, position);
  }

  /// @throws InputError if a rank is missing, or a host has more than its slots.
  Embedding embedding(const std::string& path) const;

 private:
  NamedHosts named(std::string_view name, const FilePosition& position);
  NamedHosts relative(std::string_view name, const FilePosition& position);
  void check_slots() const;

  static constexpr int max_ranks_of_a_file = 16777216;

  /// The first rank that found its host full.
  struct Overflow {
    Rank rank{};
    HostId host{};
    FilePosition position;
  };
  const Network* network_;
  const Allocation* allocation_;
  std::optional<HostNames> names_;       ///< made for the first name
  std::optional<NodeSlots> node_slots_;  ///< likewise
  std::vector<HostId> hosts_;            ///< one entry per rank
  std::vector<int> lines_;               ///< one entry per rank; 0: not placed
  std::vector<int> slots_;               ///< one entry per host of the network
  std::vector<int> free_;                ///< likewise; below 0: ranks too many
  std::vector<NamedHosts> nodes_;        ///< of the allocation, for names such as `+n3`
  std::optional<Overflow> overflow_;
  int num_placed_ = 0;
  bool open_ = false;  ///< how many ranks there are is said by the file
};

}  // namespace vtopo::detail
