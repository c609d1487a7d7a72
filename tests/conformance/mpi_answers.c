/* Makes the calls of a script with a real MPI library and prints what each process got.
 * Argument: the script. Output: "line process call -> answer" for each call of a process, process
 * 0 first. */

#define _GNU_SOURCE
#include <mpi.h>
#include <sched.h>
#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/time.h>

enum { max_slots = 64, max_list = 256, max_words = 4096, untouched = -777 };

static MPI_Comm slots[max_slots]; /* slot 0: the world */
static int words[max_words];      /* arguments of the call */
static int num_words, next_word;

static char* output;
static size_t output_size, output_capacity;

static void say(const char* format, ...) {
  va_list values;
  if (output_capacity - output_size < 4096) {
    output_capacity = 2 * output_capacity + 8192;
    output = realloc(output, output_capacity);
    if (output == NULL) abort();
  }
  va_start(values, format);
  output_size +=
      (size_t)vsnprintf(output + output_size, output_capacity - output_size, format, values);
  va_end(values);
}

static int word(void) {
  if (next_word >= num_words) {
    fprintf(stderr, "the script has too few words in a line\n");
    MPI_Abort(MPI_COMM_WORLD, 3);
  }
  return words[next_word++];
}

/* The next `count` words; they stay valid until the next line. */
static int* list(int count) {
  int* first = words + next_word;
  for (int i = 0; i < count; ++i) word();
  return first;
}

/* Array in which every entry still shows that nothing was written. */
static void clear(int* array, int length) {
  for (int i = 0; i < length; ++i) array[i] = untouched;
}

static void say_rank(int rank) {
  if (rank == MPI_PROC_NULL)
    say(" -");
  else if (rank == MPI_UNDEFINED)
    say(" undefined");
  else
    say(" %d", rank);
}

/* Entries of a cleared array that the library wrote. */
static void say_written(const int* array) {
  for (int i = 0; i < max_list; ++i)
    if (array[i] != untouched) say_rank(array[i]);
}

static const char* error_name(int error) {
  int class = MPI_SUCCESS;
  MPI_Error_class(error, &class);
  switch (class) {
    case MPI_ERR_COMM:
      return "MPI_ERR_COMM";
    case MPI_ERR_GROUP:
      return "MPI_ERR_GROUP";
    case MPI_ERR_RANK:
      return "MPI_ERR_RANK";
    case MPI_ERR_TOPOLOGY:
      return "MPI_ERR_TOPOLOGY";
    case MPI_ERR_DIMS:
      return "MPI_ERR_DIMS";
    case MPI_ERR_ARG:
      return "MPI_ERR_ARG";
    case MPI_ERR_INFO:
      return "MPI_ERR_INFO";
    case MPI_ERR_OTHER:
      return "MPI_ERR_OTHER";
    case MPI_ERR_INTERN:
      return "MPI_ERR_INTERN";
    default:
      return "of another class";
  }
}

/* Whether a call failed, which is then the answer. */
static int failed(int error) {
  if (error != MPI_SUCCESS) say(" error %s", error_name(error));
  return error != MPI_SUCCESS;
}

/* ---- constructors ---- */

static int comm_dup(MPI_Comm old, MPI_Comm* made) {
  return MPI_Comm_dup(old, made);
}

static int comm_split(MPI_Comm old, MPI_Comm* made) {
  int rank;
  MPI_Comm_rank(old, &rank);
  list(2 * rank);
  const int colour = word();
  const int key = word();
  return MPI_Comm_split(old, colour < 0 ? MPI_UNDEFINED : colour, key, made);
}

static int cart_create(MPI_Comm old, MPI_Comm* made) {
  const int ndims = word();
  const int* dims = list(ndims);
  const int* periods = list(ndims);
  return MPI_Cart_create(old, ndims, dims, periods, 0, made);
}

static int cart_sub(MPI_Comm old, MPI_Comm* made) {
  return MPI_Cart_sub(old, words + next_word, made);
}

static int graph_create(MPI_Comm old, MPI_Comm* made) {
  const int nnodes = word();
  const int* index = list(nnodes);
  return MPI_Graph_create(old, nnodes, index, words + next_word, 0, made);
}

