#pragma once

#include <vector>

#include "sim/mpi/smpi.hpp"

// Addresses by which Fortran programs pass special arguments.
extern "C" {
extern int mpi_bottom_;
extern int mpi_in_place_;
extern int mpi_status_ignore_;
extern int mpi_statuses_ignore_;
extern int mpi_unweighted_;
extern int mpi_weights_empty_;
}

namespace vtopo::detail::overlay {

/// A buffer of Fortran as C passes it.
inline void* buffer_of(void* buffer) {
  if (buffer == &mpi_bottom_) return MPI_BOTTOM;
  if (buffer == &mpi_in_place_) return MPI_IN_PLACE;
  return buffer;
}

/// Weights of Fortran as C passes them.
inline int* weights_of_fortran(int* weights) {
  if (weights == &mpi_unweighted_) return MPI_UNWEIGHTED;
  if (weights == &mpi_weights_empty_) return MPI_WEIGHTS_EMPTY;
  return weights;
}

inline MPI_Status* status_of(int* status) {
  if (status == &mpi_status_ignore_ || status == &mpi_statuses_ignore_) return MPI_STATUS_IGNORE;
  return reinterpret_cast<MPI_Status*>(status);
}

/// Null handles are negative in Fortran.
inline int handle_of(MPI_Comm comm) {
  return comm == MPI_COMM_NULL ? -1 : PMPI_Comm_c2f(comm);
}
inline MPI_Comm comm_of(int handle) {
  return handle < 0 ? MPI_COMM_NULL : PMPI_Comm_f2c(handle);
}
inline MPI_Info info_handle_of(int handle) {
  return handle < 0 ? MPI_INFO_NULL : PMPI_Info_f2c(handle);
}
inline int handle_of(MPI_Request request) {
  return request == MPI_REQUEST_NULL ? MPI_FORTRAN_REQUEST_NULL : PMPI_Request_c2f(request);
}
inline MPI_Request request_of(int handle) {
  return handle < 0 ? MPI_REQUEST_NULL : PMPI_Request_f2c(handle);
}

}  // namespace vtopo::detail::overlay
