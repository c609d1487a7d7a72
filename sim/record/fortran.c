/* Fortran bindings that call PMPI directly: those of Open MPI, where each function records as its C
   form and passes its arguments on, and `use mpi_f08`, also of MPICH, which is not recorded. The other
   ones of MPICH call the C functions, so that nothing is needed here. */
#include <stdio.h>

#include "session.h"

#if !defined(SMPI_H)
#if defined(OPEN_MPI)
#define F08_LIBRARY(name) pmpi_##name##_f08_
#else
#define F08_LIBRARY(name) pmpir_##name##_f08_
#endif
#define F08_BEGIN(name, parameters, arguments)                                                  \
  void F08_LIBRARY(name) parameters __attribute__((weak));                                      \
  void mpi_##name##_f08_ parameters;                                                            \
  void mpi_##name##_f08_ parameters {                                                           \
    F08_LIBRARY(name) arguments;                                                                \
    int rank = 0;                                                                               \
    if (PMPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS && rank == 0)                      \
      fprintf(stderr, "vtopo_record: nothing is recorded: the program uses mpi_f08\n");         \
  }
F08_BEGIN(init, (MPI_Fint * error), (error))
F08_BEGIN(init_thread, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error),
          (required, provided, error))
#endif

#if defined(OPEN_MPI)

extern int mpi_fortran_in_place_ __attribute__((weak)); /* the address that stands for MPI_IN_PLACE */

#define PARTS(...) __VA_ARGS__
#define FORTRAN(name, parameters, arguments, before, after)      \
  void pmpi_##name##_(PARTS parameters) __attribute__((weak));   \
  void mpi_##name##_(PARTS parameters);                          \
  void mpi_##name##_(PARTS parameters) {                         \
    before;                                                      \
    pmpi_##name##_(PARTS arguments);                             \
    after;                                                       \
  }

static MPI_Datatype type_of(const MPI_Fint *type) { return PMPI_Type_f2c(*type); }
static MPI_Comm comm_of(const MPI_Fint *comm) { return PMPI_Comm_f2c(*comm); }

static void begin_without_trace(void) {
  record_begin();
  trace_refuse("programs in Fortran are traced under MPICH and its relatives only");
}

FORTRAN(init, (MPI_Fint * error), (error), , if (*error == MPI_SUCCESS) begin_without_trace())
FORTRAN(init_thread, (MPI_Fint * required, MPI_Fint *provided, MPI_Fint *error),
        (required, provided, error), , if (*error == MPI_SUCCESS) begin_without_trace())
FORTRAN(finalize, (MPI_Fint * error), (error), record_end(), )
FORTRAN(pcontrol, (MPI_Fint * level), (level), record_pause(*level == 0), )

#define SEND_PARAMETERS                                                                    \
  void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *destination, MPI_Fint *tag,     \
      MPI_Fint *comm
#define SEND_ARGUMENTS buffer, count, type, destination, tag, comm
#define RECORD_SEND record_send(comm_of(comm), *destination, *count, type_of(type))
#define SEND(name)                                                                          \
  FORTRAN(name, (SEND_PARAMETERS, MPI_Fint * error), (SEND_ARGUMENTS, error), RECORD_SEND, ) \
  FORTRAN(i##name, (SEND_PARAMETERS, MPI_Fint * request, MPI_Fint *error),                  \
          (SEND_ARGUMENTS, request, error), RECORD_SEND, )                                  \
  FORTRAN(name##_init, (SEND_PARAMETERS, MPI_Fint * request, MPI_Fint *error),              \
          (SEND_ARGUMENTS, request, error), ,                                               \
          if (*error == MPI_SUCCESS)                                                        \
              record_keep_persistent(PMPI_Request_f2c(*request), comm_of(comm),             \
                                     *destination, *count, type_of(type), *tag))
SEND(send)
SEND(bsend)
SEND(ssend)
SEND(rsend)

