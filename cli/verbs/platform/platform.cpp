#include "cli/verbs/platform/platform.hpp"

#include <array>
#include <memory>

#include "cli/options/examples_first.hpp"

namespace vtopo {

namespace {

/// The subcommands in the order of their names.
constexpr std::array subcommands{add_platform_describe, add_platform_draw, add_platform_generate,
                                 add_platform_lint, add_platform_route};

}  // namespace

void add_platform(CLI::App& command, Run& run) {
  CLI::App* verb = command.add_subcommand("platform", "interconnects by themselves");
  verb->footer(
      "Examples:\n"
      "  vtopo platform describe --network torus:8x8x8\n"
      "  vtopo platform route 0 63 --network torus:4x4x4\n"
      "  vtopo platform generate --network mesh:8x8 -o mesh.xml\n"
      "  vtopo platform draw --network torus:8x8 -o torus.svg\n"
      "  vtopo platform lint platforms/theta.xml");
  verb->require_subcommand(1);
  for (const auto add : subcommands) add(*verb, run);
  for (CLI::App* subcommand : verb->get_subcommands(nullptr))
    subcommand->formatter(std::make_shared<ExamplesFirst>());
}

}  // namespace vtopo
