#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "sim/run/experiment.hpp"
#include "sim/run/observer.hpp"
#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// Which hosts a job should ask for.
struct HostRequest {
  /// The job: its mapper places the ranks on each set of hosts, `hosts` are those that are free. If
  /// it names no traffic, the job exchanges with its neighbours on a 3-D grid of `ranks` ranks.
  Scenario scenario;
  std::optional<int> ranks;               ///< absent: as many as the guest has
  std::optional<std::int64_t> most_sets;  ///< that are tried; absent: by the size of the job
  bool every_set = false;                 ///< all of them
};

/// Time on hosts that were chosen in another way.
struct ComparedHosts {
  std::string name;  ///< `first`, `random`, `scheduler`
  Seconds time;      ///< predicted; of `random` the mean over ten sets
  double gain = 0;   ///< share of it that the chosen hosts save
};

/// The answer.
struct HostChoice {
  std::vector<std::pair<std::string, std::string>> scenario;  ///< as reports have it
  std::string guest_text, network_text;                       ///< human-readable
  std::string background_text;                                ///< of other jobs; empty: none
  int ranks = 0;                                              ///< of the job
  int free_hosts = 0;                                         ///< that could be asked for
  std::shared_ptr<const Network> network;                     ///< of the hosts
  Allocation hosts;                                           ///< ascending
  std::string origin;                    ///< how they were found: `box`, `part`, ...
  Seconds time;                          ///< predicted
  bool simulated = true;                 ///< else times are static bounds
  std::vector<ComparedHosts> compared;   ///< each
  std::int64_t tried = 0;                ///< sets
  std::optional<std::int64_t> all_sets;  ///< that there are, where they can be counted
  bool complete = false;                 ///< whether all of them were tried
};

/// Searches the free hosts for the set with the least predicted time. Sets are searched with ranks
/// in the order of the hosts, as launchers fill a node list; a mapper that looks at traffic then
/// places the ranks on the best sets. Plugins are loaded by the caller.
/// @throws as `run`; UsageError for ranks that are not those of the guest, and for more than
/// 1,048,576 hosts in the network.
HostChoice choose_hosts(const HostRequest& request, Observer& observer);

}  // namespace vtopo::detail
