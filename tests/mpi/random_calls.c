/* Random MPI programs: calls in an order that a seed draws, each on a random communicator, whose
 * results every process works out from the ranks alone. random_calls valid|returned|fatal SEED
 * PROGRAMS: valid calls; among them each wrong call of wrong_calls[] once, its error returned; one
 * wrong call that is fatal. random_programs.sh runs it. */
#include <stdint.h>
#include <string.h>

#include "check.h"
#include "random_wrong_calls.h"

enum { max_processes = 64, max_comms = 6, max_ints = 3000, max_shifts = 3 };

/* A communicator and who is in it: member[r] is the process of MPI_COMM_WORLD with rank r. */
struct Comm {
  MPI_Comm comm;
  int size, rank, member[max_processes];
};

static uint64_t state; /* equal on all processes, which draw the same numbers */
static struct Comm comms[max_comms];
static int num_comms, sent[max_ints * 2], got[max_ints * 2];

static uint64_t mixed(uint64_t x) { /* splitmix64 */
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9U;
  x = (x ^ (x >> 27)) * 0x94d049bb133111ebU;
  return x ^ (x >> 31);
}
static uint64_t draw(void) {
  return state = mixed(state);
}
static int draw_below(int n) {
  return (int)(draw() % (uint64_t)n);
}
/* The i-th number that a process has in the call for which `salt` was drawn; sums of 64 fit an int.
 */
static int number_of(uint64_t salt, int process, int i) {
  return (int)(mixed(salt + (uint64_t)process * 1000003U + (uint64_t)i) >> 40);
}
static void fill(int* numbers, uint64_t salt, int process, int count) {
  for (int i = 0; i < count; ++i) numbers[i] = number_of(salt, process, i);
}
static int equal(const int* numbers, uint64_t salt, int process, int count) {
  for (int i = 0; i < count; ++i)
    if (numbers[i] != number_of(salt, process, i)) return 0;
  return 1;
}

static void keep(MPI_Comm comm) {
  MPI_Group world, own;
  struct Comm* kept = &comms[num_comms++];
  int ranks[max_processes];
  kept->comm = comm;
  MPI_Comm_size(comm, &kept->size);
  MPI_Comm_rank(comm, &kept->rank);
  for (int r = 0; r < kept->size; ++r) ranks[r] = r;
  MPI_Comm_group(MPI_COMM_WORLD, &world);
  MPI_Comm_group(comm, &own);
  MPI_Group_translate_ranks(own, kept->size, ranks, world, kept->member);
  MPI_Group_free(&own);
  MPI_Group_free(&world);
}

/* ---- messages ---- */

