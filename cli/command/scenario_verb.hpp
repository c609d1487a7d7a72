#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/command/verb.hpp"
#include "cli/output/output.hpp"
#include "sim/scenario/scenario.hpp"
#include "sim/scenario/scenario_options.hpp"

namespace vtopo::detail {

/// Adds the option of a scenario to a verb, under the heading that is current; `scenario` has its
/// default and gets its value.
/// @param as its name in this verb, with dashes; empty: its own.
CLI::Option* add_scenario_option(Verb& verb, Scenario& scenario, std::string_view name,
                                 const std::string& as = {});

/// Adds the options of one heading, under it.
/// @param but the one that the verb has in its own words; empty: none.
void add_scenario_group(Verb& verb, Scenario& scenario, std::string_view group,
                        std::string_view but = {});

/// Adds `--format` and `--output` of a verb that lists.
void add_list_output(Verb& verb, ListOutput& output);

/// Adds `--embedding` and `--embedding-format`, under the heading that is current.
/// @param instead_of the option that says the same in another way; empty: none does.
void add_embedding_file(Verb& verb, Scenario& scenario, const std::string& help,
                        const std::string& instead_of);

/// Adds those that say which interconnect it is, with changes.
void add_network_options(Verb& verb, Scenario& scenario);

/// Adds `--run-limit` and `--memory-limit`.
void add_limit_options(Verb& verb, LimitOptions& options, const std::string& run_help,
                       const std::string& memory_help);

/// Those of verbs that simulate nothing: of SimGrid while it answers for a platform file.
void add_platform_limit_options(Verb& verb, LimitOptions& options);

/// Names of the mappers, and `all`.
std::vector<std::string> mapper_words();

std::vector<std::string> objective_words();

/// How specifications of networks begin: `torus:`.
std::vector<std::string> network_words();

std::vector<std::string> embedding_format_names();

}  // namespace vtopo::detail
