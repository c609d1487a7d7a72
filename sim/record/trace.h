/* A trace per rank: calls in their order with the time between them, repetitions as loops. */
#ifndef VTOPO_RECORD_TRACE_H
#define VTOPO_RECORD_TRACE_H

#include "traffic.h"

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

/* requests.c: requests under numbers of their own. */

void record_keep_persistent(MPI_Request request, MPI_Comm comm, int destination, MPI_Count count,
                            MPI_Datatype type, int tag);
void record_keep_persistent_receive(MPI_Request request, MPI_Comm comm, int source, int tag);
void record_start(MPI_Request request);
void record_forget_persistent(MPI_Request request);
/* The number of a request that a call has just started. */
int trace_new_request(MPI_Request request);
void trace_start_receive(MPI_Request request, MPI_Comm comm, int source, int tag);

/* messages.c */

void record_send(MPI_Comm comm, int destination, MPI_Count count, MPI_Datatype type);
/* Rank 0 says on stderr whether any process used what is not recorded; collective. */
void record_report_one_sided(void);

/* collectives.c: the number of a communicator, whose members it writes; -1: not traced. Called once
   for each communicator. */
int trace_number_communicator(const struct record_peers *peers);

#pragma GCC visibility pop
#endif
