#pragma once

#include <cstdint>

#include "sim/placement/host_sets/free_hosts.hpp"

namespace vtopo::detail {

/// The first free hosts.
HostSet first_hosts(const FreeHosts& from);

/// Free hosts at random, every set equally likely where all have the same slots.
HostSet random_hosts(const FreeHosts& from, std::uint64_t seed);

/// About what a batch system gives. Where the network has parts, the one with the fewest free slots
/// that the whole job fits into, smallest kind of parts first, else the parts with the most free
/// slots (best fit of Slurm's topology/tree); without parts the shortest run of free hosts with
/// consecutive numbers that is long enough, else the longest runs (best fit of its consecutive
/// choice).
HostSet scheduled_hosts(const FreeHosts& from);

/// Free positions by part: an entry per part, each ascending.
std::vector<std::vector<int>> free_by_part(const FreeHosts& from, const HostPartition& parts);

}  // namespace vtopo::detail
