/* Collectives, attributed as if every part of the data travelled directly and once; README.md has
   the table. Constructors of communicators, which have numbers in traces that all members agree on
   without a message. */
#include <inttypes.h>
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

/* Under the lock of those who make peers. */
int trace_number_communicator(const struct record_peers *peers) {
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

static _Thread_local int in_request = -1; /* of a collective that does not block */
static _Thread_local char *parts;
static _Thread_local size_t parts_size, parts_end;

static void trace_in_request(MPI_Request request) { in_request = trace_new_request(request); }

static int take_request(void) {
  const int request = in_request;
  in_request = -1;
  return request;
}

static void trace_even(enum trace_kind kind, const struct record_peers *peers, uint64_t bytes,
                       int root) {
  if (!trace_is_on() || peers == NULL || record_is_inter(peers)) return;
  trace_add((struct trace_event){kind, root, 0, peers->trace_number, take_request(), bytes,
                                 NULL});
}

/* Parts of unequal collectives: to ('>') or from ('<') a rank of the communicator. */
static void trace_part(char side, const struct record_peers *peers, int rank, uint64_t bytes) {
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

static void trace_end_parts(enum trace_kind kind, const struct record_peers *peers) {
  if (!trace_is_on() || peers == NULL || record_is_inter(peers)) return;
  char *extra = parts_end > 0 ? strdup(parts) : NULL;
  parts_end = 0;
  trace_add((struct trace_event){kind, 0, 0, peers->trace_number, take_request(), 0, extra});
}

/* A blocking collective and its non-blocking form; `account` sees `peers`. */
#define PARTS(...) __VA_ARGS__
#define COLLECTIVE(Name, Iname, parameters, arguments, account, trace) \
  int MPI_##Name(PARTS parameters) {                                   \
    struct record_peers *peers = record_peers_of(comm);                \
    account;                                                           \
    trace_enter();                                                     \
    if (trace_is_on()) trace;                                          \
    const int result = PMPI_##Name(PARTS arguments);                   \
    trace_leave();                                                     \
    return result;                                                     \
  }                                                                    \
  int MPI_##Iname(PARTS parameters, MPI_Request *request) {            \
    struct record_peers *peers = record_peers_of(comm);                \
    account;                                                           \
    trace_enter();                                                     \
    const int result = PMPI_##Iname(PARTS arguments, request);         \
    trace_in_request(*request);                                        \
    if (trace_is_on()) trace;                                          \
    trace_leave();                                                     \
    return result;                                                     \
  }
#define EACH_PEER for (int i = 0; i < record_num_peers(peers); ++i)
#define EACH_NEIGHBOUR for (int i = 0, count = record_num_neighbours(peers, comm); i < count; ++i)

#define EACH_SOURCE for (int i = 0, count = num_sources(peers, comm); i < count; ++i)

static int num_sources(struct record_peers *peers, MPI_Comm comm) {
  const int neighbours = record_num_neighbours(peers, comm);
  return peers == NULL || peers->sources == NULL ? neighbours : peers->num_sources;
}

static int source_of(const struct record_peers *peers, int i) {
  return (peers->sources == NULL ? peers->neighbours : peers->sources)[i];
}

/* Traces of collectives; `peers` is null while nothing is recorded. */
#define BYTES_SENT record_bytes(send_count, send_type)
#define BYTES_RECEIVED record_bytes(receive_count, receive_type)
#define TRACE(kind, bytes, root) trace_even(kind, peers, bytes, root)
#define TRACE_TO(rank, bytes) trace_part('>', peers, rank, bytes)
#define TRACE_FROM(rank, bytes) trace_part('<', peers, rank, bytes)
#define TRACE_PARTS_OF(kind) trace_end_parts(kind, peers)
#define TRACE_NEIGHBOURS(sent, received)                                         \
  EACH_NEIGHBOUR TRACE_TO(peers->neighbours[i], sent);                           \
  EACH_SOURCE TRACE_FROM(source_of(peers, i), received);                         \
  TRACE_PARTS_OF(TRACE_PARTS)

