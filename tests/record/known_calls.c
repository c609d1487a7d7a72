/* Calls of every kind that a trace records: waits in every form, receives from anywhere, persistent
   requests, communicators, collectives. 4 ranks. */
#include <mpi.h>
#include <stdlib.h>

enum { size = 1024 };
static char out[64 * size], in[64 * size];

static void anywhere(MPI_Comm comm, int rank, int ranks) {
  MPI_Request requests[4];
  MPI_Status status;
  const int next = (rank + 1) % ranks;
  for (int i = 0; i < 3; ++i) {
    MPI_Irecv(in, size, MPI_BYTE, MPI_ANY_SOURCE, i, comm, &requests[i]);
    MPI_Send(out, size / (i + 1), MPI_BYTE, next, i, comm);
  }
  int done = 0;
  MPI_Waitany(3, requests, &done, MPI_STATUS_IGNORE);
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Isend(out, size, MPI_BYTE, next, 9, comm, &requests[0]);
  MPI_Recv(in, size, MPI_BYTE, MPI_ANY_SOURCE, MPI_ANY_TAG, comm, &status);
  for (int flag = 0; !flag;) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
}

static void persistent(MPI_Comm comm, int rank, int ranks) {
  MPI_Request requests[2];
  MPI_Send_init(out, size, MPI_BYTE, (rank + 1) % ranks, 3, comm, &requests[0]);
  MPI_Recv_init(in, size, MPI_BYTE, (rank + ranks - 1) % ranks, 3, comm, &requests[1]);
  for (int i = 0; i < 100; ++i) {
    MPI_Startall(2, requests);
    MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
}

static void collectives(MPI_Comm comm, int rank, int ranks) {
  int counts[64], places[64];
  MPI_Request request;
  for (int i = 0; i < ranks; ++i) counts[i] = i + 1, places[i] = 8 * i;
  MPI_Bcast(out, size, MPI_BYTE, 0, comm);
  MPI_Allreduce(out, in, 8, MPI_INT, MPI_SUM, comm);
  MPI_Alltoall(out, 4, MPI_BYTE, in, 4, MPI_BYTE, comm);
  MPI_Gatherv(out, rank + 1, MPI_BYTE, in, counts, places, MPI_BYTE, ranks - 1, comm);
  MPI_Scatterv(out, counts, places, MPI_BYTE, in, rank + 1, MPI_BYTE, 0, comm);
  MPI_Allgatherv(out, rank + 1, MPI_BYTE, in, counts, places, MPI_BYTE, comm);
  MPI_Scan(out, in, 4, MPI_INT, MPI_SUM, comm);
  MPI_Reduce_scatter(out, in, counts, MPI_INT, MPI_SUM, comm);
  MPI_Ibcast(out, size, MPI_BYTE, 0, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Ibarrier(comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

int main(int argc, char **argv) {
  int rank = 0, ranks = 0;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  MPI_Comm half, grid;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &half);
  const int dims[2] = {2, ranks / 2}, periods[2] = {1, 0};
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  for (int i = 0; i < 50; ++i)
    MPI_Sendrecv(out, size, MPI_BYTE, (rank + 1) % ranks, 0, in, size, MPI_BYTE,
                 (rank + ranks - 1) % ranks, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  anywhere(MPI_COMM_WORLD, rank, ranks);
  persistent(grid, rank, ranks);
  MPI_Neighbor_alltoall(out, 16, MPI_BYTE, in, 16, MPI_BYTE, grid);
  int half_rank = 0, half_size = 0;
  MPI_Comm_rank(half, &half_rank);
  MPI_Comm_size(half, &half_size);
  collectives(half, half_rank, half_size);
  collectives(MPI_COMM_WORLD, rank, ranks);
  MPI_Comm_free(&half);
  MPI_Comm_free(&grid);
  if (argc > 1) abort(); /* a program that is killed */
  MPI_Finalize();
  return 0;
}
