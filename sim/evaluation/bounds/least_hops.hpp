#pragma once

#include <memory>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// The network with hops of shortest paths in the links that are up, through hosts too, and nothing
/// that says more of distances; null where it is not known how links are joined. O(links) for each
/// source that is asked for after another one. For one thread.
/// @param network must outlive it.
std::shared_ptr<const Network> with_shortest_paths(const Network& network);

/// A network whose `hops` no flow falls short of. Under `valiant`, `adaptive` and `ideal` flows may
/// take fewer hops than the network's own route, on a dragonfly by way of a third group; there hops
/// are those of shortest paths, 0 where it is not known how links are joined.
class LeastHops {
 public:
  /// @param network must outlive it.
  explicit LeastHops(const Network& network);

  const Network& network() const { return paths_ ? *paths_ : network_; }

 private:
  const Network& network_;
  std::shared_ptr<const Network> paths_;
};

}  // namespace vtopo::detail
