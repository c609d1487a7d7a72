#pragma once

#include <string>
#include <vector>

#include "netmodels/endpoints/endpoint_spec.hpp"

namespace vtopo::detail {

/// Levels of a node from a file that `lstopo FILE.xml` of hwloc writes: places are its cores (its
/// PUs if it has no cores), in hwloc's logical order; levels are what several of them share, of L3
/// caches, dies, groups, NUMA nodes, packages and the machine, from the cores up, without limit.
/// Names are `l3`, `die`, `group`, `numa`, `package`, `machine`; a group with memory of its own is
/// `numa`.
/// @throws InputError for a file that cannot be read or is not such a file, and for a machine whose
/// parts of one level differ.
std::vector<NodeLevel> read_hwloc_file(const std::string& path);

/// The place of each processor (PU) by the number that the operating system gives it; -1 where the
/// file has no processor of that number.
/// @throws InputError for a file that cannot be read or is not such a file.
std::vector<int> read_hwloc_processors(const std::string& path);

}  // namespace vtopo::detail
