#include "cli/platform.hpp"

#include <memory>

#include "cli/examples_first.hpp"
#include "cli/verbs.hpp"

namespace vtopo {

void add_platform(CLI::App& command, Run& run) {
  CLI::App* verb = command.add_subcommand("platform", "write SimGrid platform files");
  verb->require_subcommand(1);
  add_platform_generate(*verb, run);
  for (CLI::App* subcommand : verb->get_subcommands(nullptr))
    subcommand->formatter(std::make_shared<ExamplesFirst>());
}

}  // namespace vtopo
