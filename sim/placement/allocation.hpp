#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo {

/// The hosts that a job was given and how many ranks each takes.
struct Allocation {
  std::vector<HostId> hosts;  ///< distinct, in the order in which block placement fills them
  std::vector<int> slots;     ///< one entry per host, each >= 1

  /// Number of entries of `hosts`.
  int num_hosts() const { return static_cast<int>(hosts.size()); }
  /// Sum of slots: the most ranks that fit.
  std::int64_t num_slots() const;
};

/// Hosts of a selection among those that are up: `all`, `first:N`, `block:START,N`, `random:N`,
/// `spaced:N` (evenly spread), `list:0,5,9`, `slurm:node[1-4]`, `file:FILE` (host names as
/// `read_hostfile` takes them), parts of the machine such as `group:0,2`. A file that exists and
/// names of hosts, `node[1-4]` or `node1,node7`, need no kind in front.
/// @param slots one entry for all hosts or one per host; one entry is for those of which a hostfile
/// does not count slots. It is refused beside counts of the file for all hosts that differ from it,
/// unless it is 1; so is a list of which an entry differs.
/// @param seed of `random:N`; `random:N:seed=7` has its own.
/// @param remark what to say of how a hostfile is read; null: not asked for.
/// @throws UsageError or InputError that names the value and what is accepted.
Allocation make_allocation(const Network& network, std::string_view hosts,
                           std::span<const int> slots, std::uint64_t seed,
                           std::string* remark = nullptr);

/// Every host that is up, in the order of their numbers: what jobs of the whole machine have.
/// @param slots of each host, >= 1.
/// @throws UsageError if no host is up.
Allocation whole_machine(const Network& network, int slots = 1);

}  // namespace vtopo