FORTRAN(sendrecv,
        (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *destination, MPI_Fint *tag,
         void *receive, MPI_Fint *receive_count, MPI_Fint *receive_type, MPI_Fint *source,
         MPI_Fint *receive_tag, MPI_Fint *comm, MPI_Fint *status, MPI_Fint *error),
        (buffer, count, type, destination, tag, receive, receive_count, receive_type, source,
         receive_tag, comm, status, error),
        RECORD_SEND, )
FORTRAN(sendrecv_replace,
        (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *destination, MPI_Fint *tag,
         MPI_Fint *source, MPI_Fint *receive_tag, MPI_Fint *comm, MPI_Fint *status,
         MPI_Fint *error),
        (buffer, count, type, destination, tag, source, receive_tag, comm, status, error),
        RECORD_SEND, )
FORTRAN(start, (MPI_Fint * request, MPI_Fint *error), (request, error),
        record_start(PMPI_Request_f2c(*request)), )
FORTRAN(startall, (MPI_Fint * count, MPI_Fint *requests, MPI_Fint *error), (count, requests, error),
        for (int i = 0; i < *count; ++i) record_start(PMPI_Request_f2c(requests[i])), )
FORTRAN(request_free, (MPI_Fint * request, MPI_Fint *error), (request, error),
        record_forget_persistent(PMPI_Request_f2c(*request)), )

/* A blocking collective and its non-blocking form; `account` sees `peers`. */
#define PEERS struct record_peers *peers = record_peers_of(comm_of(comm))
#define COLLECTIVE(name, parameters, arguments, account)                                \
  FORTRAN(name, (PARTS parameters, MPI_Fint * error), (PARTS arguments, error), PEERS;  \
          account, )                                                                    \
  FORTRAN(i##name, (PARTS parameters, MPI_Fint * request, MPI_Fint *error),             \
          (PARTS arguments, request, error), PEERS;                                     \
          account, )
#define EACH_PEER for (int i = 0; i < record_num_peers(peers); ++i)
#define EACH_NEIGHBOUR                                                                  \
  for (int i = 0, last = record_num_neighbours(peers, comm_of(comm)); i < last; ++i)

COLLECTIVE(bcast,
           (void *buffer, MPI_Fint *count, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm),
           (buffer, count, type, root, comm),
           record_from_root(peers, *root, *count, type_of(type)))
COLLECTIVE(reduce,
           (void *send, void *receive, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,
            MPI_Fint *root, MPI_Fint *comm),
           (send, receive, count, type, op, root, comm),
           record_to_root(peers, *root, *count, type_of(type)))

#define REDUCE_ALL(name, account)                                                          \
  COLLECTIVE(name,                                                                         \
             (void *send, void *receive, MPI_Fint *count, MPI_Fint *type, MPI_Fint *op,    \
              MPI_Fint *comm),                                                             \
             (send, receive, count, type, op, comm), account)
REDUCE_ALL(allreduce, record_through_first(peers, *count, type_of(type)))
REDUCE_ALL(scan, record_to_next(peers, *count, type_of(type)))
REDUCE_ALL(exscan, record_to_next(peers, *count, type_of(type)))
REDUCE_ALL(reduce_scatter_block, record_to_all(peers, *count, type_of(type)))
REDUCE_ALL(reduce_scatter, if (!record_is_inter(peers)) EACH_PEER
                               record_to_peer(peers, i, count[i], type_of(type)))

#define EVEN_PARAMETERS                                                                    \
  void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive,                    \
      MPI_Fint *receive_count, MPI_Fint *receive_type
#define EVEN_ARGUMENTS send, send_count, send_type, receive, receive_count, receive_type
#define ROOTED(name, account)                                                              \
  COLLECTIVE(name, (EVEN_PARAMETERS, MPI_Fint * root, MPI_Fint *comm),                     \
             (EVEN_ARGUMENTS, root, comm), account)
#define EVEN(name, account) \
  COLLECTIVE(name, (EVEN_PARAMETERS, MPI_Fint * comm), (EVEN_ARGUMENTS, comm), account)
