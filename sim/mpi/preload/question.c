/* One question from all processes of a communicator: parts to rank 0, a new rank to each. Memory:
 * 136 bytes per process and 12 per edge, on rank 0 alone. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <limits.h>
#include <pthread.h>
#ifdef __linux__
#include <sched.h>
#endif
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "preload.h"

/* What rank 0 gets from each process. */
struct process {
  int world_rank;
  int edges;
  int weighted;
  int processors[2]; /* first and last that it may run on */
  char node[84];
  char place[32];
};

enum { INTS_PER_EDGE = 3, KEEP = -2 };

/* Whether the variable has this value. */
static int is_set_to(const char* variable, const char* value) {
  const char* text = getenv(variable);
  return text != NULL && strcmp(text, value) == 0;
}

static int is_empty(const char* variable) {
  return getenv(variable) == NULL || is_set_to(variable, "");
}

/* One sentence from rank 0 of MPI_COMM_WORLD if it is not known where the nodes are. */
static void note_missing_machine(void) {
  static int noted;
  int rank = 0;
  if (noted || !is_empty("VTOPO_NETWORK") || !is_empty("VTOPO_PLATFORM")) return;
  noted = 1;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0)
    fprintf(stderr,
            "vtopo: there is no machine (VTOPO_NETWORK, VTOPO_PLATFORM): all nodes count as "
            "neighbours on one switch\n");
}

/* The function of the MPI library, or of another library that was loaded in front of it. */
static void* next_function(const char* name) {
  return dlsym(RTLD_NEXT, name);
}

int MPI_Init(int* argc, char*** argv) {
  int (*init)(int*, char***) = PMPI_Init;
  void* next = next_function("MPI_Init");
  if (next != NULL) memcpy(&init, &next, sizeof init);
  const int code = init(argc, argv);
  if (code == MPI_SUCCESS && !is_set_to("VTOPO_REORDER", "0")) note_missing_machine();
  return code;
}

int MPI_Init_thread(int* argc, char*** argv, int required, int* provided) {
  int (*init)(int*, char***, int, int*) = PMPI_Init_thread;
  void* next = next_function("MPI_Init_thread");
  if (next != NULL) memcpy(&init, &next, sizeof init);
  const int code = init(argc, argv, required, provided);
  if (code == MPI_SUCCESS && !is_set_to("VTOPO_REORDER", "0")) note_missing_machine();
  return code;
}

int vtopo_may_reorder(MPI_Comm comm, int reorder) {
  int between_groups = 0;
  int size = 0;
  if (!reorder || comm == MPI_COMM_NULL) return 0;
  if (is_set_to("VTOPO_REORDER", "0")) return 0;
  note_missing_machine(); /* Fortran's MPI_Init need not come here */
  if (PMPI_Comm_test_inter(comm, &between_groups) != MPI_SUCCESS || between_groups) return 0;
  return PMPI_Comm_size(comm, &size) == MPI_SUCCESS && size > 1;
}

/* The place in the machine that a Cray writes on each node; empty elsewhere. */
static void read_place(char* place, size_t length) {
  FILE* file = fopen("/etc/cray/xname", "r");
  place[0] = '\0';
  if (file == NULL) return;
  if (fgets(place, (int)length, file) != NULL) place[strcspn(place, " \t\r\n")] = '\0';
  fclose(file);
}

/* The first and the last processor that this process is bound to; -1 where that is not known. */
static void read_processors(int* processors) {
  processors[0] = processors[1] = -1;
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) != 0) return;
  for (int p = 0; p < CPU_SETSIZE; ++p) {
    if (!CPU_ISSET((size_t)p, &set)) continue;
    if (processors[0] < 0) processors[0] = p;
    processors[1] = p;
  }
#endif
}

static struct process this_process(const struct vtopo_part* part) {
  struct process self;
  char name[MPI_MAX_PROCESSOR_NAME + 1] = "";
  int length = 0;
  memset(&self, 0, sizeof self);
  PMPI_Comm_rank(MPI_COMM_WORLD, &self.world_rank);
  self.edges = part->edges;
  self.weighted = part->weighted;
  read_processors(self.processors);
  PMPI_Get_processor_name(name, &length);
  snprintf(self.node, sizeof self.node, "%.*s", (int)sizeof self.node - 1, name);
  read_place(self.place, sizeof self.place);
  return self;
}

/* Whether all parts are right, and whether they have weights. Returns the number of edges, or -1.
 */
static int check_parts(const struct process* all, int size, int* weighted) {
  long long edges = 0;
  int with = 0;
  int without = 0;
  for (int r = 0; r < size; ++r) {
    if (all[r].edges < 0) return -1;
    edges += all[r].edges;
    with |= all[r].weighted == 1;
    without |= all[r].weighted == 0;
  }
  *weighted = with;
  return (with && without) || edges > INT_MAX / INTS_PER_EDGE ? -1 : (int)edges;
}

