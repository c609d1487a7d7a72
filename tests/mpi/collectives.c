/* Neighbourhood collectives against data worked out from coordinates and edges: grids with open
 * ends and with periodic dimensions of sizes 1 and 2, graphs, distributed graphs with multiple
 * edges and self loops. Valid calls only: any MPI library passes. */

#include <stddef.h>

#include "check.h"

enum { untouched = -7, most = 32 };

/* What process `from` sends to its neighbour number `place`. */
static int word(int from, int place) { return 1000 * from + place; }

static void clear(int* values) {
  for (int i = 0; i < most; ++i) values[i] = untouched;
}

/* In a grid, what was sent in one direction arrives in the place of the opposite one. */
static void check_grid(MPI_Comm grid, int ndims, const int* received) {
  for (int i = 0; i < 2 * ndims; ++i) {
    int negative, positive;
    MPI_Cart_shift(grid, i / 2, 1, &negative, &positive);
    const int source = i % 2 == 0 ? negative : positive;
    CHECK(received[i] == (source == MPI_PROC_NULL ? untouched : word(source, i ^ 1)));
  }
  CHECK(received[2 * ndims] == untouched);
}

static void on_grid(int ndims, const int* dims, const int* periods, int num_ranks) {
  int size, rank, sent[most], received[most];
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (num_ranks > size) return;
#ifdef OMPI_MAJOR_VERSION /* where both neighbours are one process, it swaps their blocks */
  for (int i = 0; i < ndims; ++i)
    if (periods[i] && dims[i] < 3) return;
#endif
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 0, &grid);
  if (grid == MPI_COMM_NULL) return;
  MPI_Comm_rank(grid, &rank);
  for (int i = 0; i < 2 * ndims; ++i) sent[i] = word(rank, i);

  clear(received);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid);
  check_grid(grid, ndims, received);

  MPI_Comm copy;
  MPI_Comm_dup(grid, &copy);
  MPI_Comm_free(&grid);
  clear(received);
  MPI_Request request;
  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, copy, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(request == MPI_REQUEST_NULL);
  check_grid(copy, ndims, received);

  clear(received);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, copy);
  for (int i = 0; i < 2 * ndims; ++i) {
    int negative, positive;
    MPI_Cart_shift(copy, i / 2, 1, &negative, &positive);
    const int source = i % 2 == 0 ? negative : positive;
    CHECK(received[i] == (source == MPI_PROC_NULL ? untouched : source));
  }
  MPI_Comm_free(&copy);
}

static void grids(void) {
  on_grid(1, (int[]){4}, (int[]){0}, 4);
  on_grid(1, (int[]){1}, (int[]){1}, 1);
  on_grid(1, (int[]){2}, (int[]){1}, 2);
  on_grid(2, (int[]){2, 2}, (int[]){1, 0}, 4);
  on_grid(2, (int[]){1, 3}, (int[]){1, 1}, 3);
  on_grid(3, (int[]){2, 1, 2}, (int[]){1, 1, 1}, 4);
  on_grid(3, (int[]){2, 3, 2}, (int[]){0, 1, 1}, 12);
}

/* Ring with counts, displacements and types: neighbour i gets i + 1 ints, backwards in the
 * buffer. */
static void varying_counts(void) {
  int size, rank, sent[6], received[6];
  MPI_Comm ring;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  for (int i = 0; i < 6; ++i) sent[i] = 10 * rank + i;

  /* To the left one int from place 4, to the right two from place 0. */
  for (int i = 0; i < 6; ++i) received[i] = untouched;
  MPI_Neighbor_alltoallv(sent, (int[]){1, 2}, (int[]){4, 0}, MPI_INT, received, (int[]){2, 1},
                         (int[]){3, 1}, MPI_INT, ring);
  CHECK(received[3] == 10 * before && received[4] == 10 * before + 1);
  CHECK(received[1] == 10 * after + 4);
  CHECK(received[0] == untouched && received[2] == untouched && received[5] == untouched);

  const MPI_Aint sent_at[] = {4 * sizeof(int), 0}, received_at[] = {3 * sizeof(int), sizeof(int)};
  const MPI_Datatype types[] = {MPI_INT, MPI_INT};
  for (int i = 0; i < 6; ++i) received[i] = untouched;
  MPI_Neighbor_alltoallw(sent, (int[]){1, 2}, sent_at, types, received, (int[]){2, 1}, received_at,
                         types, ring);
  CHECK(received[3] == 10 * before && received[4] == 10 * before + 1);
  CHECK(received[1] == 10 * after + 4 && received[0] == untouched);

  for (int i = 0; i < 6; ++i) received[i] = untouched;
  MPI_Neighbor_allgatherv(sent, 2, MPI_INT, received, (int[]){2, 2}, (int[]){4, 1}, MPI_INT, ring);
  CHECK(received[4] == 10 * before && received[5] == 10 * before + 1);
  CHECK(received[1] == 10 * after && received[2] == 10 * after + 1);
  CHECK(received[0] == untouched && received[3] == untouched);
  MPI_Comm_free(&ring);
}

/* A star: process 0 is joined to all, the others to process 0 alone. */
static void star(void) {
  int size, rank, index[most], edges[2 * most], sent[most], received[most];
  MPI_Comm graph;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int r = 0; r < size; ++r) {
    index[r] = size - 1 + r;
    if (r > 0) {
      edges[r - 1] = r;
      edges[size - 1 + r - 1] = 0;
    }
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 0, &graph);
  MPI_Comm_rank(graph, &rank);
  for (int i = 0; i < size; ++i) sent[i] = word(rank, i);
  clear(received);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
  for (int i = 0; rank == 0 && i < size - 1; ++i) CHECK(received[i] == word(i + 1, 0));
  if (rank > 0) CHECK(received[0] == word(0, rank - 1) && received[1] == untouched);
  MPI_Comm_free(&graph);
}

