#pragma once

#include <memory>
#include <string>
#include <unordered_map>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/smpi.hpp"

namespace vtopo::detail::overlay {

/// The interconnect as mappers see it.
struct Machine {
  std::shared_ptr<const Network> network;
  std::unordered_map<std::string, HostId> hosts;  ///< by name
};

/// The machine of VTOPO_NETWORK or VTOPO_PLATFORM, made once; null if neither is set.
/// @throws UsageError or InputError as the network's reader.
const Machine* machine();

/// Hosts of all ranks of a communicator, by rank.
/// @throws InputError if one runs on a host that the machine does not have.
std::vector<HostId> hosts_of(MPI_Comm comm, const Machine& machine);

}  // namespace vtopo::detail::overlay
