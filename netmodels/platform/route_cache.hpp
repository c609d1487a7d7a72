#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "netmodels/platform/platform_routes.hpp"

namespace vtopo {

/// Routes from one host to some or all others. Never changed once it is published.
struct RouteRow {
  std::vector<int> destinations;  ///< ascending; empty: all hosts
  std::vector<std::uint32_t> offsets;
  std::vector<LinkId> links;
  int num_routes() const { return static_cast<int>(offsets.size()) - 1; }
};

/// Keeps the routes that SimGrid has computed, so that none is computed twice. A miss fetches
/// four times as many routes of its source as are already there: few pairs cost few routes, a walk
/// over all pairs costs few conversations. Routes that are there are read without a lock, also by
/// forked copies of this process. Internal to this room.
class RouteCache {
 public:
  explicit RouteCache(PlatformRoutes& routes);

  /// Links between two hosts; empty if there is no route. Valid until the next call of this thread.
  std::span<const LinkId> route(HostId source, HostId destination);

 private:
  const RouteRow* published(HostId source) const;
  std::span<const LinkId> fetch(HostId source, HostId destination);
  void publish(HostId source, std::unique_ptr<const RouteRow> row);

  PlatformRoutes& routes_;
  pid_t owner_;  ///< forked copies read the cache and do not write it
  std::size_t kept_bytes_ = 0;
  std::vector<std::atomic<const RouteRow*>> rows_;
  std::vector<std::unique_ptr<const RouteRow>> kept_;  ///< also rows that readers may still hold
};

}  // namespace vtopo