/* A ring in which each process sends to itself once and to the next process. The blocks come from
 * one source each, as MPI leaves the order of several open. */
static void self_loops(void) {
  int size, rank, received[most];
  MPI_Comm graph;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (size < 2) return;
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  const int sources[] = {rank, before}, destinations[] = {after, rank};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 2, sources, MPI_UNWEIGHTED, 2, destinations,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  const int sent[] = {word(rank, 0), word(rank, 1)};
  clear(received);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
  CHECK(received[0] == word(rank, 1));
  CHECK(received[1] == word(before, 0));
  CHECK(received[2] == untouched);
  MPI_Comm_free(&graph);
}

/* Several edges between the same two processes: equal blocks, so that their order does not count;
 * all must arrive. */
static void multiple_edges(void) {
  int size, rank, received[most];
  MPI_Comm graph;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  const int sources[] = {before, before, before}, destinations[] = {after, after, after};
  const int weights[] = {1, 2, 3};
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 3, sources, weights, 3, destinations, weights,
                                 MPI_INFO_NULL, 0, &graph);
  const int sent[] = {rank, rank, rank};
  clear(received);
  MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, graph);
  CHECK(received[0] == before && received[1] == before && received[2] == before);
  CHECK(received[3] == untouched);
  clear(received);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, graph);
  CHECK(received[0] == before && received[2] == before && received[3] == untouched);
  MPI_Comm_free(&graph);
}

/* Two exchanges on two communicators at once, begun and completed in different orders, next to
 * messages of the program that take any tag. */
static void overlapping(void) {
  int size, rank, first[most], second[most], sent[2], plain = -1;
  MPI_Comm ring, other;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
  MPI_Comm_dup(ring, &other);
  MPI_Comm_rank(ring, &rank);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  sent[0] = word(rank, 0);
  sent[1] = word(rank, 1);
  const int more[] = {-word(rank, 0) - 1, -word(rank, 1) - 1};
  MPI_Request requests[4];
  MPI_Irecv(&plain, 1, MPI_INT, MPI_ANY_SOURCE, MPI_ANY_TAG, ring, &requests[0]);
  if (rank % 2 == 0) {
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, first, 1, MPI_INT, ring, &requests[1]);
    MPI_Ineighbor_alltoall(more, 1, MPI_INT, second, 1, MPI_INT, other, &requests[2]);
  } else {
    MPI_Ineighbor_alltoall(more, 1, MPI_INT, second, 1, MPI_INT, other, &requests[2]);
    MPI_Ineighbor_alltoall(sent, 1, MPI_INT, first, 1, MPI_INT, ring, &requests[1]);
  }
  MPI_Isend(&rank, 1, MPI_INT, after, 5, ring, &requests[3]);
  int completed = 0;
  while (completed < 4) {
    int index;
    MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
    CHECK(index >= 0 && index < 4 && requests[index] == MPI_REQUEST_NULL);
    ++completed;
  }
  int index = 0;
  MPI_Waitany(4, requests, &index, MPI_STATUS_IGNORE);
  CHECK(index == MPI_UNDEFINED);
  CHECK(plain == before);
  CHECK(first[0] == word(before, 1) && first[1] == word(after, 0));
  CHECK(second[0] == -word(before, 1) - 1 && second[1] == -word(after, 0) - 1);
  MPI_Comm_free(&other);
  MPI_Comm_free(&ring);
}

/* Completion by testing, alone and in arrays with null and other requests. */
static void testing(void) {
  int size, rank, received[most], number = -1, flag = 0, index = 0, count = 0, indices[3];
  MPI_Comm ring;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 0, &ring);
  MPI_Comm_rank(ring, &rank);
  const int before = (rank + size - 1) % size, after = (rank + 1) % size;
  const int sent[] = {word(rank, 0), word(rank, 1)};
  MPI_Request requests[3] = {MPI_REQUEST_NULL, MPI_REQUEST_NULL, MPI_REQUEST_NULL};
  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &requests[0]);
  while (!flag) MPI_Test(&requests[0], &flag, MPI_STATUS_IGNORE);
  CHECK(requests[0] == MPI_REQUEST_NULL && received[0] == word(before, 1));

  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &requests[1]);
  for (flag = 0; !flag;) MPI_Testany(3, requests, &index, &flag, MPI_STATUS_IGNORE);
  CHECK(index == 1 && requests[1] == MPI_REQUEST_NULL);

  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &requests[2]);
  MPI_Irecv(&number, 1, MPI_INT, before, 0, ring, &requests[0]);
  MPI_Send(&rank, 1, MPI_INT, after, 0, ring);
  for (flag = 0; !flag;) MPI_Testall(3, requests, &flag, MPI_STATUSES_IGNORE);
  CHECK(requests[0] == MPI_REQUEST_NULL && requests[2] == MPI_REQUEST_NULL && number == before);

  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &requests[2]);
  do MPI_Testsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
  while (count == 0);
  CHECK(count == 1 && indices[0] == 2 && requests[2] == MPI_REQUEST_NULL);

  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, ring, &requests[1]);
  MPI_Waitsome(3, requests, &count, indices, MPI_STATUSES_IGNORE);
  CHECK(count == 1 && indices[0] == 1 && received[1] == word(after, 0));
  MPI_Waitall(3, requests, MPI_STATUSES_IGNORE);
  MPI_Comm_free(&ring);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  share_processors();
  grids();
  varying_counts();
  star();
  self_loops();
  multiple_edges();
  overlapping();
  testing();
  return finish_checks();
}
