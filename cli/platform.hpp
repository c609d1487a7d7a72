#pragma once

#include "cli/verbs.hpp"

namespace vtopo {

/// Each adds its subcommand to the verb `platform`.
void add_platform_lint(CLI::App& platform, Run& run);

}  // namespace vtopo