/* Weights of the next `count` edges, or what MPI wants instead. */
static const int* weights(int weighted, int count) {
  if (!weighted) return MPI_UNWEIGHTED;
  return count == 0 ? MPI_WEIGHTS_EMPTY : list(count);
}

static int dist_graph_create_adjacent(MPI_Comm old, MPI_Comm* made) {
  int rank;
  MPI_Comm_rank(old, &rank);
  const int weighted = word();
  for (int i = 0; i < 2 * rank; ++i) {
    const int degree = word();
    list(weighted ? 2 * degree : degree);
  }
  const int indegree = word();
  const int* sources = list(indegree);
  const int* source_weights = weights(weighted, indegree);
  const int outdegree = word();
  const int* destinations = list(outdegree);
  const int* destination_weights = weights(weighted, outdegree);
  return MPI_Dist_graph_create_adjacent(old, indegree, sources, source_weights, outdegree,
                                        destinations, destination_weights, MPI_INFO_NULL, 0, made);
}

static int dist_graph_create(MPI_Comm old, MPI_Comm* made) {
  int rank;
  MPI_Comm_rank(old, &rank);
  const int weighted = word();
  for (int i = 0;; ++i) {
    const int n = word();
    const int* sources = list(n);
    const int* degrees = list(n);
    int edges = 0;
    for (int s = 0; s < n; ++s) edges += degrees[s];
    const int* destinations = list(edges);
    const int* edge_weights = weights(weighted, edges);
    if (i == rank)
      return MPI_Dist_graph_create(old, n, sources, degrees, destinations, edge_weights,
                                   MPI_INFO_NULL, 0, made);
  }
}

/* ---- inquiries ---- */

static void topo_test(MPI_Comm comm) {
  int kind;
  if (failed(MPI_Topo_test(comm, &kind))) return;
  say(" %s", kind == MPI_CART         ? "cart"
             : kind == MPI_GRAPH      ? "graph"
             : kind == MPI_DIST_GRAPH ? "dist_graph"
             : kind == MPI_UNDEFINED  ? "undefined"
                                      : "something else");
}

static void comm_compare(MPI_Comm comm) {
  const MPI_Comm other = slots[word()];
  int result;
  if (other == MPI_COMM_NULL) {
    say(" null");
    return;
  }
  if (failed(MPI_Comm_compare(comm, other, &result))) return;
  say(" %s", result == MPI_IDENT       ? "identical"
             : result == MPI_CONGRUENT ? "congruent"
             : result == MPI_SIMILAR   ? "similar"
                                       : "unequal");
}

static void cartdim_get(MPI_Comm comm) {
  int ndims;
  if (!failed(MPI_Cartdim_get(comm, &ndims))) say(" %d", ndims);
}

static void cart_get(MPI_Comm comm) {
  int dims[max_list], periods[max_list], coords[max_list];
  clear(dims, max_list);
  clear(periods, max_list);
  clear(coords, max_list);
  if (failed(MPI_Cart_get(comm, word(), dims, periods, coords))) return;
  say(" dims");
  say_written(dims);
  say(" periods");
  for (int i = 0; i < max_list; ++i)
    if (periods[i] != untouched) say(" %d", periods[i] != 0);
  say(" coords");
  say_written(coords);
}

static void cart_rank(MPI_Comm comm) {
  int rank;
  if (!failed(MPI_Cart_rank(comm, words + next_word, &rank))) say_rank(rank);
}

static void cart_coords(MPI_Comm comm) {
  int coords[max_list];
  clear(coords, max_list);
  const int rank = word();
  if (!failed(MPI_Cart_coords(comm, rank, word(), coords))) say_written(coords);
}

static void cart_shift(MPI_Comm comm) {
  int source, destination;
  const int direction = word();
  if (failed(MPI_Cart_shift(comm, direction, word(), &source, &destination))) return;
  say_rank(source);
  say_rank(destination);
}

