/* A Cartesian program that SMPI can run by itself: a periodic cube of processes, halo exchanges by MPI_Cart_shift and
 * MPI_Sendrecv. Arguments: processes along an edge (8), or along each as 16x16x8; exchanges (50); bytes (64 KiB). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int exchanges = argc > 2 ? atoi(argv[2]) : 50, bytes = argc > 3 ? atoi(argv[3]) : 1 << 16;
  const int periods[] = {1, 1, 1};
  int dims[] = {8, 8, 8};
  if (argc > 1 && sscanf(argv[1], "%dx%dx%d", &dims[0], &dims[1], &dims[2]) == 1) dims[1] = dims[2] = dims[0];
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  char* sent = calloc(1, bytes);
  char* received = calloc(1, bytes);
  for (int i = 0; i < exchanges; ++i)
    for (int face = 0; face < 6; ++face) {
      int from, to;
      MPI_Cart_shift(grid, face / 2, face % 2 ? 1 : -1, &from, &to);
      MPI_Sendrecv(sent, bytes, MPI_CHAR, to, face, received, bytes, MPI_CHAR, from, face, grid,
                   MPI_STATUS_IGNORE);
    }
  free(sent);
  free(received);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
