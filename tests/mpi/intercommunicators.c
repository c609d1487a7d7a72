/* Intercommunicators: two groups that talk to each other. Expected values follow from the ranks in
 * MPI_COMM_WORLD, which say for each process in which group it is and at which place there. */
#include "check.h"
#ifdef SMPI_H
#include "vtopo_mpi.h"
#endif

enum { even, odd };

static int world_rank, world_size;
static int side;       /* even or odd world ranks */
static int rank, size; /* in the own group */
static int others;     /* processes in the other group */

/* World rank of a process of the other group; in each the order is that of the world, backwards in
 * the odd one. */
static int world_rank_of(int group, int place) {
  const int num_odd = world_size / 2;
  return group == even ? 2 * place : 2 * (num_odd - 1 - place) + 1;
}
static int other(int place) {
  return world_rank_of(1 - side, place);
}

static MPI_Comm make(MPI_Comm group) {
  MPI_Comm made;
  const int last_even = (world_size - 1) / 2; /* leads the even group, world rank 2 * last_even */
  const int leader = side == even ? last_even : 0;
  MPI_Intercomm_create(group, leader, MPI_COMM_WORLD,
                       side == even ? world_rank_of(odd, 0) : 2 * last_even, 12, &made);
  return made;
}

static void inquiries(MPI_Comm comm) {
  MPI_Group group, world;
  int flag = 0, own_rank = -1, own_size = -1, remote = -1, result = -1;
  MPI_Comm_test_inter(comm, &flag);
  CHECK(flag);
  MPI_Comm_test_inter(MPI_COMM_WORLD, &flag);
  CHECK(!flag);
  MPI_Comm_rank(comm, &own_rank);
  MPI_Comm_size(comm, &own_size);
  MPI_Comm_remote_size(comm, &remote);
  CHECK(own_rank == rank && own_size == size && remote == others);
  MPI_Comm_compare(comm, MPI_COMM_WORLD, &result);
  CHECK(result == MPI_UNEQUAL);
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_remote_group(comm, &group);
  for (int i = 0; i < others; ++i) {
    int there = -1;
    MPI_Group_translate_ranks(group, 1, &i, world, &there);
    CHECK(there == other(i));
  }
  MPI_Group_free(&group);
  MPI_Comm_group(comm, &group);
  for (int i = 0; i < size; ++i) {
    int there = -1;
    MPI_Group_translate_ranks(group, 1, &i, world, &there);
    CHECK(there == world_rank_of(side, i));
  }
  MPI_Group_free(&group);
  MPI_Group_free(&world);
}

/* Each sends its world rank to all of the other group: nonblocking, persistent, by any source. */
static void messages(MPI_Comm comm) {
  int sent = world_rank, received[64];
  MPI_Request requests[128];
  MPI_Status status;
  for (int i = 0; i < others; ++i) {
    MPI_Irecv(received + i, 1, MPI_INT, i, 5, comm, requests + i);
    MPI_Isend(&sent, 1, MPI_INT, i, 5, comm, requests + others + i);
  }
  MPI_Waitall(2 * others, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < others; ++i) CHECK(received[i] == other(i));
  for (int i = 0; i < others; ++i) {
    MPI_Send_init(&sent, 1, MPI_INT, i, 6, comm, requests + i);
    MPI_Start(requests + i);
  }
  for (int i = 0; i < others; ++i) {
    int word = -1, count = 0;
    MPI_Probe(MPI_ANY_SOURCE, 6, comm, &status);
    const int source = status.MPI_SOURCE;
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == 1 && source >= 0 && source < others);
    MPI_Recv(&word, 1, MPI_INT, source, MPI_ANY_TAG, comm, &status);
    CHECK(status.MPI_SOURCE == source && status.MPI_TAG == 6 && word == other(source));
  }
  MPI_Waitall(others, requests, MPI_STATUSES_IGNORE);
  for (int i = 0; i < others; ++i) MPI_Request_free(requests + i);
  if (rank < others && rank < size) {
    int word = world_rank;
    const int partner = rank < others ? rank : MPI_PROC_NULL;
    MPI_Sendrecv_replace(&word, 1, MPI_INT, partner, 7, partner, 7, comm, &status);
    CHECK(word == other(rank) && status.MPI_SOURCE == rank);
  }
}