static void cart_map(MPI_Comm comm) {
  int rank;
  const int ndims = word();
  const int* dims = list(ndims);
  if (!failed(MPI_Cart_map(comm, ndims, dims, words + next_word, &rank))) say_rank(rank);
}

static void graphdims_get(MPI_Comm comm) {
  int nnodes, nedges;
  if (!failed(MPI_Graphdims_get(comm, &nnodes, &nedges))) say(" %d %d", nnodes, nedges);
}

static void graph_get(MPI_Comm comm) {
  int index[max_list], edges[max_list];
  clear(index, max_list);
  clear(edges, max_list);
  const int maxindex = word();
  if (failed(MPI_Graph_get(comm, maxindex, word(), index, edges))) return;
  say(" index");
  say_written(index);
  say(" edges");
  say_written(edges);
}

static void graph_neighbors_count(MPI_Comm comm) {
  int count;
  if (!failed(MPI_Graph_neighbors_count(comm, word(), &count))) say(" %d", count);
}

static void graph_neighbors(MPI_Comm comm) {
  int neighbors[max_list];
  clear(neighbors, max_list);
  const int rank = word();
  const int maxneighbors = word();
  if (failed(MPI_Graph_neighbors(comm, rank, maxneighbors, neighbors))) return;
  for (int i = 0; i < max_list; ++i) {
    if (neighbors[i] == untouched) continue;
    if (i == maxneighbors) say(" and behind the maximum");
    say_rank(neighbors[i]);
  }
}

static void graph_map(MPI_Comm comm) {
  int rank;
  const int nnodes = word();
  const int* index = list(nnodes);
  if (!failed(MPI_Graph_map(comm, nnodes, index, words + next_word, &rank))) say_rank(rank);
}

static void dist_graph_neighbors_count(MPI_Comm comm) {
  int indegree, outdegree, weighted;
  if (failed(MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted))) return;
  say(" %d %d %d", indegree, outdegree, weighted != 0);
}

struct edge {
  int rank, weight;
};

static int by_rank_and_weight(const void* a, const void* b) {
  const struct edge *x = a, *y = b;
  if (x->rank != y->rank) return x->rank < y->rank ? -1 : 1;
  return (x->weight > y->weight) - (x->weight < y->weight);
}

static void say_edges(int sorted, int weighted, const int* ranks, const int* edge_weights) {
  struct edge edges[max_list];
  size_t count = 0;
  for (int i = 0; i < max_list; ++i)
    if (ranks[i] != untouched) {
      edges[count].rank = ranks[i];
      edges[count++].weight = weighted ? edge_weights[i] : 0;
    }
  if (sorted) qsort(edges, count, sizeof edges[0], by_rank_and_weight);
  for (size_t i = 0; i < count; ++i) {
    say(" %d", edges[i].rank);
    if (weighted) say(":%d", edges[i].weight);
  }
}

static int smaller(int a, int b) {
  return a < b ? a : b;
}

static void dist_graph_neighbors(MPI_Comm comm) {
  int sources[max_list], source_weights[max_list];
  int destinations[max_list], destination_weights[max_list];
  int indegree, outdegree, weighted;
  const int sorted = word();
  const int maxindegree = word();
  const int maxoutdegree = word();
  clear(sources, max_list);
  clear(source_weights, max_list);
  clear(destinations, max_list);
  clear(destination_weights, max_list);
  if (failed(MPI_Dist_graph_neighbors_count(comm, &indegree, &outdegree, &weighted))) return;
  /* MPICH 4.0.2 reads as many edges as the maximum says, also behind the end of its own lists. */
  if (failed(MPI_Dist_graph_neighbors(comm, smaller(maxindegree, indegree), sources, source_weights,
                                      smaller(maxoutdegree, outdegree), destinations,
                                      destination_weights)))
    return;
  say(" sources");
  say_edges(sorted, weighted, sources, source_weights);
  say(" destinations");
  say_edges(sorted, weighted, destinations, destination_weights);
}

/* ---- neighbourhood collectives ---- */

