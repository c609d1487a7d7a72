#pragma once

#include <fmt/format.h>

#include <string>

namespace vtopo::detail {

/// Appends to `text` what `fmt::vformat` gives. `fmt::format_to` would compile all of fmt's numbers
/// once more in each source that calls it.
void append_formatted(std::string& text, fmt::string_view format, fmt::format_args arguments);

/// Appends to `text` what `fmt::format` gives.
template <class... Arguments>
void append_format(std::string& text, fmt::format_string<Arguments...> format,
                   Arguments&&... arguments) {
  append_formatted(text, format, fmt::make_format_args(arguments...));
}

}  // namespace vtopo::detail
