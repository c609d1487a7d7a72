/* An even number of ranks: neighbours exchange a number by MPI_Isendrecv, which is of MPI-4. */
#include <mpi.h>

int main(int argc, char **argv) {
  int rank, in = 0;
  MPI_Request request;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Isendrecv(&rank, 1, MPI_INT, rank ^ 1, 0, &in, 1, MPI_INT, rank ^ 1, 0, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Finalize();
  return in == (rank ^ 1) ? 0 : 1;
}
