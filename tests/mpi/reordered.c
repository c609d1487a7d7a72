/* Constructors with reorder=1 under a real MPI: whatever the new order, all that MPI says of the
 * new communicator and all data of neighbourhood collectives are in the new numbering. Arguments:
 * number of random graphs; "moves" if at least one communicator must be in another order, "stays"
 * if none may be; the first graph's number, 0 unless given. Every expected number is computed here
 * from the arguments of the constructor. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "check.h"

static int rank, size;
static int moved;

/* Process of MPI_COMM_WORLD behind each rank, and whether any has another rank than before. */
static int* processes_of(MPI_Comm comm) {
  int n, own;
  MPI_Comm_size(comm, &n);
  MPI_Comm_rank(comm, &own);
  int* processes = malloc((size_t)n * sizeof *processes);
  MPI_Allgather(&rank, 1, MPI_INT, processes, 1, MPI_INT, comm);
  CHECK(processes[own] == rank);
  for (int r = 0; r < n; ++r) moved |= processes[r] != r;
  return processes;
}

/* Each process once. */
static void check_processes(const int* processes, int n) {
  char* seen = calloc((size_t)size, 1);
  for (int r = 0; r < n; ++r) {
    CHECK(processes[r] >= 0 && processes[r] < size && !seen[processes[r]]);
    seen[processes[r]] = 1;
  }
  free(seen);
}

static void check_grid(int nx, int ny, int periodic) {
  const int dims[2] = {nx, ny}, periods[2] = {periodic, 0};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 1, &grid);
  if (grid == MPI_COMM_NULL) return;
  int own, n, got[2], wraps[2], coords[2];
  MPI_Comm_rank(grid, &own);
  MPI_Comm_size(grid, &n);
  CHECK(n == nx * ny);
  int* processes = processes_of(grid);
  check_processes(processes, n);
  free(processes);
  MPI_Cart_get(grid, 2, got, wraps, coords);
  CHECK(got[0] == nx && got[1] == ny && wraps[0] == periodic && wraps[1] == 0);
  CHECK(coords[0] == own / ny && coords[1] == own % ny);
  /* Blocks of an exchange: down and up in each dimension, by the coordinates. */
  int send[4], receive[4] = {-1, -1, -1, -1};
  for (int k = 0; k < 4; ++k) send[k] = 4 * own + k;
  MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, grid);
  for (int k = 0; k < 4; ++k) {
    int at[2] = {coords[0], coords[1]};
    at[k / 2] += k % 2 ? 1 : -1;
    if (k / 2 == 0 && periodic) at[0] = (at[0] + nx) % nx;
    const int outside = at[0] < 0 || at[0] >= nx || at[1] < 0 || at[1] >= ny;
    const int other = at[0] * ny + at[1];
    if (k / 2 == 0 && periodic && nx < 3)
      continue; /* libraries differ where both are one process */
    CHECK(receive[k] == (outside ? -1 : 4 * other + (k ^ 1)));
  }
  MPI_Comm_free(&grid);
}

/* Deterministic numbers, the same on all processes. */
static unsigned state;
static unsigned draw(unsigned below) {
  state = state * 1664525u + 1013904223u;
  return (state >> 8) % below;
}

struct graph {
  int edges;
  int* from;
  int* to;
  int* weight;
};

/* Without parallel edges, so that every block has one place. */
static struct graph random_graph(unsigned seed) {
  struct graph graph = {0, malloc(sizeof(int) * (size_t)(size * size)),
                        malloc(sizeof(int) * (size_t)(size * size)),
                        malloc(sizeof(int) * (size_t)(size * size))};
  state = seed;
  const unsigned density = 1 + draw(4);
  for (int a = 0; a < size; ++a)
    for (int b = 0; b < size; ++b)
      if (draw((unsigned)size) < density) {
        graph.from[graph.edges] = a;
        graph.to[graph.edges] = b;
        graph.weight[graph.edges++] = (int)draw(100);
      }
  return graph;
}

static void free_graph(struct graph* graph) {
  free(graph->from);
  free(graph->to);
  free(graph->weight);
}

/* Whether list has exactly the ends of edges at `own`, in any order, with their weights. */
static void check_list(const struct graph* graph, int own, int incoming, const int* list,
                       const int* weights, int degree) {
  int expected = 0;
  for (int e = 0; e < graph->edges; ++e) {
    if ((incoming ? graph->to[e] : graph->from[e]) != own) continue;
    ++expected;
    const int other = incoming ? graph->from[e] : graph->to[e];
    int found = 0;
    for (int i = 0; i < degree; ++i)
      found |= list[i] == other && (weights == NULL || weights[i] == graph->weight[e]);
    CHECK(found);
  }
  CHECK(expected == degree);
}

/* The order in which lists were given counts for the adjacent form. */
static void check_order(const struct graph* graph, int own, const int* sources, int indegree,
                        const int* destinations, int outdegree) {
  for (int e = 0, in = 0, out = 0; e < graph->edges; ++e) {
    if (graph->to[e] == own && in < indegree) CHECK(sources[in++] == graph->from[e]);
    if (graph->from[e] == own && out < outdegree) CHECK(destinations[out++] == graph->to[e]);
  }
}

