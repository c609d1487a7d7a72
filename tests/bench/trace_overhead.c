/* Steps of a halo exchange of a periodic 2-D grid; prints microseconds per step. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
  const int bytes = argc > 1 ? atoi(argv[1]) : 8192, steps = 5000;
  int ranks, rank, around[4], dims[2] = {0, 0};
  const int periods[2] = {1, 1};
  MPI_Comm grid;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_shift(grid, 0, 1, &around[0], &around[1]);
  MPI_Cart_shift(grid, 1, 1, &around[2], &around[3]);
  char *data = calloc(8, (size_t)bytes);
  MPI_Barrier(grid);
  const double start = MPI_Wtime();
  for (int step = 0; step < steps; ++step) {
    MPI_Request requests[8];
    for (int k = 0; k < 4; ++k)
      MPI_Irecv(data + k * bytes, bytes, MPI_BYTE, around[k], k ^ 1, grid, &requests[k]);
    for (int k = 0; k < 4; ++k)
      MPI_Isend(data + (4 + k) * bytes, bytes, MPI_BYTE, around[k], k, grid, &requests[4 + k]);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
  }
  if (rank == 0) printf("%.4f\n", (MPI_Wtime() - start) / steps * 1e6);
  free(data);
  MPI_Finalize();
  return 0;
}
