/* Sends of every kind: one message each, whatever the library makes of it. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "record.h"

void record_send(MPI_Comm comm, int destination, MPI_Count count, MPI_Datatype type) {
  const struct record_peers *peers = record_peers_of(comm);
  if (peers == NULL) return;
  record_add(record_world_rank(peers, destination), RECORD_POINT_TO_POINT,
             record_bytes(count, type), 1);
}

/* Persistent sends, in buckets by handle. */
struct persistent {
  MPI_Request request;
  int world_rank;
  uint64_t bytes;
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

void record_keep_persistent(MPI_Request request, MPI_Comm comm, int destination, MPI_Count count,
                            MPI_Datatype type) {
  const struct record_peers *peers = record_known_peers(comm); /* it may start after a pause */
  if (peers == NULL) return;
  struct persistent *send = malloc(sizeof *send);
  if (send == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  const int world_rank = record_world_rank(peers, destination);
  *send = (struct persistent){request, world_rank, record_bytes(count, type), NULL};
  record_lock();
  struct persistent **place = find(request);
  send->next = *place;
  *place = send;
  record_unlock();
}

void record_start(MPI_Request request) {
  if (!record_is_on()) return;
  record_lock();
  const struct persistent *send = *find(request);
  if (send != NULL) record_add_locked(send->world_rank, RECORD_POINT_TO_POINT, send->bytes, 1);
  record_unlock();
}

void record_forget_persistent(MPI_Request request) {
  record_lock();
  struct persistent **place = find(request), *send = *place;
  if (send != NULL) *place = send->next;
  record_unlock();
  free(send);
}

#define SEND(name, COUNT)                                                                     \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm) {                                                             \
    record_send(comm, destination, count, type);                                              \
    return PMPI_##name(buffer, count, type, destination, tag, comm);                          \
  }
#define START_SEND(name, COUNT)                                                               \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm, MPI_Request *request) {                                       \
    record_send(comm, destination, count, type);                                              \
    return PMPI_##name(buffer, count, type, destination, tag, comm, request);                 \
  }
#define PERSISTENT_SEND(name, COUNT)                                                          \
  int MPI_##name(const void *buffer, COUNT count, MPI_Datatype type, int destination, int tag, \
                 MPI_Comm comm, MPI_Request *request) {                                       \
    const int result = PMPI_##name(buffer, count, type, destination, tag, comm, request);     \
    if (result == MPI_SUCCESS)                                                                \
      record_keep_persistent(*request, comm, destination, count, type);                       \
    return result;                                                                            \
  }
#define EXCHANGE(name, COUNT)                                                                 \
  int MPI_##name(const void *send, COUNT send_count, MPI_Datatype send_type, int destination,  \
                 int send_tag, void *receive, COUNT receive_count, MPI_Datatype receive_type,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Status *status) {            \
    record_send(comm, destination, send_count, send_type);                                    \
    return PMPI_##name(send, send_count, send_type, destination, send_tag, receive,           \
                       receive_count, receive_type, source, receive_tag, comm, status);       \
  }
#define EXCHANGE_IN_PLACE(name, COUNT)                                                        \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int destination, int send_tag,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Status *status) {            \
    record_send(comm, destination, count, type);                                              \
    return PMPI_##name(buffer, count, type, destination, send_tag, source, receive_tag, comm, \
                       status);                                                               \
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
    return PMPI_##name(send, send_count, send_type, destination, send_tag, receive,           \
                       receive_count, receive_type, source, receive_tag, comm, request);      \
  }
#define START_EXCHANGE_IN_PLACE(name, COUNT)                                                  \
  int MPI_##name(void *buffer, COUNT count, MPI_Datatype type, int destination, int send_tag,  \
                 int source, int receive_tag, MPI_Comm comm, MPI_Request *request) {          \
    record_send(comm, destination, count, type);                                              \
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
    record_keep_persistent(*request, comm, destination, partitions * count, type);
  return result;
}
#endif

int MPI_Start(MPI_Request *request) {
  record_start(*request);
  return PMPI_Start(request);
}

int MPI_Startall(int count, MPI_Request requests[]) {
  for (int i = 0; i < count; ++i) record_start(requests[i]);
  return PMPI_Startall(count, requests);
}

int MPI_Request_free(MPI_Request *request) {
  record_forget_persistent(*request);
  return PMPI_Request_free(request);
}
