/* Collectives, attributed as if every part of the data travelled directly and once; README.md has
   the table. */
#include "record.h"

/* A blocking collective and its non-blocking twin; `account` sees `peers`. */
#define PARTS(...) __VA_ARGS__
#define COLLECTIVE(Name, Iname, parameters, arguments, account) \
  int MPI_##Name(PARTS parameters) {                            \
    struct record_peers *peers = record_peers_of(comm);         \
    account;                                                    \
    return PMPI_##Name(PARTS arguments);                        \
  }                                                             \
  int MPI_##Iname(PARTS parameters, MPI_Request *request) {     \
    struct record_peers *peers = record_peers_of(comm);         \
    account;                                                    \
    return PMPI_##Iname(PARTS arguments, request);              \
  }
#define EACH_PEER for (int i = 0; i < record_num_peers(peers); ++i)
#define EACH_NEIGHBOUR for (int i = 0, count = record_num_neighbours(peers, comm); i < count; ++i)

/* Those of equal parts. */
#define EVEN_PARAMETERS(COUNT)                                                        \
  const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,          \
      COUNT receive_count, MPI_Datatype receive_type
#define EVEN_ARGUMENTS send, send_count, send_type, receive, receive_count, receive_type

#define BCAST(Name, Iname, COUNT)                                                              \
  COLLECTIVE(Name, Iname, (void *buffer, COUNT count, MPI_Datatype type, int root, MPI_Comm comm), \
             (buffer, count, type, root, comm), record_from_root(peers, root, count, type))
#define REDUCE(Name, Iname, COUNT)                                                           \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op,     \
              int root, MPI_Comm comm),                                                      \
             (send, receive, count, type, op, root, comm), record_to_root(peers, root, count, type))
#define REDUCE_ALL(Name, Iname, COUNT, account)                                               \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, COUNT count, MPI_Datatype type, MPI_Op op,     \
              MPI_Comm comm),                                                                \
             (send, receive, count, type, op, comm), account)
#define REDUCE_SCATTER(Name, Iname, COUNT)                                                    \
  COLLECTIVE(Name, Iname,                                                                    \
             (const void *send, void *receive, const COUNT counts[], MPI_Datatype type,       \
              MPI_Op op, MPI_Comm comm),                                                     \
             (send, receive, counts, type, op, comm),                                        \
             if (!record_is_inter(peers)) EACH_PEER record_to_peer(peers, i, counts[i], type))
#define ROOTED(Name, Iname, COUNT, account)                               \
  COLLECTIVE(Name, Iname, (EVEN_PARAMETERS(COUNT), int root, MPI_Comm comm), \
             (EVEN_ARGUMENTS, root, comm), account)
#define EVEN(Name, Iname, COUNT, account)                       \
  COLLECTIVE(Name, Iname, (EVEN_PARAMETERS(COUNT), MPI_Comm comm), \
             (EVEN_ARGUMENTS, comm), account)
#define GATHERV(Name, Iname, COUNT, SHIFT)                                                     \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,       \
              const COUNT counts[], const SHIFT displacements[], MPI_Datatype type, int root,  \
              MPI_Comm comm),                                                                 \
             (send, send_count, send_type, receive, counts, displacements, type, root, comm), \
             record_to_root(peers, root, send_count, send_type))
#define SCATTERV(Name, Iname, COUNT, SHIFT)                                                    \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT counts[], const SHIFT displacements[],            \
              MPI_Datatype type, void *receive, COUNT receive_count,                          \
              MPI_Datatype receive_type, int root, MPI_Comm comm),                            \
             (send, counts, displacements, type, receive, receive_count, receive_type, root,  \
              comm),                                                                          \
             if (record_is_root(peers, root)) EACH_PEER record_to_peer(peers, i, counts[i], type))
#define ALLGATHERV(Name, Iname, COUNT, SHIFT, account)                                         \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, COUNT send_count, MPI_Datatype send_type, void *receive,       \
              const COUNT counts[], const SHIFT displacements[], MPI_Datatype type,           \
              MPI_Comm comm),                                                                 \
             (send, send_count, send_type, receive, counts, displacements, type, comm), account)
