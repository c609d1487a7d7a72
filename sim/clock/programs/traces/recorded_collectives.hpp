#pragma once

#include <string_view>
#include <vector>

#include "sim/clock/programs/traces/collective_calls.hpp"
#include "sim/clock/programs/traces/recorded_communicators.hpp"
#include "sim/clock/programs/traces/recorded_line.hpp"

namespace vtopo::detail {

/// Appends the messages of a collective that a rank has recorded.
/// @param name the first word of the line, `comm` its communicator.
/// @param has_open_requests whether the rank has started what it has not waited for.
/// @throws InputError for an unknown name and for arguments that it cannot have.
void append_recorded_collective(std::string_view name, const RecordedLine& line,
                                const OwnCommunicator& comm, bool has_open_requests,
                                CollectiveCalls& collectives, std::vector<Operation>& operations);

}  // namespace vtopo::detail
