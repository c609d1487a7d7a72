#include <fmt/format.h>

#include "cli/output.hpp"
#include "cli/verbs.hpp"
#include "sim/mapping/mapper.hpp"

namespace vtopo {

namespace {

int run_mappers() {
  std::string text;
  for (const MapperInfo& mapper : all_mappers()) {
    text +=
        fmt::format("{:<12} {}\n{:<12} {}\n", mapper.name, mapper.summary, "", mapper.reference);
    for (const auto& [name, summary, default_value] : mapper.options)
      text += fmt::format("{:<12} option {}={}: {}\n", "", name, default_value, summary);
  }
  write_output("-", text);
  return 0;
}

}  // namespace

void add_mappers(CLI::App& command, Run& run) {
  CLI::App* verb = command.add_subcommand("mappers", "the mappers with their sources and options");
  verb->callback([&run] { run = run_mappers; });
}

}  // namespace vtopo
