#pragma once

#include <string_view>

#include "sim/mpi/reordering.hpp"

namespace vtopo::overlay {

/// Appends one line of JSON about a constructor's call to the file of VTOPO_REPORT, if it is set.
/// @param call `cart_create` and so on.
/// @param old_size ranks of the old communicator.
/// @throws InputError if the file cannot be written.
void report_constructor(std::string_view call, int old_size, const Reordering& reordering);

}  // namespace vtopo::overlay
