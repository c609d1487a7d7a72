#pragma once

#include "cli/verbs/verbs.hpp"

namespace vtopo {

/// Each adds its subcommand to the verb `platform` and sets `run` when it is the one that was
/// called; `platform.cpp` lists them.
void add_platform_describe(CLI::App& verb, Run& run);
void add_platform_draw(CLI::App& verb, Run& run);
void add_platform_generate(CLI::App& verb, Run& run);
void add_platform_lint(CLI::App& verb, Run& run);
void add_platform_route(CLI::App& verb, Run& run);

}  // namespace vtopo
