/* The constructors of distributed graphs. With reorder, each vertex of the graph goes to another
 * process: edges are given for vertices, and those of vertex v belong to the process that gets rank
 * v. MPI_Dist_graph_create moves them itself, of the adjacent form they are moved here. */
#include <limits.h>
#include <stdlib.h>
#include <string.h>

#include "preload.h"

/* Ranks from 0 to size - 1. */
static int are_ranks(const int ranks[], int count, int size) {
  if (count > 0 && ranks == NULL) return 0;
  for (int i = 0; i < count; ++i)
    if (ranks[i] < 0 || ranks[i] >= size) return 0;
  return 1;
}

/* Weights of a list: absent, or as many as there are, none of them negative. */
static int are_weights(const int weights[], int count) {
  if (count == 0 || weights == MPI_UNWEIGHTED) return 1;
  if (weights == NULL || weights == MPI_WEIGHTS_EMPTY) return 0;
  for (int i = 0; i < count; ++i)
    if (weights[i] < 0) return 0;
  return 1;
}

/* Open MPI 5.0 leaves the topology of the old communicator in a distributed graph (its issue
 * 14438), which then answers as a grid and crashes in neighbourhood collectives: such a graph is
 * made of a copy without topology. Returns a code of MPI; `copy` stays MPI_COMM_NULL where none is
 * needed. */
static int copy_without_topology(MPI_Comm comm, MPI_Comm* copy) {
  int code = MPI_SUCCESS;
  *copy = MPI_COMM_NULL;
#if defined(OPEN_MPI) && OMPI_MAJOR_VERSION >= 5
  const struct vtopo_turn same = {1, 0, 0};
  int topology = MPI_UNDEFINED;
  if (comm == MPI_COMM_NULL) return code;
  code = PMPI_Topo_test(comm, &topology);
  if (code == MPI_SUCCESS && topology != MPI_UNDEFINED)
    code = vtopo_reordered_comm(comm, &same, copy);  // equal keys keep the order
#else
  (void)comm;
#endif
  return code;
}

/* Number of edges in the arguments of MPI_Dist_graph_create, or -1 if they are wrong. */
static int count_edges(int n, const int sources[], const int degrees[], const int destinations[],
                       const int weights[], int size) {
  long long edges = 0;
  if (n < 0 || !are_ranks(sources, n, size) || (n > 0 && degrees == NULL)) return -1;
  for (int i = 0; i < n; ++i) {
    if (degrees[i] < 0) return -1;
    edges += degrees[i];
  }
  if (edges > INT_MAX / 3) return -1;
  if (!are_ranks(destinations, (int)edges, size) || !are_weights(weights, (int)edges)) return -1;
  return (int)edges;
}

static void put_triple(int* triples, int edge, int source, int destination, int weight) {
  triples[3 * edge] = source;
  triples[3 * edge + 1] = destination;
  triples[3 * edge + 2] = weight;
}

int MPI_Dist_graph_create(MPI_Comm comm, int n, const int sources[], const int degrees[],
                          const int destinations[], const int weights[], MPI_Info info, int reorder,
                          MPI_Comm* comm_graph) {
  struct vtopo_part part = {"dist_graph_create", comm, 0, NULL, NULL, 0, -1, 0, NULL, info};
  struct vtopo_turn turn;
  MPI_Comm between = MPI_COMM_NULL;
  int code = copy_without_topology(comm, &between);
  if (code != MPI_SUCCESS) return code;
  if (between != MPI_COMM_NULL) {
    code = MPI_Dist_graph_create(between, n, sources, degrees, destinations, weights, info, reorder,
                                 comm_graph);
    return vtopo_made(comm, &between, code == MPI_SUCCESS ? *comm_graph : MPI_COMM_NULL, code);
  }
  if (!vtopo_may_reorder(comm, reorder) || comm_graph == NULL)
    return PMPI_Dist_graph_create(comm, n, sources, degrees, destinations, weights, info, reorder,
                                  comm_graph);
  PMPI_Comm_size(comm, &part.vertices);
  part.edges = count_edges(n, sources, degrees, destinations, weights, part.vertices);
  part.weighted = part.edges == 0 ? 2 : weights != MPI_UNWEIGHTED;
  int* triples = part.edges > 0 ? malloc((size_t)part.edges * 3 * sizeof *triples) : NULL;
  if (part.edges > 0 && triples == NULL) part.edges = -1;
  for (int i = 0, e = 0; part.edges > 0 && i < n; ++i)
    for (int end = e + degrees[i]; e < end; ++e)
      put_triple(triples, e, sources[i], destinations[e], part.weighted == 1 ? weights[e] : 1);
  part.triples = triples;
  code = vtopo_ask(&part, &turn);
  free(triples);
  if (code != MPI_SUCCESS) return code;
  if (turn.reordered) {
    code = vtopo_reordered_comm(comm, &turn, &between);
    if (code != MPI_SUCCESS) return code;
  }
  *comm_graph = MPI_COMM_NULL;
  code = PMPI_Dist_graph_create(turn.reordered ? between : comm, n, sources, degrees, destinations,
                                weights, info, 0, comm_graph);
  return turn.reordered ? vtopo_made(comm, &between, *comm_graph, code) : code;
}

