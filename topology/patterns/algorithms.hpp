#pragma once

#include <vector>

#include "topology/patterns/communication_steps.hpp"

namespace vtopo::collectives {

// The algorithms behind `collective_algorithms`; arguments as there.
CommunicationSteps allreduce_rabenseifner(int ranks, int root);
CommunicationSteps allreduce_recursive_doubling(int ranks, int root);
CommunicationSteps allreduce_ring(int ranks, int root);
CommunicationSteps allgather_bruck(int ranks, int root);
CommunicationSteps allgather_recursive_doubling(int ranks, int root);
CommunicationSteps allgather_ring(int ranks, int root);
CommunicationSteps alltoall_bruck(int ranks, int root);
CommunicationSteps alltoall_linear(int ranks, int root);
CommunicationSteps alltoall_pairwise(int ranks, int root);
CommunicationSteps broadcast_binomial(int ranks, int root);
CommunicationSteps broadcast_scatter_allgather(int ranks, int root);
CommunicationSteps reduce_binomial(int ranks, int root);

/// Remainder in [0, ranks), also of negative numbers.
int modulo(std::int64_t value, int ranks);

/// `count` slots from `first` on, behind the last one again from 0.
std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots);

/// Everyone sends one slot to the next rank, in round r the one that lies `start - r` behind its
/// own.
CommunicationStep ring_step(int ranks, int start);

}  // namespace vtopo::collectives
