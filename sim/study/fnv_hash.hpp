#pragma once

#include <string>
#include <string_view>

namespace vtopo::detail {

/// 128-bit FNV-1a hash in 32 hexadecimal digits, most significant first (Fowler, Noll, Vo; RFC
/// 9923). The same on every machine; tells texts apart, but does not withstand someone who wants a
/// clash.
std::string fnv1a_128(std::string_view text);

}  // namespace vtopo::detail
