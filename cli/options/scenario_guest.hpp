#pragma once

#include <optional>

#include "cli/options/scenario.hpp"
#include "cli/options/verb.hpp"
#include "topology/guest_topology.hpp"

namespace vtopo {

/// Adds the options that say who communicates with whom. Internal to scenarios.
void add_guest_options(Verb& verb, ScenarioOptions& options);

/// The virtual topology of the options; its grid, if it is one, goes into the scenario. Nothing
/// for recorded traffic.
/// @throws UsageError if there is neither.
std::optional<GuestTopology> read_topology(const ScenarioOptions& options, Scenario& scenario);

/// Builds guest and schedule; network and allocation of the scenario are there.
/// @throws FitError if the ranks do not fit, InputError if edges would fill the memory.
void build_guest(const ScenarioOptions& options, const std::optional<GuestTopology>& topology,
                 Scenario& scenario);

}  // namespace vtopo
