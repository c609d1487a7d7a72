#include "sim/run/named_programs.hpp"

#include <algorithm>
#include <string_view>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

namespace {

bool runs_program(std::string_view word) {
  const auto& mappers = all_mappers();
  return std::any_of(mappers.begin(), mappers.end(), [&](const MapperInfo& info) {
    return info.runs_program && info.name == word;
  });
}

/// Whether a word of the list, which may be the value of an option, is a mapper that runs a
/// program.
bool names_program(std::string_view list) {
  constexpr std::string_view separators = ",:=+;/ ";
  while (!list.empty()) {
    const std::size_t end = std::min(list.find_first_of(separators), list.size());
    if (runs_program(list.substr(0, end))) return true;
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return false;
}

}  // namespace

std::optional<NamedProgram> program_named_in(const ScenarioSettings& settings) {
  for (const std::string& plugin : settings.values("plugin")) return NamedProgram{"plugin", plugin};
  for (const std::string& list : settings.values("mapper"))
    if (names_program(list)) return NamedProgram{"mapper", list};
  return std::nullopt;
}

}  // namespace vtopo::detail
