/* Messages: sends of every kind, one message each, whatever the library makes of it; receives,
   which only traces have. One-sided communication is not recorded: that is said, in the trace and
   on stderr. */
#include <stdatomic.h>
#include <stdio.h>

#include "trace.h"

void record_send(MPI_Comm comm, int destination, MPI_Count count, MPI_Datatype type) {
  const struct record_peers *peers = record_wants_counts() ? record_peers_of(comm) : NULL;
  if (peers == NULL) return;
  record_add(record_world_rank(peers, destination), RECORD_POINT_TO_POINT,
             record_bytes(count, type), 1);
}

static void trace_message(enum trace_kind kind, const struct record_peers *peers, int peer,
                          MPI_Count count, MPI_Datatype type, int tag, int request) {
  if (!trace_is_on() || peers == NULL || peer == MPI_PROC_NULL) return;
  trace_add((struct trace_event){kind, record_world_rank(peers, peer), tag, peers->trace_number,
                                 request, record_bytes(count, type), NULL});
}

/* A receive that has ended. */
static void trace_received(const struct record_peers *peers, const MPI_Status *status) {
  if (!trace_is_on() || peers == NULL || status->MPI_SOURCE == MPI_PROC_NULL) return;
  trace_add((struct trace_event){TRACE_RECV, record_world_rank(peers, status->MPI_SOURCE),
                                 status->MPI_TAG, peers->trace_number, -1, 0, NULL});
}

/* MPI_Sendrecv: a send that is started, a receive, and a wait; the number belongs to no handle. */
static void trace_exchange(MPI_Comm comm, int destination, uint64_t bytes, int tag,
                           const MPI_Status *status) {
  const struct record_peers *peers = record_peers_of(comm);
  const int own_number = 1 << 28;
  if (peers == NULL) return;
  if (destination != MPI_PROC_NULL)
    trace_add((struct trace_event){TRACE_ISEND, record_world_rank(peers, destination), tag,
                                   peers->trace_number, own_number, bytes, NULL});
  trace_received(peers, status);
  if (destination != MPI_PROC_NULL)
    trace_add((struct trace_event){TRACE_WAIT, 0, 0, 0, own_number, 0, NULL});
}

#define SEND(name, COUNT)                                                                     \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm) {                                                             \
    record_send(comm, destination, count, type);                                              \
    trace_enter();                                                                            \
    if (trace_is_on())                                                                        \
      trace_message(TRACE_SEND, record_peers_of(comm), destination, count, type, tag, -1);    \
    const int result = PMPI_##name(buffer, count, type, destination, tag, comm);              \
    trace_leave();                                                                            \
    return result;                                                                            \
  }
#define START_SEND(name, COUNT)                                                               \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm, MPI_Request *request) {                                       \
    record_send(comm, destination, count, type);                                              \
    trace_enter();                                                                            \
    const int result = PMPI_##name(buffer, count, type, destination, tag, comm, request);     \
    if (trace_is_on() && result == MPI_SUCCESS && destination != MPI_PROC_NULL)               \
      trace_message(TRACE_ISEND, record_peers_of(comm), destination, count, type, tag,        \
                    trace_new_request(*request));                                             \
    trace_leave();                                                                            \
    return result;                                                                            \
  }
#define PERSISTENT_SEND(name, COUNT)                                                          \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm, MPI_Request *request) {                                       \
    const int result = PMPI_##name(buffer, count, type, destination, tag, comm, request);     \
    if (result == MPI_SUCCESS)                                                                \
      record_keep_persistent(*request, comm, destination, count, type, tag);                     \
    return result;                                                                            \
  }
#define EXCHANGE(name, COUNT)                                                                 \
  int MPI_##name(const void *send, COUNT send_count, MPI_Datatype send_type, int destination,  \
                 int send_tag, void *receive, COUNT receive_count, MPI_Datatype receive_type,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Status *status) {            \
    MPI_Status own;                                                                           \
    if (status == MPI_STATUS_IGNORE) status = &own;                                           \
    record_send(comm, destination, send_count, send_type);                                    \
    trace_enter();                                                                            \
    const int result =                                                                        \
        PMPI_##name(send, send_count, send_type, destination, send_tag, receive,              \
                    receive_count, receive_type, source, receive_tag, comm, status);          \
    if (trace_is_on())                                                                        \
      trace_exchange(comm, destination, record_bytes(send_count, send_type), send_tag, status); \
    trace_leave();                                                                            \
    return result;                                                                            \
  }