/* Those of equal parts. */
#define EVEN_PARAMETERS(COUNT)                                                        \
  const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,          \
      COUNT receive_count, MPI_Datatype receive_type
#define EVEN_ARGUMENTS send, send_count, send_type, receive, receive_count, receive_type

#define BCAST(Name, Iname, COUNT)                                                              \
  COLLECTIVE(Name, Iname, (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm), \
             (buffer, count, type, root, comm), record_from_root(peers, root, count, type), \
             TRACE(TRACE_BCAST, record_bytes(count, type), root))
#define REDUCE(Name, Iname, COUNT)                                                           \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op,     \
              int root, MPI_Comm comm),                                                      \
             (send, receive, count, type, op, root, comm), record_to_root(peers, root, count, type), \
             TRACE(TRACE_REDUCE, record_bytes(count, type), root))
#define REDUCE_ALL(Name, Iname, COUNT, kind, account)                                             \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op,     \
              MPI_Comm comm),                                                                \
             (send, receive, count, type, op, comm), account,                                \
             TRACE(kind, record_bytes(count, type), 0))
#define REDUCE_SCATTER(Name, Iname, COUNT)                                                    \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, const COUNT counts[], MPI_Datatype type,       \
              MPI_Op op, MPI_Comm comm),                                                     \
             (send, receive, counts, type, op, comm),                                        \
             if (!record_is_inter(peers)) EACH_PEER record_to_peer(peers, i, counts[i], type), \
             {                                                                                \
               MPI_Count sum = 0;                                                             \
               EACH_PEER sum += counts[i];                                                    \
               if (sum > 0)                                                                   \
                 TRACE(TRACE_REDUCE_SCATTER,                                                  \
                       record_bytes(sum, type) / (uint64_t)record_num_peers(peers), 0);        \
             })
#define ROOTED(Name, Iname, COUNT, account, trace)                               \
  COLLECTIVE(Name, Iname, (EVEN_PARAMETERS(COUNT), int root, MPI_Comm comm), \
             (EVEN_ARGUMENTS, root, comm), account, trace)
#define EVEN(Name, Iname, COUNT, account, trace)                       \
  COLLECTIVE(Name, Iname, (EVEN_PARAMETERS(COUNT), MPI_Comm comm), \
             (EVEN_ARGUMENTS, comm), account, trace)
#define GATHERV(Name, Iname, COUNT, SHIFT)                                                     \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,       \
              const COUNT counts[], const SHIFT displacements[], MPI_Datatype type, int root,  \
              MPI_Comm comm),                                                                 \
             (send, send_count, send_type, receive, counts, displacements, type, root, comm), \
             record_to_root(peers, root, send_count, send_type),                              \
             {                                                                                \
               if (!record_is_root(peers, root))                                              \
                 TRACE_TO(root, BYTES_SENT);                                                  \
               else                                                                           \
                 EACH_PEER if (i != root) TRACE_FROM(i, record_bytes(counts[i], type));       \
               TRACE_PARTS_OF(TRACE_PARTS);                                                \
             })
#define SCATTERV(Name, Iname, COUNT, SHIFT)                                                    \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT counts[], const SHIFT displacements[],            \
              MPI_Datatype type, void *receive, COUNT receive_count,                          \
              MPI_Datatype receive_type, int root, MPI_Comm comm),                            \
             (send, counts, displacements, type, receive, receive_count, receive_type, root,  \
              comm),                                                                          \
             if (record_is_root(peers, root)) EACH_PEER record_to_peer(peers, i, counts[i], type), \
             {                                                                                \
               if (!record_is_root(peers, root))                                              \
                 TRACE_FROM(root, BYTES_RECEIVED);                                            \
               else                                                                           \
                 EACH_PEER if (i != root) TRACE_TO(i, record_bytes(counts[i], type));         \
               TRACE_PARTS_OF(TRACE_PARTS);                                                \
             })