/* Length of the receive buffer, in blocks; the send buffer of these tests is as long or longer. */
static int num_sources(MPI_Comm comm, int* num_destinations) {
  int kind, count = 0, rank, weighted;
  MPI_Topo_test(comm, &kind);
  MPI_Comm_rank(comm, &rank);
  *num_destinations = -1;
  if (kind == MPI_DIST_GRAPH)
    MPI_Dist_graph_neighbors_count(comm, &count, num_destinations, &weighted);
  else if (kind == MPI_GRAPH)
    MPI_Graph_neighbors_count(comm, rank, &count);
  else if (MPI_Cartdim_get(comm, &count) == MPI_SUCCESS)
    count *= 2;
  if (kind != MPI_DIST_GRAPH) *num_destinations = count;
  return count;
}

static int ascending(const void* a, const void* b) {
  const int *x = a, *y = b;
  return (*x > *y) - (*x < *y);
}

/* All entries of a receive buffer; the untouched ones stand for MPI_PROC_NULL. */
static void say_received(const int* received, int count) {
  for (int i = 0; i < count; ++i) say_rank(received[i] == untouched ? MPI_PROC_NULL : received[i]);
}

static void neighbor_allgather(MPI_Comm comm) {
  int received[max_list], rank, num_destinations;
  const int sorted = word();
  const int count = num_sources(comm, &num_destinations);
  MPI_Comm_rank(comm, &rank);
  clear(received, max_list);
  if (failed(MPI_Neighbor_allgather(&rank, 1, MPI_INT, received, 1, MPI_INT, comm))) return;
  if (sorted) qsort(received, (size_t)count, sizeof received[0], ascending);
  say_received(received, count);
}

static void neighbor_alltoall(MPI_Comm comm) {
  int sent[max_list], received[max_list], rank, num_destinations;
  const int count = num_sources(comm, &num_destinations);
  MPI_Comm_rank(comm, &rank);
  for (int i = 0; i < num_destinations; ++i) sent[i] = 1000 * rank + i;
  clear(received, max_list);
  if (failed(MPI_Neighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, comm))) return;
  say_received(received, count);
}

/* ---- the script ---- */

struct constructor {
  const char* name;
  int (*make)(MPI_Comm old, MPI_Comm* made);
};

static const struct constructor constructors[] = {
    {"comm_dup", comm_dup},
    {"comm_split", comm_split},
    {"cart_create", cart_create},
    {"cart_sub", cart_sub},
    {"graph_create", graph_create},
    {"dist_graph_create_adjacent", dist_graph_create_adjacent},
    {"dist_graph_create", dist_graph_create},
};

struct inquiry {
  const char* name;
  void (*ask)(MPI_Comm comm);
};

static const struct inquiry inquiries[] = {
    {"topo_test", topo_test},
    {"comm_compare", comm_compare},
    {"cartdim_get", cartdim_get},
    {"cart_get", cart_get},
    {"cart_rank", cart_rank},
    {"cart_coords", cart_coords},
    {"cart_shift", cart_shift},
    {"cart_map", cart_map},
    {"graphdims_get", graphdims_get},
    {"graph_get", graph_get},
    {"graph_neighbors_count", graph_neighbors_count},
    {"graph_neighbors", graph_neighbors},
    {"graph_map", graph_map},
    {"dist_graph_neighbors_count", dist_graph_neighbors_count},
    {"dist_graph_neighbors", dist_graph_neighbors},
    {"neighbor_allgather", neighbor_allgather},
    {"neighbor_alltoall", neighbor_alltoall},
};

/* Frees all slots but the world. */
static void end_case(void) {
  for (int i = 1; i < max_slots; ++i)
    if (slots[i] != MPI_COMM_NULL) MPI_Comm_free(&slots[i]);
}

static void construct(const struct constructor* constructor) {
  MPI_Comm* made = &slots[word()];
  const MPI_Comm old = slots[word()];
  int rank, size;
  if (old == MPI_COMM_NULL) return;
  if (failed(constructor->make(old, made))) {
    *made = MPI_COMM_NULL;
    return;
  }
  if (*made == MPI_COMM_NULL) {
    say(" null");
    return;
  }
  MPI_Comm_set_errhandler(*made, MPI_ERRORS_RETURN);
  MPI_Comm_rank(*made, &rank);
  MPI_Comm_size(*made, &size);
  say(" %d of %d", rank, size);
}

