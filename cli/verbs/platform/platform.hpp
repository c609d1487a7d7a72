#pragma once

#include "cli/options/verb.hpp"

namespace vtopo {

/// Subcommands of the verb `platform`.
Verb platform_describe();
Verb platform_draw();
Verb platform_generate();
Verb platform_links();
Verb platform_lint();
Verb platform_route();

}  // namespace vtopo