#define SENT_TO_EACH                                                                       \
  if (record_is_inter(peers)) record_to_all(peers, *send_count, type_of(send_type));       \
  else record_to_all(peers, *receive_count, type_of(receive_type))
#define SENT_TO_NEIGHBOURS \
  EACH_NEIGHBOUR record_to_neighbour(peers, i, *send_count, type_of(send_type))
ROOTED(gather, record_to_root(peers, *root, *send_count, type_of(send_type)))
ROOTED(scatter, record_from_root(peers, *root, *send_count, type_of(send_type)))
EVEN(allgather, SENT_TO_EACH)
EVEN(alltoall, SENT_TO_EACH)
EVEN(neighbor_allgather, SENT_TO_NEIGHBOURS)
EVEN(neighbor_alltoall, SENT_TO_NEIGHBOURS)

COLLECTIVE(gatherv,
           (void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive,
            MPI_Fint *counts, MPI_Fint *shifts, MPI_Fint *type, MPI_Fint *root, MPI_Fint *comm),
           (send, send_count, send_type, receive, counts, shifts, type, root, comm),
           record_to_root(peers, *root, *send_count, type_of(send_type)))
COLLECTIVE(scatterv,
           (void *send, MPI_Fint *counts, MPI_Fint *shifts, MPI_Fint *type, void *receive,
            MPI_Fint *receive_count, MPI_Fint *receive_type, MPI_Fint *root, MPI_Fint *comm),
           (send, counts, shifts, type, receive, receive_count, receive_type, root, comm),
           if (record_is_root(peers, *root)) EACH_PEER
               record_to_peer(peers, i, counts[i], type_of(type)))

#define ALLGATHERV(name, account)                                                          \
  COLLECTIVE(name,                                                                         \
             (void *send, MPI_Fint *send_count, MPI_Fint *send_type, void *receive,        \
              MPI_Fint *counts, MPI_Fint *shifts, MPI_Fint *type, MPI_Fint *comm),         \
             (send, send_count, send_type, receive, counts, shifts, type, comm), account)
ALLGATHERV(allgatherv,
           if (send != (void *)&mpi_fortran_in_place_)
               record_to_all(peers, *send_count, type_of(send_type));
           else if (peers != NULL) record_to_all(peers, counts[peers->rank], type_of(type)))
ALLGATHERV(neighbor_allgatherv, SENT_TO_NEIGHBOURS)

#define ALLTOALLV(name, SHIFT, account)                                                    \
  COLLECTIVE(name,                                                                         \
             (void *send, MPI_Fint *send_counts, SHIFT *send_shifts, MPI_Fint *send_type,  \
              void *receive, MPI_Fint *receive_counts, SHIFT *receive_shifts,              \
              MPI_Fint *receive_type, MPI_Fint *comm),                                     \
             (send, send_counts, send_shifts, send_type, receive, receive_counts,          \
              receive_shifts, receive_type, comm),                                         \
             account)
#define SENT_TO_PEERS(place)                                                               \
  EACH_PEER {                                                                              \
    if (send != (void *)&mpi_fortran_in_place_)                                            \
      record_to_peer(peers, i, send_counts[i], type_of(send_type + place));                \
    else                                                                                   \
      record_to_peer(peers, i, receive_counts[i], type_of(receive_type + place));          \
  }
ALLTOALLV(alltoallv, MPI_Fint, SENT_TO_PEERS(0))
ALLTOALLV(alltoallw, MPI_Fint, SENT_TO_PEERS(i))
ALLTOALLV(neighbor_alltoallv, MPI_Fint,
          EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], type_of(send_type)))
ALLTOALLV(neighbor_alltoallw, MPI_Aint,
          EACH_NEIGHBOUR record_to_neighbour(peers, i, send_counts[i], type_of(send_type + i)))

#else
typedef int record_fortran_needs_nothing; /* a source is never empty in ISO C */
#endif
