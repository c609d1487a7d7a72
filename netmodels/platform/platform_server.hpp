#pragma once

#include <pthread.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/process/child_process.hpp"

namespace vtopo::detail {

/// What is asked of the process that has the platform.
enum class PlatformQuestion : int {
  routes,  ///< from the source to the hosts that follow
  rows,    ///< from each of the hosts that follow to all hosts; the source says nothing
  chains
};

/// A question as it travels; hosts follow as a vector of int if it is for routes or rows.
struct PlatformRequest {
  PlatformQuestion question;
  int source;
};

/// First word of an answer: what follows it.
enum class PlatformAnswer : int {
  complete,  ///< lengths, links and, if they may add any, latencies of the routes; or the chains
  ended      ///< the place of the destination on which SimGrid ended, and a description of its end
};

/// Link as it travels, followed by its name.
struct LinkRecord {
  double bandwidth;
  double latency;
  int policy;  ///< simgrid::s4u::Link::SharingPolicy
};

/// Memory that the processes around one platform share.
struct PlatformShared {
  pthread_mutex_t conversation{};  ///< one question at a time, whichever process asks
  std::atomic<int> place{0};       ///< in the list of destinations: where SimGrid works
  std::atomic<int> source{-1};     ///< of the route on which SimGrid works, -1: of none
  std::atomic<int> destination{-1};
  std::atomic<int> num_built{0};  ///< hosts and routes so far, while SimGrid loads
};

/// Loads the platform and answers questions until the other side is gone. A forked copy of this
/// process does the work: if SimGrid ends on a route, another copy goes on behind it; if a limit
/// ends it, this process ends likewise. Internal to this room.
/// @param unplaced hosts of Vivaldi zones without coordinates: SimGrid ends on routes to them.
/// @param time for each question.
void serve_platform(Channel& channel, PlatformShared& shared, const std::string& path,
                    const std::vector<std::string>& unplaced, const std::optional<Seconds>& time);

/// Reports what SimGrid has loaded as PlatformRoutes expects it; internal.
bool is_cluster_loopback(const std::string& link_name);

}  // namespace vtopo::detail
