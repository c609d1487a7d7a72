#pragma once

#include <optional>
#include <span>
#include <string>

#include "sim/run/observer.hpp"
#include "topology/guests/guest_topology.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Schedule of a JSON file: `{"phases": [...]}`, with `"barriers": true` if each step starts when
/// the one before has ended on every rank. Each phase is an object with `repeat` (default 1; of a
/// pattern, each of its phases in a row), `with` (name of a phase before it, at the same time as
/// which it runs), `name` and
/// - `pattern`, as `--pattern` takes it, one or several, and `bytes`, which stands instead of
///   `volume`; or
/// - `traffic`, a recorded communication matrix as seen from the folder in which the command runs,
///   called by its file where it has no name.
/// Recordings that name fewer ranks than the topology have the missing ones silent.
/// @param topology of the patterns; absent if there is none.
/// @param volume of patterns that have no `bytes`.
/// @param observer of what a reader should know of how traffic was read.
/// @throws InputError with file, line and column for anything malformed, for patterns that do not
/// apply and for phases of different numbers of ranks; and as `read_traffic`.
Schedule read_schedule_file(const std::string& path, const std::optional<GuestTopology>& topology,
                            std::span<const Bytes> volume, Observer& observer);

}  // namespace vtopo::detail
