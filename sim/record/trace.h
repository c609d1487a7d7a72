/* A trace per rank: calls in their order with the time between them, repetitions as loops. */
#ifndef VTOPO_TRACE_H
#define VTOPO_TRACE_H

#include "record.h"

#pragma GCC visibility push(hidden)

/* Names of calls in the file, in the order of trace_names in trace_file.c. */
enum trace_kind {
  TRACE_SEND, TRACE_ISEND, TRACE_RECV, TRACE_IRECV, TRACE_MATCH, TRACE_WAIT, TRACE_WAIT_ANY,
  TRACE_BARRIER,
  TRACE_BCAST, TRACE_REDUCE, TRACE_ALLREDUCE, TRACE_REDUCE_SCATTER, TRACE_SCAN, TRACE_GATHER,
  TRACE_SCATTER, TRACE_ALLGATHER, TRACE_ALLTOALL, TRACE_ALLGATHERV, TRACE_PARTS, TRACE_COMM,
  TRACE_UNSUPPORTED
};

enum { TRACE_NOBODY = -1, TRACE_UNKNOWN = -2 }; /* as peer; UNKNOWN: a wildcard, not matched yet */

struct trace_event {
  enum trace_kind kind;
  int peer; /* world rank, or root in the communicator */
  int tag;  /* of waits for any request whether the wait is the first of its group */
  int comm; /* of waits for any request their order so far: no loop begins within a group */
  int request; /* own number; -1: none */
  uint64_t bytes; /* of waits for any request how many of its group are open after it */
  char *extra; /* rest of the line, on the heap; may be null */
};

/* trace_file.c: the file and its buffer. */

bool trace_is_on(void);
/* Opens the file of this rank if VTOPO_RECORD_TRACE asks for one; collective. */
void trace_begin(void);
/* Writes the rest and the last line. */
void trace_end(void);
/* Begin and end of a call: what passes outside of calls is local work. */
void trace_enter(void);
void trace_leave(void);
/* Appends a call; takes over `extra`. */
void trace_add(struct trace_event event);
/* What the program does that a replay cannot. */
void trace_add_unsupported(const char *what);
/* Appends a receive whose source is not known yet; returns where it is. */
uint64_t trace_add_unknown(struct trace_event event);
/* Reports what it matched. */
void trace_resolve(uint64_t place, int request, int peer, int tag);
/* No trace of this program; the sentence goes to stderr. */
void trace_refuse(const char *sentence);

/* trace_requests.c */

/* The number of a request that a call has just started. */
int trace_new_request(MPI_Request request);
/* Lets the wait for a request name its source. */
void trace_expect_source(MPI_Request request, uint64_t place, const struct record_peers *peers);
void trace_message(enum trace_kind kind, const struct record_peers *peers, int peer,
                   MPI_Count count, MPI_Datatype type, int tag, int request);
/* Starts a persistent send or receive. */
void trace_start_message(MPI_Request handle, bool sends, const struct record_peers *peers, int peer,
                         uint64_t bytes, int tag);
/* A receive that has ended. */
void trace_received(const struct record_peers *peers, const MPI_Status *status);

/* trace_communicators.c */

/* The number of a communicator, whose members it writes; -1: not traced. */
int trace_number_of(const struct record_peers *peers);

/* Collectives; all do nothing where there is no trace. A collective that does not block belongs to
   the request that trace_in_request names before. */
void trace_in_request(MPI_Request request);
void trace_even(enum trace_kind kind, const struct record_peers *peers, uint64_t bytes, int root);
/* Parts of unequal collectives: to ('>') or from ('<') a rank of the communicator. */
void trace_part(char side, const struct record_peers *peers, int rank, uint64_t bytes);
void trace_end_parts(enum trace_kind kind, const struct record_peers *peers);

#pragma GCC visibility pop
#endif
