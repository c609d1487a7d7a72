#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "sim/clock/programs/program.hpp"

/// Waits for whichever request ends next (`Operation::Kind::wait_any`). A closed group is a run of
/// them in one body of a loop that count down to 0 and name each request once, all of which are
/// open at the first of them: MPI_Waitany over an array until nothing of it is left. The k-th wait
/// of a group is over when k of its requests are, whichever, so that the requests it names say only
/// which belong to it.
namespace vtopo::detail {

/// Requests of the closed group whose first wait is at `position`.
std::vector<std::int32_t> requests_of_group(const std::vector<Operation>& operations,
                                            std::size_t position);

/// Positions of waits that are in no closed group, in ascending order.
std::vector<std::size_t> waits_outside_groups(const std::vector<Operation>& operations);

/// Those wait for the requests that they name: nobody knows for which others they could.
void name_waits_outside_groups(std::vector<Operation>& operations);

}  // namespace vtopo::detail
