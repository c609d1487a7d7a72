/* What a decision of libvtopo_reorder.so takes, for jobs of any size without MPI: the questions of
 * rank 0 are made up. Arguments: the library, a network, "random" or "block" (order of the hosts), the
 * sizes of a grid. Prints milliseconds: opening the library, the first question, the best of five, and
 * of a random distributed graph of 6 edges per rank; and whether the order changed. */
#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "../../sim/mpi/preload/vtopo_reorder.h"

typedef int (*reorder_function)(const struct vtopo_reorder_question*, int*, char*, size_t);

static double now(void) {
  struct timespec time;
  clock_gettime(CLOCK_MONOTONIC, &time);
  return (double)time.tv_sec * 1e3 + (double)time.tv_nsec * 1e-6;
}

static unsigned state = 1;
static int draw(int below) {
  state = state * 1664525u + 1013904223u;
  return (int)((state >> 8) % (unsigned)below);
}

static double ask(reorder_function reorder, const struct vtopo_reorder_question* question,
                  int* answer) {
  int* new_ranks = malloc(sizeof(int) * (size_t)question->processes);
  char sentence[1024] = "";
  const double start = now();
  *answer = reorder(question, new_ranks, sentence, sizeof sentence);
  const double taken = now() - start;
  if (*answer == VTOPO_NOT_DONE) {
    printf("%s\n", sentence);
    exit(1);
  }
  free(new_ranks);
  return taken;
}

int main(int argc, char** argv) {
  if (argc < 5) return 2;
  int dims[8], periods[8], ndims = 0, ranks = 1;
  for (int i = 4; i < argc && ndims < 8; ++i) {
    dims[ndims] = atoi(argv[i]);
    periods[ndims] = 0;
    ranks *= dims[ndims++];
  }
  setenv("VTOPO_NETWORK", argv[2], 1);
  int* hosts = malloc(sizeof(int) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) hosts[r] = r;
  for (int r = ranks; strcmp(argv[3], "random") == 0 && r > 1; --r) {
    const int other = draw(r), kept = hosts[other];
    hosts[other] = hosts[r - 1];
    hosts[r - 1] = kept;
  }
  const char** nodes = malloc(sizeof(char*) * (size_t)ranks);
  const char** places = malloc(sizeof(char*) * (size_t)ranks);
  int* world_ranks = malloc(sizeof(int) * (size_t)ranks);
  for (int r = 0; r < ranks; ++r) {
    char* name = malloc(32);
    snprintf(name, 32, "host-%d", hosts[r]);
    nodes[r] = name;
    places[r] = "";
    world_ranks[r] = r;
  }
  const double before = now();
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  reorder_function reorder = NULL;
  if (library != NULL) *(void**)&reorder = dlsym(library, "vtopo_reorder");
  if (reorder == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  const double opened = now() - before;
  struct vtopo_reorder_question question;
  memset(&question, 0, sizeof question);
  question.version = VTOPO_REORDER_VERSION;
  question.call = "cart_create";
  question.processes = question.world_size = ranks;
  question.nodes = nodes;
  question.places = places;
  question.world_ranks = world_ranks;
  question.ndims = ndims;
  question.dims = dims;
  question.periods = periods;
  int grid_answer, graph_answer;
  const double first = ask(reorder, &question, &grid_answer);
  double best = first;
  for (int i = 0; i < 4; ++i) {
    const double taken = ask(reorder, &question, &grid_answer);
    if (taken < best) best = taken;
  }
  int* triples = malloc(sizeof(int) * 18 * (size_t)ranks);
  for (int e = 0; e < 6 * ranks; ++e) {
    triples[3 * e] = e / 6;
    triples[3 * e + 1] = (e / 6 + draw(ranks > 64 ? 64 : ranks)) % ranks;
    triples[3 * e + 2] = 1 + draw(100);
  }
  question.call = "dist_graph_create";
  question.ndims = 0;
  question.vertices = ranks;
  question.edges = 6 * ranks;
  question.triples = triples;
  const double graph = ask(reorder, &question, &graph_answer);
  printf("%d ranks, %s, %s: open %.1f ms, grid first %.1f ms, best %.1f ms (%s), graph %.1f ms (%s)\n",
         ranks, argv[2], argv[3], opened, first, best,
         grid_answer == VTOPO_REORDERED ? "reordered" : "kept", graph,
         graph_answer == VTOPO_REORDERED ? "reordered" : "kept");
  return 0;
}
