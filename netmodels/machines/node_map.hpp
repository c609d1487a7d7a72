#pragma once

#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Where the nodes of a machine stand, as its own files say it: by cabinets, or by leaf switches.
struct NodeMap {
  std::string path;                ///< file that says it
  std::string part;                ///< of the machine: `cabinet`, `switch`
  std::vector<std::string> names;  ///< of the nodes, part by part in the order of a network's hosts
  std::vector<int> part_of;        ///< of each node, ascending
  std::vector<std::string> parts;  ///< their names
};

/// Reads topology files of Slurm (by their extension `.conf`, `.yaml` or `.yml`), nodes by leaf
/// switch; and of other files lines `NODE XNAME` such as `nid001000 x1000c0s0b0n0`, separated by
/// blanks or a comma, nodes by cabinet (x), chassis (c), slot (s), board (b) and node (n): what
/// `/etc/cray/xname` says on each node of HPE Cray EX.
/// @throws InputError with file, line and column.
NodeMap read_node_map(const std::string& path);

/// Whether the parts of the map are parts of the network: with the names in the order of its ids,
/// each node is where the machine has it.
/// @throws UsageError with the number of nodes of each part if they are not.
void check_node_map(const NodeMap& map, const Network& network);

}  // namespace vtopo::detail
