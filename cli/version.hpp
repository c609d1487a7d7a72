#pragma once

#include <string>

namespace vtopo::detail {

/// `vtopo 0.2.0`, and below what it was built from: a line per library, compiler and kind of build.
std::string version_text();

}  // namespace vtopo::detail
