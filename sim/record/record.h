/* What the sources of the recorder share. Plain C11 and MPI-3, so that any mpicc compiles it. */
#ifndef VTOPO_RECORD_H
#define VTOPO_RECORD_H

#include <mpi.h>
#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma GCC visibility push(hidden) /* the recorded program sees none of these names */

/* The two columns of a recording. */
enum record_kind { RECORD_POINT_TO_POINT, RECORD_COLLECTIVE };

/* What this process sent to one rank of MPI_COMM_WORLD; arrays are indexed by record_kind. */
struct record_cell {
  int32_t destination; /* -1: free */
  uint64_t bytes[2];
  uint64_t messages[2];
};

/* Whom the ranks of a communicator name: the remote group of an intercommunicator, else its own. */
struct record_peers {
  int size;
  int rank;   /* of this process among the peers; -1 in an intercommunicator */
  int offset; /* peer i has world rank offset + stride * i, unless there is a table */
  int stride;
  int *table; /* world ranks; MPI_UNDEFINED: not in MPI_COMM_WORLD */
  int num_neighbours; /* -1: not asked yet */
  int *neighbours;    /* to whom neighbourhood collectives send, as ranks of the communicator */
  int num_sources;    /* from whom they receive */
  int *sources;       /* null: the neighbours */
  int trace_number;   /* in the trace; -1: none */
  uint64_t uniform_bytes; /* sent to each peer but this process by collectives, not yet in cells */
  uint64_t uniform_messages;
  struct record_peers *next, *previous;
};

/* counts.c: what was sent, in 64 bits. */

/* Adds to the cell of a world rank; safe under MPI_THREAD_MULTIPLE. */
void record_add(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages);
/* Cells in ascending order of destination; the caller frees the array. */
struct record_cell *record_sorted_cells(size_t *count);
/* Guard what several threads change; never held during a call of MPI. */
void record_lock(void);
void record_unlock(void);
/* As record_add, for who holds the lock. */
void record_add_locked(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages);

/* peers.c: communicators. */

void record_peers_begin(void);
/* Moves everything that was sent uniformly into cells. */
void record_peers_end(void);
/* Cached per communicator; null where nothing is recorded (MPI_COMM_NULL, paused). */
struct record_peers *record_peers_of(MPI_Comm comm);
/* The same, also while paused. */
struct record_peers *record_known_peers(MPI_Comm comm);
int record_world_rank(const struct record_peers *peers, int rank);
/* Fills in the neighbours of a communicator with a virtual topology. */
void record_find_neighbours(struct record_peers *peers, MPI_Comm comm);
/* Bytes of `count` elements; 0 for what MPI will refuse. */
uint64_t record_bytes(MPI_Count count, MPI_Datatype type);
/* trace_communicators.c: the number of a communicator in the trace. */
int record_number_communicator(const struct record_peers *peers);

/* record.c: begin, end, pause. */

/* Whether calls count now: between MPI_Init and MPI_Finalize, unless MPI_Pcontrol(0) paused. */
bool record_is_on(void);
/* Whether the messages of each pair are wanted, not only a trace; only sends ask, as the rest costs
   little. */
bool record_wants_counts(void);
/* Whether several threads may call MPI at a time. */
bool record_has_threads(void);
/* Lock and unlock a mutex where there are several threads. */
void record_lock_mutex(pthread_mutex_t *mutex);
void record_unlock_mutex(pthread_mutex_t *mutex);

/* record_file.c: the parts of all ranks into one file; collective over MPI_COMM_WORLD. */
void record_write_file(void);

/* point_to_point.c */
void record_send(MPI_Comm comm, int destination, MPI_Count count, MPI_Datatype type);
void record_keep_persistent(MPI_Request request, MPI_Comm comm, int destination, MPI_Count count,
                            MPI_Datatype type, int tag);
void record_keep_persistent_receive(MPI_Request request, MPI_Comm comm, int source, int tag);
void record_start(MPI_Request request);
void record_forget_persistent(MPI_Request request);

/* attribution.c: parts of collectives; `peers` is null while nothing is recorded. */

bool record_is_inter(const struct record_peers *peers);
/* Whether this process is the root; MPI_ROOT names it in an intercommunicator. */
bool record_is_root(const struct record_peers *peers, int root);
int record_num_peers(const struct record_peers *peers);
/* Finds the neighbours first, if need be. */
int record_num_neighbours(struct record_peers *peers, MPI_Comm comm);
/* `count` elements from this process to one other peer, to every other peer, ... */
void record_to_peer(const struct record_peers *peers, int rank, MPI_Count count, MPI_Datatype type);
void record_to_all(struct record_peers *peers, MPI_Count count, MPI_Datatype type);
void record_from_root(struct record_peers *peers, int root, MPI_Count count, MPI_Datatype type);
void record_to_root(const struct record_peers *peers, int root, MPI_Count count, MPI_Datatype type);
/* A reduction for all: to rank 0 and back from there. */
void record_through_first(struct record_peers *peers, MPI_Count count, MPI_Datatype type);
void record_to_next(const struct record_peers *peers, MPI_Count count, MPI_Datatype type);
void record_to_neighbour(const struct record_peers *peers, int i, MPI_Count count,
                         MPI_Datatype type);

/* one_sided.c: rank 0 says on stderr whether any process used what is not recorded; collective. */
void record_tell_one_sided(void);

/* Begin after MPI_Init*, end before MPI_Finalize, pause and resume. */
void record_begin(void);
void record_end(void);
void record_pause(bool pause);

#pragma GCC visibility pop
#endif
