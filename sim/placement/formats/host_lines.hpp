#pragma once

#include <string>
#include <string_view>

#include "sim/placement/embedding_files.hpp"
#include "sim/placement/placed_ranks.hpp"

namespace vtopo::detail::formats {

/// Places rank after rank: lines `host`, or `host:n` for n ranks in a row.
void read_host_lines(const std::string& path, PlacedRanks& ranks);

/// Places rank after rank: host lists such as `node[01-04],node07`, any number in a line.
void read_host_lists(const std::string& path, PlacedRanks& ranks);

/// The node of each rank, a line each.
std::string host_per_rank(const EmbeddingDocument& document, std::string_view separators,
                          std::string_view format);

}  // namespace vtopo::detail::formats
