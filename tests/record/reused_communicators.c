/* 4 ranks: communicators of two that are freed before the next is made, which mostly gets their
   handle: rank r sends 10 d bytes to rank r ^ d, for d from 1 to 3. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank;
  char out[30] = {0}, in[30];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int d = 1; d <= 3; ++d) {
    const int other = rank ^ d;
    MPI_Comm pair;
    MPI_Comm_split(MPI_COMM_WORLD, rank < other ? rank : other, rank, &pair);
    MPI_Sendrecv(out, 10 * d, MPI_BYTE, rank < other, 0, in, 10 * d, MPI_BYTE, rank < other, 0, pair,
                 MPI_STATUS_IGNORE);
    MPI_Comm_free(&pair);
  }
  return MPI_Finalize();
}
