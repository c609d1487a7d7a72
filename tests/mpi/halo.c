/* One halo exchange over a periodic cube of processes, 1 MiB to each neighbour; prints its
 * simulated time. Argument: processes along an edge. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

enum { bytes = 1 << 20 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int edge = argc > 1 ? atoi(argv[1]) : 2;
  const int dims[] = {edge, edge, edge}, periods[] = {1, 1, 1};
  int rank;
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  char* sent = calloc(6, bytes);
  char* received = calloc(6, bytes);
  MPI_Barrier(grid);
  const double start = MPI_Wtime();
  MPI_Neighbor_alltoall(sent, bytes, MPI_CHAR, received, bytes, MPI_CHAR, grid);
  MPI_Barrier(grid);
  MPI_Comm_rank(grid, &rank);
  if (rank == 0) printf("exchange %.9f\n", MPI_Wtime() - start);
  free(sent);
  free(received);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
