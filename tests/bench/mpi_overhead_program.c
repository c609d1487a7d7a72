/* A program that SMPI can run by itself: a periodic cube of processes, halo exchanges by MPI_Sendrecv. Arguments:
 * processes along an edge (8), or along each as 16x16x8; exchanges (50); bytes (64 KiB); "world": neighbours are worked out
 * in MPI_COMM_WORLD instead of asked of a Cartesian communicator. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const int periods[] = {1, 1, 1};
static int dims[] = {8, 8, 8};

/* As MPI_Cart_shift by 1, of ranks in row-major order. */
static void shift_in_world(int rank, int dimension, int step, int* from, int* to) {
  int stride = 1;
  for (int d = 2; d > dimension; --d) stride *= dims[d];
  const int size = dims[dimension], at = rank / stride % size;
  *to = rank + ((at + step + size) % size - at) * stride;
  *from = rank + ((at - step + size) % size - at) * stride;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int exchanges = argc > 2 ? atoi(argv[2]) : 50, bytes = argc > 3 ? atoi(argv[3]) : 1 << 16;
  const int in_world = argc > 4 && strcmp(argv[4], "world") == 0;
  if (argc > 1 && sscanf(argv[1], "%dx%dx%d", &dims[0], &dims[1], &dims[2]) == 1) dims[1] = dims[2] = dims[0];
  int rank;
  MPI_Comm grid = MPI_COMM_WORLD;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (!in_world) MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 1, &grid);
  char* sent = calloc(1, bytes);
  char* received = calloc(1, bytes);
  for (int i = 0; i < exchanges; ++i)
    for (int face = 0; face < 6; ++face) {
      int from, to;
      const int step = face % 2 ? 1 : -1;
      if (in_world)
        shift_in_world(rank, face / 2, step, &from, &to);
      else
        MPI_Cart_shift(grid, face / 2, step, &from, &to);
      MPI_Sendrecv(sent, bytes, MPI_CHAR, to, face, received, bytes, MPI_CHAR, from, face, grid,
                   MPI_STATUS_IGNORE);
    }
  free(sent);
  free(received);
  if (!in_world) MPI_Comm_free(&grid);
  MPI_Finalize();
  return 0;
}
