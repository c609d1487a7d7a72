#pragma once

namespace vtopo::detail::overlay {

/// Leads the calls of MPI in a program that was just opened, and in the libraries that were opened
/// with it, to the overlay: SMPI opens programs so that they find SMPI's functions first. Nothing
/// else changes: functions and variables of the program, and functions of MPI that it defines
/// itself, stay as they are under plain SMPI. Calls of `PMPI_` names of topology functions, of
/// which SMPI has none or wrong ones, are led here too.
/// @param handle of `dlopen`.
void lead_calls_here(void* handle);

/// Whether MPI_UNWEIGHTED is a null pointer in the programs opened so far: vtopo_mpi.h has another.
bool is_unweighted_null();

}  // namespace vtopo::detail::overlay
