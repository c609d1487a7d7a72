#pragma once

#include <string>

#include "netmodels/fabric/fabric.hpp"
#include "netmodels/machines/machine_file.hpp"

namespace vtopo::detail {

/// Reads Slurm's `topology.conf`: `SwitchName=s0 Nodes=n[0-3]` and `SwitchName=top Switches=s[0-1]`
/// (topology/tree), or `BlockName=b1 Nodes=n[0-17]` (topology/block: one switch per block, all
/// blocks joined by one more). Lines, names and values as Slurm's parser takes them: names in any
/// case, blanks around the sign, values in quotes, a backslash at the end of a line that goes on.
/// `LinkSpeed` is ignored, as Slurm does. Hosts in the order in which the file names them.
/// @throws InputError with file, line and column.
FabricSpec read_slurm_conf(const std::string& path, const CableAssumptions& cables);

/// Reads Slurm's `topology.yaml` (25.05): the topology marked `cluster_default`, else the first one
/// of type tree or block.
/// @throws InputError with file, line and column.
FabricSpec read_slurm_yaml(const std::string& path, const CableAssumptions& cables);

}  // namespace vtopo::detail