static void check_dist_graph(MPI_Comm comm, const struct graph* graph, int weighted, int ordered) {
  int own, indegree, outdegree, has_weights, n;
  int sources[64], destinations[64], in_weights[64], out_weights[64], send[64], receive[64];
  MPI_Comm_rank(comm, &own);
  MPI_Comm_size(comm, &n);
  CHECK(n == size);
  int* processes = processes_of(comm);
  check_processes(processes, n);
  MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &has_weights);
  CHECK(!has_weights == !weighted);
  MPI_Dist_graph_neighbors(comm, indegree, sources, in_weights, outdegree, destinations,
                           out_weights);
  check_list(graph, own, 1, sources, weighted ? in_weights : NULL, indegree);
  check_list(graph, own, 0, destinations, weighted ? out_weights : NULL, outdegree);
  if (ordered) check_order(graph, own, sources, indegree, destinations, outdegree);
  for (int i = 0; i < outdegree; ++i) send[i] = own * 64 + destinations[i];
  MPI_Neighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm);
  for (int i = 0; i < indegree; ++i) CHECK(receive[i] == sources[i] * 64 + own);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, receive, 1, MPI_INT, comm);
  for (int i = 0; i < indegree; ++i) CHECK(receive[i] == processes[sources[i]]);
  MPI_Request request;
  memset(receive, -1, sizeof receive);
  MPI_Ineighbor_alltoall(send, 1, MPI_INT, receive, 1, MPI_INT, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < indegree; ++i) CHECK(receive[i] == sources[i] * 64 + own);
  free(processes);
}

static void check_adjacent(const struct graph* graph, int weighted) {
  int sources[64], destinations[64], in_weights[64], out_weights[64];
  int indegree = 0, outdegree = 0;
  for (int e = 0; e < graph->edges; ++e) {
    if (graph->to[e] == rank) {
      sources[indegree] = graph->from[e];
      in_weights[indegree++] = graph->weight[e];
    }
    if (graph->from[e] == rank) {
      destinations[outdegree] = graph->to[e];
      out_weights[outdegree++] = graph->weight[e];
    }
  }
  MPI_Comm comm;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, indegree, sources,
                                 weighted ? in_weights : MPI_UNWEIGHTED, outdegree, destinations,
                                 weighted ? out_weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
  check_dist_graph(comm, graph, weighted, 1);
  MPI_Comm_free(&comm);
}

/* Every process gives some of the edges of all. */
static void check_any_edges(const struct graph* graph, int weighted) {
  int n = 0;
  int* sources = malloc(sizeof(int) * (size_t)(graph->edges + 1));
  int* degrees = malloc(sizeof(int) * (size_t)(graph->edges + 1));
  int* destinations = malloc(sizeof(int) * (size_t)(graph->edges + 1));
  int* weights = malloc(sizeof(int) * (size_t)(graph->edges + 1));
  for (int e = rank; e < graph->edges; e += size) {
    sources[n] = graph->from[e];
    degrees[n] = 1;
    destinations[n] = graph->to[e];
    weights[n++] = graph->weight[e];
  }
  MPI_Comm comm;
  MPI_Dist_graph_create(MPI_COMM_WORLD, n, sources, degrees, destinations,
                        weighted ? weights : MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
  check_dist_graph(comm, graph, weighted, 0);
  MPI_Comm_free(&comm);
  free(sources);
  free(degrees);
  free(destinations);
  free(weights);
}

/* MPI_Graph_create: the same graph, both ways. */
static void check_graph(const struct graph* graph) {
  int* index = malloc(sizeof(int) * (size_t)size);
  int* edges = malloc(sizeof(int) * (size_t)(size * size));
  int count = 0;
  for (int a = 0; a < size; ++a) {
    for (int b = 0; b < size; ++b)
      for (int e = 0, there = 0; e < graph->edges && !there; ++e) {
        const int forth = graph->from[e] == a && graph->to[e] == b;
        const int back = graph->from[e] == b && graph->to[e] == a;
        there = forth || back;
        if (there) edges[count++] = b;
      }
    index[a] = count;
  }
  MPI_Comm comm;
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &comm);
  int own, degree, neighbours[64], receive[64];
  MPI_Comm_rank(comm, &own);
  int* processes = processes_of(comm);
  const int first = own > 0 ? index[own - 1] : 0;
  MPI_Graph_neighbors_count(comm, own, &degree);
  CHECK(degree == index[own] - first);
  MPI_Graph_neighbors(comm, own, degree, neighbours);
  CHECK(memcmp(neighbours, edges + first, sizeof(int) * (size_t)degree) == 0);
  MPI_Neighbor_allgather(&rank, 1, MPI_INT, receive, 1, MPI_INT, comm);
  for (int i = 0; i < degree; ++i) CHECK(receive[i] == processes[neighbours[i]]);
  free(processes);
  MPI_Comm_free(&comm);
  free(index);
  free(edges);
}

