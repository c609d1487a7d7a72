/* The constructors of which every process gives all arguments. Arguments that are wrong, and calls
 * that may not reorder, go to the MPI library as they are. */
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* Whether the grid fits into the communicator. */
static int is_grid(MPI_Comm comm, int ndims, const int dims[], const int periods[],
                   const MPI_Comm* made) {
  int size = 0;
  long long ranks = 1;
  if (ndims < 1 || dims == NULL || periods == NULL || made == NULL) return 0;
  PMPI_Comm_size(comm, &size);
  for (int d = 0; d < ndims; ++d) {
    if (dims[d] < 1) return 0;
    ranks *= dims[d];
    if (ranks > size) return 0;
  }
  return 1;
}

int MPI_Cart_create(MPI_Comm comm, int ndims, const int dims[], const int periods[], int reorder,
                    MPI_Comm* comm_cart) {
  struct vtopo_part part = {"cart_create", comm,         ndims, dims, periods, 0, 0, 0,
                            NULL,          MPI_INFO_NULL};
  struct vtopo_turn turn;
  MPI_Comm between = MPI_COMM_NULL;
  if (!vtopo_may_reorder(comm, reorder) || !is_grid(comm, ndims, dims, periods, comm_cart))
    return PMPI_Cart_create(comm, ndims, dims, periods, reorder, comm_cart);
  int code = vtopo_ask(&part, &turn);
  if (code != MPI_SUCCESS) return code;
  if (!turn.reordered) return PMPI_Cart_create(comm, ndims, dims, periods, 0, comm_cart);
  code = vtopo_reordered_comm(comm, &turn, &between);
  *comm_cart = MPI_COMM_NULL;
  if (between != MPI_COMM_NULL)
    code = PMPI_Cart_create(between, ndims, dims, periods, 0, comm_cart);
  return vtopo_made(comm, &between, *comm_cart, code);
}

/* Whether the graph is one that fits into the communicator and has an edge. */
static int is_graph(MPI_Comm comm, int nnodes, const int index[], const int edges[],
                    const MPI_Comm* made) {
  int size = 0;
  if (nnodes < 1 || index == NULL || edges == NULL || made == NULL) return 0;
  PMPI_Comm_size(comm, &size);
  if (nnodes > size || index[0] < 0 || index[nnodes - 1] < 1) return 0;
  for (int v = 1; v < nnodes; ++v)
    if (index[v] < index[v - 1]) return 0;
  for (int e = 0; e < index[nnodes - 1]; ++e)
    if (edges[e] < 0 || edges[e] >= nnodes) return 0;
  return 1;
}

/* Of rank 0 all edges, of others none. */
static int* triples_of(int nnodes, const int index[], const int edges[]) {
  int* triples = malloc((size_t)index[nnodes - 1] * 3 * sizeof *triples);
  if (triples == NULL) return NULL;
  for (int v = 0, e = 0; v < nnodes; ++v)
    for (; e < index[v]; ++e) {
      triples[3 * e] = v;
      triples[3 * e + 1] = edges[e];
      triples[3 * e + 2] = 1;
    }
  return triples;
}

int MPI_Graph_create(MPI_Comm comm, int nnodes, const int index[], const int edges[], int reorder,
                     MPI_Comm* comm_graph) {
  struct vtopo_part part = {"graph_create", comm, 0, NULL, NULL, nnodes, 0, 2, NULL, MPI_INFO_NULL};
  struct vtopo_turn turn;
  MPI_Comm between = MPI_COMM_NULL;
  int* triples = NULL;
  int rank = 0;
  if (!vtopo_may_reorder(comm, reorder) || !is_graph(comm, nnodes, index, edges, comm_graph))
    return PMPI_Graph_create(comm, nnodes, index, edges, reorder, comm_graph);
  PMPI_Comm_rank(comm, &rank);
  if (rank == 0) {
    triples = triples_of(nnodes, index, edges);
    part.triples = triples;
    part.edges = triples == NULL ? -1 : index[nnodes - 1];
  }
  int code = vtopo_ask(&part, &turn);
  free(triples);
  if (code != MPI_SUCCESS) return code;
  if (!turn.reordered) return PMPI_Graph_create(comm, nnodes, index, edges, 0, comm_graph);
  code = vtopo_reordered_comm(comm, &turn, &between);
  *comm_graph = MPI_COMM_NULL;
  if (between != MPI_COMM_NULL)
    code = PMPI_Graph_create(between, nnodes, index, edges, 0, comm_graph);
  return vtopo_made(comm, &between, *comm_graph, code);
}

/* The maps: processes outside of the topology get MPI_UNDEFINED, as MPI demands and Open MPI 4.1 does
 * not do. Others keep what the MPI library answers. */
static void leave_out(MPI_Comm comm, long long ranks, int* newrank) {
  int rank = 0;
  if (newrank != NULL && PMPI_Comm_rank(comm, &rank) == MPI_SUCCESS && rank >= ranks)
    *newrank = MPI_UNDEFINED;
}

int MPI_Cart_map(MPI_Comm comm, int ndims, const int dims[], const int periods[], int* newrank) {
  const int code = PMPI_Cart_map(comm, ndims, dims, periods, newrank);
  long long ranks = 1;
  if (code != MPI_SUCCESS) return code;
  for (int d = 0; d < ndims; ++d) ranks *= dims[d];
  leave_out(comm, ranks, newrank);
  return code;
}

int MPI_Graph_map(MPI_Comm comm, int nnodes, const int index[], const int edges[], int* newrank) {
  const int code = PMPI_Graph_map(comm, nnodes, index, edges, newrank);
  if (code == MPI_SUCCESS) leave_out(comm, nnodes, newrank);
  return code;
}

#ifdef OPEN_MPI
/* Open MPI's component "treematch", which makes distributed graphs, does not end in every second
 * run of a program that makes and frees ten of them with reorder=0 (README.md). Ranks are reordered
 * here, so that its component "basic" does: chosen before MPI_Init, unless the user has chosen. */
__attribute__((constructor)) static void leave_treematch_out(void) {
  const char* allowed = getenv("VTOPO_REORDER");
  if (allowed != NULL && strcmp(allowed, "0") == 0) return;
  setenv("OMPI_MCA_topo", "^treematch", 0);
}
#endif
