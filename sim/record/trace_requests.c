/* Requests under numbers of our own, and the calls that wait for them. */
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "trace.h"

/* What is open, in buckets by handle. */
struct open_request {
  MPI_Request handle;
  int number;
  bool is_unknown; /* a receive from anywhere */
  bool is_asked;   /* by a call that is under way */
  int group;       /* of requests of which any is waited for; 0: none */
  uint64_t place;
  const struct record_peers *peers;
  struct open_request *next;
};

enum { num_buckets = 1024, bits_per_word = 64 };
static struct open_request *buckets[num_buckets];
static struct open_request *unused;
static uint64_t *taken; /* bit n: the number n is */
static int num_words, num_unknown;
static int last_group, left_in_group; /* requests of the last group that are open */
static bool group_is_new;             /* none of them has been waited for */
static uint32_t group_order;          /* a hash of those that have been */
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static struct open_request **find(MPI_Request handle) {
  uintptr_t bits = 0;
  memcpy(&bits, &handle, sizeof handle < sizeof bits ? sizeof handle : sizeof bits);
  struct open_request **place = &buckets[(bits ^ (bits >> 7) ^ (bits >> 16)) % num_buckets];
  while (*place != NULL && (*place)->handle != handle) place = &(*place)->next;
  return place;
}

