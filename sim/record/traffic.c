/* What this process sent, by destination: an open hash table with one cell per partner.
   Communicators: which world rank a rank stands for, who the neighbours are. Where the data of a
   collective goes: what is the same for all peers is kept in one place per communicator and spread
   over them at the end, so that a broadcast costs the same whatever the number of ranks. */
#include "traffic.h"

#include <stdio.h>
#include <stdlib.h>

static struct record_cell *cells;
static size_t capacity; /* a power of 2 */
static size_t used;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void lock(void) { record_lock_mutex(&mutex); }
static void unlock(void) { record_unlock_mutex(&mutex); }

static struct record_cell *find_cell(struct record_cell *table, size_t size, int destination) {
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
    if (cells[i].destination >= 0) *find_cell(table, larger, cells[i].destination) = cells[i];
  free(cells);
  cells = table;
  capacity = larger;
}

static void add_locked(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages) {
  if (world_rank < 0) return;
  if (2 * (used + 1) > capacity) grow();
  struct record_cell *cell = find_cell(cells, capacity, world_rank);
  if (cell->destination < 0) {
    *cell = (struct record_cell){.destination = world_rank};
    ++used;
  }
  cell->bytes[kind] += bytes;
  cell->messages[kind] += messages;
}

void record_add(int world_rank, enum record_kind kind, uint64_t bytes, uint64_t messages) {
  lock();
  add_locked(world_rank, kind, bytes, messages);
  unlock();
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

static int keyval = MPI_KEYVAL_INVALID;
static struct record_peers *world;
static struct record_peers *all; /* doubly linked list */
static int (*number_of)(const struct record_peers *peers);
/* The communicator of the last call and its peers, null once it is freed: to ask MPI for the
   attribute takes longer than recording. Not used where several threads call MPI. */
static MPI_Comm last_comm;
static struct record_peers *last_peers;
/* Held while peers are made, also during calls of MPI; no callback of MPI takes it. */
static pthread_mutex_t making = PTHREAD_MUTEX_INITIALIZER;

int record_world_rank(const struct record_peers *peers, int rank) {
  if (rank < 0 || rank >= peers->size) return -1; /* MPI_PROC_NULL, MPI_ROOT or a mistake */
  return peers->table != NULL ? peers->table[rank] : peers->offset + peers->stride * rank;
}

static void spread_uniform(struct record_peers *peers) {
  if (peers->uniform_messages == 0) return;
  for (int i = 0; i < peers->size; ++i)
    if (i != peers->rank)
      add_locked(record_world_rank(peers, i), RECORD_COLLECTIVE, peers->uniform_bytes,
                        peers->uniform_messages);
  peers->uniform_bytes = peers->uniform_messages = 0;
}

static int forget(MPI_Comm comm, int key, void *value, void *extra) {
  struct record_peers *peers = value;
  (void)comm, (void)key, (void)extra;
  lock();
  if (last_peers == peers) last_peers = NULL;
  spread_uniform(peers);
  if (peers->next != NULL) peers->next->previous = peers->previous;
  *(peers->previous != NULL ? &peers->previous->next : &all) = peers->next;
  unlock();
  free(peers->table);
  free(peers->neighbours);
  free(peers->sources);
  free(peers);
  return MPI_SUCCESS;
}

/* Drops the table where the world ranks are equally spaced: rows, columns and copies of the world
   cost nothing then. */
static void drop_even_table(struct record_peers *peers) {
  if (peers->size == 0) return;
  peers->offset = peers->table[0];
  peers->stride = peers->size > 1 ? peers->table[1] - peers->table[0] : 0;
  for (int i = 0; i < peers->size; ++i)
    if (peers->table[i] < 0 || peers->table[i] != peers->offset + (int64_t)peers->stride * i) return;
  free(peers->table);
  peers->table = NULL;
}

static void translate(struct record_peers *peers, MPI_Group group) {
  MPI_Group world_group;
  PMPI_Group_size(group, &peers->size);
  const size_t size = (size_t)peers->size + 1;
  int *ranks = malloc(size * sizeof *ranks);
  peers->table = malloc(size * sizeof *peers->table);
  if (ranks == NULL || peers->table == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  for (int i = 0; i < peers->size; ++i) ranks[i] = i;
  PMPI_Comm_group(MPI_COMM_WORLD, &world_group);
  PMPI_Group_translate_ranks(group, peers->size, ranks, world_group, peers->table);
  PMPI_Group_free(&world_group);
  free(ranks);
  for (int i = 0; i < peers->size; ++i)
    if (peers->table[i] == MPI_UNDEFINED) peers->table[i] = -1; /* of another MPI_COMM_WORLD */
  drop_even_table(peers);
}

static struct record_peers *make(MPI_Comm comm) {
  struct record_peers *peers = calloc(1, sizeof *peers);
  if (peers == NULL) PMPI_Abort(MPI_COMM_WORLD, 1);
  peers->num_neighbours = -1;
  int inter = 0;
  PMPI_Comm_test_inter(comm, &inter);
  if (comm == MPI_COMM_WORLD) {
    PMPI_Comm_size(comm, &peers->size);
    peers->stride = 1;
  } else {
    MPI_Group group;
    if (inter)
      PMPI_Comm_remote_group(comm, &group);
    else
      PMPI_Comm_group(comm, &group);
    translate(peers, group);
    PMPI_Group_free(&group);
  }
  peers->rank = -1;
  if (!inter) PMPI_Comm_rank(comm, &peers->rank);
  peers->trace_number = comm == MPI_COMM_WORLD ? 0 : number_of(peers);
  lock();
  peers->next = all;
  if (all != NULL) all->previous = peers;
  all = peers;
  unlock();
  return peers;
}

void record_peers_begin(int (*number)(const struct record_peers *peers)) {
  number_of = number;
  PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, forget, &keyval, NULL);
  world = make(MPI_COMM_WORLD);
}

void record_peers_end(void) {
  lock();
  for (struct record_peers *peers = all; peers != NULL; peers = peers->next) spread_uniform(peers);
  unlock();
}

static struct record_peers *find_or_make(MPI_Comm comm) {
  struct record_peers *peers = NULL;
  int found = 0;
  PMPI_Comm_get_attr(comm, keyval, &peers, &found);
  if (found) return peers;
  pthread_mutex_lock(&making);
  PMPI_Comm_get_attr(comm, keyval, &peers, &found); /* another thread may have been first */
  if (!found) {
    peers = make(comm);
    PMPI_Comm_set_attr(comm, keyval, peers);
  }
  pthread_mutex_unlock(&making);
  return peers;
}

struct record_peers *record_peers_of(MPI_Comm comm) {
  return record_is_on() ? record_known_peers(comm) : NULL;
}

struct record_peers *record_known_peers(MPI_Comm comm) {
  if (world == NULL || comm == MPI_COMM_NULL) return NULL;
  if (comm == MPI_COMM_WORLD) return world;
  if (last_peers != NULL && last_comm == comm) return last_peers;
  struct record_peers *peers = find_or_make(comm);
  if (record_has_threads()) return peers; /* another thread may free it meanwhile */
  last_comm = comm;
  return last_peers = peers;
}

static void neighbours_in_grid(struct record_peers *peers, MPI_Comm comm) {
  int dimensions = 0;
  PMPI_Cartdim_get(comm, &dimensions);
  peers->neighbours = malloc((2 * (size_t)dimensions + 1) * sizeof(int));
  for (int d = 0; d < dimensions; ++d)
    PMPI_Cart_shift(comm, d, 1, &peers->neighbours[2 * d], &peers->neighbours[2 * d + 1]);
  peers->num_neighbours = 2 * dimensions;
}

static void neighbours_in_graph(struct record_peers *peers, MPI_Comm comm) {
  int count = 0;
  PMPI_Graph_neighbors_count(comm, peers->rank, &count);
  peers->neighbours = malloc(((size_t)count + 1) * sizeof(int));
  PMPI_Graph_neighbors(comm, peers->rank, count, peers->neighbours);
  peers->num_neighbours = count;
}

static void neighbours_in_dist_graph(struct record_peers *peers, MPI_Comm comm) {
  int sources = 0, destinations = 0, weighted = 0;
  PMPI_Dist_graph_neighbors_count(comm, &sources, &destinations, &weighted);
  const size_t in = (size_t)sources + 1, out = (size_t)destinations + 1;
  int *from = malloc(in * sizeof(int)), *weights = malloc((in + out) * sizeof(int));
  peers->neighbours = malloc(out * sizeof(int));
  PMPI_Dist_graph_neighbors(comm, sources, from, weights, destinations, peers->neighbours,
                            weights + in);
  peers->sources = from;
  peers->num_sources = sources;
  free(weights);
  peers->num_neighbours = destinations;
}

static void find_neighbours(struct record_peers *peers, MPI_Comm comm) {
  pthread_mutex_lock(&making);
  if (peers->num_neighbours < 0) {
    int kind = MPI_UNDEFINED;
    PMPI_Topo_test(comm, &kind);
    if (kind == MPI_CART)
      neighbours_in_grid(peers, comm);
    else if (kind == MPI_GRAPH)
      neighbours_in_graph(peers, comm);
    else if (kind == MPI_DIST_GRAPH)
      neighbours_in_dist_graph(peers, comm);
    else
      peers->num_neighbours = 0; /* a mistake of the program: MPI will say so */
  }
  pthread_mutex_unlock(&making);
}

uint64_t record_bytes(MPI_Count count, MPI_Datatype type) {
  MPI_Count size = 0;
  if (count <= 0 || type == MPI_DATATYPE_NULL) return 0;
  PMPI_Type_size_x(type, &size);
  return size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

void record_to_peer(const struct record_peers *peers, int rank, MPI_Count count,
                    MPI_Datatype type) {
  if (peers == NULL || rank == peers->rank || count <= 0) return;
  record_add(record_world_rank(peers, rank), RECORD_COLLECTIVE, record_bytes(count, type), 1);
}

void record_to_all(struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (peers == NULL || count <= 0) return;
  const uint64_t bytes = record_bytes(count, type);
  lock();
  peers->uniform_bytes += bytes;
  ++peers->uniform_messages;
  unlock();
}

bool record_is_inter(const struct record_peers *peers) { return peers != NULL && peers->rank < 0; }

bool record_is_root(const struct record_peers *peers, int root) {
  return peers != NULL && (record_is_inter(peers) ? root == MPI_ROOT : root == peers->rank);
}

void record_from_root(struct record_peers *peers, int root, MPI_Count count, MPI_Datatype type) {
  if (record_is_root(peers, root)) record_to_all(peers, count, type);
}

void record_to_root(const struct record_peers *peers, int root, MPI_Count count,
                    MPI_Datatype type) {
  if (peers != NULL && root >= 0) record_to_peer(peers, root, count, type);
}

void record_through_first(struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (record_is_inter(peers)) {
    record_to_all(peers, count, type);
    return;
  }
  record_to_root(peers, 0, count, type);
  record_from_root(peers, 0, count, type);
}

void record_to_next(const struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (peers != NULL && peers->rank + 1 < peers->size)
    record_to_peer(peers, peers->rank + 1, count, type);
}

int record_num_peers(const struct record_peers *peers) { return peers != NULL ? peers->size : 0; }

int record_num_neighbours(struct record_peers *peers, MPI_Comm comm) {
  if (peers == NULL) return 0;
  if (peers->num_neighbours < 0) find_neighbours(peers, comm);
  return peers->num_neighbours;
}

void record_to_neighbour(const struct record_peers *peers, int i, MPI_Count count,
                         MPI_Datatype type) {
  if (count <= 0) return;
  record_add(record_world_rank(peers, peers->neighbours[i]), RECORD_COLLECTIVE,
             record_bytes(count, type), 1);
}
