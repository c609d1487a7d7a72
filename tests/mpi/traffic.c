/* Traffic known by hand: rank 0 starts a persistent send of 100000 bytes to rank 1 three times, rank 2
 * sends 500 bytes to rank 3; then everybody takes part in an allreduce of 8 doubles. */
#include <mpi.h>

enum { large = 100000, small = 500, doubles = 8 };

int main(int argc, char** argv) {
  static char bytes[large];
  double sent[doubles] = {0}, received[doubles];
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    MPI_Request send;
    MPI_Send_init(bytes, large, MPI_CHAR, 1, 0, MPI_COMM_WORLD, &send);
    for (int i = 0; i < 3; ++i) {
      MPI_Start(&send);
      MPI_Wait(&send, MPI_STATUS_IGNORE);
    }
    MPI_Request_free(&send);
  }
  if (rank == 1)
    for (int i = 0; i < 3; ++i)
      MPI_Recv(bytes, large, MPI_CHAR, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (rank == 2) MPI_Send(bytes, small, MPI_CHAR, 3, 0, MPI_COMM_WORLD);
  if (rank == 3) MPI_Recv(bytes, small, MPI_CHAR, 2, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  MPI_Allreduce(sent, received, doubles, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  MPI_Finalize();
  return 0;
}
