#pragma once

#include <functional>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "topology/guests/guest_topology.hpp"
#include "topology/patterns/communication_steps.hpp"
#include "topology/schedule.hpp"

namespace vtopo {

/// A traffic pattern and its options, as `NAME[:key=value,...]` spells them. Valid by `parse`.
struct PatternSpec {
  std::string name;                                         ///< of a row in `pattern_infos`
  std::map<std::string, std::string, std::less<>> options;  ///< key and value, sorted by key

  friend bool operator==(const PatternSpec&, const PatternSpec&) = default;  ///< memberwise
};

/// Name of a pattern, what it is, and the options that it takes beside `bytes`, `repeat`, `name`
/// and `with`.
struct PatternInfo {
  std::string_view name;               ///< as specifications spell it
  std::string_view summary;            ///< one sentence for help
  std::vector<std::string_view> keys;  ///< of its own options
};

/// All patterns, in the order in which help lists them.
const std::vector<PatternInfo>& pattern_infos();

/// Patterns of `NAME[:key=value,...],NAME,...`, in the order given: after a comma, a word with '='
/// continues the options of the pattern before it. Options:
/// - `bytes=64KiB`: instead of the volume of the scenario;
/// - `repeat=100`: each of its phases so many times in a row, 1 to 1e9;
/// - `name=exchange`: what its phases are called; `with=exchange`: at the same time as the phases
/// of
///   that name, which come before it in the list;
/// - `sub=1-0`: in each communicator of MPI_Cart_sub, 1 for each dimension that remains;
/// `sub=tp-dp`
///   names the axes of a parallel program that remain, whose ranks keep the order of the topology;
/// - `algorithm=ring`, `root=0`: of collectives; `algorithm=auto,library=openmpi`: that which the
///   library takes; `order`, `segments` or `segment`, `radix`, `window`, `children`: of algorithms
///   that have them (`CollectiveOptions`);
/// - `offset=1`: of `shift`; `dims=0-1`: of `transpose`; `seed=1`: of `random`.
/// `broadcast` stands for `bcast`.
/// @throws UsageError for unknown patterns and options (with the nearest one that is known) and for
/// values that no topology gives a meaning to.
std::vector<PatternSpec> parse_patterns(std::string_view list);

/// `allreduce:algorithm=ring,sub=1-0` again: options sorted.
std::string to_string(const PatternSpec& spec);

/// Whether a value of `sub` is names of axes such as `dp` or `tp-dp`, and not numbers.
bool names_axes(std::string_view sub);

/// Numbers of `1-0`: one or more, without sign.
/// @throws UsageError for anything else.
std::vector<int> dashed_numbers(std::string_view text);

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
