#pragma once

#include <string>

namespace vtopo::detail {

/// JSON schema of scenario files, two spaces of indentation, final newline.
std::string scenario_schema();

}  // namespace vtopo::detail
