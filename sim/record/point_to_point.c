/* Sends of every kind: one message each, whatever the library makes of it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

void record_send(MPI_Comm comm, int destination, MPI_Count count, MPI_Datatype type) {
  const struct record_peers *peers = record_wants_counts() ? record_peers_of(comm) : NULL;
  if (peers == NULL) return;
  record_add(record_world_rank(peers, destination), RECORD_POINT_TO_POINT,
             record_bytes(count, type), 1);
}

/* Persistent messages, in buckets by handle; receives only for traces. */
struct persistent {
  MPI_Request request;
  int world_rank;
  uint64_t bytes;
  bool sends;
  const struct record_peers *peers;
  int peer, tag;
  struct persistent *next;
};

enum { num_buckets = 1024 };
static struct persistent *buckets[num_buckets];

static struct persistent **find(MPI_Request request) {
  uintptr_t bits = 0;
  memcpy(&bits, &request, sizeof request < sizeof bits ? sizeof request : sizeof bits);
  struct persistent **place = &buckets[(bits ^ (bits >> 7) ^ (bits >> 16)) % num_buckets];
  while (*place != NULL && (*place)->request != request) place = &(*place)->next;
  return place;
}

static void keep(struct persistent message) {
  struct persistent *kept = malloc(sizeof *kept);
  if (kept == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  *kept = message;
  record_lock();
  struct persistent **place = find(message.request);
  kept->next = *place;
  *place = kept;
  record_unlock();
}

void record_keep_persistent(MPI_Request request, MPI_Comm comm, int destination, MPI_Count count,
                            MPI_Datatype type, int tag) {
  const struct record_peers *peers = record_known_peers(comm); /* it may start after a pause */
  if (peers == NULL) return;
  keep((struct persistent){request, record_world_rank(peers, destination),
                           record_bytes(count, type), true, peers, destination, tag, NULL});
}

void record_keep_persistent_receive(MPI_Request request, MPI_Comm comm, int source, int tag) {
  const struct record_peers *peers = record_known_peers(comm);
  if (peers != NULL) keep((struct persistent){request, -1, 0, false, peers, source, tag, NULL});
}

void record_start(MPI_Request request) {
  if (!record_is_on()) return;
  record_lock();
  const struct persistent *found = *find(request);
  const struct persistent message = found != NULL ? *found : (struct persistent){.peers = NULL};
  if (found != NULL && found->sends)
    record_add_locked(found->world_rank, RECORD_POINT_TO_POINT, found->bytes, 1);
  record_unlock();
  trace_start_message(request, message.sends, message.peers, message.peer, message.bytes,
                      message.tag);
}

void record_forget_persistent(MPI_Request request) {
  record_lock();
  struct persistent **place = find(request), *send = *place;
  if (send != NULL) *place = send->next;
  record_unlock();
  free(send);
}

/* MPI_Sendrecv: a send that is started, a receive, and a wait; the number belongs to no handle. */
static void trace_exchange(MPI_Comm comm, int destination, uint64_t bytes, int tag,
                           const MPI_Status *status) {
  const struct record_peers *peers = record_peers_of(comm);
  const int own_number = 1 << 28;
  if (peers == NULL) return;
  if (destination != MPI_PROC_NULL)
    trace_add((struct trace_event){TRACE_ISEND, record_world_rank(peers, destination), tag,
                                   trace_number_of(peers), own_number, bytes, NULL});
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

SEND(Send, int)
SEND(Bsend, int)
SEND(Ssend, int)
SEND(Rsend, int)
START_SEND(Isend, int)
START_SEND(Ibsend, int)
START_SEND(Issend, int)
START_SEND(Irsend, int)
PERSISTENT_SEND(Send_init, int)
PERSISTENT_SEND(Bsend_init, int)
PERSISTENT_SEND(Ssend_init, int)
PERSISTENT_SEND(Rsend_init, int)
EXCHANGE(Sendrecv, int)
EXCHANGE_IN_PLACE(Sendrecv_replace, int)

#if MPI_VERSION >= 4
SEND(Send_c, MPI_Count)
SEND(Bsend_c, MPI_Count)
SEND(Ssend_c, MPI_Count)
SEND(Rsend_c, MPI_Count)
START_SEND(Isend_c, MPI_Count)
START_SEND(Ibsend_c, MPI_Count)
START_SEND(Issend_c, MPI_Count)
START_SEND(Irsend_c, MPI_Count)
PERSISTENT_SEND(Send_init_c, MPI_Count)
PERSISTENT_SEND(Bsend_init_c, MPI_Count)
PERSISTENT_SEND(Ssend_init_c, MPI_Count)
PERSISTENT_SEND(Rsend_init_c, MPI_Count)
EXCHANGE(Sendrecv_c, MPI_Count)
EXCHANGE_IN_PLACE(Sendrecv_replace_c, MPI_Count)

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

int MPI_Start(MPI_Request *request) {
  trace_enter();
  record_start(*request);
  const int result = PMPI_Start(request);
  trace_leave();
  return result;
}

int MPI_Startall(int count, MPI_Request requests[]) {
  trace_enter();
  for (int i = 0; i < count; ++i) record_start(requests[i]);
  const int result = PMPI_Startall(count, requests);
  trace_leave();
  return result;
}

int MPI_Request_free(MPI_Request *request) {
  record_forget_persistent(*request);
  return PMPI_Request_free(request);
}
