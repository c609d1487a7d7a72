/* What programs rely on though the standard leaves it open or to chance: processes that are done while others
 * still ask where they run, and null pointers of those who give no edges. */
#include "check.h"

#include <unistd.h>

/* Process 0 alone gives a weighted ring; the others pass nothing at all. */
static void check_null_weights(int rank, int size) {
  int* sources = malloc(sizeof(int) * size);
  int* degrees = malloc(sizeof(int) * size);
  int* destinations = malloc(sizeof(int) * size);
  int* weights = malloc(sizeof(int) * size);
  for (int r = 0; r < size; ++r) {
    sources[r] = r;
    degrees[r] = 1;
    destinations[r] = (r + 1) % size;
    weights[r] = 10 + r;
  }
  MPI_Comm ring;
  if (rank == 0)
    MPI_Dist_graph_create(MPI_COMM_WORLD, size, sources, degrees, destinations, weights, MPI_INFO_NULL,
                          0, &ring);
  else
    MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, NULL, MPI_INFO_NULL, 0, &ring);
  int indegree, outdegree, weighted, source, from_weight, destination, to_weight;
  MPI_Dist_graph_neighbors_count(ring, &indegree, &outdegree, &weighted);
  CHECK(indegree == 1 && outdegree == 1 && weighted);
  MPI_Dist_graph_neighbors(ring, 1, &source, &from_weight, 1, &destination, &to_weight);
  CHECK(source == (rank + size - 1) % size && from_weight == 10 + source);
  CHECK(destination == (rank + 1) % size && to_weight == 10 + rank);
  MPI_Comm_free(&ring);
  free(sources);
  free(degrees);
  free(destinations);
  free(weights);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  check_null_weights(rank, size);
  if (rank == 0) {
    printf("%d checks, %d failed\n", num_checks, num_failures);
    sleep(1); /* the others have left by now */
    int new_rank;
    MPI_Cart_map(MPI_COMM_WORLD, 1, &size, (int[]){1}, &new_rank);
    if (new_rank < 0 || new_rank >= size) return 1;
  }
  MPI_Finalize();
  return num_failures != 0;
}
