#pragma once

#include <sys/types.h>

#include <atomic>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/network.hpp"
#include "netmodels/platform/platform_server.hpp"
#include "netmodels/process/child_process.hpp"
#include "topology/base/progress.hpp"

namespace vtopo::detail {

/// Hosts and links of a platform as SimGrid loaded it. `links` and `link_names` run in parallel.
struct PlatformInventory {
  std::vector<std::string> host_names;
  std::vector<std::string> link_names;
  std::vector<LinkProperties> links;
  bool routes_are_ready = false;  ///< SimGrid only looks them up
  bool adds_latency = false;      ///< routes may have a latency on top of their links
};

/// A route as SimGrid has computed it.
struct KnownRoute {
  std::span<const LinkId> links;
  Seconds added;  ///< latency on top of the links
  int end;  ///< `PlatformRoutes::end_description` of what SimGrid came to; -1: it has answered

  /// SimGrid sends nothing over a route that has neither links nor latency.
  bool exists() const { return !links.empty() || added.value > 0; }
};

/// Links in line between two vertices: hosts are 0..num_hosts-1, routers follow.
struct Chain {
  int from;
  int to;
  std::vector<LinkId> links;
};

struct DeclaredRoutes {
  std::vector<Chain> chains;
  std::vector<std::string> routers;  ///< names of the routers that are on them
};

/// A child process in which SimGrid has loaded a platform and answers for its routes; what SimGrid
/// does to its process does not reach this one. Routes are kept: few pairs of hosts cost few
/// routes, a walk over all pairs costs a question per host. Threads and forked copies of this
/// process may ask at the same time; routes that are there are read without a lock. Internal to
/// this room.
class PlatformRoutes {
 public:
  /// @param progress hears from SimGrid every second while it loads.
  /// @param limits of loading, and of each question.
  /// @throws InputError with SimGrid's words if it does not accept the file, SimulationError if
  /// loading takes more than its limits.
  PlatformRoutes(PlatformText source, const Progress& progress, const Limits& limits);

  const PlatformInventory& inventory() const { return inventory_; }
  bool has_bypass() const { return source_.has_bypass; }

  /// SimGrid's route between two hosts, without links and latency where it has none. Valid until
  /// the next call of this thread.
  /// @throws SimulationError if the child process has gone.
  KnownRoute route(HostId source, HostId destination);

  /// How SimGrid ended when it was asked for a route.
  std::string end_description(const KnownRoute& route);

  /// Routes that the file declares, where they say which vertices links join.
  DeclaredRoutes declared_routes();

  void lock();
  void unlock();

 private:
  /// Routes from a host to hosts in a row. Never changed once it is published.
  struct Range {
    int first = 0;
    std::vector<std::uint32_t> offsets{0};
    std::vector<LinkId> links = {};
    std::vector<double> added = {};  ///< empty: none has any
    std::vector<short> ends = {};
    const Range* next = nullptr;  ///< older routes of the host

    int num_routes() const { return static_cast<int>(ends.size()); }
    bool contains(HostId host) const {
      return number(host) >= first && number(host) < first + num_routes();
    }
    KnownRoute route(HostId destination) const;
    std::size_t bytes() const;
  };

  void start();
  void await_inventory(const Progress& progress);
  PlatformInventory receive_inventory();
  LinkProperties receive_properties(const std::string& name);
  const Range* published(HostId source, HostId destination) const;
  Range fetch(HostId source, HostId destination, bool with_others);
  int num_to_fetch(HostId source) const;
  void receive_piece(Range& range);
  template <class T>
  T expect(std::optional<T> received);
  std::string exit_description();

  PlatformText source_;
  Limits limits_;
  MemoryFile text_;
  std::shared_ptr<PlatformShared> shared_;
  PlatformInventory inventory_;
  bool loaded_ = false;
  std::unique_ptr<ChildProcess> child_;
  std::vector<std::string> ends_;
  pid_t owner_;  ///< forked copies read what is kept and keep nothing
  std::size_t kept_bytes_ = 0;
  std::vector<std::atomic<const Range*>> rows_;  ///< by source
  std::vector<std::unique_ptr<const Range>> kept_;
};

}  // namespace vtopo::detail
