#pragma once

#include <optional>
#include <string>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail {

/// Forms of the files in which an external program finds the problem.
enum class GuestFile { metis, csv };
enum class NetworkFile { distances, xml };

/// Distances are a matrix: the most hosts for which it is written.
constexpr int max_hosts_of_distances = 4096;

/// Why the network of a problem cannot be written in a form, or nothing.
std::optional<std::string> network_file_unsupported_reason(const MappingProblem& problem,
                                                           NetworkFile form);

/// METIS `.graph` with edge weights (whole bytes of both directions together, at least 1; self
/// loops and edges without volume left out), or the directed edges as CSV with header
/// `src,dst,bytes`.
/// @throws InputError if the file cannot be written; so do the others.
void write_guest(const MappingProblem& problem, GuestFile form, const std::string& path);

/// Number of hosts of the allocation, then a row of hops from each to all; or the whole network as
/// SimGrid platform file.
void write_network(const MappingProblem& problem, NetworkFile form, const std::string& path);

/// One line per host of the allocation: its slots, a tab, its name.
void write_slots(const MappingProblem& problem, const std::string& path);

/// Reads the embedding that a program wrote: on line r + 1 the position in the allocation of the
/// host of rank r, or vtopo's CSV (header `rank,host,slot` or `rank,host`).
/// @param title stands for `path` in errors.
/// @throws InputError with line and column for what is not an embedding.
Embedding read_mapping(const MappingProblem& problem, const std::string& path,
                       const std::string& title);

}  // namespace vtopo::detail
