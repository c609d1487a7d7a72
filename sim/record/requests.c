/* Requests by handle: persistent messages, and what is open under numbers of our own; the calls
   that start, wait for and free them. */
#include <stdlib.h>
#include <string.h>

#include "trace.h"

enum { num_buckets = 1024, bits_per_word = 64 };
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static size_t bucket_of(MPI_Request handle) {
  uintptr_t bits = 0;
  memcpy(&bits, &handle, sizeof handle < sizeof bits ? sizeof handle : sizeof bits);
  return (bits ^ (bits >> 7) ^ (bits >> 16)) % num_buckets;
}

/* Receives only for traces. */
struct persistent {
  MPI_Request request;
  int world_rank;
  uint64_t bytes;
  bool sends;
  const struct record_peers *peers;
  int peer, tag;
  struct persistent *next;
};
static struct persistent *persistents[num_buckets];

static struct persistent **find_persistent(MPI_Request request) {
  struct persistent **place = &persistents[bucket_of(request)];
  while (*place != NULL && (*place)->request != request) place = &(*place)->next;
  return place;
}

static void keep(struct persistent message) {
  struct persistent *kept = malloc(sizeof *kept);
  if (kept == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  *kept = message;
  record_lock_mutex(&mutex);
  struct persistent **place = find_persistent(message.request);
  kept->next = *place;
  *place = kept;
  record_unlock_mutex(&mutex);
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

void record_forget_persistent(MPI_Request request) {
  record_lock_mutex(&mutex);
  struct persistent **place = find_persistent(request), *message = *place;
  if (message != NULL) *place = message->next;
  record_unlock_mutex(&mutex);
  free(message);
}

/* What is open. */
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

static struct open_request *open_requests[num_buckets];
static struct open_request *unused;
static uint64_t *taken; /* bit n: the number n is */
static int num_words, num_unknown;
static int last_group, left_in_group; /* requests of the last group that are open */
static bool group_is_new;             /* none of them has been waited for */
static uint32_t group_order;          /* a hash of those that have been */

static struct open_request **find(MPI_Request handle) {
  struct open_request **place = &open_requests[bucket_of(handle)];
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

/* Lets the wait for a request name its source. */
static void expect_source(MPI_Request handle, uint64_t place, const struct record_peers *peers) {
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

static void trace_start(MPI_Request handle, bool sends, const struct record_peers *peers, int peer,
                        uint64_t bytes, int tag) {
  if (!trace_is_on() || peers == NULL || peer == MPI_PROC_NULL) return;
  struct trace_event event = {sends ? TRACE_ISEND : TRACE_IRECV, TRACE_UNKNOWN, tag,
                              peers->trace_number, trace_new_request(handle), bytes, NULL};
  if (sends || (peer != MPI_ANY_SOURCE && tag != MPI_ANY_TAG)) {
    event.peer = record_world_rank(peers, peer);
    trace_add(event);
  } else {
    const uint64_t place = trace_add_unknown(event);
    expect_source(handle, place, peers);
  }
}

void trace_start_receive(MPI_Request handle, MPI_Comm comm, int source, int tag) {
  trace_start(handle, false, record_peers_of(comm), source, 0, tag);
}

void record_start(MPI_Request request) {
  if (!record_is_on()) return;
  record_lock_mutex(&mutex);
  const struct persistent *found = *find_persistent(request);
  const struct persistent message = found != NULL ? *found : (struct persistent){.peers = NULL};
  record_unlock_mutex(&mutex);
  if (message.sends)
    record_add(message.world_rank, RECORD_POINT_TO_POINT, message.bytes, 1);
  trace_start(request, message.sends, message.peers, message.peer, message.bytes, message.tag);
}

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

static struct several begin_several(int count, const MPI_Request requests[]) {
  struct several all = {count, NULL, NULL};
  all.asked = malloc((size_t)count * sizeof *all.asked);
  if (all.asked == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < count; ++i) all.asked[i] = ask_for(requests[i]);
  return all;
}

static void end_several(struct several *all) {
  for (int i = 0; i < all->count; ++i) keep_open(all->asked[i]);
  free(all->asked);
  free(all->statuses);
}

/* The caller's, or own ones where it has none and sources are to be found. */
static MPI_Status *statuses_for(struct several *all, MPI_Status statuses[]) {
  if (num_unknown == 0 || statuses != MPI_STATUSES_IGNORE) return statuses;
  all->statuses = malloc((size_t)all->count * sizeof *all->statuses);
  if (all->statuses == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  return all->statuses;
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
static void wait_for_all(struct several *all, const MPI_Status *statuses) {
  char *text = malloc(12 * (size_t)all->count + 1), *end = text;
  if (text == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < all->count; ++i) {
    if (all->asked[i] == NULL) continue;
    const int number =
        close_request(all->asked[i], statuses == MPI_STATUSES_IGNORE ? NULL : &statuses[i]);
    all->asked[i] = NULL;
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

/* A call on several requests; `prepare` and `finish` see its parameters and what it asks for. */
#define PARTS(...) __VA_ARGS__
#define SEVERAL(name, parameters, arguments, prepare, finish)                               \
  int MPI_##name(int count, MPI_Request requests[], PARTS parameters) {                     \
    if (!trace_is_on() || count <= 0) return PMPI_##name(count, requests, PARTS arguments); \
    struct several all = begin_several(count, requests);                                    \
    prepare;                                                                                \
    trace_enter();                                                                          \
    const int result = PMPI_##name(count, requests, PARTS arguments);                       \
    finish;                                                                                 \
    trace_leave();                                                                          \
    end_several(&all);                                                                      \
    return result;                                                                          \
  }
#define OWN_STATUSES statuses = statuses_for(&all, statuses)
#define ANY_WITH_OWN_STATUS                       \
  MPI_Status own;                                 \
  if (status == MPI_STATUS_IGNORE) status = &own; \
  ask_for_any(&all)

SEVERAL(Waitall, (MPI_Status statuses[]), (statuses), OWN_STATUSES, wait_for_all(&all, statuses))
SEVERAL(Testall, (int *flag, MPI_Status statuses[]), (flag, statuses), OWN_STATUSES,
        if (*flag) wait_for_all(&all, statuses))
SEVERAL(Waitany, (int *place, MPI_Status *status), (place, status), ANY_WITH_OWN_STATUS,
        if (*place != MPI_UNDEFINED) wait_for_any(&all, place, 1, status))
SEVERAL(Testany, (int *place, int *flag, MPI_Status *status), (place, flag, status),
        ANY_WITH_OWN_STATUS,
        if (*flag && *place != MPI_UNDEFINED) wait_for_any(&all, place, 1, status))
#define SOME(name)                                                             \
  SEVERAL(name, (int *done, int places[], MPI_Status statuses[]),              \
          (done, places, statuses), ask_for_any(&all); OWN_STATUSES,           \
          if (*done != MPI_UNDEFINED) wait_for_any(&all, places, *done, statuses))
SOME(Waitsome)
SOME(Testsome)

int MPI_Cancel(MPI_Request *request) {
  trace_add_unsupported("MPI_Cancel");
  return PMPI_Cancel(request);
}
