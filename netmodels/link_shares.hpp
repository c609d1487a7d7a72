#pragma once

#include <cstddef>
#include <vector>

#include "netmodels/network.hpp"

namespace vtopo::detail {

/// Whether all of a flow, whose entries begin with `first`, takes the same links.
bool takes_one_route(const std::vector<LinkShare>& shares, std::size_t first);

/// Joins entries of one link, from entry `first` on, which end up in the order of links. Shares of a
/// link are added up in the order given.
void join_entries(std::vector<LinkShare>& shares, std::size_t first);

}  // namespace vtopo::detail
