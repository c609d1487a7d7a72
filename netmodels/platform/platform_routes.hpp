#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
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

/// Routes to some hosts, in compressed rows: those of the i-th are links[offsets[i]..offsets[i+1]).
/// A route without links is one if it has a latency on top of them.
struct RouteBatch {
  std::vector<std::size_t> offsets;
  std::vector<LinkId> links;
  std::vector<double> added = {};  ///< seconds on top of the links by route; empty: none has any
};

/// Links in line between two vertices: hosts are 0..num_hosts-1, routers follow.
struct Chain {
  int from;
  int to;
  std::vector<LinkId> links;
};

/// What SimGrid is to load.
struct PlatformText {
  std::string path;                        ///< for errors
  std::string text;                        ///< what was checked: the file may be another by now
  int num_to_build = 0;                    ///< hosts and routes, about: for the progress
  std::vector<std::string> unplaced = {};  ///< hosts of Vivaldi zones without coordinates
  /// What SimGrid does not say of wireless links.
  std::map<std::string, BytesPerSecond> wireless = {};
};

/// A child process in which SimGrid has loaded a platform and answers for its routes; what SimGrid
/// does to its process does not reach this one. One caller at a time: hold `lock()`, which other
/// threads and forked copies of this process respect. Internal to this room.
class PlatformRoutes {
 public:
  /// `progress` hears from SimGrid every second while it loads.
  /// @param limits of loading, and of each question.
  /// @throws InputError with SimGrid's words if it does not accept the file, SimulationError if
  /// loading takes more than its limits.
  PlatformRoutes(PlatformText source, const Progress& progress, const Limits& limits);

  const PlatformInventory& inventory() const { return inventory_; }

  void lock();
  void unlock();

  /// SimGrid's routes from a host to others; without links and latency where it has none.
  /// @throws SimulationError if the child process has gone.
  RouteBatch routes(HostId source, std::span<const int> destinations);

  /// SimGrid's routes from each of the sources to all hosts, row by row.
  /// @throws SimulationError if the child process has gone.
  RouteBatch rows(std::span<const int> sources);

  /// How SimGrid ended when it was asked for this route; empty if it did not.
  std::string end_on(HostId source, HostId destination) const;

  /// Routes that the file declares, where they say which vertices links join.
  std::vector<Chain> chains();

 private:
  void start();
  void await_inventory(const Progress& progress);
  PlatformInventory receive_inventory();
  LinkProperties receive_properties(const std::string& name);
  void append_routes(HostId source, std::span<const int> destinations, RouteBatch& batch);
  std::size_t ask(HostId source, std::span<const int> destinations, RouteBatch& batch);
  void receive_routes(RouteBatch& batch);
  template <class T>
  T expect(std::optional<T> received);
  std::string exit_description();

  PlatformText source_;
  Limits limits_;
  MemoryFile text_;
  std::shared_ptr<PlatformShared> shared_;
  PlatformInventory inventory_;
  bool loaded_ = false;
  std::map<std::pair<int, int>, std::string> ends_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace vtopo::detail
