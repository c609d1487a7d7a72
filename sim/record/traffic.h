/* What this process sends to whom: a table by destination, and communicators, which name them. */
#ifndef VTOPO_RECORD_TRAFFIC_H
#define VTOPO_RECORD_TRAFFIC_H

#include "state.h"

#pragma GCC visibility push(hidden)

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

/* Adds to the cell of a world rank, in 64 bits; safe under MPI_THREAD_MULTIPLE. */
void record_add(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages);
/* Cells in ascending order of destination; the caller frees the array. */
struct record_cell *record_sorted_cells(size_t *count);

/* `number` is asked once for each communicator but MPI_COMM_WORLD, which is 0. */
void record_peers_begin(int (*number)(const struct record_peers *peers));
/* Moves everything that was sent uniformly into cells. */
void record_peers_end(void);
/* Cached per communicator; null where nothing is recorded (MPI_COMM_NULL, paused). */
struct record_peers *record_peers_of(MPI_Comm comm);
/* The same, also while paused. */
struct record_peers *record_known_peers(MPI_Comm comm);
int record_world_rank(const struct record_peers *peers, int rank);
/* Bytes of `count` elements; 0 for what MPI will refuse. */
uint64_t record_bytes(MPI_Count count, MPI_Datatype type);

/* Parts of collectives; `peers` is null while nothing is recorded. */

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
/* Nothing for the root itself, for MPI_ROOT and for MPI_PROC_NULL. */
void record_to_root(const struct record_peers *peers, int root, MPI_Count count, MPI_Datatype type);
/* A reduction for all: to rank 0 and back from there. */
void record_through_first(struct record_peers *peers, MPI_Count count, MPI_Datatype type);
void record_to_next(const struct record_peers *peers, MPI_Count count, MPI_Datatype type);
void record_to_neighbour(const struct record_peers *peers, int i, MPI_Count count,
                         MPI_Datatype type);

#pragma GCC visibility pop
#endif
