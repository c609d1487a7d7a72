#pragma once

#include <string>

#include "netmodels/fabric/fabric.hpp"

namespace vtopo {

/// What the files of a machine's administrators leave open about the cables.
struct CableAssumptions {
  BytesPerSecond bandwidth{10e9};  ///< of a host's cable, per direction
  Seconds latency{100e-9};         ///< of every cable
  /// A switch carries up what its hosts can send, divided by this and shared by the cables to its
  /// parents: 1 is a tree that blocks nothing. >= 1.
  double taper = 1;
};

/// Reads Slurm's `topology.conf`: `SwitchName=s0 Nodes=n[0-3]` and `SwitchName=top Switches=s[0-1]`
/// (topology/tree), or `BlockName=b1 Nodes=n[0-17]` (topology/block: one switch per block, all
/// blocks joined by one more). Names of parameters in any case; `LinkSpeed` is ignored, as Slurm
/// does. Hosts in the order in which the file names them.
/// @throws InputError with file, line and column.
FabricSpec read_slurm_conf(const std::string& path, const CableAssumptions& cables);

/// Reads Slurm's `topology.yaml` (25.05): the topology marked `cluster_default`, else the first one
/// of type tree or block.
/// @throws InputError with file, line and column.
FabricSpec read_slurm_yaml(const std::string& path, const CableAssumptions& cables);

}  // namespace vtopo
