#pragma once

#include <cstdint>
#include <map>
#include <string>

#include "netmodels/network.hpp"
#include "sim/placement/allocation.hpp"
#include "sim/mapping/api/objective.hpp"
#include "topology/cartesian.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo {

namespace detail {
class SharedNearPlaces;
}

/// What a mapper has to solve. The guest fits into the allocation (checked before). Under equal
/// steps equal problems have equal embeddings; how long to search says `SearchControl`.
struct MappingProblem {
  const CommGraph& guest;           ///< traffic between ranks
  const Network& host;              ///< network that ranks are mapped to
  const Allocation& allocation;     ///< hosts and slots that may be used
  const Cartesian* grid = nullptr;  ///< the virtual topology, if it is a Cartesian grid
  std::uint64_t seed = 1;           ///< of everything random
  Objective objective = {};         ///< what refiners and portfolios minimise
  std::map<std::string, std::string> options = {};  ///< checked against MapperInfo::options
  /// Of this network and allocation, for the searches of a portfolio; null: each has its own.
  detail::SharedNearPlaces* near_places = nullptr;
};

}  // namespace vtopo
