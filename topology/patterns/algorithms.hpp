#pragma once

#include <string_view>
#include <vector>

#include "topology/patterns/collectives.hpp"
#include "topology/patterns/communication_steps.hpp"

namespace vtopo::detail::collectives {

// The algorithms behind `collective_algorithms`; arguments as there.
using Options = CollectiveOptions;
CommunicationSteps allreduce_linear(int ranks, const Options& options);
CommunicationSteps allreduce_rabenseifner(int ranks, const Options& options);
CommunicationSteps allreduce_recursive_doubling(int ranks, const Options& options);
CommunicationSteps allreduce_reduce_bcast(int ranks, const Options& options);
CommunicationSteps allreduce_ring(int ranks, const Options& options);
CommunicationSteps allgather_bruck(int ranks, const Options& options);
CommunicationSteps allgather_linear(int ranks, const Options& options);
CommunicationSteps allgather_neighbor(int ranks, const Options& options);
CommunicationSteps allgather_recursive_doubling(int ranks, const Options& options);
CommunicationSteps allgather_ring(int ranks, const Options& options);
CommunicationSteps allgather_sparbit(int ranks, const Options& options);
CommunicationSteps alltoall_bruck(int ranks, const Options& options);
CommunicationSteps alltoall_linear(int ranks, const Options& options);
CommunicationSteps alltoall_pairwise(int ranks, const Options& options);
CommunicationSteps barrier_binomial(int ranks, const Options& options);
CommunicationSteps barrier_bruck(int ranks, const Options& options);
CommunicationSteps barrier_linear(int ranks, const Options& options);
CommunicationSteps barrier_recursive_doubling(int ranks, const Options& options);
CommunicationSteps bcast_binomial(int ranks, const Options& options);
CommunicationSteps bcast_scatter_allgather(int ranks, const Options& options);
CommunicationSteps bcast_scatter_allgather_ring(int ranks, const Options& options);
CommunicationSteps bcast_split_binary(int ranks, const Options& options);
CommunicationSteps bcast_binary(int ranks, const Options& options);
CommunicationSteps bcast_chain(int ranks, const Options& options);
CommunicationSteps bcast_knomial(int ranks, const Options& options);
CommunicationSteps bcast_linear(int ranks, const Options& options);
CommunicationSteps reduce_binary(int ranks, const Options& options);
CommunicationSteps reduce_binomial(int ranks, const Options& options);
CommunicationSteps reduce_chain(int ranks, const Options& options);
CommunicationSteps reduce_knomial(int ranks, const Options& options);
CommunicationSteps reduce_linear(int ranks, const Options& options);
CommunicationSteps reduce_rabenseifner(int ranks, const Options& options);
CommunicationSteps reduce_scatter_butterfly(int ranks, const Options& options);
CommunicationSteps reduce_scatter_pairwise(int ranks, const Options& options);
CommunicationSteps reduce_scatter_recursive_doubling(int ranks, const Options& options);
CommunicationSteps reduce_scatter_recursive_halving(int ranks, const Options& options);
CommunicationSteps reduce_scatter_reduce_then_scatter(int ranks, const Options& options);
CommunicationSteps reduce_scatter_ring(int ranks, const Options& options);
CommunicationSteps gather_binomial(int ranks, const Options& options);
CommunicationSteps gather_linear(int ranks, const Options& options);
CommunicationSteps scatter_bcast(int ranks, const Options& options);
CommunicationSteps scatter_binomial(int ranks, const Options& options);
CommunicationSteps scatter_linear(int ranks, const Options& options);

// What several of them are made of.

/// Remainder in [0, ranks), also of negative numbers.
int modulo(std::int64_t value, int ranks);

/// `count` slots from `first` on, behind the last one again from 0.
std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots);

/// Everyone sends one block to the next rank, in round r the one that lies `start - r` behind its
/// own.
/// @param slots of a block.
CommunicationStep ring_step(int ranks, int start, int slots = 1);

/// The same messages backwards, the last first, with the same slots.
StepSequence reversed(const StepSequence& steps, StepEffect effect);

/// The same messages of the whole buffer of so many slots, not of one.
StepSequence of_whole_buffer(const StepSequence& steps, int slots);

/// The same steps; names begin with `what, `.
StepSequence named(std::string_view what, const StepSequence& steps);

/// Distances of a binomial tree among `ranks`, 1, 2, 4, ...; the largest first unless `doubling`.
std::vector<std::int64_t> distances(int ranks, bool doubling);

/// Whether the options have the order in which distances double.
bool doubling(const Options& options);

/// What the ranks of a binomial tree pass on and collect: the root sends every other rank its
/// block; that of the rank v behind the root is block v.
StepSequence scatter_blocks(int ranks, int root, bool doubling);

/// Every rank gets the blocks of all; that of the rank v behind the root is block v.
/// @param doubling neighbours first, any number of ranks; else the farthest first, powers of two.
StepSequence allgather_blocks(int ranks, int root, bool doubling);

/// The root sends to everyone.
/// @param window messages at once, 0: all.
/// @param blocks everyone gets its own block, that of the rank v behind the root is block v; else
/// all get slot 0.
StepSequence from_root(int ranks, int root, int window, bool blocks);

}  // namespace vtopo::detail::collectives