/* The lists of one vertex: sources, destinations, and the weights of both if the graph has any. */
struct vertex {
  int indegree;
  int outdegree;
  int* lists;
};

static int num_numbers(const struct vertex* vertex, int weighted) {
  return (vertex->indegree + vertex->outdegree) * (weighted ? 2 : 1);
}

/* Part k of the lists: sources, destinations, their weights. */
static int* list(const struct vertex* vertex, int k) {
  const int starts[4] = {0, vertex->indegree, vertex->indegree + vertex->outdegree,
                         2 * vertex->indegree + vertex->outdegree};
  return vertex->lists + starts[k];
}

static int* allocate_lists(const struct vertex* vertex) {
  const size_t edges = (size_t)vertex->indegree + (size_t)vertex->outdegree;
  return calloc(2 * edges + 1, sizeof(int));
}

static void copy(int* to, const int from[], int count) {
  if (count > 0) memcpy(to, from, (size_t)count * sizeof *to);
}

/* Each vertex goes to the process that has its number as new rank. Returns a code of MPI. */
static int move_vertex(MPI_Comm between, int old_rank, int weighted, const struct vertex* own,
                       struct vertex* got) {
  MPI_Status status;
  int degrees[2] = {own->indegree, own->outdegree};
  int their_degrees[2] = {0, 0};
  int code = PMPI_Sendrecv(degrees, 2, MPI_INT, old_rank, 0, their_degrees, 2, MPI_INT,
                           MPI_ANY_SOURCE, 0, between, &status);
  if (code != MPI_SUCCESS) return code;
  got->indegree = their_degrees[0];
  got->outdegree = their_degrees[1];
  got->lists = allocate_lists(got);
  if (got->lists == NULL) PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  return PMPI_Sendrecv(own->lists, num_numbers(own, weighted), MPI_INT, old_rank, 1, got->lists,
                       num_numbers(got, weighted), MPI_INT, status.MPI_SOURCE, 1, between,
                       MPI_STATUS_IGNORE);
}

/* The part of this process in the question: its outgoing edges. */
static int* out_triples(int rank, const struct vertex* own, int weighted) {
  int* triples = malloc(((size_t)own->outdegree * 3 + 1) * sizeof *triples);
  for (int e = 0; triples != NULL && e < own->outdegree; ++e)
    put_triple(triples, e, rank, list(own, 1)[e], weighted ? list(own, 3)[e] : 1);
  return triples;
}

