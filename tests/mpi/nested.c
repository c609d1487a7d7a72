/* Constructors on communicators that constructors made: grids, subgrids, graphs, duplicates and
 * parts, in random chains, half of them with reorder=1. Whatever the order, each process knows by
 * messages who stands at each rank, and all that MPI answers is in that order. Every expected
 * answer is computed here from the constructors' arguments. */
#include <string.h>

#include "check.h"

enum { most = 64 };

static unsigned state = 1;
static int draw(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)below);
}

/* Processes of MPI_COMM_WORLD in the order of ranks. */
static int processes_of(MPI_Comm comm, int* processes) {
  int world, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &world);
  MPI_Comm_size(comm, &size);
  MPI_Allgather(&world, 1, MPI_INT, processes, 1, MPI_INT, comm);
  return size;
}

/* The same processes, in the same order unless it may be another. */
static void check_processes(MPI_Comm old, MPI_Comm made, int reorder) {
  int before[most], after[most], seen = 0;
  const int size = processes_of(old, before);
  CHECK(processes_of(made, after) == size);
  for (int r = 0; r < size; ++r) {
    if (!reorder) CHECK(before[r] == after[r]);
    for (int k = 0; k < size; ++k) seen += before[r] == after[k];
  }
  CHECK(seen == size);
}

/* Rank at coordinates, or -1 outside. */
static int at(const int dims[2], const int periods[2], int x, int y) {
  const int place[2] = {x, y};
  int in[2];
  for (int d = 0; d < 2; ++d) {
    in[d] = periods[d] ? (place[d] + dims[d]) % dims[d] : place[d];
    if (in[d] < 0 || in[d] >= dims[d]) return -1;
  }
  return in[0] * dims[1] + in[1];
}

static void check_grid(MPI_Comm grid, const int dims[2], const int periods[2]) {
  int rank, coords[2], got[2], wraps[2], processes[most];
  processes_of(grid, processes);
  MPI_Comm_rank(grid, &rank);
  MPI_Cart_get(grid, 2, got, wraps, coords);
  CHECK(memcmp(got, dims, sizeof got) == 0 && memcmp(wraps, periods, sizeof wraps) == 0);
  CHECK(coords[0] == rank / dims[1] && coords[1] == rank % dims[1]);
  int received[4] = {-1, -1, -1, -1};
  MPI_Neighbor_allgather(&processes[rank], 1, MPI_INT, received, 1, MPI_INT, grid);
  for (int k = 0; k < 4; ++k) {
    const int step = k % 2 ? 1 : -1;
    const int other =
        at(dims, periods, coords[0] + (k < 2 ? step : 0), coords[1] + (k < 2 ? 0 : step));
    CHECK(received[k] == (other < 0 ? -1 : processes[other]));
  }
  /* Rows: the processes of one row, in its order. */
  MPI_Comm row;
  int in_row[most];
  MPI_Cart_sub(grid, (int[]){0, 1}, &row);
  CHECK(processes_of(row, in_row) == dims[1]);
  for (int y = 0; y < dims[1]; ++y) CHECK(in_row[y] == processes[coords[0] * dims[1] + y]);
  MPI_Comm_free(&row);
}

static MPI_Comm grid_on(MPI_Comm old, int reorder) {
  int size, dims[2], periods[2] = {draw(2), draw(2)};
  MPI_Comm made;
  MPI_Comm_size(old, &size);
  for (dims[0] = 1 + draw(size); size % dims[0] != 0;) --dims[0];
  dims[1] = size / dims[0];
  MPI_Cart_create(old, 2, dims, periods, reorder, &made);
  check_processes(old, made, reorder);
  check_grid(made, dims, periods);
  return made;
}

/* Each vertex sends to two others, the same steps away for all. */
static MPI_Comm graph_on(MPI_Comm old, int reorder, int adjacent) {
  int size, rank, processes[most], received[2];
  MPI_Comm made;
  MPI_Comm_size(old, &size);
  MPI_Comm_rank(old, &rank);
  const int steps[2] = {1 + draw(size), 1 + draw(size)}, weights[2] = {1 + draw(9), 1 + draw(9)};
  int sources[2], destinations[2];
  for (int k = 0; k < 2; ++k) {
    sources[k] = (rank + size - steps[k] % size) % size;
    destinations[k] = (rank + steps[k]) % size;
  }
  if (adjacent)
    MPI_Dist_graph_create_adjacent(old, 2, sources, weights, 2, destinations, weights,
                                   MPI_INFO_NULL, reorder, &made);
  else
    MPI_Dist_graph_create(old, 1, &rank, (int[]){2}, destinations, weights, MPI_INFO_NULL, reorder,
                          &made);
  check_processes(old, made, reorder);
  processes_of(made, processes);
  MPI_Comm_rank(made, &rank);
  int asked_sources[2], asked_destinations[2], in_weights[2], out_weights[2];
  MPI_Dist_graph_neighbors(made, 2, asked_sources, in_weights, 2, asked_destinations, out_weights);
  MPI_Neighbor_allgather(&processes[rank], 1, MPI_INT, received, 1, MPI_INT, made);
  for (int k = 0; k < 2; ++k) {
    CHECK(received[k] == processes[asked_sources[k]]);
    int known = 0;
    for (int j = 0; j < 2; ++j)
      known |=
          asked_sources[k] == (rank + size - steps[j] % size) % size && in_weights[k] == weights[j];
    CHECK(known);
    CHECK(asked_destinations[k] == (rank + steps[k]) % size || !adjacent);
  }
  return made;
}

static MPI_Comm part_of(MPI_Comm old) {
  int rank, size;
  MPI_Comm made;
  MPI_Comm_rank(old, &rank);
  MPI_Comm_size(old, &size);
  const int colours = 1 + draw(2);
  MPI_Comm_split(old, rank % colours, draw(2) ? rank : -rank, &made);
  return made;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  share_processors();
  const int chains = getenv("VTOPO_LONG_TESTS") != NULL ? 12 : 4;
  for (int chain = 0; chain < chains; ++chain) {
    MPI_Comm comm;
    MPI_Comm_dup(MPI_COMM_WORLD, &comm);
    for (int length = 1 + draw(5); length > 0; --length) {
      MPI_Comm made;
      const int kind = draw(5), reorder = draw(2);
      if (kind == 0)
        made = part_of(comm);
      else if (kind == 1) {
        MPI_Comm_dup(comm, &made);
        check_processes(comm, made, 0);
      } else if (kind == 2)
        made = graph_on(comm, reorder, draw(2));
      else
        made = grid_on(comm, reorder);
      MPI_Comm_free(&comm);
      comm = made;
    }
    MPI_Comm_free(&comm);
  }
  return finish_checks();
}
