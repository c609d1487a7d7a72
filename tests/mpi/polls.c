/* Waits by questions: MPI_Test and its family, MPI_Iprobe. On simulated ranks a question takes 100 ns, so that a program
 * that asks in a loop ends as one that waits, at most 1 % later. */
#include <string.h>

#include "check.h"

enum { bytes = 1 << 25 };

static char* buffer;

/* Time of a message from rank 1 on rank 0, which waits for it in one way or another; 0 on others. */
static double time_of(const char* way) {
  int rank, flag = 0, index, count = 0, indices[1];
  MPI_Request request;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Barrier(MPI_COMM_WORLD);
  const double begin = MPI_Wtime();
  if (rank == 1) MPI_Send(buffer, bytes, MPI_CHAR, 0, 5, MPI_COMM_WORLD);
  if (rank != 0) return 0;
  if (!strcmp(way, "iprobe")) {
    while (!flag) MPI_Iprobe(1, 5, MPI_COMM_WORLD, &flag, MPI_STATUS_IGNORE);
    MPI_Recv(buffer, bytes, MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
  }
  if (!strcmp(way, "probe")) {
    MPI_Probe(1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Recv(buffer, bytes, MPI_CHAR, 1, 5, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return MPI_Wtime() - begin;
  }
  MPI_Irecv(buffer, bytes, MPI_CHAR, 1, 5, MPI_COMM_WORLD, &request);
  if (!strcmp(way, "wait")) MPI_Wait(&request, MPI_STATUS_IGNORE);
  if (!strcmp(way, "test"))
    while (!flag) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(way, "testall"))
    while (!flag) MPI_Testall(1, &request, &flag, MPI_STATUSES_IGNORE);
  if (!strcmp(way, "testany"))
    while (!flag) MPI_Testany(1, &request, &index, &flag, MPI_STATUS_IGNORE);
  if (!strcmp(way, "testsome"))
    while (count < 1) MPI_Testsome(1, &request, &count, indices, MPI_STATUSES_IGNORE);
  CHECK(request == MPI_REQUEST_NULL);
  return MPI_Wtime() - begin;
}

static void check_times(void) {
  const char* const ways[] = {"test", "testall", "testany", "testsome", "iprobe", "probe"};
  const double waited = time_of("wait");
  for (unsigned i = 0; i < sizeof ways / sizeof *ways; ++i) {
    const double polled = time_of(ways[i]);
    (void)polled, (void)waited;
#ifdef SMPI_H
    CHECK(polled >= waited * 0.999 && polled <= waited * 1.01 + 1e-6);
#endif
  }
}

/* 2,000 questions for something else to do, none of which is answered by yes. */
static void check_questions(int rank) {
  int flag = 0, word = rank;
  MPI_Request request;
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0) {
    MPI_Irecv(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD, &request);
    const double begin = MPI_Wtime();
    for (int i = 0; i < 2000; ++i) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    const double taken = MPI_Wtime() - begin;
    (void)taken;
#ifdef SMPI_H
    CHECK(!flag && taken > 2000e-7 * 0.99 && taken < 2000e-7 * 1.1);
#endif
    MPI_Send(&word, 1, MPI_INT, 1, 6, MPI_COMM_WORLD);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(word == 1);
  }
  if (rank == 1) {
    MPI_Recv(&flag, 1, MPI_INT, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    MPI_Send(&word, 1, MPI_INT, 0, 6, MPI_COMM_WORLD);
  }
}

/* Null requests are complete, whether a status is asked for or not. */
static void check_null_requests(void) {
  MPI_Request requests[] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Status status;
  int flag = 0, index = 0, count = 0, indices[2];
  MPI_Test(requests, &flag, MPI_STATUS_IGNORE);
  CHECK(flag);
  flag = 0;
  MPI_Test(requests, &flag, &status);
  CHECK(flag && status.MPI_SOURCE == MPI_ANY_SOURCE);
  flag = 0;
  MPI_Testall(2, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK(flag);
  flag = 0;
  MPI_Testany(2, requests, &index, &flag, MPI_STATUS_IGNORE);
  CHECK(flag && index == MPI_UNDEFINED);
  MPI_Testsome(2, requests, &count, indices, MPI_STATUSES_IGNORE);
  CHECK(count == MPI_UNDEFINED);
  flag = 0;
  MPI_Request_get_status(MPI_REQUEST_NULL, &flag, &status);
  CHECK(flag);
}

int main(int argc, char** argv) {
  int rank;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  buffer = calloc(bytes, 1);
  check_null_requests();
  check_times();
  check_questions(rank);
  free(buffer);
  return finish_checks();
}
