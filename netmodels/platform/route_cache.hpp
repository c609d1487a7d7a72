#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "netmodels/platform/platform_routes.hpp"

namespace vtopo::detail {

/// A route as SimGrid has computed it.
struct KnownRoute {
  std::span<const LinkId> links;
  Seconds added;  ///< latency on top of the links

  /// SimGrid sends nothing over a route that has neither links nor latency.
  bool exists() const { return !links.empty() || added.value > 0; }
};

/// Routes from one host to some or all others. Never changed once it is published.
struct RouteRow {
  std::vector<int> destinations;  ///< ascending; empty: all hosts
  std::vector<std::uint32_t> offsets;
  std::vector<LinkId> links;
  std::vector<double> added = {};  ///< latency on top of the links; empty: none has any
  int num_routes() const { return static_cast<int>(offsets.size()) - 1; }
};

/// Keeps the routes that SimGrid has computed, so that none is computed twice. A miss fetches
/// four times as many routes of its source as are already there: few pairs cost few routes, a walk
/// over all pairs costs few conversations. Where SimGrid only looks routes up, the third miss of a
/// source fetches all its routes, and with them those of as many next sources as have all of
/// theirs: that is a walk. Routes that are there are read without a lock, also by
/// forked copies of this process. Internal to this room.
class RouteCache {
 public:
  explicit RouteCache(PlatformRoutes& routes);

  /// Route between two hosts. Valid until the next call of this thread.
  KnownRoute route(HostId source, HostId destination);

 private:
  const RouteRow* published(HostId source) const;
  KnownRoute fetch(HostId source, HostId destination);
  KnownRoute fetch_rows(HostId source, HostId destination);
  bool fetches_rows(const RouteRow& row) const;
  std::vector<int> next_rows(HostId source) const;
  void publish(HostId source, std::unique_ptr<const RouteRow> row);

  PlatformRoutes& routes_;
  pid_t owner_;  ///< forked copies read the cache and do not write it
  std::size_t kept_bytes_ = 0;
  std::size_t num_whole_rows_ = 0;  ///< fetched at once
  std::vector<std::atomic<const RouteRow*>> rows_;
  std::vector<std::unique_ptr<const RouteRow>> kept_;  ///< also rows that readers may still hold
};

}  // namespace vtopo::detail
