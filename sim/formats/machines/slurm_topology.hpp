#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/machines/machine_file.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

using Remark = std::function<void(const std::string&)>;

/// Reads Slurm's `topology.conf`: `SwitchName=s0 Nodes=n[0-3]` and `SwitchName=top Switches=s[0-1]`
/// (topology/tree), or `BlockName=b1 Nodes=n[0-17]` (topology/block: one switch per block, all
/// blocks joined by one more). Lines, names and values as Slurm's parser takes them: names in any
/// case, blanks around the sign, values in quotes, a backslash at the end of a line that goes on.
/// `Include FILE` reads another file in place of the line. `LinkSpeed` is ignored, as Slurm does.
/// Hosts in the order in which the file names them. What `scontrol show topology` prints is such a
/// file: there a switch repeats the hosts below its switches (without cables to them), `Level`,
/// `BlockIndex` and `AggregatedBlock` lines say nothing new. A host in several leaf switches has a
/// cable to each, with a remark: Slurm warns of it.
/// @throws InputError with file, line and column.
FabricSpec read_slurm_conf(const std::string& path, const CableAssumptions& cables,
                           const Remark& remark = {});

/// Reads Slurm's `topology.yaml` (25.05): the topology marked `cluster_default`, else the first one
/// that describes wiring, of type tree or block.
/// @throws InputError with file, line and column; for a file that only declares `flat`, which names
/// no hosts, and for a torus.
FabricSpec read_slurm_yaml(const std::string& path, const CableAssumptions& cables,
                           const Remark& remark = {});

/// Torus of the types torus3d (26.05) and ring.
struct SlurmGrid {
  std::string spec;                ///< `torus:4x4x2`
  std::vector<std::string> hosts;  ///< the first dimension fastest, also of those in regions
};

/// The torus of such a file; nothing if it describes switches.
/// @throws InputError as above, and for several tori, as the file does not say what joins them.
std::optional<SlurmGrid> read_slurm_grid(const std::string& path);

/// Switches over hosts and over other switches, gathered from a file; internal to this room.
class SwitchTree {
 public:
  /// Declares a switch with its hosts and child switches, as Slurm's host lists.
  /// @param where for errors about the lists.
  /// @throws InputError for a switch that is declared twice, a malformed list, a switch without
  /// children, and more than `max_host_list_names` hosts in all. A host that is also below one of
  /// the child switches has no cable to this one.
  void add_switch(const FilePosition& where, std::string_view name, std::string_view hosts,
                  std::string_view children);

  bool empty() const { return switches_.empty(); }
  std::vector<std::string> switch_names() const;

  /// Cables with the capacity that the hosts below need.
  /// @param remark hears which hosts are in several leaf switches; may be empty.
  /// @throws InputError for a child that is declared nowhere, a circle of switches, a name that is
  /// both host and switch, and a file without hosts.
  FabricSpec fabric(const std::string& path, const CableAssumptions& cables,
                    const Remark& remark) const;

 private:
  struct Switch {
    std::string name;
    FilePosition where;
    std::vector<int> hosts;
    std::vector<std::string> children;
  };

  int host_id(const std::string& name);
  std::vector<std::vector<int>> child_switches() const;
  std::vector<int> bottom_up(const std::vector<std::vector<int>>& children) const;
  std::vector<std::vector<int>> own_hosts(const std::vector<std::vector<int>>& children) const;

  std::vector<Switch> switches_;
  std::unordered_map<std::string, int> switch_ids_;
  std::vector<std::string> hosts_;
  std::unordered_map<std::string, int> host_ids_;
};

}  // namespace vtopo::detail
