#include "state.h"

#include <stdatomic.h>
#include <stdlib.h>

static atomic_bool on;
static bool wants_counts;
static bool has_threads = true; /* as long as that is not known */

bool record_is_on(void) { return atomic_load_explicit(&on, memory_order_relaxed); }
void record_switch(bool is_on) { atomic_store(&on, is_on); }

void record_find_state(void) {
  const char *trace = getenv("VTOPO_RECORD_TRACE");
  wants_counts = trace == NULL || trace[0] == '\0' || getenv("VTOPO_RECORD") != NULL;
  int level = MPI_THREAD_MULTIPLE;
  PMPI_Query_thread(&level);
  has_threads = level == MPI_THREAD_MULTIPLE;
}

bool record_wants_counts(void) { return wants_counts; }
bool record_has_threads(void) { return has_threads; }

void record_lock_mutex(pthread_mutex_t *mutex) {
  if (has_threads) pthread_mutex_lock(mutex);
}
void record_unlock_mutex(pthread_mutex_t *mutex) {
  if (has_threads) pthread_mutex_unlock(mutex);
}
