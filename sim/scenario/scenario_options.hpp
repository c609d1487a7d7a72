#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// One option of a scenario. Command line, keys of scenario files and their schema, completion,
/// manual pages, axes of sweeps and the scenario in reports are derived from it.
struct ScenarioOption {
  /// What values the option takes.
  enum class Kind {
    text,  ///< one value
    list,  ///< one value with commas; an array is joined by them
    many,  ///< may be given several times: an array, or one value
    flag,  ///< true, or as if it were not there
  };
  /// Of other options.
  using Names = std::vector<std::string_view>;

  std::string_view name;   ///< without dashes; also the key in files
  Kind kind;               ///< what values it takes
  std::string_view group;  ///< heading in the help
  std::string help;        ///< its text in the help
  /// Sets the value, or adds one of many.
  /// @throws UsageError for what is not accepted.
  void (*set)(Scenario&, const std::string&);
  /// Values as written; none: not given.
  std::vector<std::string> (*texts)(const Scenario&);
  std::string argument = "TEXT";  ///< what the help calls its value
  /// Throws UsageError for a value of a file that no run accepts, where `set` leaves that to the
  /// run; null: `set` decides.
  void (*check)(const std::string&) = nullptr;
  std::optional<std::int64_t> most = {};  ///< of a whole number >= 0
  /// Whether a report has it; null: if it differs from its default.
  bool (*reported)(const Scenario&) = nullptr;
  std::vector<std::string> words = {};  ///< what a value may be, or start with
  bool comma_list = false;              ///< whether a value may be several of them
  Names replaces = {};  ///< options that make way for this one when it overrides a scenario
  Names needs = {};     ///< options without which it means nothing
  Names excludes = {};  ///< options that do not go with it
  std::string_view negates = {};  ///< the flag that this one takes back
  std::string_view also = {};     ///< another name on the command line
  bool of_machine = false;        ///< of the machine that runs the command: no key of files
};

/// All options, in the order of the help.
std::span<const ScenarioOption> scenario_options();

/// Whether the option has another value than in a scenario of which nothing was said.
bool is_given(const ScenarioOption& option, const Scenario& scenario);

/// The option of a name. @throws UsageError for a name that is none.
const ScenarioOption& scenario_option(std::string_view name);

/// The option of a key of scenario files; null for a name that is none.
const ScenarioOption* find_scenario_key(std::string_view name);

/// `unknown key "toplogy"; did you mean "topology"?`
std::string unknown_scenario_key(std::string_view name);

/// Name and value of everything that reproduces the scenario, in the order of the help; options
/// that were given several times appear as often.
/// @param groups whose options are asked for; empty: all.
std::vector<std::pair<std::string, std::string>> described(
    const Scenario& scenario, std::span<const std::string_view> groups = {});

/// Heading of the options of the application.
inline constexpr std::string_view guest_group = "Application: who communicates with whom";
/// Heading of the options of recorded programs.
inline constexpr std::string_view trace_group = "Recorded program instead of a topology";
/// Heading of the options of the interconnect.
inline constexpr std::string_view network_group = "Machine";
/// Heading of what fails or changes.
inline constexpr std::string_view edit_group =
    "What if: the machine with changes, each as often as you like";
/// Heading of the hosts of the job.
inline constexpr std::string_view allocation_group = "Nodes of the job";
/// Heading of mappers and simulation.
inline constexpr std::string_view mapping_group = "Mapping and simulation";
/// Heading of what decides between the order given and a mapper's.
inline constexpr std::string_view choice_group = "The order given";
/// Heading of the options of reports.
inline constexpr std::string_view output_group = "Output";
/// Those that say which interconnect it is.
inline constexpr std::array<std::string_view, 2> network_groups{network_group, edit_group};

}  // namespace vtopo::detail
