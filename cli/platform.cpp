#include "cli/platform.hpp"

#include <array>
#include <memory>

#include "cli/examples_first.hpp"
#include "cli/verbs.hpp"

namespace vtopo {

namespace {

/// One per subcommand.
constexpr std::array add_subcommands{add_platform_lint};

}  // namespace

void add_platform(CLI::App& command, Run& run) {
  CLI::App* verb = command.add_subcommand("platform", "SimGrid platform files");
  verb->require_subcommand(1);
  verb->footer(
      "Examples:\n"
      "  vtopo platform lint platforms/theta.xml\n"
      "  vtopo platform lint --help");
  for (const auto add : add_subcommands) add(*verb, run);
  for (CLI::App* subcommand : verb->get_subcommands(nullptr))
    subcommand->formatter(std::make_shared<ExamplesFirst>());
}

}  // namespace vtopo
