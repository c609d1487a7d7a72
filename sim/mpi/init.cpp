// MPI_Init, MPI_Init_thread and MPI_Finalize: where the overlay joins and leaves the job.

#include "sim/mpi/job.hpp"

using namespace vtopo;

int MPI_Init(int* argc, char*** argv) {
  const int code = PMPI_Init(argc, argv);
  if (code == MPI_SUCCESS) overlay::join_job();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  const int code = PMPI_Init_thread(argc, argv, required, provided);
  if (code == MPI_SUCCESS) overlay::join_job();
  return code;
}

int MPI_Finalize() {
  overlay::leave_job();
  return PMPI_Finalize();
}
