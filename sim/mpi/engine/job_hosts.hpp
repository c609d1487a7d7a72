#pragma once

#include <memory>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/mpi/preload/vtopo_reorder.h"

namespace vtopo::detail::overlay {

/// Where the processes of a communicator run.
struct JobHosts {
  std::shared_ptr<const Network> network;
  std::vector<HostId> hosts;  ///< by rank; empty: all run on one node, of which nothing is known
};

/// Hosts on the network of the environment: by VTOPO_HOST_OF_RANK, else by the names of the nodes.
/// If the whole job runs on one node that the network does not have, rank r of MPI_COMM_WORLD is on
/// host r. Without a network the nodes hang on one switch: then traffic between nodes counts.
/// @throws UsageError or InputError that names the variable or the node.
JobHosts job_hosts(const vtopo_reorder_question& question);

}  // namespace vtopo::detail::overlay
