#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network_table.hpp"

namespace vtopo::detail {

/// Groups of switches whose switches have different numbers of hosts, as keys list them.
struct HostRuns {
  std::string_view key;       ///< `cells`
  std::string_view groups;    ///< what they are: `cells`
  std::string_view switches;  ///< what is in them: `leaves`
  int num_groups = 1;         ///< that there are
  int max_switches = 1;       ///< in a group
  int max_hosts = 1;          ///< of a switch

  /// Hosts of each switch of each group from `19:18*10/10+2+6`: runs of equal groups separated by
  /// /, in each the hosts of its switches separated by +, as COUNT*HOSTS where several have as
  /// many.
  /// @returns nothing if all groups have all switches and hosts.
  /// @throws UsageError that names what is too many or no number, also for no host at all.
  std::vector<std::vector<int>> parse(const SpecText& spec, std::string_view text) const;

  /// `,cells=19:18*10/10+2+6`; empty for no groups.
  std::string describe(const std::vector<std::vector<int>>& hosts) const;
};

}  // namespace vtopo::detail
