#pragma once

#include <string_view>

#include "cli/options/verb.hpp"
#include "sim/experiment/scenario_options.hpp"

namespace vtopo {

/// Adds the option of a scenario to a verb, under the heading that is current; `scenario` has its
/// default and gets its value.
Option& add_scenario_option(Verb& verb, Scenario& scenario, std::string_view name);

/// Adds the options of one heading, under it.
void add_scenario_group(Verb& verb, Scenario& scenario, std::string_view group);

/// Adds those that say which interconnect it is, with changes.
void add_network_options(Verb& verb, Scenario& scenario);

}  // namespace vtopo
