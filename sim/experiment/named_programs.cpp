#include "sim/experiment/named_programs.hpp"

#include <algorithm>
#include <string_view>

namespace vtopo {

namespace {

/// Whether the mapper `external` is a word of the list, also as the value of an option.
bool names_external(std::string_view list) {
  constexpr std::string_view separators = ",:=+;/ ";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    if (list.substr(0, end) == "external") return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::optional<NamedProgram> program_named_in(const ScenarioSettings& settings) {
  for (const std::string& plugin : settings.values("plugin")) return NamedProgram{"plugin", plugin};
  for (const std::string& list : settings.values("mapper"))
    if (names_external(list)) return NamedProgram{"mapper", list};
  return std::nullopt;
}

}  // namespace vtopo
