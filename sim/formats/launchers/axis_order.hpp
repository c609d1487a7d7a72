#pragma once

#include <optional>
#include <string>

#include "sim/placement/embedding.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo::detail {

/// `tp-cp-dp-pp`: the order of axes, the one that varies fastest first, in which ranks that are
/// numbered by it and fill the hosts of the allocation one after the other sit as in the embedding;
/// what Megatron calls the order of its parallel groups. Nothing if no order does. Of axes of size
/// 1 the order is that of the program.
std::optional<std::string> block_axis_order(const ParallelProgram& program,
                                            const Embedding& embedding,
                                            const Allocation& allocation);

}  // namespace vtopo::detail
