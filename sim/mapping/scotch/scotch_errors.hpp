#pragma once

#include <string_view>

namespace vtopo::detail {

/// Checks what a function of Scotch returned.
/// @throws UsageError with what Scotch said since the last check, unless `code` is 0.
void check_scotch(int code, std::string_view what);

}  // namespace vtopo::detail
