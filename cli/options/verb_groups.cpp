#include "cli/options/verb_groups.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

namespace vtopo {

namespace {

struct VerbGroup {
  std::string_view heading;
  std::vector<std::string_view> verbs;  ///< those that the command does not have are left out
};

const std::vector<VerbGroup>& verb_groups() {
  static const std::vector<VerbGroup> groups{
      {"Placing ranks", {"evaluate", "compare", "map", "simulate", "convert", "mappers"}},
      {"MPI programs on simulated ranks", {"mpirun", "record"}},
      {"Many runs", {"sweep", "bench", "report"}},
      {"Topologies and interconnects by themselves", {"topology", "dims", "platform", "networks"}},
      {"This command", {"completion", "man"}}};
  return groups;
}

std::string verb_line(const CLI::App& verb) {
  return fmt::format("  {:<12}{}\n", verb.get_name(), verb.get_description());
}

}  // namespace

std::string VerbsByGroup::make_subcommands(const CLI::App* command, CLI::AppFormatMode) const {
  auto left = command->get_subcommands([](const CLI::App*) { return true; });
  std::string text;
  for (const auto& [heading, names] : verb_groups()) {
    std::string lines;
    for (const auto name : names) {
      const auto at = std::find_if(left.begin(), left.end(),
                                   [&](const CLI::App* verb) { return verb->get_name() == name; });
      if (at == left.end()) continue;
      lines += verb_line(**at);
      left.erase(at);
    }
    if (!lines.empty()) text += fmt::format("\n{}:\n{}", heading, lines);
  }
  if (!left.empty()) text += "\nOthers:\n";
  for (const CLI::App* verb : left) text += verb_line(*verb);
  return text;
}

}  // namespace vtopo
