/* The trace of this rank: a buffer of calls in which repetitions become loops, and its file. */
#include <errno.h>
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "trace.h"

static const char *const trace_names[] = {
    "send",      "isend",  "recv",    "irecv",   "match",     "wait",     "waitany",  "barrier",
    "bcast",     "reduce", "allreduce", "reduce_scatter", "scan", "gather", "scatter",
    "allgather", "alltoall", "allgatherv", "parts", "comm", "unsupported"};

enum {
  max_items = 8192,  /* of the buffer */
  max_body = 2048,   /* items of a loop */
  max_tries = 16,    /* earlier items that may begin a repetition */
  table_size = 4096, /* a power of two */
  max_path = 4096
};

/* A call, or a loop of items. */
struct item {
  uint64_t hash;
  double gap;      /* local work before it, over all times */
  uint64_t times;  /* that it was done */
  uint64_t rounds; /* of a loop; 0: a call */
  struct item *body;
  int body_size;
  int earlier; /* the last item of this hash before it; -1: none */
  struct trace_event event;
};

static struct item *items;
static int num_items;
static uint64_t num_written; /* items that have left the buffer */
static int last_of_hash[table_size];
/* Where the loops among the items are, ascending, and the sizes of their bodies. */
static struct {
  int place, size;
} loops[max_items];
static int num_loops;
static uint64_t num_unknown; /* makes the hashes of receives from anywhere differ */
static FILE *file;
static bool is_on, failed;
static double left_at, gap_before, flushed_at, flush_interval = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

bool trace_is_on(void) { return is_on && record_is_on(); }

static uint64_t mix(uint64_t hash, uint64_t value) {
  hash ^= value;
  hash *= 0x9E3779B97F4A7C15u;
  return hash ^ (hash >> 29);
}

static uint64_t hash_of(const struct trace_event *event) {
  uint64_t hash = mix(17, (uint64_t)event->kind);
  hash = mix(hash, (uint64_t)(int64_t)event->peer);
  hash = mix(hash, (uint64_t)(int64_t)event->tag);
  hash = mix(hash, (uint64_t)(int64_t)event->comm);
  hash = mix(hash, (uint64_t)(int64_t)event->request);
  hash = mix(hash, event->bytes);
  for (const char *c = event->extra; c != NULL && *c != '\0'; ++c) hash = mix(hash, (uint64_t)*c);
  return event->peer == TRACE_UNKNOWN ? mix(hash, ++num_unknown) : hash;
}

static uint64_t hash_of_loop(const struct item *loop) {
  uint64_t hash = mix(23, loop->rounds);
  for (int i = 0; i < loop->body_size; ++i) hash = mix(hash, loop->body[i].hash);
  return hash;
}

/* Work that differs by more than noise is not one work in the mean: the first pass of a loop often
   has none before it. */
static bool similar(const struct item *a, const struct item *b) {
  const double noise = 5e-6, share = 0.5; /* seconds, and of the longer one */
  const double x = a->gap / (double)a->times, y = b->gap / (double)b->times;
  const double longer = x > y ? x : y, shorter = x > y ? y : x;
  return longer - shorter <= noise || longer - shorter <= share * longer;
}

static bool equal(const struct item *a, const struct item *b) {
  if (a->hash != b->hash || a->rounds != b->rounds || a->body_size != b->body_size) return false;
  for (int i = 0; i < a->body_size; ++i)
    if (!equal(&a->body[i], &b->body[i])) return false;
  if (a->rounds > 0) return true;
  if (!similar(a, b)) return false;
  const struct trace_event *x = &a->event, *y = &b->event;
  return x->kind == y->kind && x->peer == y->peer && x->tag == y->tag && x->comm == y->comm &&
         x->request == y->request && x->bytes == y->bytes && x->peer != TRACE_UNKNOWN &&
         (x->extra == NULL ? y->extra == NULL
                           : y->extra != NULL && strcmp(x->extra, y->extra) == 0);
}

static bool all_equal(const struct item *a, const struct item *b, int count) {
  for (int i = count - 1; i >= 0; --i)
    if (!equal(&a[i], &b[i])) return false;
  return true;
}

static void release(struct item *item) {
  for (int i = 0; i < item->body_size; ++i) release(&item->body[i]);
  free(item->body);
  free(item->event.extra);
}

/* Adds the times of an equal item, which goes. */
static void merge(struct item *into, struct item *item) {
  into->gap += item->gap;
  into->times += item->times;
  for (int i = 0; i < into->body_size; ++i) merge(&into->body[i], &item->body[i]);
  free(item->body);
  free(item->event.extra);
}

static void index_last(void) {
  int *place = &last_of_hash[items[num_items - 1].hash & (table_size - 1)];
  items[num_items - 1].earlier = *place;
  *place = num_items - 1;
}

/* Takes the loops at `place` and behind it off the list. */
static void forget_loops_from(int place) {
  while (num_loops > 0 && loops[num_loops - 1].place >= place) --num_loops;
}