#define ALLGATHERV(Name, Iname, COUNT, SHIFT, account, trace)                                       \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,       \
              const COUNT counts[], const SHIFT displacements[], MPI_Datatype type,           \
              MPI_Comm comm),                                                                 \
             (send, send_count, send_type, receive, counts, displacements, type, comm), account, \
             trace)
#define ALLTOALLV(Name, Iname, COUNT, SHIFT, account, trace)                                        \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT send_counts[], const SHIFT send_shifts[],          \
              MPI_Datatype send_type, void *receive, const COUNT receive_counts[],            \
              const SHIFT receive_shifts[], MPI_Datatype receive_type, MPI_Comm comm),        \
             (send, send_counts, send_shifts, send_type, receive, receive_counts,             \
              receive_shifts, receive_type, comm),                                            \
             account, trace)
#define ALLTOALLW(Name, Iname, COUNT, SHIFT, account, trace)                                        \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT send_counts[], const SHIFT send_shifts[],          \
              const MPI_Datatype send_types[], void *receive, const COUNT receive_counts[],   \
              const SHIFT receive_shifts[], const MPI_Datatype receive_types[],               \
              MPI_Comm comm),                                                                 \
             (send, send_counts, send_shifts, send_types, receive, receive_counts,            \
              receive_shifts, receive_types, comm),                                           \
             account, trace)

/* With MPI_IN_PLACE what is sent stands among the receive arguments. Elsewhere the two sides of
   an equal exchange carry the same bytes, except between the groups of an intercommunicator. */
#define SENT_TO_EACH                                                  \
  if (record_is_inter(peers)) record_to_all(peers, send_count, send_type);          \
  else record_to_all(peers, receive_count, receive_type)
#define ALLGATHERV_ACCOUNT                                            \
  if (send != MPI_IN_PLACE) record_to_all(peers, send_count, send_type);     \
  else if (peers != NULL) record_to_all(peers, counts[peers->rank], type)
#define ALLTOALLV_ACCOUNT                                             \
  EACH_PEER {                                                         \
    if (send != MPI_IN_PLACE) record_to_peer(peers, i, send_counts[i], send_type); \
    else record_to_peer(peers, i, receive_counts[i], receive_type);          \
  }
#define ALLTOALLW_ACCOUNT                                             \
  EACH_PEER {                                                         \
    if (send != MPI_IN_PLACE) record_to_peer(peers, i, send_counts[i], send_types[i]); \
    else record_to_peer(peers, i, receive_counts[i], receive_types[i]);      \
  }

#define ALLGATHERV_TRACE                                                                \
  {                                                                                     \
    EACH_PEER trace_part('=', peers, i, record_bytes(counts[i], type));                 \
    TRACE_PARTS_OF(TRACE_ALLGATHERV);                                                   \
  }
#define ALLTOALL_TRACE(sent, received)                                                  \
  {                                                                                     \
    EACH_PEER {                                                                         \
      TRACE_TO(i, send != MPI_IN_PLACE ? sent : received);                              \
      TRACE_FROM(i, received);                                                          \
    }                                                                                   \
    TRACE_PARTS_OF(TRACE_PARTS);                                                     \
  }
#define ALLTOALLV_TRACE                                     \
  ALLTOALL_TRACE(record_bytes(send_counts[i], send_type),   \
                 record_bytes(receive_counts[i], receive_type))
#define ALLTOALLW_TRACE                                         \
  ALLTOALL_TRACE(record_bytes(send_counts[i], send_types[i]),   \
                 record_bytes(receive_counts[i], receive_types[i]))

