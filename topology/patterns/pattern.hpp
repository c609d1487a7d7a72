#pragma once

#include <span>
#include <vector>

#include "topology/guest_topology.hpp"
#include "topology/patterns/communication_steps.hpp"
#include "topology/patterns/pattern_spec.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// Ranks among whom a pattern runs.
struct PatternCommunicator {
  int num_ranks = 1;                ///< size of the communicator
  const Cartesian* grid = nullptr;  ///< their numbering, if it is one of a grid
};

/// Steps of a collective or permutation inside a communicator; none for a single rank.
/// @param spec any pattern but `halo`, `phased` and `neighbor_alltoall`.
/// @param volume of the pattern, on which the number of segments and the choice of a library
/// depend.
/// @throws UsageError with the reason if the pattern does not exist there.
CommunicationSteps pattern_steps(const PatternSpec& spec, const PatternCommunicator& communicator,
                                 Bytes volume);

/// Most messages that a pattern may list.
inline constexpr double max_pattern_messages = 20e6;

/// Phases of a pattern over a topology: at least one, that of a pattern without messages is empty.
/// Patterns over communicators of MPI_Cart_sub run in all of them at once. What a rank would send
/// to itself in a permutation is left out. In a shuffled topology the pattern is that of the
/// topology inside, ranks renamed.
/// @param volume as for `make_comm_graph`; only `halo` and `phased` take more than one. `bytes` of
/// the pattern stands instead of it.
/// @throws UsageError with the reason if the pattern does not apply, or has more than
/// `max_pattern_messages`.
std::vector<SchedulePhase> make_phases(const PatternSpec& spec, const GuestTopology& topology,
                                       std::span<const Bytes> volume);

/// Adds the phases of a pattern to a schedule, by its keys `name` and `with`.
/// @throws UsageError as `make_phases` and `ScheduleBuilder::add`.
void add_pattern(const PatternSpec& spec, const GuestTopology& topology,
                 std::span<const Bytes> volume, ScheduleBuilder& builder);

/// Phases of several patterns, one after the other or by their keys `with` at the same time.
/// @param specs at least one.
Schedule make_schedule(std::span<const PatternSpec> specs, const GuestTopology& topology,
                       std::span<const Bytes> volume);

}  // namespace vtopo