/* Edges of all processes, on rank 0. */
static int gather_edges(const struct vtopo_part* part, const struct process* all, int size,
                        int edges, int** triples) {
  int* counts = NULL;
  int* starts = NULL;
  int code = MPI_ERR_NO_MEM;
  if (all != NULL) {
    *triples = malloc(((size_t)edges * INTS_PER_EDGE + 1) * sizeof(int));
    counts = malloc((size_t)size * 2 * sizeof *counts);
    if (counts == NULL || *triples == NULL) PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
    starts = counts + size;
    for (int r = 0, start = 0; r < size; start += counts[r++]) {
      counts[r] = all[r].edges * INTS_PER_EDGE;
      starts[r] = start;
    }
  }
  code = PMPI_Gatherv(part->triples, part->edges * INTS_PER_EDGE, MPI_INT, *triples, counts, starts,
                      MPI_INT, 0, part->comm);
  free(counts);
  return code;
}

/* A hint of the call, or NULL. */
static const char* hint(MPI_Info info, const char* key, char* value, int length) {
  int found = 0;
  if (info == MPI_INFO_NULL) return NULL;
  if (PMPI_Info_get(info, key, length, value, &found) != MPI_SUCCESS) return NULL;
  return found ? value : NULL;
}

static int is_strict(void) {
  return is_set_to("VTOPO_STRICT", "1");
}

/* One sentence per process, however many calls fail for the same reason. */
static void complain(const char* sentence) {
  static int complained;
  if (!complained || is_strict())
    fprintf(stderr, "vtopo: %s%s\n", sentence,
            is_strict() ? " (VTOPO_STRICT=1)" : "; the order of ranks is kept");
  complained = 1;
  if (!is_strict()) return;
  fflush(stderr);
  /* Launchers forget what a process wrote last when the job is aborted before they have read it. */
  struct timespec until_read = {0, 500000000};
  while (nanosleep(&until_read, &until_read) != 0 && errno == EINTR) {} /* a timer's signal ends it early */
  PMPI_Abort(MPI_COMM_WORLD, 2);
}

/* libvtopo_reorder.so, which finds the order. */
typedef int (*reorder_function)(const struct vtopo_reorder_question*, int*, char*, size_t);

static pthread_mutex_t the_mutex = PTHREAD_MUTEX_INITIALIZER;
static reorder_function the_function;
static char the_failure[PATH_MAX + 64];

/* VTOPO_REORDER_LIBRARY, or the file next to this library. */
static void library_path(char* path, size_t length) {
  const char* chosen = getenv("VTOPO_REORDER_LIBRARY");
  Dl_info self;
  if (chosen != NULL && *chosen != '\0') {
    snprintf(path, length, "%s", chosen);
    return;
  }
  snprintf(path, length, "libvtopo_reorder.so");
  if (dladdr((void*)&the_mutex, &self) == 0 || self.dli_fname == NULL) return;
  const char* slash = strrchr(self.dli_fname, '/');
  if (slash == NULL) return;
  snprintf(path, length, "%.*s/libvtopo_reorder.so", (int)(slash - self.dli_fname), self.dli_fname);
}

static void open_library(void) {
  char path[PATH_MAX];
  library_path(path, sizeof path);
  /* Its names and those of the libraries that it needs stay its own. */
  void* library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
  if (library != NULL) *(void**)&the_function = dlsym(library, "vtopo_reorder");
  if (the_function == NULL) {
    const char* why = dlerror();
    snprintf(the_failure, sizeof the_failure, "cannot be opened: %s", why == NULL ? path : why);
  }
}

/* Its answer; it is opened when it is first asked: processes that ask nothing have nothing of it.
 */
static int answer_of_library(const struct vtopo_reorder_question* question, int* new_ranks,
                             char* sentence, size_t length) {
  int answer = VTOPO_NOT_DONE;
  pthread_mutex_lock(&the_mutex);
  if (the_function == NULL && the_failure[0] == '\0') open_library();
  if (the_function != NULL)
    answer = the_function(question, new_ranks, sentence, length);
  else
    snprintf(sentence, length, "libvtopo_reorder.so %s", the_failure);
  pthread_mutex_unlock(&the_mutex);
  return answer;
}

