#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "sim/placement/formats/formats.hpp"
#include "topology/base/line_file.hpp"

namespace vtopo::detail {

using Words = std::vector<std::pair<std::string, int>>;  ///< with their columns

/// Words of the current line; `slots = 2` is one.
Words words_joined_at_equals(LineFile& file);

}  // namespace vtopo::detail

namespace vtopo::detail::formats {

// What a launcher or a batch system reads: one format of embeddings per file.

EmbeddingFormat bgq();
EmbeddingFormat flux();
EmbeddingFormat hydra();
EmbeddingFormat jax();
EmbeddingFormat map();
EmbeddingFormat megatron();
EmbeddingFormat mpich_rank_order();
EmbeddingFormat part();
EmbeddingFormat prrte();
EmbeddingFormat rankfile();
EmbeddingFormat slurm();
EmbeddingFormat smpi();
EmbeddingFormat taskmap();
EmbeddingFormat torchrun();
EmbeddingFormat vcoord();

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

/// Names or lists of names of hosts, and slots of each where the file says so.
using JsonHosts = std::vector<std::pair<std::string, std::optional<int>>>;

/// Hosts of a file of JSON: an array of names or of objects with `host` and `slots`, an object with
/// such an array as `hosts` or `nodes`, or with the slots of each name, or R of Flux (RFC 20).
/// @throws InputError.
JsonHosts read_json_hosts(const std::string& path);

/// Places rank after rank: what `read_listed_hosts` reads, such as lines `host`, or `host:n` for n
/// ranks in a row.
void read_host_lines(const std::string& path, PlacedRanks& ranks);

/// The node of each rank, a line each.
std::string host_per_rank(const EmbeddingDocument& document, std::string_view separators,
                          std::string_view format);

/// Why hosts are not named by up to `most` coordinates, or nothing.
/// @param reader whose files these are.
std::optional<std::string> coordinates_unsupported_reason(const Network& network, std::size_t most,
                                                          std::string_view reader);

/// Sizes of a torus or mesh, in the network's order: the first dimension is the fastest.
std::vector<int> grid_sizes(const Network& network);

/// Coordinates of a host, first dimension first.
std::vector<int> coordinates_of(HostId host, std::span<const int> sizes);

/// Host at coordinates within the sizes.
HostId host_at(std::span<const int> coordinates, std::span<const int> sizes);

}  // namespace vtopo::detail::formats
