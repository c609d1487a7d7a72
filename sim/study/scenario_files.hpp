#pragma once

#include <span>

#include "sim/run/observer.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/study/scenario_settings.hpp"

namespace vtopo::detail {

/// Reads and checks the files that scenarios name, before the first of them runs: applications,
/// machines, allocations, background, embeddings. Scenarios that differ in nothing that files
/// depend on are one. Networks are as built, without failures: what those make of a file is a
/// result of its scenario.
/// @param base what all scenarios have besides their settings.
/// @throws InputError for the first file that cannot be used, UsageError for a setting.
void check_files(std::span<const ScenarioSettings> scenarios, const Scenario& base,
                 Observer& observer);

}  // namespace vtopo::detail