static void list_loop(int place) {
  loops[num_loops].place = place;
  loops[num_loops++].size = items[place].body_size;
}

/* The end of the buffer repeats the body of a loop just before it. */
static bool extend_loop(void) {
  int last = num_loops - 1;
  if (last >= 0 && loops[last].place == num_items - 1) --last; /* the end of the buffer itself */
  for (int l = last; l >= 0 && l > last - max_tries; --l) {
    const int size = num_items - 1 - loops[l].place;
    struct item *loop = &items[loops[l].place];
    if (loops[l].size != size || !all_equal(loop->body, loop + 1, size)) continue;
    for (int i = 0; i < size; ++i) merge(&loop->body[i], &loop[1 + i]);
    ++loop->rounds;
    num_items -= size;
    forget_loops_from(num_items);
    loop->hash = hash_of_loop(loop);
    index_last();
    return true;
  }
  return false;
}

/* The end of the buffer repeats what is just before it. */
static bool make_loop(void) {
  const int last = num_items - 1;
  int earlier = items[last].earlier;
  for (int tries = 0; tries < max_tries; ++tries) {
    if (earlier < 0 || earlier >= last || items[earlier].hash != items[last].hash) return false;
    const int size = last - earlier;
    if (size > max_body || 2 * size > num_items) return false;
    struct item *first = &items[num_items - 2 * size];
    if (all_equal(first, first + size, size)) {
      struct item loop = {.times = 1, .rounds = 2, .body_size = size, .earlier = -1};
      loop.body = malloc((size_t)size * sizeof *loop.body);
      if (loop.body == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
      for (int i = 0; i < size; ++i) merge(&first[i], &first[size + i]);
      memcpy(loop.body, first, (size_t)size * sizeof *loop.body);
      loop.hash = hash_of_loop(&loop);
      *first = loop;
      num_items -= 2 * size - 1;
      forget_loops_from(num_items - 1);
      list_loop(num_items - 1);
      index_last();
      return true;
    }
    earlier = items[earlier].earlier;
  }
  return false;
}

static void write_event(const struct trace_event *event) {
  fputs(trace_names[event->kind], file);
  if (event->extra != NULL && event->kind != TRACE_PARTS && event->kind != TRACE_ALLGATHERV) {
    fprintf(file, " %s", event->extra);
    return;
  }
  char peer[16] = "?";
  if (event->peer != TRACE_UNKNOWN) snprintf(peer, sizeof peer, "%d", event->peer);
  switch (event->kind) {
    case TRACE_SEND:
      fprintf(file, " %s %" PRIu64 " %d %d", peer, event->bytes, event->tag, event->comm);
      break;
    case TRACE_ISEND:
      fprintf(file, " %d %s %" PRIu64 " %d %d", event->request, peer, event->bytes, event->tag,
              event->comm);
      break;
    case TRACE_RECV:
      fprintf(file, " %s %d %d", peer, event->tag, event->comm);
      break;
    case TRACE_IRECV:
      fprintf(file, " %d %s %d %d", event->request, peer, event->tag, event->comm);
      break;
    case TRACE_MATCH:
      fprintf(file, " %d %s %d", event->request, peer, event->tag);
      break;
    case TRACE_WAIT:
      fprintf(file, " %d", event->request);
      break;
    case TRACE_WAIT_ANY:
      fprintf(file, " %d %" PRIu64 "%s", event->request, event->bytes, event->tag ? " first" : "");
      break;
    case TRACE_PARTS:
    case TRACE_ALLGATHERV:
      fprintf(file, " %d %d%s", event->comm, event->request,
              event->extra == NULL ? "" : event->extra);
      break;
    default:
      fprintf(file, " %d %d %" PRIu64 " %s", event->comm, event->request, event->bytes, peer);
  }
}

static void write_item(const struct item *item) {
  if (item->rounds > 0) {
    fprintf(file, "repeat %" PRIu64 "\n", item->rounds);
    for (int i = 0; i < item->body_size; ++i) write_item(&item->body[i]);
    fputs("end\n", file);
    return;
  }
  write_event(&item->event);
  const double gap = item->gap / (double)item->times;
  if (gap >= 1e-10) fprintf(file, " +%.9g", gap);
  putc('\n', file);
}

/* Writes the first items and moves the others up. */
static void write_items(int count) {
  for (int i = 0; i < count; ++i) {
    write_item(&items[i]);
    release(&items[i]);
  }
  num_items -= count;
  num_written += (uint64_t)count;
  memmove(items, items + count, (size_t)num_items * sizeof *items);
  for (int i = 0; i < table_size; ++i) last_of_hash[i] = -1;
  num_loops = 0;
  for (int i = 0; i < num_items; ++i) {
    items[i].earlier = -1;
    if (items[i].rounds > 0) list_loop(i);
  }
  if (ferror(file) && !failed) {
    failed = true;
    fprintf(stderr, "vtopo_record: cannot write the trace: %s\n", strerror(errno));
  }
}

/* Items up to the first one that has yet to get its source. */
static int num_known(void) {
  for (int i = 0; i < num_items; ++i)
    if (items[i].rounds == 0 && items[i].event.peer == TRACE_UNKNOWN) return i;
  return num_items;
}

static void flush(double now) {
  write_items(num_known());
  fflush(file);
  flushed_at = now;
}

static uint64_t append(struct trace_event event) {
  if (num_items == max_items) {
    const int known = num_known();
    write_items(known >= max_items / 2 ? max_items / 2 : known > 0 ? known : max_items / 2);
  }
  struct item *item = &items[num_items++]; /* set one by one: all at once takes longer */
  item->hash = hash_of(&event);
  item->gap = gap_before;
  item->times = 1;
  item->rounds = 0;
  item->body = NULL;
  item->body_size = 0;
  item->earlier = -1;
  item->event = event;
  gap_before = 0;
  const uint64_t place = num_written + (uint64_t)num_items - 1;
  index_last();
  while (extend_loop() || make_loop()) continue;
  return place;
}

void trace_add(struct trace_event event) {
  if (!trace_is_on()) {
    free(event.extra);
    return;
  }
  record_lock_mutex(&mutex);
  append(event);
  record_unlock_mutex(&mutex);
}

void trace_add_unsupported(const char *what) {
  if (trace_is_on())
    trace_add((struct trace_event){TRACE_UNSUPPORTED, 0, 0, 0, -1, 0, strdup(what)});
}

uint64_t trace_add_unknown(struct trace_event event) {
  record_lock_mutex(&mutex);
  const uint64_t place = append(event);
  record_unlock_mutex(&mutex);
  return place;
}

/* Nothing is folded over a receive that waits for its source: it stays where it was. */
void trace_resolve(uint64_t place, int request, int peer, int tag) {
  record_lock_mutex(&mutex);
  if (place >= num_written && place - num_written < (uint64_t)num_items) {
    struct item *item = &items[place - num_written];
    item->event.peer = peer;
    item->event.tag = tag;
    item->hash = hash_of(&item->event);
    int *last = &last_of_hash[item->hash & (table_size - 1)];
    if (*last < (int)(place - num_written)) {
      item->earlier = *last;
      *last = (int)(place - num_written);
    }
  } else {
    append((struct trace_event){TRACE_MATCH, peer, tag, 0, request, 0, NULL});
  }
  record_unlock_mutex(&mutex);
}

void trace_enter(void) {
  if (!trace_is_on()) return;
  gap_before += PMPI_Wtime() - left_at;
}

void trace_leave(void) {
  if (!trace_is_on()) return;
  left_at = PMPI_Wtime();
  if (left_at - flushed_at < flush_interval) return;
  record_lock_mutex(&mutex);
  flush(left_at);
  left_at = PMPI_Wtime();
  record_unlock_mutex(&mutex);
}

void trace_refuse(const char *sentence) {
  if (!is_on) return;
  fprintf(stderr, "vtopo_record: no trace: %s\n", sentence);
  is_on = false;
  fclose(file);
}

static bool open_file(const char *folder, int rank, int size) {
  char path[max_path];
  if (rank == 0) mkdir(folder, 0777);
  PMPI_Barrier(MPI_COMM_WORLD);
  if (snprintf(path, sizeof path, "%s/rank-%d.trace", folder, rank) >= (int)sizeof path) {
    fprintf(stderr, "vtopo_record: the path in VTOPO_RECORD_TRACE is too long\n");
    return false;
  }
  file = fopen(path, "w");
  if (file == NULL) {
    fprintf(stderr, "vtopo_record: cannot write %s: %s\n", path, strerror(errno));
    return false;
  }
  fprintf(file, "# vtopo-trace 1 rank %d of %d\n", rank, size);
  return true;
}

static void read_flush_interval(int rank) {
  const char *text = getenv("VTOPO_RECORD_FLUSH");
  if (text == NULL || text[0] == '\0') return;
  char *end;
  const double seconds = strtod(text, &end);
  if (*end == '\0' && seconds > 0)
    flush_interval = seconds;
  else if (rank == 0)
    fprintf(stderr, "vtopo_record: VTOPO_RECORD_FLUSH=%s: accepted are seconds above 0; it is %g\n",
            text, flush_interval);
}

void trace_begin(void) {
  const char *folder = getenv("VTOPO_RECORD_TRACE");
  if (folder == NULL || folder[0] == '\0') return;
  int rank = 0, size = 0;
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  PMPI_Comm_size(MPI_COMM_WORLD, &size);
  if (!open_file(folder, rank, size)) return;
  read_flush_interval(rank);
  items = malloc(max_items * sizeof *items);
  if (items == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < table_size; ++i) last_of_hash[i] = -1;
  is_on = true;
  left_at = flushed_at = PMPI_Wtime();
}

void trace_end(void) {
  if (!is_on) return;
  is_on = false;
  write_items(num_items);
  fprintf(file, "# end +%.9g\n", gap_before);
  if (fclose(file) != 0) fprintf(stderr, "vtopo_record: cannot write the trace: %s\n", strerror(errno));
  free(items);
}
