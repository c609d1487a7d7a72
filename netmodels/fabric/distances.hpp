#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/fabric/fabric.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

/// A link that leaves a vertex.
struct FabricPort {
  LinkId link;
  int to = 0;
};

/// Working links and least hops of a fabric; internal to this room. Hosts with the same switches
/// form a group: what leads to one of them leads to all.
class FabricDistances {
 public:
  static constexpr std::uint16_t unreachable = 65535;

  /// @param works one entry per link.
  FabricDistances(const FabricSpec& spec, const std::vector<bool>& works);

  /// Working links out of a vertex, by link id.
  const std::vector<FabricPort>& ports(int vertex) const { return ports_[vertex]; }

  int num_groups() const { return num_groups_; }
  int group(HostId host) const { return groups_[host]; }

  /// Links from a switch to any host of a group; `unreachable` if there is no way.
  int to_group(int switch_vertex, int group) const {
    return rows_[group][switch_vertex - num_hosts_];
  }

  /// Links from any vertex that is not `destination` to it; `unreachable` if there is no way.
  int to_host(int vertex, HostId destination) const;

  /// Most links between any two hosts that reach each other.
  int diameter() const;

 private:
  void group_hosts();
  IdVector<int, std::uint16_t> distances_to(HostId member) const;

  int num_hosts_;
  int num_vertices_;
  IdVector<int, std::vector<FabricPort>> ports_;  ///< one entry per vertex
  IdVector<int, std::vector<FabricPort>>
      incoming_;  ///< the same links; `to` is where they come from
  IdVector<HostId, int> groups_;
  std::vector<HostId> members_;  ///< one host of each group
  int num_groups_ = 0;
  IdVector<int, IdVector<int, std::uint16_t>> rows_;  ///< per group one entry per switch
};

}  // namespace vtopo::detail
