/* What this process sent, by destination: an open hash table with one cell per partner. */
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "record.h"

static struct record_cell *cells;
static size_t capacity; /* a power of 2 */
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

void record_lock(void) { record_lock_mutex(&mutex); }
void record_unlock(void) { record_unlock_mutex(&mutex); }

static struct record_cell *find(struct record_cell *table, size_t size, int destination) {
  size_t place = ((uint32_t)destination * 2654435761u) & (size - 1);
  while (table[place].destination >= 0 && table[place].destination != destination)
    place = (place + 1) & (size - 1);
  return &table[place];
}

static void grow(void) {
  const size_t larger = capacity == 0 ? 64 : 2 * capacity;
  struct record_cell *table = malloc(larger * sizeof *table);
  if (table == NULL) {
    fprintf(stderr, "vtopo_record: no memory left for %zu partners\n", larger);
    PMPI_Abort(MPI_COMM_WORLD, 1);
  }
  for (size_t i = 0; i < larger; ++i) table[i].destination = -1;
  for (size_t i = 0; i < capacity; ++i)
    if (cells[i].destination >= 0) *find(table, larger, cells[i].destination) = cells[i];
  free(cells);
  cells = table;
  capacity = larger;
}

void record_add_locked(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages) {
  if (world_rank < 0) return;
  if (2 * (used + 1) > capacity) grow();
  struct record_cell *cell = find(cells, capacity, world_rank);
  if (cell->destination < 0) {
    *cell = (struct record_cell){.destination = world_rank};
    ++used;
  }
  cell->bytes[kind] += bytes;
  cell->messages[kind] += messages;
}

void record_add(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages) {
  record_lock();
  record_add_locked(world_rank, kind, bytes, messages);
  record_unlock();
}

static int by_destination(const void *left, const void *right) {
  const struct record_cell *a = left, *b = right;
  return (a->destination > b->destination) - (a->destination < b->destination);
}

struct record_cell *record_sorted_cells(size_t *count) {
  struct record_cell *sorted = malloc((used + 1) * sizeof *sorted);
  *count = 0;
  if (sorted == NULL) return NULL;
  for (size_t i = 0; i < capacity; ++i)
    if (cells[i].destination >= 0) sorted[(*count)++] = cells[i];
  qsort(sorted, *count, sizeof *sorted, by_destination);
  return sorted;
}
