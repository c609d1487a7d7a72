#pragma once

#include <string>
#include <vector>

namespace vtopo::detail {

/// A zone, cluster or cabinet of a platform file with what is written in it.
struct PlatformZone {
  std::string name;
  int parent = -1;                   ///< zone that it is in; -1: the outermost
  std::vector<std::string> hosts;    ///< names, in the order of the file
  std::vector<std::string> routers;  ///< likewise
  std::vector<std::string> links;    ///< likewise; of clusters the backbone
  std::vector<int> grid = {};        ///< sizes of a cluster that is a torus, the fastest first
};

/// The zones of a platform file, each after the one that it is in; none where the file cannot be
/// read. Hosts and links have the names that SimGrid gives them.
std::vector<PlatformZone> platform_zones(const std::string& path);

}  // namespace vtopo::detail
