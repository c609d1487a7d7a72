#pragma once

#include <string>
#include <string_view>

namespace vtopo::detail::overlay {

// What a library has besides the repairs, which call it at these times: each library that links
// them defines these functions. Those of libvtopo_smpi_repairs do nothing.

/// Once per run, in the first MPI_Init, before any process joins the job.
/// @throws Error if a setting is wrong.
void begin_library();

/// By the last process that has left the job.
void end_library();

/// Elements of `topologies` in the line of a run, separated by commas.
std::string topologies_json();

/// A program was opened; a handle of `dlopen`.
void note_opened(void* handle);

/// Whether SMPI has no function of that name behind `P`, or a wrong one: then this library's is
/// called.
/// @param name `MPI_Cart_create`
bool replaces_profiled(std::string_view name);

}  // namespace vtopo::detail::overlay
