#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "sim/embedding/embedding_files.hpp"
#include "sim/embedding/node_places.hpp"
#include "sim/embedding/placed_ranks.hpp"

/// One format of embeddings per file.
namespace vtopo::detail::formats {

EmbeddingFormat bgq();
EmbeddingFormat csv();
EmbeddingFormat hydra();
EmbeddingFormat jax();
EmbeddingFormat json();
EmbeddingFormat map();
EmbeddingFormat mpich_rank_order();
EmbeddingFormat part();
EmbeddingFormat rankfile();
EmbeddingFormat slurm();
EmbeddingFormat smpi();
EmbeddingFormat vcoord();

/// Name of a host in a format that cannot quote.
/// @param separators characters that end a name there, besides blanks and control characters.
/// @throws UsageError if the name has one of them.
std::string plain_name(std::string name, std::string_view separators, std::string_view format);

/// Node and slot of every rank, in the order of ranks.
std::vector<NodeSlot> node_slots(const EmbeddingDocument& document);

/// Names of the nodes of all ranks for formats that name no slot: their readers fill the places of
/// a node in the order of ranks.
/// @throws UsageError if that is another embedding, or a name has a separator.
std::vector<std::string> node_names(const EmbeddingDocument& document, std::string_view separators,
                                    std::string_view format);

}  // namespace vtopo::detail::formats
