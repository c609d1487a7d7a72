/* The shuffle-exchange network as a graph topology: with 2^k processes, a process has as neighbours
 * the one whose number differs in the last bit (exchange), and those whose numbers are its own with
 * the bits turned to the left (shuffle) and to the right (unshuffle).
 *
 * k rounds of shuffle and exchange, as in sorting and Fourier transforms, then one collective over
 * all neighbours. Argument: numbers in a message (16384). */
#include <string.h>

#include "result.h"

typedef struct {
  int bits, size, count, rank;
  MPI_Comm comm;
} Network;

static int exchanged(int rank) { return rank ^ 1; }
static int shuffled(const Network* n, int rank) {
  return ((rank << 1) | (rank >> (n->bits - 1))) & (n->size - 1);
}
static int unshuffled(const Network* n, int rank) {
  return (rank >> 1) | ((rank & 1) << (n->bits - 1));
}

static void make_graph(Network* n) {
  int* index = malloc(sizeof(int) * n->size);
  int* edges = malloc(sizeof(int) * 3 * n->size);
  for (int r = 0; r < n->size; ++r) {
    const int around[3] = {exchanged(r), shuffled(n, r), unshuffled(n, r)};
    memcpy(edges + 3 * r, around, sizeof around);
    index[r] = 3 * (r + 1);
  }
  MPI_Graph_create(MPI_COMM_WORLD, n->size, index, edges, 1, &n->comm);
  MPI_Comm_rank(n->comm, &n->rank);
  free(index);
  free(edges);
}

/* Sends all numbers to one neighbour and takes those of another; the process itself may be both. */
static void permute(const Network* n, int* numbers, int to, int from) {
  if (to == n->rank) return;
  MPI_Sendrecv_replace(numbers, n->count, MPI_INT, to, 0, from, 0, n->comm, MPI_STATUS_IGNORE);
}

static void fill(const Network* n, int* numbers, int rank) {
  for (int i = 0; i < n->count; ++i) numbers[i] = rank * 1000003 + i;
}

static long differences(const Network* n, const int* numbers, int rank) {
  long wrong = 0;
  for (int i = 0; i < n->count; ++i) wrong += numbers[i] != rank * 1000003 + i;
  return wrong;
}

/* k times shuffle, then exchange; where the numbers of this process come from is worked out backwards. */
static long shuffle_and_exchange(const Network* n, int* numbers, const int* neighbours) {
  int origin = n->rank;
  for (int round = 0; round < n->bits; ++round) {
    permute(n, numbers, neighbours[1], neighbours[2]);
    permute(n, numbers, neighbours[0], neighbours[0]);
    origin = unshuffled(n, exchanged(origin));
  }
  return differences(n, numbers, origin);
}

static long gather(const Network* n, const int* numbers, int* all, const int* neighbours) {
  MPI_Neighbor_allgather(numbers, n->count, MPI_INT, all, n->count, MPI_INT, n->comm);
  long wrong = 0;
  for (int i = 0; i < 3; ++i) wrong += differences(n, all + (size_t)i * n->count, neighbours[i]);
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Network n = {0, 0, argument(argc, argv, 1, 16384), 0, MPI_COMM_NULL};
  MPI_Comm_size(MPI_COMM_WORLD, &n.size);
  while (1 << n.bits < n.size) ++n.bits;
  if (1 << n.bits != n.size || n.bits == 0) {
    fprintf(stderr, "shuffle_exchange: accepted are 2, 4, 8, ... processes, not %d\n", n.size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  make_graph(&n);
  int neighbours[3];
  MPI_Graph_neighbors(n.comm, n.rank, 3, neighbours);
  int* numbers = malloc(sizeof(int) * n.count);
  int* all = malloc(sizeof(int) * 3 * n.count);
  fill(&n, numbers, n.rank);
  const double start = start_clock();
  long wrong = shuffle_and_exchange(&n, numbers, neighbours);
  fill(&n, numbers, n.rank);
  wrong += gather(&n, numbers, all, neighbours);
  const double seconds = MPI_Wtime() - start;
  char what[64];
  snprintf(what, sizeof what, "shuffle-exchange of %d processes", n.size);
  const int status = tell(what, wrong, seconds);
  free(all);
  free(numbers);
  MPI_Comm_free(&n.comm);
  MPI_Finalize();
  return status;
}
