#pragma once

#include <string>

#include "sim/embedding/embedding_files.hpp"
#include "sim/embedding/placed_ranks.hpp"

namespace vtopo::detail::formats {

/// Places rank after rank: lines `host`, or `host:n` for n ranks in a row.
void read_host_lines(const std::string& path, PlacedRanks& ranks);

}  // namespace vtopo::detail::formats
