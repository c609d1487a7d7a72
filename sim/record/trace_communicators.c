/* Communicators in traces: members, and a number that all of them agree on without a message. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/* How many communicators of the same members there are: their members make them in one order. */
struct membership {
  uint64_t hash;
  int count;
  struct membership *next;
};
static struct membership *memberships;
static int num_communicators = 1; /* 0 is MPI_COMM_WORLD */

static int count_membership(const struct record_peers *peers) {
  uint64_t hash = 1469598103934665603u;
  for (int i = 0; i < peers->size; ++i)
    hash = (hash ^ (uint64_t)(record_world_rank(peers, i) + 1)) * 1099511628211u;
  for (struct membership *known = memberships; known != NULL; known = known->next)
    if (known->hash == hash) return ++known->count;
  struct membership *fresh = malloc(sizeof *fresh);
  if (fresh == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  *fresh = (struct membership){hash, 1, memberships};
  memberships = fresh;
  return 1;
}

/* `ID NTH RANK...`, ranks that follow each other as FIRST-LAST. */
static char *members_text(const struct record_peers *peers, int number, int nth) {
  char *text = malloc(24 * ((size_t)peers->size + 2)), *end = text;
  if (text == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  end += sprintf(end, "%d %d", number, nth);
  for (int i = 0; i < peers->size; ++i) {
    const int first = record_world_rank(peers, i);
    int last = first;
    while (i + 1 < peers->size && record_world_rank(peers, i + 1) == last + 1) ++last, ++i;
    end += last > first ? sprintf(end, " %d-%d", first, last) : sprintf(end, " %d", first);
  }
  return text;
}

/* Called once for each communicator, under the lock of those who make peers. */
int record_number_communicator(const struct record_peers *peers) {
  if (!trace_is_on()) return -1;
  if (peers->rank < 0) {
    trace_add_unsupported("an intercommunicator");
    return -1;
  }
  const int number = num_communicators++;
  char *text = members_text(peers, number, count_membership(peers));
  trace_add((struct trace_event){TRACE_COMM, 0, 0, 0, -1, 0, text});
  return number;
}

int trace_number_of(const struct record_peers *peers) { return peers->trace_number; }

/* Constructors number what they make at once: in the same order on all members. */
#define CONSTRUCTOR(name, parameters, arguments)                                      \
  int MPI_##name parameters {                                                         \
    trace_enter();                                                                    \
    const int result = PMPI_##name arguments;                                         \
    if (result == MPI_SUCCESS && trace_is_on()) record_peers_of(*fresh);              \
    trace_leave();                                                                    \
    return result;                                                                    \
  }
CONSTRUCTOR(Comm_dup, (MPI_Comm comm, MPI_Comm *fresh), (comm, fresh))
CONSTRUCTOR(Comm_dup_with_info, (MPI_Comm comm, MPI_Info info, MPI_Comm *fresh),
            (comm, info, fresh))
CONSTRUCTOR(Comm_create, (MPI_Comm comm, MPI_Group group, MPI_Comm *fresh), (comm, group, fresh))
CONSTRUCTOR(Comm_create_group, (MPI_Comm comm, MPI_Group group, int tag, MPI_Comm *fresh),
            (comm, group, tag, fresh))
CONSTRUCTOR(Comm_split, (MPI_Comm comm, int color, int key, MPI_Comm *fresh),
            (comm, color, key, fresh))
CONSTRUCTOR(Comm_split_type, (MPI_Comm comm, int type, int key, MPI_Info info, MPI_Comm *fresh),
            (comm, type, key, info, fresh))
CONSTRUCTOR(Intercomm_merge, (MPI_Comm comm, int high, MPI_Comm *fresh), (comm, high, fresh))
CONSTRUCTOR(Cart_create,
            (MPI_Comm comm, int num_dims, const int dims[], const int periods[], int reorder,
             MPI_Comm *fresh),
            (comm, num_dims, dims, periods, reorder, fresh))
CONSTRUCTOR(Cart_sub, (MPI_Comm comm, const int remains[], MPI_Comm *fresh),
            (comm, remains, fresh))
CONSTRUCTOR(Graph_create,
            (MPI_Comm comm, int num_nodes, const int ends[], const int edges[], int reorder,
             MPI_Comm *fresh),
            (comm, num_nodes, ends, edges, reorder, fresh))
CONSTRUCTOR(Dist_graph_create,
            (MPI_Comm comm, int n, const int sources[], const int degrees[],
             const int destinations[], const int weights[], MPI_Info info, int reorder,
             MPI_Comm *fresh),
            (comm, n, sources, degrees, destinations, weights, info, reorder, fresh))
CONSTRUCTOR(Dist_graph_create_adjacent,
            (MPI_Comm comm, int num_sources, const int sources[], const int source_weights[],
             int num_destinations, const int destinations[], const int destination_weights[],
             MPI_Info info, int reorder, MPI_Comm *fresh),
            (comm, num_sources, sources, source_weights, num_destinations, destinations,
             destination_weights, info, reorder, fresh))
