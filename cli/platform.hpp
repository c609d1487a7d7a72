#pragma once

#include <CLI/CLI.hpp>

#include "cli/verbs.hpp"

namespace vtopo {

/// Each adds its subcommand to the verb `platform`.
void add_platform_generate(CLI::App& platform, Run& run);

}  // namespace vtopo