/* The situation of Open MPI's issue 11756: each process receives from and sends to few others, with
 * MPI_Ineighbor_alltoallv and counts by neighbour; the numbers must come from the right vertices.
 */
static void check_counts(const struct graph* graph) {
  MPI_Comm comm;
  int sources[64], destinations[64], unused[64];
  int indegree = 0, outdegree = 0, weighted;
  for (int e = 0; e < graph->edges; ++e) {
    if (graph->to[e] == rank) sources[indegree++] = graph->from[e];
    if (graph->from[e] == rank) destinations[outdegree++] = graph->to[e];
  }
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, indegree, sources, MPI_UNWEIGHTED, outdegree,
                                 destinations, MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &comm);
  int own, send[64 * 4], receive[64 * 4], send_counts[64], send_starts[64], counts[64], starts[64];
  MPI_Comm_rank(comm, &own);
  MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted);
  MPI_Dist_graph_neighbors(comm, indegree, sources, unused, outdegree, destinations, unused);
  /* From vertex a to vertex b go 1 + (a + b) % 4 numbers 100 a + b. */
  for (int i = 0, start = 0; i < outdegree; start += send_counts[i++]) {
    send_starts[i] = start;
    send_counts[i] = 1 + (own + destinations[i]) % 4;
    for (int k = 0; k < send_counts[i]; ++k) send[start + k] = 100 * own + destinations[i];
  }
  for (int i = 0, start = 0; i < indegree; start += counts[i++]) {
    starts[i] = start;
    counts[i] = 1 + (own + sources[i]) % 4;
  }
  MPI_Request request;
  MPI_Ineighbor_alltoallv(send, send_counts, send_starts, MPI_INT, receive, counts, starts, MPI_INT,
                          comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < indegree; ++i)
    for (int k = 0; k < counts[i]; ++k) CHECK(receive[starts[i] + k] == 100 * sources[i] + own);
  MPI_Comm_free(&comm);
}

/* Error handlers and what the old communicator keeps. */
static void check_handler(void) {
  MPI_Comm old, grid;
  MPI_Errhandler handler;
  const int dims[1] = {size}, periods[1] = {1};
  int own;
  MPI_Comm_dup(MPI_COMM_WORLD, &old);
  MPI_Comm_set_errhandler(old, MPI_ERRORS_RETURN);
  MPI_Cart_create(old, 1, dims, periods, 1, &grid);
  MPI_Comm_get_errhandler(grid, &handler);
  CHECK(handler == MPI_ERRORS_RETURN);
  MPI_Comm_rank(old, &own);
  CHECK(own == rank);
  MPI_Comm_free(&grid);
  MPI_Comm_free(&old);
}

/* A ring as distributed graph of a grid, made by either constructor: it answers as a distributed
 * graph, and its neighbourhood collective brings what the neighbours sent. */
static void check_ring_of_grid(void) {
  const int dims[2] = {size, 1}, periods[2] = {1, 1};
  MPI_Comm grid, rings[2];
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
  const int before = (rank + size - 1) % size, behind = (rank + 1) % size, degree = 1;
  MPI_Dist_graph_create_adjacent(grid, 1, &before, MPI_UNWEIGHTED, 1, &behind, MPI_UNWEIGHTED,
                                 MPI_INFO_NULL, 0, &rings[0]);
  MPI_Dist_graph_create(grid, 1, &rank, &degree, &behind, MPI_UNWEIGHTED, MPI_INFO_NULL, 0,
                        &rings[1]);
  for (int r = 0; r < 2; ++r) {
    int kind = MPI_UNDEFINED, got = -1, place = -1;
    MPI_Topo_test(rings[r], &kind);
    CHECK(kind == MPI_DIST_GRAPH);
    MPI_Comm_rank(rings[r], &place);
    CHECK(place == rank);
    if (kind == MPI_DIST_GRAPH)
      MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &got, 1, MPI_INT, rings[r]);
    CHECK(got == before);
    MPI_Comm_free(&rings[r]);
  }
  MPI_Comm_free(&grid);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  share_processors();
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int graphs = argc > 1 ? atoi(argv[1]) : 10;
  const int first = argc > 3 ? atoi(argv[3]) : 0;
  check_handler();
  check_ring_of_grid();
  check_grid(size / 2, 2, 1);
  check_grid(2, size / 2, 0);
  check_grid(1, size, 0);
  if (size > 2) check_grid((size - 1) / 2, 2, 0);
  for (int g = first; g < first + graphs; ++g) {
    struct graph graph = random_graph((unsigned)g + 1);
    check_adjacent(&graph, g % 2);
    check_any_edges(&graph, g % 2);
    check_graph(&graph);
    check_counts(&graph);
    free_graph(&graph);
  }
  int any_moved = 0;
  MPI_Allreduce(&moved, &any_moved, 1, MPI_INT, MPI_MAX, MPI_COMM_WORLD);
  if (argc > 2 && strcmp(argv[2], "moves") == 0) CHECK(any_moved);
  if (argc > 2 && strcmp(argv[2], "stays") == 0) CHECK(!any_moved);
  return finish_checks();
}
