/* Ends as its argument says: crash, gone (a message to a process that has ended), abort, absent (a function that is not there), deadlock, asking (in vain), replace and grid (deadlocks in other calls), sizes (a wrong grid), code (3), early (no MPI_Finalize), at once (_exit), spin, words
 * (prints its arguments). */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char** argv) {
  int rank, word;
  MPI_Comm made;
  char port[MPI_MAX_PORT_NAME];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const char* how = argc > 1 ? argv[1] : "";
  MPI_Barrier(MPI_COMM_WORLD);
  if (!strcmp(how, "words") && rank == 0)
    for (int i = 2; i < argc; ++i) printf("[%s]\n", argv[i]);
  if (!strcmp(how, "crash") && rank == 1) *(volatile int*)0 = 1;
  if (!strcmp(how, "gone") && rank == 3) exit(5);
  if (!strcmp(how, "gone") && rank == 1) {
    MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 3, 0, MPI_COMM_WORLD);
  }
  if (!strcmp(how, "gone") && rank == 0) MPI_Send(&rank, 1, MPI_INT, 1, 0, MPI_COMM_WORLD);
  if (!strcmp(how, "abort") && rank == 2) MPI_Abort(MPI_COMM_WORLD, 7);
  if (!strcmp(how, "absent") && rank == 2) MPI_Open_port(MPI_INFO_NULL, port);
  if (!strcmp(how, "deadlock") && rank < 2)
    MPI_Recv(&word, 1, MPI_INT, 1 - rank, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "replace"))
    MPI_Sendrecv_replace(&word, 1, MPI_INT, (rank + 1) % 4, 5, (rank + 3) % 4, 6, MPI_COMM_WORLD,
                         MPI_STATUS_IGNORE);
  if ((!strcmp(how, "grid") && rank != 3) || !strcmp(how, "sizes")) {
    const int size = strcmp(how, "grid") ? -3 : 4, period = 0;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 1, &made);
  }
  if (!strcmp(how, "grid") && rank == 3) MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "spin") && rank == 0) {
    printf("spinning\n");
    fflush(stdout);
    for (volatile int on = 1; on;) continue;
  }
  if (!strcmp(how, "asking") && rank == 0) {
    MPI_Request request;
    int there = 0;
    MPI_Irecv(&word, 1, MPI_INT, 1, 0, MPI_COMM_WORLD, &request);
    while (!there) MPI_Test(&request, &there, MPI_STATUS_IGNORE);
  }
  if (!strcmp(how, "early")) return 0;
  if (!strcmp(how, "at once") && rank == 1) _exit(0);
  MPI_Finalize();
  return strcmp(how, "code") ? 0 : 3;
}
