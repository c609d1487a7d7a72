/* Distributed graphs that are made with reorder=0, duplicated and freed, again and again. Open MPI
 * 4.1.4 alone, without libvtopo_mpi.so, does not end in about every second run of four processes: all
 * are in ompi_comm_nextcid, called by its component "treematch", in the ninth graph. */
#include "check.h"

int main(int argc, char** argv) {
  int rank, size;
  MPI_Init(&argc, &argv);
  share_processors();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int next = (rank + 1) % size, degree = 1;
  for (int i = 0; i < 54; ++i) {
    MPI_Comm graph, copy;
    int indegree = 0, outdegree = 0, weighted = 0;
    MPI_Dist_graph_create(MPI_COMM_WORLD, 1, &rank, &degree, &next, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                          &graph);
    MPI_Comm_dup(graph, &copy);
    MPI_Dist_graph_neighbors_count(copy, &indegree, &outdegree, &weighted);
    CHECK(indegree == 1 && outdegree == 1 && !weighted);
    MPI_Comm_free(&copy);
    MPI_Barrier(graph);
    MPI_Comm_free(&graph);
  }
  return finish_checks();
}
