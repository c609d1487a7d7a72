#pragma once

#include <optional>

#include "sim/evaluation/guest_lattice.hpp"
#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// The best of the embeddings of the grid that a guest is; nothing if it is none.
std::optional<Embedding> lattice_embedding(const MappingProblem& problem);

}  // namespace vtopo::detail
