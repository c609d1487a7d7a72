#pragma once

#include <string>
#include <string_view>

namespace vtopo::detail {

/// Text as a terminal can show it: names from files may hold control characters, which it would
/// obey, and which become `\u001b`. Line feeds and tabs stay.
/// @param may_have_colour whether the sequences of `Ink` stay, too.
std::string printable(std::string_view text, bool may_have_colour);

}  // namespace vtopo::detail
