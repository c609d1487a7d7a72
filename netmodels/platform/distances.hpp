#pragma once

#include <vector>

#include "netmodels/network_table.hpp"

namespace vtopo::detail {

/// Networks that matrices describe: `distances:FILE`, whose hops are the entries. Files hold n
/// lines of n numbers, with or without a row and a column of names; or the size, then one such
/// matrix or, as those of QAPLIB, two.
std::vector<NetworkInfo> matrix_networks();

}  // namespace vtopo::detail