static void ask(const struct inquiry* inquiry) {
  const MPI_Comm comm = slots[word()];
  if (comm != MPI_COMM_NULL) inquiry->ask(comm);
}

static void make_call(const char* call) {
  const size_t num_constructors = sizeof constructors / sizeof constructors[0];
  const size_t num_inquiries = sizeof inquiries / sizeof inquiries[0];
  for (size_t i = 0; i < num_constructors; ++i)
    if (strcmp(call, constructors[i].name) == 0) {
      construct(&constructors[i]);
      return;
    }
  for (size_t i = 0; i < num_inquiries; ++i)
    if (strcmp(call, inquiries[i].name) == 0) {
      ask(&inquiries[i]);
      return;
    }
  fprintf(stderr, "the script has a call %s, which is not known here\n", call);
  MPI_Abort(MPI_COMM_WORLD, 3);
}

/* Whether this process takes part in the call: it has the communicator in question. */
static int takes_part(const char* call) {
  const int is_constructor = strcmp(call, "comm_dup") == 0 || strcmp(call, "comm_split") == 0 ||
                             strcmp(call, "cart_sub") == 0 || strstr(call, "_create") != NULL;
  return slots[words[is_constructor ? 1 : 0]] != MPI_COMM_NULL;
}

static void run_line(int number, int process, char* line) {
  const char* call = strtok(line, " \n");
  num_words = next_word = 0;
  for (const char* text = strtok(NULL, " \n"); text != NULL; text = strtok(NULL, " \n")) {
    if (num_words == max_words) MPI_Abort(MPI_COMM_WORLD, 3);
    words[num_words++] = atoi(text);
  }
  if (strcmp(call, "end_case") == 0) {
    end_case();
    return;
  }
  if (!takes_part(call)) return;
  say("%d %d %s ->", number, process, call);
  make_call(call);
  say("\n");
}

/* Lets process 0 print what all processes said. */
static void print_all(int process, int num_processes) {
  int size = (int)output_size;
  if (process != 0) {
    MPI_Send(&size, 1, MPI_INT, 0, 0, MPI_COMM_WORLD);
    MPI_Send(output, size, MPI_CHAR, 0, 0, MPI_COMM_WORLD);
    return;
  }
  fwrite(output, 1, output_size, stdout);
  for (int p = 1; p < num_processes; ++p) {
    MPI_Recv(&size, 1, MPI_INT, p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    char* text = malloc((size_t)size);
    if (text == NULL) abort();
    MPI_Recv(text, size, MPI_CHAR, p, 0, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    fwrite(text, 1, (size_t)size, stdout);
    free(text);
  }
}

static void yield(int signal) {
  (void)signal;
  sched_yield();
}

/* Yields the processor every so many microseconds (0: never): MPICH polls without end, and with
 * more processes than processors each call would take several time slices. */
static void yield_every(int microseconds) {
  struct sigaction action;
  const struct itimerval timer = {{0, microseconds}, {0, microseconds}};
  memset(&action, 0, sizeof action);
  action.sa_handler = yield;
  action.sa_flags = SA_RESTART;
  sigaction(SIGALRM, &action, NULL);
  setitimer(ITIMER_REAL, &timer, NULL);
}

int main(int argc, char** argv) {
  char line[8 * max_words];
  int process, num_processes;
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &process);
  MPI_Comm_size(MPI_COMM_WORLD, &num_processes);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  yield_every(200);
  slots[0] = MPI_COMM_WORLD;
  for (int i = 1; i < max_slots; ++i) slots[i] = MPI_COMM_NULL;
  FILE* script = argc == 2 ? fopen(argv[1], "r") : NULL;
  if (script == NULL) {
    fprintf(stderr, "argument: a script that can be read\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  for (int number = 1; fgets(line, sizeof line, script) != NULL; ++number)
    run_line(number, process, line);
  fclose(script);
  yield_every(0);
  print_all(process, num_processes);
  MPI_Finalize();
  return 0;
}
