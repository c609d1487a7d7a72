/* What libvtopo_reorder.so answers for a periodic ring of processes on the nodes node-0, node-1, ...:
 * prints the new ranks, "kept", or the sentence that says why nothing was done. Arguments: the library,
 * the number of processes, of those per node (1), the processors that each may run on (none: unknown):
 * 3, or 0-7 for several. */
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../../sim/mpi/preload/vtopo_reorder.h"

enum { most = 64 };

int main(int argc, char** argv) {
  if (argc < 3 || atoi(argv[2]) < 1 || atoi(argv[2]) > most) return 2;
  const int ranks = atoi(argv[2]), periodic = 1, per_node = argc > 3 ? atoi(argv[3]) : 1;
  if (per_node < 1 || (argc > 4 && argc != 4 + ranks)) return 2;
  int world_ranks[most], new_ranks[most], processors[2 * most];
  char names[most][16], sentence[1024] = "";
  const char *nodes[most], *places[most];
  for (int r = 0; r < ranks; ++r) {
    snprintf(names[r], sizeof names[r], "node-%d", r / per_node);
    nodes[r] = names[r];
    places[r] = "";
    world_ranks[r] = r;
    if (argc > 4 && sscanf(argv[4 + r], "%d-%d", &processors[2 * r], &processors[2 * r + 1]) == 1)
      processors[2 * r + 1] = processors[2 * r];
  }
  void* library = dlopen(argv[1], RTLD_NOW | RTLD_LOCAL);
  int (*reorder)(const struct vtopo_reorder_question*, int*, char*, size_t) = NULL;
  if (library != NULL) *(void**)&reorder = dlsym(library, "vtopo_reorder");
  if (reorder == NULL) {
    printf("%s\n", dlerror());
    return 1;
  }
  struct vtopo_reorder_question question;
  memset(&question, 0, sizeof question);
  question.version = VTOPO_REORDER_VERSION;
  question.call = "cart_create";
  question.processes = question.world_size = ranks;
  question.nodes = nodes;
  question.places = places;
  question.world_ranks = world_ranks;
  question.processors = argc > 4 ? processors : NULL;
  question.ndims = 1;
  question.dims = &ranks;
  question.periods = &periodic;
  switch (reorder(&question, new_ranks, sentence, sizeof sentence)) {
    case VTOPO_REORDERED:
      for (int r = 0; r < ranks; ++r) printf("%d%s", new_ranks[r], r + 1 < ranks ? " " : "\n");
      return 0;
    case VTOPO_ORDER_KEPT:
      printf("kept\n");
      return 0;
    default:
      printf("%s\n", sentence);
      return 1;
  }
}
