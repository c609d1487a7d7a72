/* Begin and end of a recording. */
#include "trace.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool on;
static bool begun;

bool record_is_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }

void record_begin(void) {
  if (begun) return;
  begun = true;
  record_peers_begin();
  atomic_store(&on, true);
  trace_begin();
}

void record_pause(bool pause) {
  if (begun) atomic_store(&on, !pause);
}

void record_end(void) {
  if (!begun) return;
  trace_end();
  atomic_store(&on, false);
  record_tell_one_sided();
  record_peers_end();
  if (getenv("VTOPO_RECORD_TRACE") == NULL || getenv("VTOPO_RECORD") != NULL) record_write_file();
  begun = false;
}

int MPI_Init(int *argc, char ***argv) {
  const int result = PMPI_Init(argc, argv);
  if (result == MPI_SUCCESS) record_begin();
  return result;
}

int MPI_Init_thread(int *argc, char ***argv, int required, int *provided) {
  const int result = PMPI_Init_thread(argc, argv, required, provided);
  if (result == MPI_SUCCESS) record_begin();
  return result;
}

/* MPI_Pcontrol(0) pauses the recording, any other level resumes it. */
int MPI_Pcontrol(const int level, ...) {
  record_pause(level == 0);
  return MPI_SUCCESS;
}

int MPI_Finalize(void) {
  trace_enter();
  record_end();
  return PMPI_Finalize();
}
