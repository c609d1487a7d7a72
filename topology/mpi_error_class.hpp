#pragma once

#include <string_view>

namespace vtopo {

/// Error classes of MPI (MPI-5.0, "Error Codes and Classes") that calls on communicators and
/// process topologies return. The most specific class wins: `arg` is for what no other class names.
enum class MpiErrorClass { comm, group, rank, topology, dims, arg, info, other };

/// Name of the class in C: `MPI_ERR_DIMS`.
std::string_view name(MpiErrorClass error_class);

}  // namespace vtopo
