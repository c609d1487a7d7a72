#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding_files.hpp"
#include "sim/placement/placed_ranks.hpp"

namespace vtopo::detail::formats {

/// Formats of embeddings that are vtopo's own; those of launchers are in vtopo::formats.

EmbeddingFormat csv();
EmbeddingFormat json();

/// A function for `EmbeddingFormat::read` from one that places every rank that a file names.
decltype(EmbeddingFormat::read) reader(void (*place)(const std::string& path, PlacedRanks& ranks));

/// Name of a host in a format that cannot quote.
/// @param separators characters that no name has there, besides blanks and control characters.
/// @throws UsageError if the name has one of them.
std::string plain_name(std::string name, std::string_view separators, std::string_view format);

/// Node and slot of every rank, in the order of ranks.
std::vector<NodeSlot> node_slots(const EmbeddingDocument& document);

}  // namespace vtopo::detail::formats
