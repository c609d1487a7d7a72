#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/guests/guest_topology.hpp"

namespace vtopo {

/// What a file of an embedding is made from. Referred values must outlive it.
struct EmbeddingDocument {
  const Embedding& embedding;    ///< what is written
  const Network& network;        ///< gives the names of hosts
  const Allocation& allocation;  ///< gives the slots of hosts
  std::string mapper = {};       ///< JSON alone names it, and the scenario
  std::vector<std::pair<std::string, std::string>> scenario = {};  ///< option and value
  const ParallelProgram* program = nullptr;  ///< whose ranks these are; null: not `parallel:`
};

/// A file format of embeddings, as a launcher reads it.
struct EmbeddingFormat {
  std::string name;     ///< of `--embedding-format`; the extension is `.` and this
  std::string summary;  ///< what reads it
  /// @throws UsageError if the format cannot express the embedding.
  std::function<std::string(const EmbeddingDocument&)> write;
  /// The embedding of the file at a path, as `read_embedding` returns it.
  /// @throws InputError with file, line and column.
  std::function<Embedding(const std::string& path, std::optional<int> num_ranks, const Network&,
                          const Allocation&)>
      read;
  /// Why no embedding in an allocation can be written or read, or nothing; empty: there is none.
  std::function<std::optional<std::string>(const Network&, const Allocation&)> unsupported_reason =
      nullptr;
  /// Launchers and the commands by which they start a program as the file says; empty: there is
  /// none.
  /// @param file as a shell reads it.
  std::function<std::vector<std::pair<std::string, std::string>>(const EmbeddingDocument&,
                                                                 const std::string& file)>
      launch = nullptr;
};

/// All formats, sorted by name.
const std::vector<EmbeddingFormat>& embedding_formats();

/// @throws UsageError that names the format and the nearest valid name.
const EmbeddingFormat& find_embedding_format(std::string_view name);

/// Format of a name, or else of the extension of `path` in small or capital letters. Standard
/// output (`-`) is CSV, a file called `MPICH_RANK_ORDER` what Cray's library looks for.
/// @param option by which a name is given, for the sentence of an error.
/// @throws UsageError for an unknown name or extension.
const EmbeddingFormat& embedding_format_of(std::string_view path,
                                           const std::optional<std::string>& name,
                                           std::string_view option = "--embedding-format");

/// @throws UsageError if the format cannot express any embedding in the allocation.
void check_embedding_format(const EmbeddingFormat& format, const Network& network,
                            const Allocation& allocation);

/// Text of the file.
/// @throws UsageError if the format cannot express the embedding.
std::string write_embedding(const EmbeddingFormat& format, const EmbeddingDocument& document);

/// Reads an embedding of `num_ranks` ranks, or of as many as the file places, from 0 without a gap.
/// @throws InputError with file, line and column for an unreadable file, a host that the network or
/// the allocation does not have, a rank that is missing or placed twice, more ranks on a host than
/// slots and another number of ranks; UsageError if the format cannot be used on the network.
Embedding read_embedding(const EmbeddingFormat& format, const std::string& path,
                         std::optional<int> num_ranks, const Network& network,
                         const Allocation& allocation);

/// Slot of every rank, in the order of ranks: those of a host count from 0 by rank.
std::vector<int> slots_by_rank(const Embedding& embedding);

}  // namespace vtopo
