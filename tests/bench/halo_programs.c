/* Exchanges over virtual topologies as applications write them; for reorder_pays.sh. Arguments: the
 * kind, bytes per message, number of exchanges. All are over MPI_Dims_create's grid of all
 * processes. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { most_neighbours = 16 };

static char* sent[most_neighbours];
static char* received[most_neighbours];
static int bytes;

static MPI_Comm make_grid(int ndims, int periodic) {
  int size, dims[3] = {0, 0, 0}, periods[3] = {periodic, periodic, periodic};
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, ndims, dims);
  MPI_Cart_create(MPI_COMM_WORLD, ndims, dims, periods, 1, &grid);
  return grid;
}

/* One MPI_Sendrecv after the other, to each side of each dimension. */
static void by_sendrecv(MPI_Comm grid, int ndims) {
  for (int d = 0; d < ndims; ++d)
    for (int side = -1; side <= 1; side += 2) {
      int source, destination;
      MPI_Cart_shift(grid, d, side, &source, &destination);
      MPI_Sendrecv(sent[0], bytes, MPI_CHAR, destination, 0, received[0], bytes, MPI_CHAR, source,
                   0, grid, MPI_STATUS_IGNORE);
    }
}

/* All at once. */
static void by_isend(MPI_Comm grid, int ndims) {
  MPI_Request requests[2 * most_neighbours];
  int n = 0;
  for (int d = 0; d < ndims; ++d) {
    int below, above;
    MPI_Cart_shift(grid, d, 1, &below, &above);
    MPI_Irecv(received[2 * d], bytes, MPI_CHAR, below, 2 * d, grid, &requests[n++]);
    MPI_Irecv(received[2 * d + 1], bytes, MPI_CHAR, above, 2 * d + 1, grid, &requests[n++]);
    MPI_Isend(sent[2 * d], bytes, MPI_CHAR, above, 2 * d, grid, &requests[n++]);
    MPI_Isend(sent[2 * d + 1], bytes, MPI_CHAR, below, 2 * d + 1, grid, &requests[n++]);
  }
  MPI_Waitall(n, requests, MPI_STATUSES_IGNORE);
}

/* Rows of a grid only: the other dimension is never used. */
static void in_rows(MPI_Comm grid) {
  int source, destination;
  MPI_Cart_shift(grid, 1, 1, &source, &destination);
  MPI_Sendrecv(sent[0], bytes, MPI_CHAR, destination, 0, received[0], bytes, MPI_CHAR, source, 0,
               grid, MPI_STATUS_IGNORE);
}

/* A wave from the first corner to the last, as in transport codes. */
static void wave(MPI_Comm grid) {
  for (int d = 0; d < 2; ++d) {
    int before, after;
    MPI_Cart_shift(grid, d, 1, &before, &after);
    MPI_Recv(received[d], bytes, MPI_CHAR, before, 0, grid, MPI_STATUS_IGNORE);
  }
  for (int d = 0; d < 2; ++d) {
    int before, after;
    MPI_Cart_shift(grid, d, 1, &before, &after);
    MPI_Send(sent[d], bytes, MPI_CHAR, after, 0, grid);
  }
}

/* Each process with those whose number differs in one bit. */
static MPI_Comm make_hypercube(int* degree) {
  int rank, size, others[most_neighbours];
  MPI_Comm cube;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  *degree = 0;
  for (int bit = 1; bit < size; bit *= 2)
    if ((rank ^ bit) < size) others[(*degree)++] = rank ^ bit;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, *degree, others, MPI_UNWEIGHTED, *degree, others,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &cube);
  return cube;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const char* kind = argc > 1 ? argv[1] : "sendrecv2";
  bytes = argc > 2 ? atoi(argv[2]) : 65536;
  const int exchanges = argc > 3 ? atoi(argv[3]) : 10;
  for (int i = 0; i < most_neighbours; ++i) {
    sent[i] = calloc(1, (size_t)bytes);
    received[i] = calloc(1, (size_t)bytes);
  }
  const int ndims = strchr(kind, '3') != NULL ? 3 : 2;
  int degree = 0;
  MPI_Comm comm = strcmp(kind, "hypercube") == 0 ? make_hypercube(&degree)
                                                 : make_grid(ndims, strchr(kind, 'p') != NULL);
  char* all_sent = calloc(most_neighbours, (size_t)bytes);
  char* all_received = calloc(most_neighbours, (size_t)bytes);
  for (int i = 0; i < exchanges; ++i) {
    if (strncmp(kind, "sendrecv", 8) == 0) by_sendrecv(comm, ndims);
    if (strncmp(kind, "isend", 5) == 0) by_isend(comm, ndims);
    if (strncmp(kind, "rows", 4) == 0) in_rows(comm);
    if (strncmp(kind, "wave", 4) == 0) wave(comm);
    if (strncmp(kind, "neighbour", 9) == 0 || degree > 0)
      MPI_Neighbor_alltoall(all_sent, bytes, MPI_CHAR, all_received, bytes, MPI_CHAR, comm);
  }
  MPI_Comm_free(&comm);
  MPI_Finalize();
  return 0;
}
