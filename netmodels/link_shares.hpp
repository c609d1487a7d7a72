#pragma once

#include <cstddef>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Joins entries of one link, from entry `first` on, which end up in the order of links.
void join_entries(std::vector<LinkShare>& shares, std::size_t first);

}  // namespace vtopo::detail
