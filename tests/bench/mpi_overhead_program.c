/* A Cartesian program that SMPI can run by itself: a periodic cube of processes, halo exchanges of 64 KiB by
 * MPI_Cart_shift and MPI_Sendrecv. Arguments: processes along an edge (8), exchanges (50). */
#include <mpi.h>
#include <stdlib.h>

enum { bytes = 1 << 16 };

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int edge = argc > 1 ? atoi(argv[1]) : 8, exchanges = argc > 2 ? atoi(argv[2]) : 50;
  const int dims[] = {edge, edge, edge}, periods[] = {1, 1, 1};
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