#define EXCHANGE_IN_PLACE(name, COUNT)                                                        \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int destination, int send_tag,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Status *status) {            \
    MPI_Status own;                                                                           \
    if (status == MPI_STATUS_IGNORE) status = &own;                                           \
    record_send(comm, destination, count, type);                                              \
    trace_enter();                                                                            \
    const int result = PMPI_##name(buffer, count, type, destination, send_tag, source,        \
                                   receive_tag, comm, status);                                \
    if (trace_is_on())                                                                        \
      trace_exchange(comm, destination, record_bytes(count, type), send_tag, status);         \
    trace_leave();                                                                            \
    return result;                                                                            \
  }

#define RECEIVE(name, COUNT)                                                                     \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,              \
                 MPI_Comm comm, MPI_Status *status) {                                            \
    MPI_Status own;                                                                              \
    if (status == MPI_STATUS_IGNORE) status = &own;                                              \
    trace_enter();                                                                               \
    const int result = PMPI_##name(buffer, count, type, source, tag, comm, status);              \
    if (result == MPI_SUCCESS && trace_is_on()) trace_received(record_peers_of(comm), status);   \
    trace_leave();                                                                               \
    return result;                                                                               \
  }
#define START_RECEIVE(name, COUNT)                                                               \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,              \
                 MPI_Comm comm, MPI_Request *request) {                                          \
    trace_enter();                                                                               \
    const int result = PMPI_##name(buffer, count, type, source, tag, comm, request);             \
    if (result == MPI_SUCCESS && trace_is_on())                                                  \
      trace_start_receive(*request, comm, source, tag);                                          \
    trace_leave();                                                                               \
    return result;                                                                               \
  }
#define PERSISTENT_RECEIVE(name, COUNT)                                                          \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int source, int tag,              \
                 MPI_Comm comm, MPI_Request *request) {                                          \
    const int result = PMPI_##name(buffer, count, type, source, tag, comm, request);             \
    if (result == MPI_SUCCESS && trace_is_on())                                                  \
      record_keep_persistent_receive(*request, comm, source, tag);                               \
    return result;                                                                               \
  }