/* The smallest free number: a program that does the same again gets the same numbers. */
static int take_number(void) {
  for (int w = 0; w < num_words; ++w)
    if (taken[w] != UINT64_MAX) {
      const int bit = __builtin_ctzll(~taken[w]);
      taken[w] |= UINT64_C(1) << bit;
      return w * bits_per_word + bit;
    }
  taken = realloc(taken, (size_t)(num_words + 1) * sizeof *taken);
  if (taken == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  taken[num_words] = 1;
  return num_words++ * bits_per_word;
}

int trace_new_request(MPI_Request handle) {
  if (!trace_is_on() || handle == MPI_REQUEST_NULL) return -1;
  record_lock_mutex(&mutex);
  struct open_request *request = unused;
  if (request != NULL)
    unused = request->next;
  else
    request = malloc(sizeof *request);
  if (request == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  struct open_request **place = find(handle);
  *request = (struct open_request){.handle = handle, .number = take_number(), .next = *place};
  *place = request;
  record_unlock_mutex(&mutex);
  return request->number;
}

void trace_expect_source(MPI_Request handle, uint64_t place, const struct record_peers *peers) {
  record_lock_mutex(&mutex);
  struct open_request *request = *find(handle);
  if (request != NULL) {
    request->is_unknown = true;
    request->place = place;
    request->peers = peers;
    ++num_unknown;
  }
  record_unlock_mutex(&mutex);
}

/* What a call asks for, before MPI overwrites the handle; null: nothing of ours. Libraries give
   several sends that are over one handle: each is asked for once. */
static struct open_request *ask_for(MPI_Request handle) {
  if (handle == MPI_REQUEST_NULL) return NULL;
  record_lock_mutex(&mutex);
  struct open_request *request = *find(handle);
  while (request != NULL && (request->handle != handle || request->is_asked))
    request = request->next;
  if (request != NULL) request->is_asked = true;
  record_unlock_mutex(&mutex);
  return request;
}

/* It goes on. */
static void keep_open(struct open_request *request) {
  if (request != NULL) request->is_asked = false;
}

/* It is over.
   @return its number. */
static int close_request(struct open_request *request, const MPI_Status *status) {
  record_lock_mutex(&mutex);
  struct open_request **place = find(request->handle);
  while (*place != request) place = &(*place)->next;
  *place = request->next;
  const int number = request->number;
  taken[number / bits_per_word] &= ~(UINT64_C(1) << number % bits_per_word);
  if (request->is_unknown) {
    --num_unknown;
    trace_resolve(request->place, number, record_world_rank(request->peers, status->MPI_SOURCE),
                  status->MPI_TAG);
  }
  request->next = unused;
  unused = request;
  record_unlock_mutex(&mutex);
  return number;
}

static void add_wait(struct open_request *request, const MPI_Status *status) {
  if (request == NULL) return;
  const int number = close_request(request, status);
  trace_add((struct trace_event){TRACE_WAIT, 0, 0, 0, number, 0, NULL});
}

void trace_message(enum trace_kind kind, const struct record_peers *peers, int peer,
                   MPI_Count count, MPI_Datatype type, int tag, int request) {
  if (!trace_is_on() || peers == NULL || peer == MPI_PROC_NULL) return;
  trace_add((struct trace_event){kind, record_world_rank(peers, peer), tag, trace_number_of(peers),
                                 request, record_bytes(count, type), NULL});
}

void trace_received(const struct record_peers *peers, const MPI_Status *status) {
  if (!trace_is_on() || peers == NULL || status->MPI_SOURCE == MPI_PROC_NULL) return;
  trace_add((struct trace_event){TRACE_RECV, record_world_rank(peers, status->MPI_SOURCE),
                                 status->MPI_TAG, trace_number_of(peers), -1, 0, NULL});
}

void trace_start_message(MPI_Request handle, bool sends, const struct record_peers *peers, int peer,
                         uint64_t bytes, int tag) {
  if (!trace_is_on() || peers == NULL || peer == MPI_PROC_NULL) return;
  struct trace_event event = {sends ? TRACE_ISEND : TRACE_IRECV, TRACE_UNKNOWN, tag,
                              trace_number_of(peers), trace_new_request(handle), bytes, NULL};
  if (sends || (peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)) {
    event.peer = record_world_rank(peers, peer);
    trace_add(event);
  } else {
    const uint64_t place = trace_add_unknown(event);
    trace_expect_source(handle, place, peers);
  }
}

static void start_receive(MPI_Request handle, MPI_Comm comm, int source, int tag) {
  trace_start_message(handle, false, record_peers_of(comm), source, 0, tag);
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
    if (result == MPI_SUCCESS && trace_is_on()) start_receive(*request, comm, source, tag);      \
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
RECEIVE(Recv, int)
START_RECEIVE(Irecv, int)
PERSISTENT_RECEIVE(Recv_init, int)
#if MPI_VERSION >= 4
RECEIVE(Recv_c, MPI_Count)
START_RECEIVE(Irecv_c, MPI_Count)
PERSISTENT_RECEIVE(Recv_init_c, MPI_Count)
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

int MPI_Wait(MPI_Request *request, MPI_Status *status) {
  MPI_Status own;
  if (!trace_is_on()) return PMPI_Wait(request, status);
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct open_request *asked = ask_for(*request);
  trace_enter();
  const int result = PMPI_Wait(request, status);
  add_wait(asked, status);
  trace_leave();
  return result;
}

int MPI_Test(MPI_Request *request, int *flag, MPI_Status *status) {
  MPI_Status own;
  if (!trace_is_on()) return PMPI_Test(request, flag, status);
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct open_request *asked = ask_for(*request);
  trace_enter();
  const int result = PMPI_Test(request, flag, status);
  if (*flag)
    add_wait(asked, status);
  else
    keep_open(asked);
  trace_leave();
  return result;
}

/* What a call on several requests asks for. */
struct several {
  int count;
  struct open_request **asked;
  MPI_Status *statuses; /* own ones, where the caller has none */
};

static struct several begin_several(int count, const MPI_Request requests[], bool needs_statuses) {
  struct several all = {count, NULL, NULL};
  all.asked = malloc((size_t)count * sizeof *all.asked);
  if (needs_statuses) all.statuses = malloc((size_t)count * sizeof *all.statuses);
  if (all.asked == NULL || (needs_statuses && all.statuses == NULL)) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < count; ++i) all.asked[i] = ask_for(requests[i]);
  return all;
}

static void end_several(struct several *all) {
  for (int i = 0; i < all->count; ++i) keep_open(all->asked[i]);
  free(all->asked);
  free(all->statuses);
}

static bool needs_sources(const MPI_Status *statuses) {
  return num_unknown > 0 && statuses == MPI_STATUSES_IGNORE;
}

/* Writes a number >= 0 and a blank; sprintf takes longer than MPI does. */
static char *write_number(char *end, int number) {
  char digits[12];
  int count = 0;
  do digits[count++] = (char)('0' + number % 10);
  while ((number /= 10) > 0);
  while (count > 0) *end++ = digits[--count];
  *end++ = ' ';
  return end;
}

/* One line for all of them: a loop has one wait, as the program does. */
static void wait_for_several(struct several *all, const int places[], int count,
                             const MPI_Status *statuses) {
  char *text = malloc(12 * (size_t)count + 1), *end = text;
  if (text == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < count; ++i) {
    const int p = places == NULL ? i : places[i];
    if (all->asked[p] == NULL) continue;
    const int number =
        close_request(all->asked[p], statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i]);
    all->asked[p] = NULL;
    end = write_number(end, number);
  }
  if (end == text) {
    free(text);
  } else {
    end[-1] = '\0';
    trace_add((struct trace_event){TRACE_WAIT, 0, 0, 0, -1, 0, text});
  }
}

/* Requests of which any is waited for are a group until none is left: then a replay may take them in
   another order. What else is asked for begins a new one. */
static void ask_for_any(const struct several *all) {
  int active = 0;
  bool is_last = true;
  for (int i = 0; i < all->count; ++i) {
    if (all->asked[i] == NULL) continue;
    ++active;
    is_last = is_last && all->asked[i]->group == last_group;
  }
  if (active == 0 || (is_last && active == left_in_group)) return;
  ++last_group;
  left_in_group = active;
  group_is_new = true;
  group_order = 0;
  for (int i = 0; i < all->count; ++i)
    if (all->asked[i] != NULL) all->asked[i]->group = last_group;
}

/* A line for each: in a replay fewer may be over at once. */
static void wait_for_any(struct several *all, const int places[], int count,
                         const MPI_Status *statuses) {
  for (int i = 0; i < count; ++i) {
    struct open_request *asked = all->asked[places[i]];
    if (asked == NULL) continue;
    const int number =
        close_request(asked, statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i]);
    all->asked[places[i]] = NULL;
    --left_in_group;
    group_order = (group_order + (uint32_t)number + 1) * 2654435761u;
    trace_add((struct trace_event){TRACE_WAIT_ANY, 0, group_is_new, (int)(group_order >> 1), number,
                                   (uint64_t)left_in_group, NULL});
    group_is_new = false;
  }
}

