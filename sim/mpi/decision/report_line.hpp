#pragma once

#include <string>
#include <string_view>

#include "sim/mpi/decision/reordering.hpp"

namespace vtopo::detail::overlay {

/// A text as JSON has it, with its quotation marks.
std::string json_string(std::string_view text);

/// Appends one line of JSON about a constructor's call to the file of VTOPO_REPORT, if it is set.
/// @param call `cart_create` and so on.
/// @param old_size ranks of the old communicator.
/// @param seconds processor time that it took here; measured.
/// @throws InputError if the file cannot be written.
void report_constructor(std::string_view call, int old_size, const Reordering& reordering,
                        double seconds);

}  // namespace vtopo::detail::overlay
