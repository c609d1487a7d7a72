/* Messages that are probed and windows: they go to SMPI, and the overlay only notes who is in which
 * call. */
#include "check.h"

/* Everyone writes into the window of the next process between two fences. */
static void check_fences(MPI_Comm comm) {
  int rank, size, word = -1;
  MPI_Win window;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Win_create(&word, sizeof word, sizeof word, MPI_INFO_NULL, comm, &window);
  for (int round = 0; round < 5; ++round) {
    const int sent = 100 * round + rank;
    MPI_Win_fence(0, window);
    MPI_Put(&sent, 1, MPI_INT, (rank + 1) % size, 0, 1, MPI_INT, window);
    MPI_Win_fence(0, window);
    CHECK(word == 100 * round + (rank + size - 1) % size);
  }
  MPI_Win_free(&window);
}

/* Process 0 writes into the windows of all others, which open them to it. */
static void check_exposure(int rank, int size) {
  int* memory;
  MPI_Win window;
  MPI_Group all, origin, targets;
  const int first = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &all);
  MPI_Group_incl(all, 1, &first, &origin);
  MPI_Group_excl(all, 1, &first, &targets);
  MPI_Win_allocate(sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &memory, &window);
  for (int round = 1; round <= 5 && size > 1; ++round) {
    if (rank == 0) {
      const int sent = round;
      MPI_Win_start(targets, 0, window);
      for (int target = 1; target < size; ++target)
        MPI_Put(&sent, 1, MPI_INT, target, 0, 1, MPI_INT, window);
      MPI_Win_complete(window);
    } else {
      MPI_Win_post(origin, 0, window);
      MPI_Win_wait(window);
      CHECK(*memory == round);
    }
  }
  MPI_Win_free(&window);
  MPI_Group_free(&all);
  MPI_Group_free(&origin);
  MPI_Group_free(&targets);
}

/* Each process writes to its place of the window of process 0 under a lock. */
static void check_locks(int rank, int size) {
  int words[64] = {0};
  const int sent = rank + 1;
  MPI_Win window;
  MPI_Win_create(words, sizeof words, sizeof words[0], MPI_INFO_NULL, MPI_COMM_WORLD, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
  MPI_Put(&sent, 1, MPI_INT, 0, rank, 1, MPI_INT, window);
  MPI_Win_unlock(0, window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (int r = 0; rank == 0 && r < size; ++r) CHECK(words[r] == r + 1);
  MPI_Win_free(&window);
}

/* Process 0 asks who has sent before it receives. */
static void check_probe(int rank, int size) {
  int word = rank;
  MPI_Status status;
  if (rank > 0) MPI_Send(&word, 1, MPI_INT, 0, 10 + rank, MPI_COMM_WORLD);
  for (int i = 1; rank == 0 && i < size; ++i) {
    MPI_Probe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
    CHECK(status.MPI_TAG == 10 + status.MPI_SOURCE);
    MPI_Recv(&word, 1, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, MPI_COMM_WORLD, &status);
    CHECK(word == status.MPI_SOURCE);
  }
  CHECK(MPI_Probe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &status) == MPI_SUCCESS);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Comm part;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, 0, &part);
  check_fences(MPI_COMM_WORLD);
  check_fences(part);
  check_exposure(rank, size);
  check_locks(rank, size);
  check_probe(rank, size);
  MPI_Comm_free(&part);
  return finish_checks();
}
