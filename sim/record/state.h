/* What all of the recorder rests on: whether calls count now, and locks. Plain C11 and MPI-3, so
   that any mpicc compiles it. */
#ifndef VTOPO_RECORD_STATE_H
#define VTOPO_RECORD_STATE_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* the recorded program sees none of these names */

/* Whether calls count now: between MPI_Init and MPI_Finalize, unless MPI_Pcontrol(0) paused. */
bool record_is_on(void);
void record_switch(bool on);

/* Reads the environment and asks MPI for threads; until then there may be some. */
void record_find_state(void);
/* Whether the messages of each pair are wanted, not only a trace; only sends ask, as the rest costs
   little. */
bool record_wants_counts(void);
/* Whether several threads may call MPI at a time. */
bool record_has_threads(void);

/* Lock and unlock a mutex where there are several threads. */
void record_lock_mutex(pthread_mutex_t *mutex);
void record_unlock_mutex(pthread_mutex_t *mutex);

#pragma GCC visibility pop
#endif