int MPI_Waitall(int count, MPI_Request requests[], MPI_Status statuses[]) {
  if (!trace_is_on() || count <= 0) return PMPI_Waitall(count, requests, statuses);
  struct several all = begin_several(count, requests, needs_sources(statuses));
  if (all.statuses != NULL) statuses = all.statuses;
  trace_enter();
  const int result = PMPI_Waitall(count, requests, statuses);
  wait_for_several(&all, NULL, count, statuses);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Testall(int count, MPI_Request requests[], int *flag, MPI_Status statuses[]) {
  if (!trace_is_on() || count <= 0) return PMPI_Testall(count, requests, flag, statuses);
  struct several all = begin_several(count, requests, needs_sources(statuses));
  if (all.statuses != NULL) statuses = all.statuses;
  trace_enter();
  const int result = PMPI_Testall(count, requests, flag, statuses);
  if (*flag) wait_for_several(&all, NULL, count, statuses);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Waitany(int count, MPI_Request requests[], int *place, MPI_Status *status) {
  MPI_Status own;
  if (!trace_is_on() || count <= 0) return PMPI_Waitany(count, requests, place, status);
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct several all = begin_several(count, requests, false);
  ask_for_any(&all);
  trace_enter();
  const int result = PMPI_Waitany(count, requests, place, status);
  if (*place != MPI_UNDEFINED) wait_for_any(&all, place, 1, status);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Testany(int count, MPI_Request requests[], int *place, int *flag, MPI_Status *status) {
  MPI_Status own;
  if (!trace_is_on() || count <= 0) return PMPI_Testany(count, requests, place, flag, status);
  if (status == MPI_STATUS_IGNORE) status = &own;
  struct several all = begin_several(count, requests, false);
  ask_for_any(&all);
  trace_enter();
  const int result = PMPI_Testany(count, requests, place, flag, status);
  if (*flag && *place != MPI_UNDEFINED) wait_for_any(&all, place, 1, status);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Waitsome(int count, MPI_Request requests[], int *done, int places[],
                 MPI_Status statuses[]) {
  if (!trace_is_on() || count <= 0) return PMPI_Waitsome(count, requests, done, places, statuses);
  struct several all = begin_several(count, requests, needs_sources(statuses));
  ask_for_any(&all);
  if (all.statuses != NULL) statuses = all.statuses;
  trace_enter();
  const int result = PMPI_Waitsome(count, requests, done, places, statuses);
  if (*done != MPI_UNDEFINED) wait_for_any(&all, places, *done, statuses);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Testsome(int count, MPI_Request requests[], int *done, int places[],
                 MPI_Status statuses[]) {
  if (!trace_is_on() || count <= 0) return PMPI_Testsome(count, requests, done, places, statuses);
  struct several all = begin_several(count, requests, needs_sources(statuses));
  ask_for_any(&all);
  if (all.statuses != NULL) statuses = all.statuses;
  trace_enter();
  const int result = PMPI_Testsome(count, requests, done, places, statuses);
  if (*done != MPI_UNDEFINED) wait_for_any(&all, places, *done, statuses);
  trace_leave();
  end_several(&all);
  return result;
}

int MPI_Cancel(MPI_Request *request) {
  trace_add_unsupported("MPI_Cancel");
  return PMPI_Cancel(request);
}
