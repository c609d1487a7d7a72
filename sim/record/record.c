/* Begin and end of a recording. */
#include "trace.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool on;
static bool begun, wants_counts;
static bool has_threads = true; /* as long as that is not known */

bool record_is_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }
bool record_wants_counts(void) { return wants_counts; }
bool record_has_threads(void) { return has_threads; }

void record_lock_mutex(pthread_mutex_t *mutex) {
  if (has_threads) pthread_mutex_lock(mutex);
}
void record_unlock_mutex(pthread_mutex_t *mutex) {
  if (has_threads) pthread_mutex_unlock(mutex);
}

void record_begin(void) {
  if (begun) return;
  begun = true;
  const char *trace = getenv("VTOPO_RECORD_TRACE");
  wants_counts = trace == NULL || trace[0] == '\0' || getenv("VTOPO_RECORD") != NULL;
  int level = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&level);
  has_threads = level == MPI_THREAD_MULTIPLE;
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
  if (wants_counts) record_write_file();
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
