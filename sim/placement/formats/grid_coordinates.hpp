#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail::formats {

/// Why hosts are not named by up to `most` coordinates, or nothing.
/// @param reader whose files these are.
std::optional<std::string> coordinates_unsupported_reason(const Network& network, std::size_t most,
                                                          std::string_view reader);

/// Sizes of a torus or mesh, in the network's order: the first dimension is the fastest.
std::vector<int> grid_sizes(const Network& network);

/// Coordinates of a host, first dimension first.
std::vector<int> coordinates_of(HostId host, std::span<const int> sizes);

/// Host at coordinates within the sizes.
HostId host_at(std::span<const int> coordinates, std::span<const int> sizes);

}  // namespace vtopo::detail::formats