/* Own lists as one array; `lists` is NULL if the arguments are wrong. */
static struct vertex vertex_of(int indegree, const int sources[], const int source_weights[],
                               int outdegree, const int destinations[], const int weights[],
                               int size) {
  struct vertex own = {indegree, outdegree, NULL};
  const int source_weighted = source_weights != MPI_UNWEIGHTED;
  const int weighted = weights != MPI_UNWEIGHTED;
  if (indegree < 0 || outdegree < 0 || indegree > INT_MAX / 6 || outdegree > INT_MAX / 6)
    return own;
  if (!are_ranks(sources, indegree, size) || !are_ranks(destinations, outdegree, size)) return own;
  if (!are_weights(source_weights, indegree) || !are_weights(weights, outdegree)) return own;
  if (indegree > 0 && outdegree > 0 && source_weighted != weighted) return own;
  own.lists = allocate_lists(&own);
  if (own.lists == NULL) return own;
  copy(list(&own, 0), sources, indegree);
  copy(list(&own, 1), destinations, outdegree);
  if (source_weighted) copy(list(&own, 2), source_weights, indegree);
  if (weighted) copy(list(&own, 3), weights, outdegree);
  return own;
}

/* Whether the lists of this process have weights: 0, 1, or 2 if they are empty. */
static int weighting(const struct vertex* own, const int source_weights[], const int weights[]) {
  if (own->outdegree > 0) return weights != MPI_UNWEIGHTED;
  if (own->indegree > 0) return source_weights != MPI_UNWEIGHTED;
  return 2;
}

static int create_moved(MPI_Comm comm, int rank, const struct vtopo_turn* turn,
                        const struct vertex* own, MPI_Info info, MPI_Comm* made) {
  MPI_Comm between = MPI_COMM_NULL;
  struct vertex got = {0, 0, NULL};
  *made = MPI_COMM_NULL;
  int code = vtopo_reordered_comm(comm, turn, &between);
  if (code == MPI_SUCCESS) code = move_vertex(between, rank, turn->weighted, own, &got);
  if (code == MPI_SUCCESS)
    code = PMPI_Dist_graph_create_adjacent(
        between, got.indegree, list(&got, 0), turn->weighted ? list(&got, 2) : MPI_UNWEIGHTED,
        got.outdegree, list(&got, 1), turn->weighted ? list(&got, 3) : MPI_UNWEIGHTED, info, 0,
        made);
  free(got.lists);
  return vtopo_made(comm, &between, *made, code);
}

int MPI_Dist_graph_create_adjacent(MPI_Comm comm, int indegree, const int sources[],
                                   const int source_weights[], int outdegree,
                                   const int destinations[], const int weights[], MPI_Info info,
                                   int reorder, MPI_Comm* comm_graph) {
  struct vtopo_part part = {
      "dist_graph_create_adjacent", comm, 0, NULL, NULL, 0, -1, 0, NULL, info};
  struct vtopo_turn turn;
  MPI_Comm copy = MPI_COMM_NULL;
  int rank = 0;
  int code = copy_without_topology(comm, &copy);
  if (code != MPI_SUCCESS) return code;
  if (copy != MPI_COMM_NULL) {
    code = MPI_Dist_graph_create_adjacent(copy, indegree, sources, source_weights, outdegree,
                                          destinations, weights, info, reorder, comm_graph);
    return vtopo_made(comm, &copy, code == MPI_SUCCESS ? *comm_graph : MPI_COMM_NULL, code);
  }
  if (!vtopo_may_reorder(comm, reorder) || comm_graph == NULL)
    return PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                           destinations, weights, info, reorder, comm_graph);
  PMPI_Comm_rank(comm, &rank);
  PMPI_Comm_size(comm, &part.vertices);
  struct vertex own =
      vertex_of(indegree, sources, source_weights, outdegree, destinations, weights, part.vertices);
  int* triples = NULL;
  if (own.lists != NULL) {
    part.weighted = weighting(&own, source_weights, weights);
    triples = out_triples(rank, &own, part.weighted == 1);
    part.edges = triples == NULL ? -1 : outdegree;
    part.triples = triples;
  }
  code = vtopo_ask(&part, &turn);
  free(triples);
  if (code == MPI_SUCCESS)
    code = turn.reordered
               ? create_moved(comm, rank, &turn, &own, info, comm_graph)
               : PMPI_Dist_graph_create_adjacent(comm, indegree, sources, source_weights, outdegree,
                                                 destinations, weights, info, 0, comm_graph);
  free(own.lists);
  return code;
}
