/* Where the data of a collective goes. What is the same for all peers is kept in one place per
   communicator and spread over them at the end, so that a broadcast costs the same whatever the
   number of ranks. */
#include "record.h"

/* `count` elements from this process to one peer. */
void record_to_peer(const struct record_peers *peers, int rank, MPI_Count count,
                    MPI_Datatype type) {
  if (peers == NULL || rank == peers->rank || count <= 0) return;
  record_add(record_world_rank(peers, rank), RECORD_COLLECTIVE, record_bytes(count, type), 1);
}

/* `count` elements from this process to every other peer. */
void record_to_all(struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (peers == NULL || count <= 0) return;
  const uint64_t bytes = record_bytes(count, type);
  record_lock();
  peers->uniform_bytes += bytes;
  ++peers->uniform_messages;
  record_unlock();
}

bool record_is_inter(const struct record_peers *peers) { return peers != NULL && peers->rank < 0; }

/* Whether this process is the root; MPI_ROOT names it in an intercommunicator. */
bool record_is_root(const struct record_peers *peers, int root) {
  return peers != NULL && (record_is_inter(peers) ? root == MPI_ROOT : root == peers->rank);
}

void record_from_root(struct record_peers *peers, int root, MPI_Count count, MPI_Datatype type) {
  if (record_is_root(peers, root)) record_to_all(peers, count, type);
}

/* Nothing for the root itself, for MPI_ROOT and for MPI_PROC_NULL. */
void record_to_root(const struct record_peers *peers, int root, MPI_Count count,
                    MPI_Datatype type) {
  if (peers != NULL && root >= 0) record_to_peer(peers, root, count, type);
}

/* A reduction for all: to rank 0 and back from there. */
void record_through_first(struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (record_is_inter(peers)) {
    record_to_all(peers, count, type);
    return;
  }
  record_to_root(peers, 0, count, type);
  record_from_root(peers, 0, count, type);
}

void record_to_next(const struct record_peers *peers, MPI_Count count, MPI_Datatype type) {
  if (peers != NULL && peers->rank + 1 < peers->size) record_to_peer(peers, peers->rank + 1, count, type);
}

int record_num_peers(const struct record_peers *peers) { return peers != NULL ? peers->size : 0; }

int record_num_neighbours(struct record_peers *peers, MPI_Comm comm) {
  if (peers == NULL) return 0;
  if (peers->num_neighbours < 0) record_find_neighbours(peers, comm);
  return peers->num_neighbours;
}

void record_to_neighbour(const struct record_peers *peers, int i, MPI_Count count,
                         MPI_Datatype type) {
  if (count <= 0) return;
  record_add(record_world_rank(peers, peers->neighbours[i]), RECORD_COLLECTIVE,
             record_bytes(count, type), 1);
}
