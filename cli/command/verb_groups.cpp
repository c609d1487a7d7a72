#include "cli/command/verb_groups.hpp"

#include <fmt/format.h>

#include <array>
#include <map>
#include <string_view>

namespace vtopo::detail {

namespace {

/// In the order of `VerbHeading`.
constexpr std::array<std::string_view, 6> headings{
    "Placing ranks", "MPI programs on simulated ranks",
    "Many runs",     "Topologies and interconnects by themselves",
    "This command",  "Others"};

}  // namespace

std::string VerbsByGroup::make_subcommands(const CLI::App*, CLI::AppFormatMode) const {
  std::map<VerbHeading, std::multimap<int, const Verb*>> listed;
  for (const Verb& verb : command_->verbs)
    listed[verb.listed.heading].emplace(verb.listed.number, &verb);
  std::string text;
  for (const auto& [heading, verbs] : listed) {
    text += fmt::format("\n{}:\n", headings[static_cast<std::size_t>(heading)]);
    for (const auto& [number, verb] : verbs)
      text += fmt::format("  {:<12}{}\n", verb->name, verb->summary);
  }
  return text;
}

}  // namespace vtopo::detail