/* All of them, for one width of counts. */
#define ALL_MESSAGES(_, COUNT)                \
  SEND(Send##_, COUNT)                        \
  SEND(Bsend##_, COUNT)                       \
  SEND(Ssend##_, COUNT)                       \
  SEND(Rsend##_, COUNT)                       \
  START_SEND(Isend##_, COUNT)                 \
  START_SEND(Ibsend##_, COUNT)                \
  START_SEND(Issend##_, COUNT)                \
  START_SEND(Irsend##_, COUNT)                \
  PERSISTENT_SEND(Send_init##_, COUNT)        \
  PERSISTENT_SEND(Bsend_init##_, COUNT)       \
  PERSISTENT_SEND(Ssend_init##_, COUNT)       \
  PERSISTENT_SEND(Rsend_init##_, COUNT)       \
  EXCHANGE(Sendrecv##_, COUNT)                \
  EXCHANGE_IN_PLACE(Sendrecv_replace##_, COUNT) \
  RECEIVE(Recv##_, COUNT)                     \
  START_RECEIVE(Irecv##_, COUNT)              \
  PERSISTENT_RECEIVE(Recv_init##_, COUNT)

ALL_MESSAGES(, int)
#if MPI_VERSION >= 4
ALL_MESSAGES(_c, MPI_Count)

#define START_EXCHANGE(name, COUNT)                                                           \
  int MPI_##name(const void *send, COUNT send_count, MPI_Datatype send_type, int destination,  \
                 int send_tag, void *receive, COUNT receive_count, MPI_Datatype receive_type,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Request *request) {          \
    record_send(comm, destination, send_count, send_type);                                    \
    trace_add_unsupported("MPI_" #name);                                                      \
    return PMPI_##name(send, send_count, send_type, destination, send_tag, receive,           \
                       receive_count, receive_type, source, receive_tag, comm, request);      \
  }
#define START_EXCHANGE_IN_PLACE(name, COUNT)                                                  \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int destination, int send_tag,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Request *request) {          \
    record_send(comm, destination, count, type);                                              \
    trace_add_unsupported("MPI_" #name);                                                      \
    return PMPI_##name(buffer, count, type, destination, send_tag, source, receive_tag, comm, \
                       request);                                                              \
  }
START_EXCHANGE(Isendrecv, int)
START_EXCHANGE(Isendrecv_c, MPI_Count)
START_EXCHANGE_IN_PLACE(Isendrecv_replace, int)
START_EXCHANGE_IN_PLACE(Isendrecv_replace_c, MPI_Count)

int MPI_Psend_init(const void *buffer, int partitions, MPI_Count count, MPI_Datatype type,
                   int destination, int tag, MPI_Comm comm, MPI_Info info, MPI_Request *request) {
  const int result =
      PMPI_Psend_init(buffer, partitions, count, type, destination, tag, comm, info, request);
  if (result == MPI_SUCCESS)
    record_keep_persistent(*request, comm, destination, partitions * count, type, tag);
  return result;
}
#endif

/* Time in these is not local work. */
int MPI_Probe(int source, int tag, MPI_Comm comm, MPI_Status *status) {
  trace_enter();
  const int result = PMPI_Probe(source, tag, comm, status);
  trace_leave();
  return result;
}

int MPI_Iprobe(int source, int tag, MPI_Comm comm, int *flag, MPI_Status *status) {
  trace_enter();
  const int result = PMPI_Iprobe(source, tag, comm, flag, status);
  trace_leave();
  return result;
}

static atomic_flag used = ATOMIC_FLAG_INIT; /* clear until this process uses it */

void record_report_one_sided(void) {
  const int here = atomic_flag_test_and_set(&used);
  int anywhere = 0, rank = 0;
  PMPI_Reduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && anywhere)
    fprintf(stderr, "vtopo_record: one-sided communication of the program is not recorded\n");
}

static void note_one_sided(void) {
  if (record_is_on() && !atomic_flag_test_and_set(&used))
    trace_add_unsupported("one-sided communication");
}

#define ONE_SIDED(name, parameters, arguments) \
  int MPI_##name parameters {                  \
    note_one_sided();                          \
    return PMPI_##name arguments;              \
  }
#define TARGET int target, MPI_Aint place, int target_count, MPI_Datatype target_type
#define TARGET_NAMES target, place, target_count, target_type

ONE_SIDED(Put, (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window),
          (origin, count, type, TARGET_NAMES, window))
ONE_SIDED(Get, (void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window),
          (origin, count, type, TARGET_NAMES, window))
ONE_SIDED(Accumulate,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window),
          (origin, count, type, TARGET_NAMES, op, window))
ONE_SIDED(Get_accumulate,
          (const void* origin, int count, MPI_Datatype type, void* result, int result_count,
           MPI_Datatype result_type, TARGET, MPI_Op op, MPI_Win window),
          (origin, count, type, result, result_count, result_type, TARGET_NAMES, op, window))
ONE_SIDED(Fetch_and_op,
          (const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint place,
           MPI_Op op, MPI_Win window),
          (origin, result, type, target, place, op, window))
#if !defined(SMPI_H) /* which declares it otherwise than MPI */
ONE_SIDED(Compare_and_swap,
          (const void* origin, const void* compared, void* result, MPI_Datatype type, int target,
           MPI_Aint place, MPI_Win window),
          (origin, compared, result, type, target, place, window))
#endif
ONE_SIDED(Rput,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, window, request))
ONE_SIDED(Rget,
          (void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, window, request))
ONE_SIDED(Raccumulate,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, op, window, request))
ONE_SIDED(Rget_accumulate,
          (const void* origin, int count, MPI_Datatype type, void* result, int result_count,
           MPI_Datatype result_type, TARGET, MPI_Op op, MPI_Win window, MPI_Request* request),
          (origin, count, type, result, result_count, result_type, TARGET_NAMES, op, window,
           request))
