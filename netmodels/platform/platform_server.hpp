#pragma once

#include <pthread.h>

#include <atomic>
#include <optional>
#include <string>
#include <vector>

#include "netmodels/platform/platform_text.hpp"
#include "netmodels/process/child_process.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// A question to the process that has the platform: for the routes from one host to those from
/// `first` to before `last`. The answer comes in pieces, of which each is a vector of the lengths
/// of routes (-1 - n: SimGrid ends on it as the n-th text says), one of their links, one of the
/// latencies that they have on top (empty if none has any), and the number of texts with the texts.
struct RouteRequest {
  static constexpr int chains = -1;  ///< as source: for the routes that the file declares

  int source;
  int first;
  int last;
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
  std::atomic<int> num_built{0};   ///< hosts and routes so far, while SimGrid loads
};

/// Loads the platform, sends its hosts and links, and answers questions until the other side is
/// gone. A forked copy of this process does the work: if SimGrid ends on a route, another copy goes
/// on behind it; if a limit ends it, this process ends likewise. Internal to this room.
/// @param file what SimGrid loads.
/// @param time for each question.
void serve_platform(Channel& channel, PlatformShared& shared, const std::string& file,
                    const PlatformText& source, const std::optional<Seconds>& time);

/// Whether only routes from a host to itself use a link of this name, which SimGrid gives it.
bool is_cluster_loopback(const std::string& link_name);

}  // namespace vtopo::detail