/* New ranks of all processes, by rank 0. */
static void answer_all(const struct vtopo_part* part, const struct process* all, int size,
                       const int* triples, int edges, int* new_ranks) {
  char values[3][256];
  char sentence[PATH_MAX + 128] = "";
  struct vtopo_reorder_question question;
  const char** names = malloc((size_t)size * 2 * sizeof *names);
  int* world_ranks = malloc((size_t)size * 3 * sizeof *world_ranks);
  if (names == NULL || world_ranks == NULL) PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  for (int r = 0; r < size; ++r) {
    names[r] = all[r].node;
    names[size + r] = all[r].place;
    world_ranks[r] = all[r].world_rank;
    memcpy(world_ranks + size + (size_t)r * 2, all[r].processors, sizeof all[r].processors);
  }
  memset(&question, 0, sizeof question);
  question.version = VTOPO_REORDER_VERSION;
  question.call = part->call;
  question.processes = size;
  question.nodes = names;
  question.places = names + size;
  question.world_ranks = world_ranks;
  question.processors = world_ranks + size;
  PMPI_Comm_size(MPI_COMM_WORLD, &question.world_size);
  question.ndims = part->ndims;
  question.dims = part->dims;
  question.periods = part->periods;
  question.vertices = part->vertices;
  question.edges = edges;
  question.triples = triples;
  question.mapper = hint(part->info, "vtopo_mapper", values[0], sizeof values[0] - 1);
  question.objective = hint(part->info, "vtopo_objective", values[1], sizeof values[1] - 1);
  question.time_limit = hint(part->info, "vtopo_time_limit", values[2], sizeof values[2] - 1);
  const int answer = answer_of_library(&question, new_ranks, sentence, sizeof sentence);
  free(names);
  free(world_ranks);
  if (answer == VTOPO_NOT_DONE)
    complain(sentence);
  else if (sentence[0] != '\0' && is_set_to("VTOPO_VERBOSE", "1"))
    fprintf(stderr, "vtopo: %s\n", sentence);
  if (answer != VTOPO_REORDERED)
    for (int r = 0; r < size; ++r) new_ranks[r] = KEEP;
}

int vtopo_ask(const struct vtopo_part* part, struct vtopo_turn* turn) {
  struct process self = this_process(part);
  struct process* all = NULL;
  int* new_ranks = NULL;
  int* triples = NULL;
  int rank = 0;
  int size = 0;
  int known[2] = {0, 0}; /* number of edges or -1, weighted */
  turn->reordered = 0;
  PMPI_Comm_rank(part->comm, &rank);
  PMPI_Comm_size(part->comm, &size);
  if (rank == 0) {
    all = malloc((size_t)size * sizeof *all);
    new_ranks = malloc((size_t)size * sizeof *new_ranks);
    if (all == NULL || new_ranks == NULL) PMPI_Abort(MPI_COMM_WORLD, MPI_ERR_NO_MEM);
  }
  int code = PMPI_Gather(&self, sizeof self, MPI_BYTE, all, sizeof self, MPI_BYTE, 0, part->comm);
  if (code == MPI_SUCCESS && part->ndims == 0) {
    if (rank == 0) known[0] = check_parts(all, size, &known[1]);
    code = PMPI_Bcast(known, 2, MPI_INT, 0, part->comm);
    if (code == MPI_SUCCESS && known[0] > 0)
      code = gather_edges(part, all, size, known[0], &triples);
  }
  if (code == MPI_SUCCESS && (part->ndims > 0 || known[0] > 0)) {
    if (rank == 0) answer_all(part, all, size, triples, known[0], new_ranks);
    code = PMPI_Scatter(new_ranks, 1, MPI_INT, &turn->new_rank, 1, MPI_INT, 0, part->comm);
    turn->reordered = code == MPI_SUCCESS && turn->new_rank != KEEP;
  }
  turn->weighted = known[1];
  free(triples);
  free(new_ranks);
  free(all);
  return code;
}

/* The error handler of one communicator for another. */
static void inherit_handler(MPI_Comm from, MPI_Comm to) {
  MPI_Errhandler handler = MPI_ERRHANDLER_NULL;
  if (to == MPI_COMM_NULL || PMPI_Comm_get_errhandler(from, &handler) != MPI_SUCCESS) return;
  PMPI_Comm_set_errhandler(to, handler);
  PMPI_Errhandler_free(&handler);
}

int vtopo_reordered_comm(MPI_Comm old, const struct vtopo_turn* turn, MPI_Comm* made) {
  const int inside = turn->new_rank >= 0;
  *made = MPI_COMM_NULL;
  const int code =
      PMPI_Comm_split(old, inside ? 0 : MPI_UNDEFINED, inside ? turn->new_rank : 0, made);
  if (code == MPI_SUCCESS) inherit_handler(old, *made);
  return code;
}

int vtopo_made(MPI_Comm old, MPI_Comm* between, MPI_Comm topology, int code) {
  if (code == MPI_SUCCESS) inherit_handler(old, topology);
  if (*between != MPI_COMM_NULL) PMPI_Comm_free(between);
  return code;
}