/* All of them, for one width of counts. */
#define ALL_COLLECTIVES(_, COUNT, SHIFT)                                                       \
  BCAST(Bcast##_, Ibcast##_, COUNT)                                                           \
  REDUCE(Reduce##_, Ireduce##_, COUNT)                                                        \
  REDUCE_ALL(Allreduce##_, Iallreduce##_, COUNT, TRACE_ALLREDUCE, record_through_first(peers, count, type))           \
  REDUCE_ALL(Scan##_, Iscan##_, COUNT, TRACE_SCAN, record_to_next(peers, count, type))                           \
  REDUCE_ALL(Exscan##_, Iexscan##_, COUNT, TRACE_SCAN, record_to_next(peers, count, type))                       \
  REDUCE_ALL(Reduce_scatter_block##_, Ireduce_scatter_block##_, COUNT, TRACE_REDUCE_SCATTER,                        \
             record_to_all(peers, count, type))                                                      \
  REDUCE_SCATTER(Reduce_scatter##_, Ireduce_scatter##_, COUNT)                                \
  ROOTED(Gather##_, Igather##_, COUNT, record_to_root(peers, root, send_count, send_type), \
         TRACE(TRACE_GATHER, send == MPI_IN_PLACE ? BYTES_RECEIVED : BYTES_SENT, root))           \
  ROOTED(Scatter##_, Iscatter##_, COUNT, record_from_root(peers, root, send_count, send_type), \
         TRACE(TRACE_SCATTER, receive == MPI_IN_PLACE ? BYTES_SENT : BYTES_RECEIVED, root))       \
  EVEN(Allgather##_, Iallgather##_, COUNT, SENT_TO_EACH, TRACE(TRACE_ALLGATHER, BYTES_RECEIVED, 0))                                      \
  EVEN(Alltoall##_, Ialltoall##_, COUNT, SENT_TO_EACH, TRACE(TRACE_ALLTOALL, BYTES_RECEIVED, 0))                                        \
  GATHERV(Gatherv##_, Igatherv##_, COUNT, SHIFT)                                              \
  SCATTERV(Scatterv##_, Iscatterv##_, COUNT, SHIFT)                                           \
  ALLGATHERV(Allgatherv##_, Iallgatherv##_, COUNT, SHIFT, ALLGATHERV_ACCOUNT, ALLGATHERV_TRACE)                 \
  ALLTOALLV(Alltoallv##_, Ialltoallv##_, COUNT, SHIFT, ALLTOALLV_ACCOUNT, ALLTOALLV_TRACE)                     \
  ALLTOALLW(Alltoallw##_, Ialltoallw##_, COUNT, SHIFT, ALLTOALLW_ACCOUNT, ALLTOALLW_TRACE)                     \
  EVEN(Neighbor_allgather##_, Ineighbor_allgather##_, COUNT,                                  \
       EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type), \
       { TRACE_NEIGHBOURS(BYTES_SENT, BYTES_RECEIVED); })                          \
  EVEN(Neighbor_alltoall##_, Ineighbor_alltoall##_, COUNT,                                    \
       EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type), \
       { TRACE_NEIGHBOURS(BYTES_SENT, BYTES_RECEIVED); })                          \
  ALLGATHERV(Neighbor_allgatherv##_, Ineighbor_allgatherv##_, COUNT, SHIFT,                   \
             EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type), \
       { TRACE_NEIGHBOURS(BYTES_SENT, record_bytes(counts[i], type)); })                    \
  ALLTOALLV(Neighbor_alltoallv##_, Ineighbor_alltoallv##_, COUNT, SHIFT,                      \
            EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], send_type), \
       { TRACE_NEIGHBOURS(record_bytes(send_counts[i], send_type), record_bytes(receive_counts[i], receive_type)); })                 \
  ALLTOALLW(Neighbor_alltoallw##_, Ineighbor_alltoallw##_, COUNT, MPI_Aint,                   \
            EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], send_types[i]), \
       { TRACE_NEIGHBOURS(record_bytes(send_counts[i], send_types[i]), record_bytes(receive_counts[i], receive_types[i])); })

COLLECTIVE(Barrier, Ibarrier, (MPI_Comm comm), (comm), , TRACE(TRACE_BARRIER, 0, 0))
ALL_COLLECTIVES(, int, int)
#if MPI_VERSION >= 4
ALL_COLLECTIVES(_c, MPI_Count, MPI_Aint)
#endif
