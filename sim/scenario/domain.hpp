#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "topology/base/units.hpp"
#include "topology/mpi/virtual_topology.hpp"

namespace vtopo::detail {

/// Volumes that neighbours along each dimension of a grid exchange when it divides a domain into
/// blocks: the elements on a face of the largest block. Dimensions of the domain behind those of
/// the grid are not divided.
/// @param element bytes per element, times the depth of the halo.
/// @throws UsageError if the grid has more dimensions than the domain or more ranks along one than
/// there are elements.
std::vector<Bytes> halo_volumes(const Cartesian& grid, const std::vector<std::int64_t>& domain,
                                Bytes element);

}  // namespace vtopo::detail
