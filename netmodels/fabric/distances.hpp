#pragma once

#include <cstdint>
#include <vector>

#include "netmodels/fabric/fabric.hpp"

namespace vtopo {

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
  const std::vector<FabricPort>& ports(int vertex) const {
    return ports_[static_cast<std::size_t>(vertex)];
  }

  int num_groups() const { return num_groups_; }
  int group(HostId host) const { return groups_[index(host)]; }

  /// Links from a switch to any host of a group; `unreachable` if there is no way.
  int to_group(int switch_vertex, int group) const {
    return rows_[static_cast<std::size_t>(group)]
                [static_cast<std::size_t>(switch_vertex - num_hosts_)];
  }

  /// Links from any vertex that is not `destination` to it; `unreachable` if there is no way.
  int to_host(int vertex, HostId destination) const;

  /// Most links between any two hosts that reach each other.
  int diameter() const;

 private:
  void group_hosts();
  std::vector<std::uint16_t> distances_to(HostId member) const;

  int num_hosts_;
  int num_vertices_;
  std::vector<std::vector<FabricPort>> ports_;     ///< one entry per vertex
  std::vector<std::vector<FabricPort>> incoming_;  ///< the same links; `to` is where they come from
  std::vector<int> groups_;                        ///< one entry per host
  std::vector<HostId> members_;                    ///< one host of each group
  int num_groups_ = 0;
  std::vector<std::vector<std::uint16_t>> rows_;  ///< per group one entry per switch
};

}  // namespace vtopo
