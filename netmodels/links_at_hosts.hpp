#pragma once

#include <mutex>
#include <set>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Links that are up, count as hops and lead away from each host of a network, as far as it is
/// known where links lead; those that are used both ways lead away from both ends. Listed at the
/// first question, in O(hosts + links).
class LinksAtHosts {
 public:
  /// @param network the same one each time.
  const std::set<LinkId>& of(const Network& network, HostId host) const;

 private:
  mutable std::once_flag listed_;
  mutable std::vector<std::set<LinkId>> links_;  ///< one entry per host
};

}  // namespace vtopo::detail
