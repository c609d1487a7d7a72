#pragma once

#include "sim/clock/programs/program.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// What a program sends in all: an edge for each pair of ranks with messages, by source, then
/// destination.
CommGraph traffic_of(const Program& program);

}  // namespace vtopo::detail
