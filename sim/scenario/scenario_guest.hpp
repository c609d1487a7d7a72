#pragma once

#include <memory>
#include <optional>
#include <string>

#include "sim/run/experiment.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo::detail {

/// The trace of a scenario that has one.
/// @throws UsageError if it also has another application; what `read_trace` throws.
std::shared_ptr<const Trace> read_recorded_program(const Scenario& scenario, Observer& observer);

/// The specification of a parallel program with the numbers of its `model=FILE.json` instead of the
/// file; any other specification as it is.
/// @throws InputError with file, line and column.
std::string with_model(const std::string& spec);

/// The virtual topology of a scenario; its grid, if it is one, goes into the experiment. Nothing
/// for recorded traffic.
/// @throws UsageError if there is neither.
std::optional<GuestTopology> read_topology(const Scenario& scenario, Experiment& experiment);

/// Refuses what would fill the memory before an answer: the largest arrays hold one entry per
/// directed link of the network and per edge of the guest.
/// @throws InputError that says how much is needed.
void check_memory(double links, double edges);

/// Builds guest and schedule; network and allocation of the experiment are there.
/// @throws FitError if the ranks do not fit, InputError if edges would fill the memory.
void build_guest(const Scenario& scenario, const std::optional<GuestTopology>& topology,
                 Observer& observer, Experiment& experiment);

}  // namespace vtopo::detail
