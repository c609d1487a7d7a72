#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace vtopo {

/// A network as SimGrid's `<cluster topology="..." topo_parameters="...">`.
struct SimgridCluster {
  std::string topology;    ///< `TORUS`, `FAT_TREE`, `DRAGONFLY`
  std::string parameters;  ///< `topo_parameters` as SimGrid reads them
  /// Why the cluster has other links or routes than the network; empty: it has the same.
  std::string difference = {};
  /// What SimGrid 3.32 does not survive to build, as `a torus of ...`; empty: nothing.
  std::string fatal = {};
};

/// The cluster of a network whose specification has numbers and separators alone, which SimGrid
/// writes the same; nothing with keys or words, which it does not have. `8x8` becomes `8,8`.
std::optional<SimgridCluster> plain_cluster(std::string_view topology, std::string_view spec);

}  // namespace vtopo
