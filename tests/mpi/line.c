/* A chain of processes, reordered (unless the argument is 0): each prints its host, its old and its new rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int size, old_rank, new_rank, length;
  char host[MPI_MAX_PROCESSOR_NAME];
  MPI_Comm chain;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &old_rank);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){0}, argc < 2 || atoi(argv[1]), &chain);
  MPI_Comm_rank(chain, &new_rank);
  MPI_Get_processor_name(host, &length);
  printf("%s old %d new %d\n", host, old_rank, new_rank);
  MPI_Comm_free(&chain);
  MPI_Finalize();
  return 0;
}
