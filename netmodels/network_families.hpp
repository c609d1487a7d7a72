#pragma once

#include <vector>

#include "netmodels/network_table.hpp"

namespace vtopo::detail {

/// The networks of each folder of `netmodels/models`; generated from the folders.
std::vector<std::vector<NetworkInfo>> network_families();

}  // namespace vtopo::detail
