#pragma once

namespace vtopo::detail {

/// Whether text for a reader may carry colour: on a terminal that is not dumb, unless the variable
/// NO_COLOR is set and not empty (https://no-color.org).
/// @param no_color value of NO_COLOR, or null when unset.
/// @param term value of TERM, or null when unset; an unset one counts as dumb.
bool may_colour(bool terminal, const char* no_color, const char* term);

/// The same for standard output and the environment of this process.
bool stdout_may_have_colour();

/// Whether a descriptor is a terminal on which a line can be redrawn.
bool is_capable_terminal(int descriptor);

}  // namespace vtopo::detail
