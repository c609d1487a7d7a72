/* MPI_Cart_map and MPI_Graph_map: processes outside of the topology get MPI_UNDEFINED, as MPI demands
 * and Open MPI 4.1 does not do. Others keep what the MPI library answers. */
#include "preload.h"

static void leave_out(MPI_Comm comm, long long ranks, int* newrank) {
  int rank = 0;
  if (newrank != NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank >= ranks)
    *newrank = MPI_UNDEFINED;
}

int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  const int code = PMPI_Cart_map(comm, ndims, dims, periods, newrank);
  long long ranks = 1;
  if (code != MPI_SUCCESS) return code;
  for (int d = 0; d < ndims; ++d) ranks *= dims[d];
  leave_out(comm, ranks, newrank);
  return code;
}

int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int* newrank) {
  const int code = PMPI_Graph_map(comm, nnodes, index, edges, newrank);
  if (code == MPI_SUCCESS) leave_out(comm, nnodes, newrank);
  return code;
}
