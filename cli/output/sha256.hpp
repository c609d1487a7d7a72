#pragma once

#include <string>
#include <string_view>

namespace vtopo::detail {

/// SHA-256 of a text in 64 hexadecimal digits (NIST FIPS 180-4), what `sha256sum` prints.
std::string sha256(std::string_view text);

}  // namespace vtopo::detail
