/* Matched probes, communicators of a group alone, waiting for a time, a process that meets itself.
 */
#include "check.h"

/* Two messages with one tag, received in the order in which they were found. */
static void check_matched(int rank, int size) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const int first[2] = {rank, 1}, second = rank + 1000;
  int got[2] = {-1, -1}, late = -1, count = 0, flag = 0;
  MPI_Request sent[2];
  MPI_Message one, two, none;
  MPI_Status status;
  MPI_Isend(first, 2, MPI_INT, next, 5, MPI_COMM_WORLD, &sent[0]);
  MPI_Isend(&second, 1, MPI_INT, next, 5, MPI_COMM_WORLD, &sent[1]);
  MPI_Mprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &one, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(status.MPI_SOURCE == previous && status.MPI_TAG == 5 && count == 2);
  while (!flag) MPI_Improbe(previous, 5, MPI_COMM_WORLD, &flag, &two, MPI_STATUS_IGNORE);
  MPI_Mrecv(got, 2, MPI_INT, &one, &status);
  CHECK(got[0] == previous && got[1] == 1 && status.MPI_SOURCE == previous);
  MPI_Mrecv(&late, 1, MPI_INT, &two, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(late == previous + 1000 && status.MPI_TAG == 5 && count == 1);
  MPI_Waitall(2, sent, MPI_STATUSES_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &none, &status);
  MPI_Mrecv(&late, 1, MPI_INT, &none, &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL && none == MPI_MESSAGE_NULL);
}

/* What was found is received by a request, alone and among others, into a copy of a type. */
static void check_matched_later(int rank, int size) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size;
  const int list[3] = {rank, rank + 1, rank + 2};
  int got[3] = {-1, -1, -1}, spread[5] = {-1, -1, -1, -1, -1}, last = -1, count = 0, done = -1;
  MPI_Datatype vector, every_second;
  MPI_Request sent[3], received[3];
  MPI_Message found;
  MPI_Status status, statuses[2];
  for (int i = 0; i < 3; ++i)
    MPI_Isend(list, 3 - i, MPI_INT, next, 20 + i, MPI_COMM_WORLD, &sent[i]);
  MPI_Type_vector(2, 1, 2, MPI_INT, &vector);
  MPI_Type_commit(&vector);
  MPI_Type_dup(vector, &every_second);
  MPI_Type_free(&vector);
  MPI_Mprobe(previous, 21, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Imrecv(spread, 1, every_second, &found, &received[0]);
  CHECK(found == MPI_MESSAGE_NULL);
  MPI_Type_free(&every_second);
  MPI_Mprobe(MPI_ANY_SOURCE, 20, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Imrecv(got, 3, MPI_INT, &found, &received[1]);
  MPI_Waitall(2, received, statuses);
  MPI_Get_count(&statuses[1], MPI_INT, &count);
  CHECK(statuses[0].MPI_TAG == 21 && statuses[1].MPI_SOURCE == previous && count == 3);
  CHECK(spread[0] == previous && spread[1] == -1 && spread[2] == previous + 1);
  CHECK(got[0] == previous && got[2] == previous + 2 && received[1] == MPI_REQUEST_NULL);
  MPI_Mprobe(previous, 22, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Imrecv(&last, 1, MPI_INT, &found, &received[2]);
  MPI_Waitany(3, received, &done, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(done == 2 && status.MPI_SOURCE == previous && status.MPI_TAG == 22 && count == 1);
  CHECK(last == previous);
  MPI_Waitall(3, sent, MPI_STATUSES_IGNORE);
  MPI_Mprobe(MPI_PROC_NULL, 0, MPI_COMM_WORLD, &found, MPI_STATUS_IGNORE);
  MPI_Imrecv(&last, 1, MPI_INT, &found, &received[0]);
  MPI_Wait(&received[0], &status);
  CHECK(status.MPI_SOURCE == MPI_PROC_NULL);
}

/* Only the processes of the group call. */
static void check_group(int rank, int size) {
  MPI_Group world, even;
  MPI_Comm made;
  int range[1][3] = {{0, size - 1, 2}}, members = 0, sum = 0;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Group_range_incl(world, 1, range, &even);
  if (rank % 2 == 0) {
    MPI_Comm_create_group(MPI_COMM_WORLD, even, 3, &made);
    MPI_Comm_size(made, &members);
    CHECK(members == (size + 1) / 2);
    MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, made);
    CHECK(sum == (members - 1) * members);
    MPI_Comm_free(&made);
  }
  MPI_Group_free(&even);
  MPI_Group_free(&world);
}

/* Of a buffer of three numbers, the message that replaces it has as many as the sender's rank. */
static void check_replaced(int rank, int size) {
  const int next = (rank + 1) % size, previous = (rank + size - 1) % size, length = previous % 4;
  int list[3] = {-1, -2, -3}, sent[3] = {rank, rank, rank}, count = -1;
  MPI_Request request;
  MPI_Status status;
  MPI_Isend(sent, rank % 4, MPI_INT, next, 8, MPI_COMM_WORLD, &request);
  MPI_Sendrecv_replace(list, 3, MPI_INT, MPI_PROC_NULL, 8, previous, 8, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == length);
  for (int i = 0; i < 3; ++i) CHECK(list[i] == (i < length ? previous : -1 - i));
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Sendrecv_replace(list, 0, MPI_INT, next, 9, previous, 9, MPI_COMM_WORLD, &status);
  MPI_Get_count(&status, MPI_INT, &count);
  CHECK(count == 0 && status.MPI_SOURCE == previous && status.MPI_TAG == 9);
}

int main(int argc, char** argv) {
  int rank, size, sent = 1, got = 0;
  MPI_Datatype none;
  MPI_Status status;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_matched(rank, size);
  check_matched_later(rank, size);
  /* Open MPI 4.1 sends messages of MPI_Comm_create_group as ones of the program: a receive with
   * MPI_ANY_SOURCE and MPI_ANY_TAG would get them. */
  MPI_Barrier(MPI_COMM_WORLD);
  check_group(rank, size);
  MPI_Sendrecv(&sent, 1, MPI_INT, rank, 7, &got, 1, MPI_INT, rank, MPI_ANY_TAG, MPI_COMM_WORLD,
               &status);
  CHECK(got == 1 && status.MPI_SOURCE == rank && status.MPI_TAG == 7);
  MPI_Type_vector(0, 1, 2, MPI_INT, &none);
  MPI_Type_commit(&none);
  MPI_Sendrecv(&sent, 1, none, rank, 7, &got, 1, MPI_INT, rank, 7, MPI_COMM_WORLD, &status);
  MPI_Sendrecv(&sent, 0, MPI_INT, rank, 7, &got, 1, none, rank, 7, MPI_COMM_WORLD, &status);
  MPI_Type_free(&none);
  CHECK(got == 1 && status.MPI_SOURCE == rank);
  sent = rank;
  MPI_Sendrecv_replace(&sent, 1, MPI_INT, rank, 7, rank, 7, MPI_COMM_WORLD, &status);
  CHECK(sent == rank && status.MPI_SOURCE == rank && status.MPI_TAG == 7);
  check_replaced(rank, size);
  const double start = MPI_Wtime();
  while (MPI_Wtime() < start + 0.5) {
  }
  CHECK(MPI_Wtime() < start + 0.6);
  return finish_checks();
}
