#pragma once

#include <string>
#include <vector>

#include "topology/traffic/traffic.hpp"

namespace vtopo::detail {

/// Of a METIS graph, the first of several; 1 without weights. @throws InputError.
std::vector<double> read_metis_vertex_weights(const std::string& path);

/// What each rank weighs where a file says so: vertex weights of METIS, the first of several. Empty
/// where the format has none or all are equal.
/// @throws InputError as `read_traffic`.
std::vector<double> read_rank_weights(const std::string& path, const TrafficOptions& options);

}  // namespace vtopo::detail
