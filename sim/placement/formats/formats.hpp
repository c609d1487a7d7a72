#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/placement/embedding_files.hpp"
#include "sim/placement/node_places.hpp"
#include "sim/placement/placed_ranks.hpp"

/// One format of embeddings per file.
namespace vtopo::detail::formats {

EmbeddingFormat bgq();
EmbeddingFormat csv();
EmbeddingFormat flux();
EmbeddingFormat hydra();
EmbeddingFormat jax();
EmbeddingFormat json();
EmbeddingFormat map();
EmbeddingFormat mpich_rank_order();
EmbeddingFormat part();
EmbeddingFormat prrte();
EmbeddingFormat rankfile();
EmbeddingFormat slurm();
EmbeddingFormat smpi();
EmbeddingFormat taskmap();
EmbeddingFormat vcoord();

/// Name of a host in a format that cannot quote.
/// @param separators characters that no name has there, besides blanks and control characters.
/// @throws UsageError if the name has one of them.
std::string plain_name(std::string name, std::string_view separators, std::string_view format);

/// Node and slot of every rank, in the order of ranks.
std::vector<NodeSlot> node_slots(const EmbeddingDocument& document);

/// Nodes of the allocation, each once, in its order.
std::vector<std::string> allocated_nodes(const Network& network, const Allocation& allocation);

/// Those on which ranks are.
std::vector<std::string> nodes_in_use(const EmbeddingDocument& document);

/// Names of the nodes of all ranks for formats that name no slot: their readers fill the places of
/// a node in the order of ranks.
/// @throws UsageError if that is another embedding, or a name has a separator.
std::vector<std::string> node_names(const EmbeddingDocument& document, std::string_view separators,
                                    std::string_view format);

/// A function for `EmbeddingFormat::launch` from what stands around the number of ranks and the
/// file: `{ranks}` and `{path}`.
/// @param lines launchers and their commands.
std::function<std::vector<std::pair<std::string, std::string>>(const EmbeddingDocument&,
                                                               const std::string&)>
launched_by(std::vector<std::pair<std::string, std::string>> lines);

/// `flux run` on the nodes with ranks.
/// @param taskmap of option `--taskmap`.
std::vector<std::pair<std::string, std::string>> flux_run(const EmbeddingDocument& document,
                                                          const std::string& taskmap);

}  // namespace vtopo::detail::formats
