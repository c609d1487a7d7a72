/* Halo exchange of a periodic 3-D grid of processes in the three forms of a neighbourhood collective:
 * blocking, non-blocking with work meanwhile, and persistent (started again and again).
 *
 * Each process sends its six faces, marked with who sends what and when. Argument: cells along the edge
 * of a process's cube (32). */
#include "result.h"
#if MPI_VERSION < 4 && defined(__has_include)
#if __has_include(<vtopo_mpi.h>)
#include <vtopo_mpi.h> /* the persistent collectives, where the library's mpi.h is too old for them */
#define HAS_PERSISTENT 1
#endif
#elif MPI_VERSION >= 4
#define HAS_PERSISTENT 1
#endif

enum { rounds = 4, faces = 6 };

typedef struct {
  int rank, cells, around[faces];
  MPI_Comm grid;
  int *sent, *received;
} Cube;

static void make_cube(Cube* cube, int edge, int dims[3]) {
  int size;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 3, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, (int[]){1, 1, 1}, 1, &cube->grid);
  MPI_Comm_rank(cube->grid, &cube->rank);
  for (int d = 0; d < 3; ++d)
    MPI_Cart_shift(cube->grid, d, 1, cube->around + 2 * d, cube->around + 2 * d + 1);
  cube->cells = edge * edge;
  cube->sent = malloc(sizeof(int) * faces * cube->cells);
  cube->received = malloc(sizeof(int) * faces * cube->cells);
}

static int mark(int rank, int face, int round, int cell) {
  return ((rank * faces + face) * 100 + round) * 4096 + cell % 4096;
}

static void fill(Cube* cube, int round) {
  for (int f = 0; f < faces; ++f)
    for (int i = 0; i < cube->cells; ++i) {
      cube->sent[f * cube->cells + i] = mark(cube->rank, f, round, i);
      cube->received[f * cube->cells + i] = -1;
    }
}

/* What the neighbour below sent upwards is received below: its face on the other side. */
static long count_wrong(const Cube* cube, int round) {
  long wrong = 0;
  for (int f = 0; f < faces; ++f)
    for (int i = 0; i < cube->cells; ++i)
      wrong += cube->received[f * cube->cells + i] != mark(cube->around[f], f ^ 1, round, i);
  return wrong;
}

static void blocking(Cube* c) {
  MPI_Neighbor_alltoall(c->sent, c->cells, MPI_INT, c->received, c->cells, MPI_INT, c->grid);
}

static void nonblocking(Cube* c) {
  MPI_Request request;
  MPI_Ineighbor_alltoall(c->sent, c->cells, MPI_INT, c->received, c->cells, MPI_INT, c->grid,
                         &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

static long run(Cube* cube, void (*exchange)(Cube*), int first_round, double* seconds) {
  long wrong = 0;
  for (int round = first_round; round < first_round + rounds; ++round) {
    fill(cube, round);
    const double start = start_clock();
    exchange(cube);
    *seconds += MPI_Wtime() - start;
    wrong += count_wrong(cube, round);
  }
  return wrong;
}

#ifdef HAS_PERSISTENT
static MPI_Request standing;

static void started(Cube* cube) {
  (void)cube;
  MPI_Start(&standing);
  MPI_Wait(&standing, MPI_STATUS_IGNORE);
}

static long run_persistent(Cube* c, double* seconds) {
  MPI_Neighbor_alltoall_init(c->sent, c->cells, MPI_INT, c->received, c->cells, MPI_INT, c->grid,
                             MPI_INFO_NULL, &standing);
  const long wrong = run(c, started, 2 * rounds, seconds);
  MPI_Request_free(&standing);
  return wrong;
}
#else
static long run_persistent(Cube* c, double* seconds) {
  return run(c, nonblocking, 2 * rounds, seconds);
}
#endif

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Cube cube;
  int dims[3] = {0, 0, 0};
  make_cube(&cube, argument(argc, argv, 1, 32), dims);
  double seconds = 0;
  long wrong = run(&cube, blocking, 0, &seconds);
  wrong += run(&cube, nonblocking, rounds, &seconds);
  wrong += run_persistent(&cube, &seconds);
  char what[80];
  snprintf(what, sizeof what, "3-D halo of %dx%dx%d processes", dims[0], dims[1], dims[2]);
  const int status = tell(what, wrong, seconds);
  free(cube.sent);
  free(cube.received);
  MPI_Comm_free(&cube.grid);
  MPI_Finalize();
  return status;
}