#define ALLTOALLV(Name, Iname, COUNT, SHIFT, account)                                          \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT send_counts[], const SHIFT send_shifts[],          \
              MPI_Datatype send_type, void *receive, const COUNT receive_counts[],            \
              const SHIFT receive_shifts[], MPI_Datatype receive_type, MPI_Comm comm),        \
             (send, send_counts, send_shifts, send_type, receive, receive_counts,             \
              receive_shifts, receive_type, comm),                                            \
             account)
#define ALLTOALLW(Name, Iname, COUNT, SHIFT, account)                                          \
  COLLECTIVE(Name, Iname,                                                                     \
             (const void *send, const COUNT send_counts[], const SHIFT send_shifts[],          \
              const MPI_Datatype send_types[], void *receive, const COUNT receive_counts[],   \
              const SHIFT receive_shifts[], const MPI_Datatype receive_types[],               \
              MPI_Comm comm),                                                                 \
             (send, send_counts, send_shifts, send_types, receive, receive_counts,            \
              receive_shifts, receive_types, comm),                                           \
             account)

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

/* All of them, for one width of counts. */
#define ALL_COLLECTIVES(_, COUNT, SHIFT)                                                       \
  BCAST(Bcast##_, Ibcast##_, COUNT)                                                           \
  REDUCE(Reduce##_, Ireduce##_, COUNT)                                                        \
  REDUCE_ALL(Allreduce##_, Iallreduce##_, COUNT, record_through_first(peers, count, type))           \
  REDUCE_ALL(Scan##_, Iscan##_, COUNT, record_to_next(peers, count, type))                           \
  REDUCE_ALL(Exscan##_, Iexscan##_, COUNT, record_to_next(peers, count, type))                       \
  REDUCE_ALL(Reduce_scatter_block##_, Ireduce_scatter_block##_, COUNT,                        \
             record_to_all(peers, count, type))                                                      \
  REDUCE_SCATTER(Reduce_scatter##_, Ireduce_scatter##_, COUNT)                                \
  ROOTED(Gather##_, Igather##_, COUNT, record_to_root(peers, root, send_count, send_type))           \
  ROOTED(Scatter##_, Iscatter##_, COUNT, record_from_root(peers, root, send_count, send_type))       \
  EVEN(Allgather##_, Iallgather##_, COUNT, SENT_TO_EACH)                                      \
  EVEN(Alltoall##_, Ialltoall##_, COUNT, SENT_TO_EACH)                                        \
  GATHERV(Gatherv##_, Igatherv##_, COUNT, SHIFT)                                              \
  SCATTERV(Scatterv##_, Iscatterv##_, COUNT, SHIFT)                                           \
  ALLGATHERV(Allgatherv##_, Iallgatherv##_, COUNT, SHIFT, ALLGATHERV_ACCOUNT)                 \
  ALLTOALLV(Alltoallv##_, Ialltoallv##_, COUNT, SHIFT, ALLTOALLV_ACCOUNT)                     \
  ALLTOALLW(Alltoallw##_, Ialltoallw##_, COUNT, SHIFT, ALLTOALLW_ACCOUNT)                     \
  EVEN(Neighbor_allgather##_, Ineighbor_allgather##_, COUNT,                                  \
       EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type))                          \
  EVEN(Neighbor_alltoall##_, Ineighbor_alltoall##_, COUNT,                                    \
       EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type))                          \
  ALLGATHERV(Neighbor_allgatherv##_, Ineighbor_allgatherv##_, COUNT, SHIFT,                   \
             EACH_NEIGHBOUR record_to_neighbour(peers, i, send_count, send_type))                    \
  ALLTOALLV(Neighbor_alltoallv##_, Ineighbor_alltoallv##_, COUNT, SHIFT,                      \
            EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], send_type))                 \
  ALLTOALLW(Neighbor_alltoallw##_, Ineighbor_alltoallw##_, COUNT, MPI_Aint,                   \
            EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], send_types[i]))

ALL_COLLECTIVES(, int, int)
#if MPI_VERSION >= 4
ALL_COLLECTIVES(_c, MPI_Count, MPI_Aint)
#endif
