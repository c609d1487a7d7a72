#pragma once

#include <string>
#include <string_view>

#include "sim/embedding/embedding_files.hpp"
#include "sim/embedding/placed_ranks.hpp"

/// One format of embeddings per file.
namespace vtopo::formats {

EmbeddingFormat bgq();
EmbeddingFormat csv();
EmbeddingFormat hydra();
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
std::string plain_host_name(const Network& network, HostId host, std::string_view separators,
                            std::string_view format);

}  // namespace vtopo::formats
