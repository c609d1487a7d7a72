/* Persistent neighbourhood collectives of MPI-4.0. */

#include <vtopo_mpi.h>

#include "check.h"

enum { rounds = 3 };

int main(int argc, char** argv) {
  int size, rank, sent[2], received[2], gathered[2], vector[2], lists[2], typed[2];
  MPI_Comm ring;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int periodic = 1;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &periodic, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  const int ones[] = {1, 1}, places[] = {0, 1};
  const MPI_Aint offsets[] = {0, sizeof(int)};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  MPI_Request requests[5];
  MPI_Neighbor_alltoall_init(sent, 1, MPI_INT, received, 1, MPI_INT, ring, MPI_INFO_NULL,
                             &requests[0]);
  MPI_Neighbor_allgather_init(sent, 1, MPI_INT, gathered, 1, MPI_INT, ring, MPI_INFO_NULL,
                              &requests[1]);
  MPI_Neighbor_allgatherv_init(sent, 1, MPI_INT, vector, ones, places, MPI_INT, ring,
                               MPI_INFO_NULL, &requests[2]);
  MPI_Neighbor_alltoallv_init(sent, ones, places, MPI_INT, lists, ones, places, MPI_INT, ring,
                              MPI_INFO_NULL, &requests[3]);
  MPI_Neighbor_alltoallw_init(sent, ones, offsets, types, typed, ones, offsets, types, ring,
                              MPI_INFO_NULL, &requests[4]);
  int flag = 0;
  MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE); /* inactive: complete at once */
  CHECK(flag && requests[0] != MPI_REQUEST_NULL);
  for (int round = 0; round < rounds; ++round) {
    sent[0] = 100 * rank + 10 * round;
    sent[1] = sent[0] + 1;
    if (round == 0)
      for (int i = 0; i < 5; ++i) MPI_Start(&requests[i]);
    else
      MPI_Startall(5, requests);
    MPI_Waitall(5, requests, MPI_STATUSES_IGNORE);
    for (int i = 0; i < 5; ++i) CHECK(requests[i] != MPI_REQUEST_NULL);
    const int left = 100 * before + 10 * round, right = 100 * after + 10 * round;
    CHECK(received[0] == left + 1 && received[1] == right);
    CHECK(gathered[0] == left && gathered[1] == right);
    CHECK(vector[0] == left && vector[1] == right);
    CHECK(lists[0] == left + 1 && lists[1] == right);
    CHECK(typed[0] == left + 1 && typed[1] == right);
  }
  for (int i = 0; i < 5; ++i) {
    MPI_Request_free(&requests[i]);
    CHECK(requests[i] == MPI_REQUEST_NULL);
  }
  MPI_Comm_free(&ring);
  return finish_checks();
}
