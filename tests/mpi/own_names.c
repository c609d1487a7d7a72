/* A program whose names are those of others: a variable named like a function of libm, a function
 * named like one of libc, and an own MPI_Barrier around PMPI_Barrier, as profilers have. Under the
 * overlay all are the program's, as under plain SMPI; PMPI_ names of topology functions work. */
#include <mpi.h>

#include "check.h"

double y1 = 3.5;

static int errors_seen;
void error(const char* sentence);
void error(const char* sentence) { errors_seen += sentence != NULL; }

static int barriers;
int MPI_Barrier(MPI_Comm comm) {
  ++barriers;
  return PMPI_Barrier(comm);
}

static void check_profiled_names(int rank, int size) {
  const int dims[1] = {size}, periods[1] = {1};
  int source, destination, got = -1;
  MPI_Comm grid, ring;
  PMPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &grid);
  CHECK(MPI_Cart_shift(grid, 0, 1, &source, &destination) == MPI_SUCCESS);
  CHECK(destination == (rank + 1) % size && source == (rank + size - 1) % size);
  MPI_Comm_free(&grid);
  PMPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &destination,
                                  MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &ring);
  PMPI_Neighbor_allgather(&rank, 1, MPI_INT, &got, 1, MPI_INT, ring);
  CHECK(got == source);
  MPI_Comm_free(&ring);
}

/* A process without edges passes a null pointer for its weights, as an empty std::vector does. */
static void check_empty_lists(int rank, int size) {
  const int next = (rank + 1) % size, weight = 5, degree = 1;
  MPI_Comm graph = MPI_COMM_WORLD;
  int indegree, outdegree, weighted;
  const int gives = rank % 2 == 0;
  MPI_Dist_graph_create(MPI_COMM_WORLD, gives ? 1 : 0, gives ? &rank : NULL, gives ? &degree : NULL,
                        gives ? &next : NULL, gives ? &weight : NULL, MPI_INFO_NULL, 0, &graph);
  MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
  CHECK(weighted && outdegree == gives);
  MPI_Comm_free(&graph);
}

/* A constructor that fails leaves MPI_COMM_NULL. */
static void check_failure(int size) {
  const int dims[1] = {size + 1}, periods[1] = {0};
  MPI_Comm made = MPI_COMM_WORLD;
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK(MPI_Cart_create(MPI_COMM_WORLD, 1, dims, periods, 0, &made) != MPI_SUCCESS);
  CHECK(made == MPI_COMM_NULL);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  CHECK(y1 == 3.5);
  y1 = rank;
  error("mine");
  CHECK(errors_seen == 1);
  MPI_Barrier(MPI_COMM_WORLD);
  MPI_Barrier(MPI_COMM_WORLD);
  CHECK(barriers == 2);
  CHECK(y1 == rank);
  check_profiled_names(rank, size);
  check_empty_lists(rank, size);
  check_failure(size);
  return finish_checks();
}
