/* Open MPI's component "treematch", which makes distributed graphs, does not end in every second
 * run of a program that makes and frees ten of them with reorder=0 (README.md). Ranks are reordered
 * here, so that its component "basic" does: chosen before MPI_Init, unless the user has chosen. */
#include <stdlib.h>
#include <string.h>

#include "preload.h"

#ifdef OPEN_MPI
__attribute__((constructor)) static void leave_treematch_out(void) {
  const char* allowed = getenv("VTOPO_REORDER");
  if (allowed != NULL && strcmp(allowed, "0") == 0) return;
  setenv("OMPI_MCA_topo", "^treematch", 0);
}
#endif
