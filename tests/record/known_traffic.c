/* A program on 4 processes whose traffic is known: known_traffic.expected.csv is added up by hand from the
   comments, "r -> d" from world rank r to world rank d. */
#include <mpi.h>
#include <string.h>

enum { ranks = 4 };
static char out[16000], in[16000];
static int rank;

static void wait_for_both(MPI_Request requests[2]) {
  MPI_Status statuses[2];
  MPI_Waitall(2, requests, statuses);
}

static void point_to_point(void) {
  MPI_Request requests[2];
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks, across = (rank + 2) % ranks;
  /* r -> r+1: 8000 bytes */
  MPI_Sendrecv(out, 1000, MPI_DOUBLE, next, 1, in, 1000, MPI_DOUBLE, last, 1, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  /* r -> r+2: 40 bytes */
  MPI_Irecv(in, 10, MPI_INT, across, 2, MPI_COMM_WORLD, &requests[0]);
  MPI_Isend(out, 10, MPI_INT, across, 2, MPI_COMM_WORLD, &requests[1]);
  wait_for_both(requests);
  /* r -> r^1: 3 messages of 7 bytes */
  MPI_Recv_init(in, 7, MPI_CHAR, rank ^ 1, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Send_init(out, 7, MPI_CHAR, rank ^ 1, 3, MPI_COMM_WORLD, &requests[1]);
  MPI_Start(&requests[0]);
  MPI_Start(&requests[1]);
  wait_for_both(requests);
  for (int i = 0; i < 2; ++i) {
    MPI_Startall(2, requests);
    wait_for_both(requests);
  }
  MPI_Request_free(&requests[0]);
  MPI_Request_free(&requests[1]);
  /* nothing */
  MPI_Send(out, 100, MPI_BYTE, MPI_PROC_NULL, 4, MPI_COMM_WORLD);
  /* r -> r: 4 bytes */
  MPI_Sendrecv_replace(out, 4, MPI_BYTE, 0, 5, 0, 5, MPI_COMM_SELF, MPI_STATUS_IGNORE);
  /* 0 -> 3: a message of 0 bytes */
  if (rank == 0) MPI_Send(NULL, 0, MPI_BYTE, 3, 6, MPI_COMM_WORLD);
  if (rank == 3) MPI_Recv(NULL, 0, MPI_BYTE, 0, 6, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  /* nothing: paused */
  MPI_Pcontrol(0);
  MPI_Sendrecv(out, 5, MPI_BYTE, next, 7, in, 5, MPI_BYTE, last, 7, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  MPI_Bcast(out, 5, MPI_BYTE, 0, MPI_COMM_WORLD);
  MPI_Pcontrol(1);
}

/* Even and odd world ranks apart, the higher one first: {2, 0} and {3, 1}. */
static void in_a_part(void) {
  MPI_Comm part;
  MPI_Request request;
  MPI_Datatype four_ints;
  MPI_Comm_split(MPI_COMM_WORLD, rank % 2, -rank, &part);
  MPI_Type_vector(4, 1, 2, MPI_INT, &four_ints);
  MPI_Type_commit(&four_ints);
  /* 0 -> 2, 1 -> 3: 16 bytes */
  if (rank < 2) MPI_Ssend(out, 1, four_ints, 0, 1, part);
  if (rank >= 2) MPI_Recv(in, 1, four_ints, 1, 1, part, MPI_STATUS_IGNORE);
  /* 2 -> 0, 3 -> 1: 9 bytes */
  MPI_Ibcast(out, 9, MPI_BYTE, 0, part, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Type_free(&four_ints);
  MPI_Comm_free(&part);
}

static void collectives(void) {
  const int counts[] = {1, 2, 3, 4}, sent[] = {0, 10, 20, 30}, shifts[] = {0, 100, 200, 300};
  int received[ranks];
  for (int i = 0; i < ranks; ++i) received[i] = 10 * rank;
  /* 1 -> others: 100 bytes */
  MPI_Bcast(out, 100, MPI_BYTE, 1, MPI_COMM_WORLD);
  /* others -> 2: 8 bytes */
  MPI_Reduce(out, in, 1, MPI_DOUBLE, MPI_SUM, 2, MPI_COMM_WORLD);
  /* others -> 0, 0 -> others: 8 bytes */
  MPI_Allreduce(out, in, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  /* others -> 3: 5 bytes */
  MPI_Gather(out, 5, MPI_BYTE, in, 5, MPI_BYTE, 3, MPI_COMM_WORLD);
  /* 0 -> others: 6 bytes */
  MPI_Scatter(out, 6, MPI_BYTE, in, 6, MPI_BYTE, 0, MPI_COMM_WORLD);
  /* each -> each other: 7 bytes, then 3 */
  MPI_Allgather(MPI_IN_PLACE, 0, MPI_DATATYPE_NULL, in, 7, MPI_BYTE, MPI_COMM_WORLD);
  MPI_Alltoall(out, 3, MPI_BYTE, in, 3, MPI_BYTE, MPI_COMM_WORLD);
  /* each -> d, not itself: 10 * d bytes */
  MPI_Alltoallv(out, sent, shifts, MPI_BYTE, in, received, shifts, MPI_BYTE, MPI_COMM_WORLD);
  /* r -> r+1, not 3 -> 0: 4 bytes */
  MPI_Scan(out, in, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  /* each -> d, not itself: d + 1 bytes */
  MPI_Reduce_scatter(out, in, counts, MPI_BYTE, MPI_BOR, MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
}

static void neighbourhoods(void) {
  const int sizes[] = {2, 2}, periods[] = {1, 0}, bytes[] = {13}, shift[] = {0}, weight[] = {1};
  const int next = (rank + 1) % ranks, last = (rank + ranks - 1) % ranks;
  MPI_Comm grid, ring;
  MPI_Request request;
  MPI_Cart_create(MPI_COMM_WORLD, 2, sizes, periods, 0, &grid);
  /* r -> r^2: 2 messages of 11 bytes (both ways round); r -> r^1: 11 bytes (open dimension) */
  MPI_Neighbor_alltoall(out, 11, MPI_BYTE, in, 11, MPI_BYTE, grid);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &last, weight, 1, &next, weight, MPI_INFO_NULL,
                                 0, &ring);
  /* r -> r+1: 13 bytes */
  MPI_Ineighbor_alltoallv(out, bytes, shift, MPI_BYTE, in, bytes, shift, MPI_BYTE, ring, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&ring);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  point_to_point();
  in_a_part();
  collectives();
  neighbourhoods();
  MPI_Finalize();
}
