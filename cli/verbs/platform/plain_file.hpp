#pragma once

#include <string>

#include "sim/scenario/scenario.hpp"

namespace vtopo::detail {

/// What a platform's plain argument is, for help.
inline constexpr const char* plain_file_help =
    "file that describes the machine, in place of --platform";

/// Takes the plain argument FILE of a verb for `--platform`; nothing if it is empty.
/// @throws UsageError if the interconnect is given twice, and for a network where a file is due.
void use_plain_file(Scenario& scenario, const std::string& file);

}  // namespace vtopo::detail
