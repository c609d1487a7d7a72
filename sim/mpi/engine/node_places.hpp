#pragma once

#include "netmodels/host_names.hpp"
#include "sim/mpi/preload/vtopo_reorder.h"

namespace vtopo::detail::overlay {

/// Whether VTOPO_NETWORK has the inside of its nodes from a file of hwloc: then processors, to
/// which processes are bound, are known to be in places.
bool knows_places();

/// Whether all hosts are places of one machine.
bool is_one_machine(const Network& network);

/// Place of a process among those of its node, by the processors that it may run on.
/// @throws InputError if these are unknown or in several places, or VTOPO_NETWORK does not say
/// which processor is where.
HostId place_of_process(const NamedHosts& places, const vtopo_reorder_question& question, int rank);

}  // namespace vtopo::detail::overlay
