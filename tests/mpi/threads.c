/* Begins by MPI_Init_thread, as most programs do, and calls what SMPI makes of other functions of MPI:
 * MPI_Sendrecv_replace and MPI_Comm_create_group. Also compiled as C++. */
#include "check.h"

int main(int argc, char** argv) {
  int provided = -1, rank, size, flag = 0;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  CHECK(provided >= MPI_THREAD_SINGLE && provided <= MPI_THREAD_MULTIPLE);
  MPI_Initialized(&flag);
  CHECK(flag);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);

  int period = 1, left, right;
  MPI_Comm ring;
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, &period, 1, &ring);
  MPI_Cart_shift(ring, 0, 1, &left, &right);
  MPI_Comm_rank(ring, &rank);
  int value = rank, around[2] = {-1, -1};
  MPI_Sendrecv_replace(&value, 1, MPI_INT, right, 0, left, 0, ring, MPI_STATUS_IGNORE);
  CHECK(value == left);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, around, 1, MPI_INT, ring);
  CHECK(around[0] == left && around[1] == right);

  const int first = 0;
  MPI_Group all, alone;
  MPI_Comm_group(ring, &all);
  MPI_Group_incl(all, 1, &first, &alone);
  if (rank == 0) {
    MPI_Comm own;
    MPI_Comm_create_group(ring, alone, 5, &own);
    MPI_Comm_size(own, &size);
    CHECK(size == 1);
    MPI_Comm_free(&own);
  }
  MPI_Group_free(&alone);
  MPI_Group_free(&all);
  MPI_Comm_free(&ring);
  return finish_checks();
}
