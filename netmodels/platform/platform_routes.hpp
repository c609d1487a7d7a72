#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "netmodels/child_process.hpp"
#include "netmodels/network.hpp"

namespace vtopo {

/// Hosts and links of a platform as SimGrid loaded it. `links` and `link_names` run in parallel.
struct PlatformInventory {
  std::vector<std::string> host_names;
  std::vector<std::string> link_names;
  std::vector<LinkProperties> links;
};

/// Routes from one host to all others, in compressed rows.
struct RouteRow {
  std::vector<std::uint32_t> offsets;  ///< one per host and one more
  std::vector<LinkId> links;
};

/// A child process in which SimGrid has loaded a platform and answers for its routes; what SimGrid
/// does to its process does not reach this one. Internal to this room.
class PlatformRoutes {
 public:
  /// @throws InputError with SimGrid's words if it does not accept the file.
  explicit PlatformRoutes(std::string path);

  const PlatformInventory& inventory() const { return inventory_; }

  /// @throws InputError if SimGrid has no route or ends while computing one.
  RouteRow row(HostId source);

 private:
  void receive_inventory();
  [[noreturn]] void fail(HostId source);

  std::string path_;
  std::shared_ptr<int> progress_;  ///< shared with the child: destination that it works on
  PlatformInventory inventory_;
  std::unique_ptr<ChildProcess> child_;
};

}  // namespace vtopo
