/* Nanoseconds per call of MPI's topology inquiries, on the first of 8 processes as a grid of 2x2x2;
 * the others sleep. Lines "name nanoseconds". */
#include <mpi.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

enum { num_calls = 1000000, num_runs = 5 };

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time);
  return 1e9 * (double)time.tv_sec + (double)time.tv_nsec;
}

#define TIME_CALLS(name, call)                                        \
  do {                                                                \
    double best = 1e99;                                               \
    for (int run = 0; run < num_runs; ++run) {                        \
      const double start = now();                                     \
      for (int i = 0; i < num_calls; ++i) call;                       \
      const double each = (now() - start) / num_calls;                \
      if (each < best) best = each;                                   \
    }                                                                 \
    printf("%s %.3f\n", name, best);                                  \
  } while (0)

static void measure(MPI_Comm cart, MPI_Comm graph) {
  int coords[3] = {0, 0, 0}, one, other, sources[6], destinations[6];
  TIME_CALLS("cart_rank", (coords[2] = i & 1, MPI_Cart_rank(cart, coords, &one)));
  TIME_CALLS("cart_coords", MPI_Cart_coords(cart, (i * 7) & 7, 3, coords));
  TIME_CALLS("cart_shift", MPI_Cart_shift(cart, i % 3, 1, &one, &other));
  TIME_CALLS("dist_graph_neighbors", MPI_Dist_graph_neighbors(graph, 6, sources, MPI_UNWEIGHTED, 6,
                                                              destinations, MPI_UNWEIGHTED));
}

/* Until the first process has measured; without taking its core. */
static void sleep_until_told(void) {
  MPI_Request request;
  int done = 0;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  while (!done) {
    usleep(20000);
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
  }
}

int main(int argc, char** argv) {
  int rank, size, dims[3] = {2, 2, 2}, periods[3] = {1, 1, 1}, neighbours[6];
  MPI_Comm cart, graph;
  MPI_Init(&argc, &argv);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size != 8) MPI_Abort(MPI_COMM_WORLD, 2);
  MPI_Cart_create(MPI_COMM_WORLD, 3, dims, periods, 0, &cart);
  MPI_Comm_rank(cart, &rank);
  for (int d = 0; d < 3; ++d) MPI_Cart_shift(cart, d, 1, &neighbours[2 * d], &neighbours[2 * d + 1]);
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 6, neighbours, MPI_UNWEIGHTED, 6, neighbours,
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &graph);
  if (rank == 0) measure(cart, graph);
  sleep_until_told();
  MPI_Comm_free(&graph);
  MPI_Comm_free(&cart);
  MPI_Finalize();
  return 0;
}
