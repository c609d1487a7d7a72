/* Asks for reorder = 1 and goes on with its rank in MPI_COMM_WORLD, as programs do that never ran
 * on reordered ranks: a deadlock if ranks have moved. With an argument it ends with 1 then, and
 * without a deadlock. */
#include <mpi.h>

int main(int argc, char** argv) {
  int rank, grid_rank, size, value = 0, differs = 0, periods[2] = {0, 0}, dims[2] = {0, 0};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  MPI_Comm_rank(grid, &grid_rank);
  if (argc > 1) {
    value = rank != grid_rank;
    MPI_Allreduce(&value, &differs, 1, MPI_INT, MPI_MAX, grid);
  } else if (rank == 0) {
    for (int i = 1; i < size; i++) MPI_Recv(&value, 1, MPI_INT, i, 1, grid, MPI_STATUS_IGNORE);
  } else {
    MPI_Ssend(&rank, 1, MPI_INT, 0, 1, grid);
  }
  MPI_Finalize();
  return differs;
}
