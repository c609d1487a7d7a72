/* Collectives in traces. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

static _Thread_local int in_request = -1; /* of a collective that does not block */
static _Thread_local char *parts;
static _Thread_local size_t parts_size, parts_end;

void trace_in_request(MPI_Request request) { in_request = trace_new_request(request); }

static int take_request(void) {
  const int request = in_request;
  in_request = -1;
  return request;
}

void trace_even(enum trace_kind kind, const struct record_peers *peers, uint64_t bytes, int root) {
  if (!trace_is_on() || peers == NULL || record_is_inter(peers)) return;
  trace_add((struct trace_event){kind, root, 0, trace_number_of(peers), take_request(), bytes,
                                 NULL});
}

void trace_part(char side, const struct record_peers *peers, int rank, uint64_t bytes) {
  enum { longest = 48 };
  if (!trace_is_on() || peers == NULL || rank == MPI_PROC_NULL || record_is_inter(peers)) return;
  if (parts_end + longest > parts_size) {
    parts_size = 2 * parts_size + 256;
    parts = realloc(parts, parts_size);
    if (parts == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  parts_end += (size_t)sprintf(parts + parts_end, " %c%d:%" PRIu64, side,
                               record_world_rank(peers, rank), bytes);
}

void trace_end_parts(enum trace_kind kind, const struct record_peers *peers) {
  if (!trace_is_on() || peers == NULL || record_is_inter(peers)) return;
  char *extra = parts_end > 0 ? strdup(parts) : NULL;
  parts_end = 0;
  trace_add((struct trace_event){kind, 0, 0, trace_number_of(peers), take_request(), 0, extra});
}

int MPI_Barrier(MPI_Comm comm) {
  trace_enter();
  if (trace_is_on()) trace_even(TRACE_BARRIER, record_peers_of(comm), 0, 0);
  const int result = PMPI_Barrier(comm);
  trace_leave();
  return result;
}

int MPI_Ibarrier(MPI_Comm comm, MPI_Request *request) {
  trace_enter();
  const int result = PMPI_Ibarrier(comm, request);
  trace_in_request(*request);
  if (trace_is_on()) trace_even(TRACE_BARRIER, record_peers_of(comm), 0, 0);
  trace_leave();
  return result;
}
