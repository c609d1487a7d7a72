/* Deadlocks as its argument says. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static void slow_sum(void* in, void* sum, int* length, MPI_Datatype* type) {
  (void)type;
  sleep(3000); /* simulated */
  for (int i = 0; i < *length; ++i) ((int*)sum)[i] += ((int*)in)[i];
}

int main(int argc, char** argv) {
  int rank, size, word = 0;
  static char large[1 << 20];
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const char* how = argc > 1 ? argv[1] : "";
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  if (!strcmp(how, "pair") && rank < 2)
    MPI_Recv(&word, 1, MPI_INT, 1 - rank, 7, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "ring")) MPI_Send(large, sizeof large, MPI_CHAR, next, 3, MPI_COMM_WORLD);
  if (!strcmp(how, "ended") && rank == 2)
    MPI_Recv(&word, 1, MPI_INT, 0, MPI_ANY_TAG, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "any") && rank == 1)
    MPI_Recv(&word, 1, MPI_INT, MPI_ANY_SOURCE, 4, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  if (!strcmp(how, "barrier")) {
    if (rank == 1)
      MPI_Recv(&word, 1, MPI_INT, 0, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    else
      MPI_Barrier(MPI_COMM_WORLD);
  }
  if (!strcmp(how, "waitall") && rank == 0) {
    MPI_Request requests[2];
    MPI_Irecv(&word, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &requests[0]);
    MPI_Irecv(&word, 1, MPI_INT, previous, 6, MPI_COMM_WORLD, &requests[1]);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  if (!strcmp(how, "waitall") && rank == 1) MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  if (!strcmp(how, "part")) { /* odd ranks of the world, of whom the last one stays away */
    MPI_Comm part;
    MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
    if (rank % 2 == 1 && rank != size - 1)
      MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, MPI_SUM, part);
  }
  if (!strcmp(how, "probe") && rank < 2) { /* one message comes, the other one does not */
    MPI_Status status;
    if (rank == 1) MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
    MPI_Probe(1 - rank, 5 + rank, MPI_COMM_WORLD, &status);
    MPI_Recv(&word, 1, MPI_INT, 1 - rank, 5 + rank, MPI_COMM_WORLD, &status);
    MPI_Probe(MPI_ANY_SOURCE, 8, MPI_COMM_WORLD, &status);
  }
  if (!strcmp(how, "long-sum")) { /* none: rank 0 probes while the others take hours for a sum */
    MPI_Op slow;
    MPI_Comm others;
    MPI_Op_create(slow_sum, 1, &slow);
    MPI_Comm_split(MPI_COMM_WORLD, rank == 0, rank, &others);
    if (rank == 0) MPI_Probe(1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (rank != 0) MPI_Allreduce(MPI_IN_PLACE, &word, 1, MPI_INT, slow, others);
    if (rank == 1) MPI_Send(&word, 1, MPI_INT, 0, 5, MPI_COMM_WORLD);
  }
  if (!strncmp(how, "win-", 4)) {
    MPI_Win window;
    MPI_Group all, origin, targets;
    const int ranks[] = {0, 1, 2};
    MPI_Comm_group(MPI_COMM_WORLD, &all);
    MPI_Group_incl(all, 1, ranks, &origin);
    MPI_Group_incl(all, 2, ranks + 1, &targets);
    MPI_Win_create(&word, sizeof word, 1, MPI_INFO_NULL, MPI_COMM_WORLD, &window);
    for (int i = 0; i < 3; ++i) { /* a whole exchange */
      if (rank == 1 || rank == 2) MPI_Win_post(origin, 0, window);
      if (rank == 0) MPI_Win_start(targets, 0, window);
      if (rank == 0) MPI_Put(&size, 1, MPI_INT, 2, 0, 1, MPI_INT, window);
      if (rank == 0) MPI_Win_complete(window);
      if (rank == 1 || rank == 2) MPI_Win_wait(window);
    }
    if (!strcmp(how, "win-fence") && rank == 3)
      MPI_Recv(&word, 1, MPI_INT, 0, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    if (!strcmp(how, "win-fence")) MPI_Win_fence(0, window);
    if (!strcmp(how, "win-start") && rank == 1) MPI_Win_post(origin, 0, window);
    if (!strcmp(how, "win-start") && rank == 0) MPI_Win_start(targets, 0, window);
    if (!strcmp(how, "win-wait")) {
      if (rank == 1 || rank == 2) MPI_Win_post(origin, 0, window);
      if (rank == 0) MPI_Win_start(targets, 0, window);
      if (rank == 0) MPI_Recv(&word, 1, MPI_INT, 1, 9, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      if (rank == 1 || rank == 2) MPI_Win_wait(window);
    }
    MPI_Win_free(&window);
  }
  if (!strcmp(how, "exit")) {
    if (rank == 1) exit(3);
    MPI_Barrier(MPI_COMM_WORLD);
  }
  if (!strcmp(how, "cart")) {
    MPI_Comm grid;
    const int periodic = 1;
    int from[2], to = rank;
    MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &grid);
    if (rank == 0)
      MPI_Recv(&word, 1, MPI_INT, 1, 0, grid, MPI_STATUS_IGNORE);
    else
      MPI_Neighbor_allgather(&to, 1, MPI_INT, from, 1, MPI_INT, grid);
  }
  MPI_Finalize();
  return 0;
}