static void pass_around_once(const struct Comm* c, int any) {
  const int form = draw_below(7), tag = draw_below(100), big = draw_below(8) == 0;
  const int count = draw_below(big ? max_ints : 40), shift = (int)(draw() % (uint64_t)c->size);
  const uint64_t salt = draw();
  const int to = (c->rank + shift) % c->size, from = (c->rank + c->size - shift) % c->size;
  const int source = any && c->size > 1 && form != 4 ? MPI_ANY_SOURCE : from,
            expected = c->member[from];
  const int seen_tag = any ? MPI_ANY_TAG : tag;
  MPI_Request requests[2];
  MPI_Status status, statuses[2];
  int received = -1;
  fill(sent, salt, c->member[c->rank], count);
  memset(got, 0xff, sizeof got);
  if (form == 0) {
    MPI_Sendrecv(sent, count, MPI_INT, to, tag, got, count, MPI_INT, source, seen_tag, c->comm,
                 &status);
  } else if (form == 1) {
    MPI_Irecv(got, count, MPI_INT, source, seen_tag, c->comm, &requests[0]);
    MPI_Isend(sent, count, MPI_INT, to, tag, c->comm, &requests[1]);
    MPI_Waitall(2, requests, statuses);
    status = statuses[0];
  } else if (form == 2) { /* a request is waited for as it comes */
    int done;
    MPI_Irecv(got, count, MPI_INT, source, seen_tag, c->comm, &requests[0]);
    MPI_Ssend(sent, count, MPI_INT, to, tag, c->comm);
    MPI_Waitany(1, requests, &done, &status);
    CHECK(done == 0 && requests[0] == MPI_REQUEST_NULL);
  } else if (form == 3) { /* the length is asked for */
    MPI_Isend(sent, count, MPI_INT, to, tag, c->comm, &requests[0]);
    MPI_Probe(source, seen_tag, c->comm, &status);
    MPI_Get_count(&status, MPI_INT, &received);
    CHECK(received == count);
    MPI_Recv(got, count, MPI_INT, status.MPI_SOURCE, status.MPI_TAG, c->comm, &status);
    MPI_Wait(&requests[0], MPI_STATUS_IGNORE);
  } else if (form == 4) {
    memcpy(got, sent, sizeof got);
    MPI_Sendrecv_replace(got, count, MPI_INT, to, tag, from, tag, c->comm, &status);
  } else if (form == 5) { /* persistent, twice */
    MPI_Recv_init(got, count, MPI_INT, source, seen_tag, c->comm, &requests[0]);
    MPI_Send_init(sent, count, MPI_INT, to, tag, c->comm, &requests[1]);
    for (int i = 0; i < 2; ++i) {
      MPI_Startall(2, requests);
      MPI_Waitall(2, requests, statuses);
      MPI_Barrier(c->comm);
    }
    status = statuses[0];
    for (int i = 0; i < 2; ++i) MPI_Request_free(&requests[i]);
  } else { /* every second number, by a type */
    MPI_Datatype every_second;
    int spread[80];
    const int few = count % 40;
    for (int i = 0; i < few; ++i) spread[2 * i] = sent[i];
    MPI_Type_vector(few, 1, 2, MPI_INT, &every_second);
    MPI_Type_commit(&every_second);
    MPI_Sendrecv(spread, 1, every_second, to, tag, got, count, MPI_INT, source, seen_tag, c->comm,
                 &status);
    MPI_Type_free(&every_second);
    MPI_Get_count(&status, MPI_INT, &received);
    CHECK(received == few && equal(got, salt, expected, few));
    return;
  }
  MPI_Get_count(&status, MPI_INT, &received);
  CHECK(received == count && status.MPI_SOURCE == from && status.MPI_TAG == tag);
  CHECK(equal(got, salt, expected, count));
  CHECK(got[count] == -1 || form == 4);
}

static void pass_around(const struct Comm* c) {
  const int any = draw_below(2);
  pass_around_once(c, any);
  if (any) MPI_Barrier(c->comm); /* a process that is ahead would be received from */
}

static void collect_from_any(const struct Comm* c) {
  const int root = (int)(draw() % (uint64_t)c->size), tag = draw_below(50);
  const uint64_t salt = draw();
  int seen[max_processes] = {0};
  if (c->rank != root) {
    fill(sent, salt, c->member[c->rank], c->rank + 1);
    MPI_Send(sent, c->rank + 1, MPI_INT, root, tag, c->comm);
  }
  for (int i = 1; c->rank == root && i < c->size; ++i) {
    MPI_Status status;
    int count;
    MPI_Recv(got, max_processes, MPI_INT, MPI_ANY_SOURCE, tag, c->comm, &status);
    MPI_Get_count(&status, MPI_INT, &count);
    CHECK(count == status.MPI_SOURCE + 1 && !seen[status.MPI_SOURCE]++);
    CHECK(equal(got, salt, c->member[status.MPI_SOURCE], count));
  }
  MPI_Barrier(c->comm);
}

/* ---- collectives ---- */

static int combined(int op, uint64_t salt, const struct Comm* c, int first, int last, int i) {
  int result = number_of(salt, c->member[first], i);
  for (int r = first + 1; r <= last; ++r) {
    const int next = number_of(salt, c->member[r], i);
    if (op == 0)
      result += next;
    else if (op == 1)
      result = next > result ? next : result;
    else if (op == 2)
      result = next < result ? next : result;
    else
      result ^= next;
  }
  return result;
}
static int all_combined(int op, uint64_t salt, const struct Comm* c, int first, int last, int count,
                        int offset) {
  for (int i = 0; i < count; ++i)
    if (got[i] != combined(op, salt, c, first, last, offset + i)) return 0;
  return 1;
}