/* As root every process of the even group in turn. */
static void rooted(MPI_Comm comm) {
  const int num_even = side == even ? size : others, num_odd = world_size - num_even;
  for (int root = 0; root < num_even; ++root) {
    const int as_root = side == odd ? root : rank == root ? MPI_ROOT : MPI_PROC_NULL;
    int words[64], word = as_root == MPI_ROOT ? 100 + root : -1, sum = 0, counts[64], places[64];
    MPI_Bcast(&word, 1, MPI_INT, as_root, comm);
    CHECK(word == (as_root == MPI_PROC_NULL ? -1 : 100 + root));
    word = world_rank;
    MPI_Gather(&word, 1, MPI_INT, words, 1, MPI_INT, as_root, comm);
    for (int i = 0; i < num_odd && as_root == MPI_ROOT; ++i) CHECK(words[i] == other(i));
    MPI_Reduce(&word, &sum, 1, MPI_INT, MPI_SUM, as_root, comm);
    /* The odd ranks: 1 + 3 + ... = their number squared. */
    CHECK(sum == (as_root == MPI_ROOT ? num_odd * num_odd : 0));
    for (int i = 0; i < num_odd; ++i) words[i] = 1000 + i;
    word = -1;
    MPI_Scatter(words, 1, MPI_INT, &word, 1, MPI_INT, as_root, comm);
    CHECK(word == (side == odd ? 1000 + rank : -1));
    /* One place is left out between two. */
    for (int i = 0; i < num_odd; ++i) {
      counts[i] = 1;
      places[i] = 2 * i;
      words[2 * i] = 2000 + i;
    }
    word = -1;
    MPI_Scatterv(words, counts, places, MPI_INT, &word, 1, MPI_INT, as_root, comm);
    CHECK(word == (side == odd ? 2000 + rank : -1));
    for (int i = 0; i < 64; ++i) words[i] = -1;
    MPI_Gatherv(&word, 1, MPI_INT, words, counts, places, MPI_INT, as_root, comm);
    for (int i = 0; i < num_odd && as_root == MPI_ROOT; ++i)
      CHECK(words[2 * i] == 2000 + i && words[2 * i + 1] == -1);
  }
}

static void take_first(void* in, void* inout, int* count, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *count; ++i) ((int*)inout)[i] = ((int*)in)[i];
}

static void of_all(MPI_Comm comm) {
  int words[64], got[64], counts[64], places[64], sum = 0, word = world_rank;
  MPI_Op first;
  MPI_Barrier(comm);
  MPI_Allgather(&word, 1, MPI_INT, words, 1, MPI_INT, comm);
  for (int i = 0; i < others; ++i) CHECK(words[i] == other(i));
  for (int i = 0; i < others; ++i) {
    counts[i] = 1;
    places[i] = others - 1 - i;
  }
  MPI_Allgatherv(&word, 1, MPI_INT, words, counts, places, MPI_INT, comm);
  for (int i = 0; i < others; ++i) CHECK(words[others - 1 - i] == other(i));
  for (int i = 0; i < others; ++i) words[i] = 100 * world_rank + i;
  MPI_Alltoall(words, 1, MPI_INT, got, 1, MPI_INT, comm);
  for (int i = 0; i < others; ++i) CHECK(got[i] == 100 * other(i) + rank);
  for (int i = 0; i < others; ++i) words[places[i]] = 100 * world_rank + i;
  MPI_Alltoallv(words, counts, places, MPI_INT, got, counts, places, MPI_INT, comm);
  for (int i = 0; i < others; ++i) CHECK(got[places[i]] == 100 * other(i) + rank);
  MPI_Allreduce(&word, &sum, 1, MPI_INT, MPI_SUM, comm);
  int expected = 0;
  for (int i = 0; i < others; ++i) expected += other(i);
  CHECK(sum == expected);
  /* Of all contributions the first one: the order of ranks counts. */
  MPI_Op_create(take_first, 0, &first);
  MPI_Allreduce(&word, &sum, 1, MPI_INT, first, comm);
  CHECK(sum == other(0));
  MPI_Op_free(&first);
  /* As many elements for each of the one group as the other one has processes: equal sums. */
  for (int i = 0; i < size * others; ++i) words[i] = i;
  MPI_Reduce_scatter_block(words, got, others, MPI_INT, MPI_SUM, comm);
  for (int i = 0; i < others; ++i) CHECK(got[i] == others * (rank * others + i));
}

