#pragma once

#include <span>
#include <string>
#include <string_view>

namespace vtopo::detail::lint {

/// What to write instead of a name: what it is called today, what it was probably meant to be, or
/// all that there is.
std::string known_name(std::string_view name, std::span<const std::string> known);

}  // namespace vtopo::detail::lint