static void reduce(const struct Comm* c) {
  const int form = draw_below(7), op = draw_below(4), count = draw_below(30);
  const int root = (int)(draw() % (uint64_t)c->size), last = c->size - 1;
  const MPI_Op ops[] = {MPI_SUM, MPI_MAX, MPI_MIN, MPI_BXOR};
  const uint64_t salt = draw();
  MPI_Request request;
  fill(sent, salt, c->member[c->rank], count * c->size);
  if (form == 0) MPI_Reduce(sent, got, count, MPI_INT, ops[op], root, c->comm);
  if (form == 1) MPI_Allreduce(sent, got, count, MPI_INT, ops[op], c->comm);
  if (form == 2) MPI_Scan(sent, got, count, MPI_INT, ops[op], c->comm);
  if (form == 3) MPI_Exscan(sent, got, count, MPI_INT, ops[op], c->comm);
  if (form == 4) MPI_Reduce_scatter_block(sent, got, count, MPI_INT, ops[op], c->comm);
  if (form == 5) {
    memcpy(got, sent, sizeof got);
    MPI_Allreduce(MPI_IN_PLACE, got, count, MPI_INT, ops[op], c->comm);
  }
  if (form == 6) {
    MPI_Iallreduce(sent, got, count, MPI_INT, ops[op], c->comm, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (form == 0)
    CHECK(c->rank != root || all_combined(op, salt, c, 0, last, count, 0));
  else if (form == 2)
    CHECK(all_combined(op, salt, c, 0, c->rank, count, 0));
  else if (form == 3)
    CHECK(c->rank == 0 || all_combined(op, salt, c, 0, c->rank - 1, count, 0));
  else if (form == 4)
    CHECK(all_combined(op, salt, c, 0, last, count, count * c->rank));
  else
    CHECK(all_combined(op, salt, c, 0, last, count, 0));
}

/* Of each rank one block, of length r + 1 for rank r if `varied`. */
static int blocks_equal(const struct Comm* c, uint64_t salt, int count, int varied, int offset) {
  for (int r = 0, at = 0; r < c->size; ++r) {
    const int length = varied ? r + 1 : count;
    for (int i = 0; i < length; ++i)
      if (got[at + i] != number_of(salt, c->member[r], offset + i)) return 0;
    at += length;
  }
  return 1;
}

static void share(const struct Comm* c) {
  const int form = draw_below(9), count = draw_below(20), root = (int)(draw() % (uint64_t)c->size);
  const uint64_t salt = draw();
  int lengths[max_processes], starts[max_processes];
  MPI_Request request;
  for (int r = 0, at = 0; r < c->size; at += ++r) lengths[r] = r + 1, starts[r] = at;
  fill(sent, salt, c->member[c->rank], count * c->size + c->size);
  if (form == 0) MPI_Gather(sent, count, MPI_INT, got, count, MPI_INT, root, c->comm);
  if (form == 1)
    MPI_Gatherv(sent, c->rank + 1, MPI_INT, got, lengths, starts, MPI_INT, root, c->comm);
  if (form == 2) MPI_Allgather(sent, count, MPI_INT, got, count, MPI_INT, c->comm);
  if (form == 3) MPI_Allgatherv(sent, c->rank + 1, MPI_INT, got, lengths, starts, MPI_INT, c->comm);
  if (form == 4) MPI_Alltoall(sent, count, MPI_INT, got, count, MPI_INT, c->comm);
  if (form == 5) MPI_Scatter(sent, count, MPI_INT, got, count, MPI_INT, root, c->comm);
  if (form == 6)
    MPI_Bcast(c->rank == root ? memcpy(got, sent, sizeof got) : got, count, MPI_INT, root, c->comm);
  if (form == 7) {
    MPI_Ibcast(c->rank == root ? memcpy(got, sent, sizeof got) : got, count, MPI_INT, root, c->comm,
               &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  if (form == 8) MPI_Barrier(c->comm);
  if (form < 2)
    CHECK(c->rank != root || blocks_equal(c, salt, count, form == 1, 0));
  else if (form < 4)
    CHECK(blocks_equal(c, salt, count, form == 3, 0));
  else if (form == 4)
    CHECK(blocks_equal(c, salt, count, 0, count * c->rank));
  else if (form == 5)
    for (int i = 0; i < count; ++i)
      CHECK(got[i] == number_of(salt, c->member[root], count * c->rank + i));
  else if (form < 8)
    CHECK(equal(got, salt, c->member[root], count));
}

/* ---- communicators and topologies ---- */

/* All sizes of communicators are products of these. */
static void grid_of(int size, uint64_t numbers, int* dims) {
  dims[0] = size;
  dims[1] = 1;
  for (int d = 2; d <= size; ++d)
    if (size % d == 0 && numbers % 2 == 0) {
      dims[0] = size / d;
      dims[1] = d;
      return;
    }
}
/* The neighbour one step along a dimension; the last dimension varies fastest. */
static int step(const int* dims, const int* periodic, const int* coords, int dimension, int by) {
  int moved[2] = {coords[0], coords[1]};
  moved[dimension] += by;
  if (moved[dimension] < 0 || moved[dimension] >= dims[dimension]) {
    if (!periodic[dimension]) return MPI_PROC_NULL;
    moved[dimension] = (moved[dimension] + dims[dimension]) % dims[dimension];
  }
  return moved[0] * dims[1] + moved[1];
}

static void check_grid(const struct Comm* c, const int* dims, const int* periodic) {
  const uint64_t salt = draw();
  int coords[2], expected[4], rank = -1, source, target, kept[2] = {0, 1}, line_rank;
  MPI_Comm line;
  MPI_Cart_coords(c->comm, c->rank, 2, coords);
  CHECK(coords[0] == c->rank / dims[1] && coords[1] == c->rank % dims[1]);
  MPI_Cart_rank(c->comm, coords, &rank);
  CHECK(rank == c->rank);
  for (int d = 0; d < 2; ++d) {
    expected[2 * d] = step(dims, periodic, coords, d, -1);
    expected[2 * d + 1] = step(dims, periodic, coords, d, 1);
    MPI_Cart_shift(c->comm, d, 1, &source, &target);
    CHECK(source == expected[2 * d] && target == expected[2 * d + 1]);
  }
  MPI_Cart_sub(c->comm, kept, &line);
  MPI_Comm_rank(line, &line_rank);
  CHECK(line_rank == coords[1]);
  MPI_Comm_free(&line);
  fill(sent, salt, c->member[c->rank], 8);
  memset(got, 0xff, sizeof got);
  MPI_Neighbor_allgather(sent, 2, MPI_INT, got, 2, MPI_INT, c->comm);
  for (int k = 0; k < 4; ++k)
    if (expected[k] == MPI_PROC_NULL)
      CHECK(got[2 * k] == -1);
    else
      CHECK(equal(got + 2 * k, salt, c->member[expected[k]], 2));
  if ((periodic[0] && dims[0] < 3) || (periodic[1] && dims[1] < 3))
    return; /* Open MPI 4.1 swaps them */
  MPI_Neighbor_alltoall(sent, 2, MPI_INT, got, 2, MPI_INT, c->comm);
  for (int k = 0; k < 4; ++k)
    if (expected[k] != MPI_PROC_NULL)
      CHECK(got[2 * k] == number_of(salt, c->member[expected[k]], 2 * (k ^ 1)));
}

static void check_shifts(const struct Comm* c, int degree, const int* shifts) {
  const uint64_t salt = draw();
  int sources[max_shifts], targets[max_shifts], in, out, weighted;
  MPI_Dist_graph_neighbors_count(c->comm, &in, &out, &weighted);
  CHECK(in == degree && out == degree && weighted);
  MPI_Dist_graph_neighbors(c->comm, degree, sources, got, degree, targets, got);
  for (int k = 0; k < degree; ++k) {
    CHECK(sources[k] == (c->rank + c->size - shifts[k] % c->size) % c->size);
    CHECK(targets[k] == (c->rank + shifts[k]) % c->size);
  }
  fill(sent, salt, c->member[c->rank], 3 * degree);
  MPI_Neighbor_allgather(sent, 3, MPI_INT, got, 3, MPI_INT, c->comm);
  for (int k = 0; k < degree; ++k) CHECK(equal(got + 3 * k, salt, c->member[sources[k]], 3));
  /* Which block belongs to which of several edges between two processes is otherwise in MPICH 4.0.
   */
  if (shifts[degree - 1] - shifts[0] >= c->size) return;
  MPI_Neighbor_alltoall(sent, 3, MPI_INT, got, 3, MPI_INT, c->comm);
  for (int k = 0; k < degree; ++k)
    CHECK(got[3 * k] == number_of(salt, c->member[sources[k]], 3 * k));
}

static int is_permutation(const struct Comm* made, const struct Comm* old) {
  int seen[max_processes] = {0};
  for (int r = 0; r < made->size; ++r) ++seen[made->member[r]];
  for (int r = 0; r < old->size; ++r)
    if (seen[old->member[r]] != 1) return 0;
  return made->size == old->size;
}

static void make(const struct Comm* c) {
  const int form = draw_below(4), reorder = draw_below(2), twist = draw_below(4);
  const uint64_t numbers = draw(), salt = draw();
  MPI_Comm made;
  if (num_comms == max_comms) MPI_Comm_free(&comms[--num_comms].comm);
  if (c == &comms[num_comms]) return;
  if (form == 0) {
    MPI_Comm_dup(c->comm, &made);
    keep(made);
    CHECK(memcmp(comms[num_comms - 1].member, c->member, sizeof(int) * (size_t)c->size) == 0);
  } else if (form == 1) { /* two parts, each in descending order */
    const int part = number_of(salt, c->member[c->rank], 0) % 2;
    const struct Comm* kept = &comms[num_comms];
    MPI_Comm_split(c->comm, part, -c->rank, &made);
    keep(made);
    for (int r = c->size - 1, at = 0; r >= 0; --r)
      if (number_of(salt, c->member[r], 0) % 2 == part)
        CHECK(at < kept->size && kept->member[at++] == c->member[r]);
  } else if (form == 2) {
    int dims[2], periodic[2] = {twist % 2, twist / 2};
    grid_of(c->size, numbers, dims);
    MPI_Cart_create(c->comm, 2, dims, periodic, reorder, &made);
    keep(made);
    CHECK(is_permutation(&comms[num_comms - 1], c));
    check_grid(&comms[num_comms - 1], dims, periodic);
  } else {
    const int degree = 1 + (int)(numbers % max_shifts);
    int shifts[max_shifts], sources[max_shifts], targets[max_shifts], weights[max_shifts];
    for (int k = 0; k < degree; ++k) {
      shifts[k] = (k == 0 ? 0 : shifts[k - 1]) + 1 + (int)(mixed(numbers + (uint64_t)k) % 3);
      sources[k] = (c->rank + c->size - shifts[k] % c->size) % c->size;
      targets[k] = (c->rank + shifts[k]) % c->size;
      weights[k] = 1 + k;
    }
    MPI_Dist_graph_create_adjacent(c->comm, degree, sources, weights, degree, targets, weights,
                                   MPI_INFO_NULL, reorder, &made);
    keep(made);
    CHECK(is_permutation(&comms[num_comms - 1], c));
    check_shifts(&comms[num_comms - 1], degree, shifts);
  }
}

static void call_rightly(void) {
  const int kind = draw_below(10);
  const struct Comm* c = &comms[draw() % (uint64_t)num_comms];
  if (kind < 4)
    pass_around(c);
  else if (kind == 4)
    collect_from_any(c);
  else if (kind < 7)
    reduce(c);
  else if (kind < 9)
    share(c);
  else
    make(c);
}

static void run_program(uint64_t seed) {
  state = mixed(seed);
  for (int i = 5 + draw_below(40); i > 0; --i) call_rightly();
  while (num_comms > 1) MPI_Comm_free(&comms[--num_comms].comm);
}

int main(int argc, char** argv) {
  const uint64_t seed = argc > 2 ? strtoull(argv[2], NULL, 10) : 1;
  const int programs = argc > 3 ? atoi(argv[3]) : 1,
            wrong = argc > 1 && strcmp(argv[1], "valid") != 0;
  MPI_Init(&argc, &argv);
  share_processors();
  keep(MPI_COMM_WORLD);
  size_of_world = comms[0].size;
  if (wrong && strcmp(argv[1], "returned") == 0)
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  for (int p = 0; p < programs; ++p) {
    run_program(seed + (uint64_t)p);
    if (wrong)
      call_wrongly((int)((seed + (uint64_t)p) % num_wrong_calls), draw_below(size_of_world));
  }
  return finish_checks();
}