static void made_of_it(MPI_Comm comm) {
  MPI_Comm copy = MPI_COMM_NULL, all = MPI_COMM_NULL, part = MPI_COMM_NULL;
  int result = -1, place = -1, count = -1, remote = -1, flag = 1;
  MPI_Comm_dup(comm, &copy);
  MPI_Comm_compare(comm, copy, &result);
  CHECK(result == MPI_CONGRUENT);
  inquiries(copy);
  messages(copy);
  of_all(copy);
  MPI_Comm_free(&copy);
  CHECK(copy == MPI_COMM_NULL);
  /* The odd group first. */
  MPI_Intercomm_merge(comm, side == even, &all);
  MPI_Comm_test_inter(all, &flag);
  MPI_Comm_rank(all, &place);
  MPI_Comm_size(all, &count);
  CHECK(!flag && count == world_size && place == (side == even ? others : 0) + rank);
  MPI_Comm_free(&all);
  /* The first of each group are a part, the rest another one, backwards; it may be one-sided. */
  MPI_Comm_split(comm, rank == 0, -rank, &part);
  if (rank == 0 || (size > 1 && others > 1)) {
    MPI_Comm_rank(part, &place);
    MPI_Comm_remote_size(part, &remote);
    CHECK(place == (rank == 0 ? 0 : size - 1 - rank) && remote == (rank == 0 ? 1 : others - 1));
    result = world_rank;
    MPI_Allreduce(&world_rank, &result, 1, MPI_INT, MPI_MAX, part);
    if (rank == 0) CHECK(result == other(0));
    MPI_Comm_free(&part);
  } else {
    CHECK(part == MPI_COMM_NULL);
  }
}

int main(int argc, char** argv) {
  MPI_Comm group, comm, wrong;
  int there = 0;
  MPI_Init(&argc, &argv);
  share_processors();
  MPI_Comm_rank(MPI_COMM_WORLD, &world_rank);
  MPI_Comm_size(MPI_COMM_WORLD, &world_size);
  side = world_rank % 2;
  MPI_Comm_split(MPI_COMM_WORLD, side, side == even ? world_rank : -world_rank, &group);
  MPI_Comm_rank(group, &rank);
  MPI_Comm_size(group, &size);
  others = world_size - size;
  MPI_Comm_set_errhandler(group, MPI_ERRORS_RETURN);
  comm = make(group);
  inquiries(comm);
  messages(comm);
  rooted(comm);
  of_all(comm);
  made_of_it(comm);
#ifdef SMPI_H /* MPICH ends by an assertion */
  /* The handler of the old communicator. */
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  CHECK_CLASS(MPI_Bcast(&there, 1, MPI_INT, 64, comm), MPI_ERR_ROOT);
  CHECK_CLASS(MPI_Comm_remote_size(MPI_COMM_WORLD, &there), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Intercomm_merge(MPI_COMM_WORLD, 0, &wrong), MPI_ERR_COMM);
#endif
  MPI_Comm_free(&comm);
  MPI_Comm_free(&group);
  return finish_checks();
}
