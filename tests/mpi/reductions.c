/* Reductions and scans, blocking and not, with operations that do not commute, types with gaps and the
 * operations of MPI. The expected values are worked out by each process alone. */
#include <string.h>

#include "check.h"

/* x -> a x + b modulo a prime, and what lies behind it: the type has a gap that must stay as it is. */
typedef struct {
  int a, b, gap;
} map;

enum { prime = 9973, gap_value = 77, max_count = 9000 };

static map after(map f, map g) {
  const map h = {f.a * g.a % prime, (f.a * g.b + f.b) % prime, gap_value};
  return h;
}

/* MPI: inout = in op inout, in the order of ranks. */
static void compose(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int i = 0; i < *length; i++) {
    map* const last = (map*)inout + i;
    const map both = after(((map*)in)[i], *last);
    last->a = both.a, last->b = both.b; /* the gap of the last element may be no memory */
  }
}

static map contribution(int rank, int element) {
  const map m = {(rank + 2 + element) % prime, (3 * rank + 1 + element * element % 89) % prime, gap_value};
  return m;
}

/* The composition of the contributions of ranks `first` to `last`. */
static map composed(int first, int last, int element) {
  map all = contribution(first, element);
  for (int rank = first + 1; rank <= last; rank++) all = after(all, contribution(rank, element));
  return all;
}

static int num_wrong(const map* got, int first, int last, int begin, int count) {
  int wrong = 0;
  for (int i = 0; i < count; i++) {
    const map right = composed(first, last, begin + i);
    wrong += got[i].a != right.a || got[i].b != right.b || got[i].gap != gap_value;
  }
  return wrong;
}

static void fill(map* values, int rank, int count) {
  for (int i = 0; i < count; i++) values[i] = contribution(rank, i);
}

static void clear(map* values, int count) {
  for (int i = 0; i < count; i++) values[i].a = values[i].b = -1, values[i].gap = gap_value;
}

/* Two integers and a gap: 8 bytes of 12. */
static MPI_Datatype map_type(void) {
  MPI_Datatype pair, type;
  MPI_Type_contiguous(2, MPI_INT, &pair);
  MPI_Type_create_resized(pair, 0, sizeof(map), &type);
  MPI_Type_commit(&type);
  MPI_Type_free(&pair);
  return type;
}

static map mine[max_count], got[max_count], more[max_count];

static void check_order(MPI_Comm comm, int count) {
  int rank, size;
  MPI_Op op;
  MPI_Datatype type = map_type();
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Op_create(compose, 0, &op);
  fill(mine, rank, count);

  clear(got, count);
  MPI_Scan(mine, got, count, type, op, comm);
  CHECK(num_wrong(got, 0, rank, 0, count) == 0);
  clear(got, count);
  MPI_Exscan(mine, got, count, type, op, comm);
  if (rank > 0) CHECK(num_wrong(got, 0, rank - 1, 0, count) == 0);
  clear(got, count);
  MPI_Allreduce(mine, got, count, type, op, comm);
  CHECK(num_wrong(got, 0, size - 1, 0, count) == 0);
  for (int root = 0; root < size; root++) {
    clear(got, count);
    MPI_Reduce(mine, got, count, type, op, root, comm);
    if (rank == root) CHECK(num_wrong(got, 0, size - 1, 0, count) == 0);
  }

  memcpy(got, mine, sizeof *got * (size_t)count);
  MPI_Scan(MPI_IN_PLACE, got, count, type, op, comm);
  CHECK(num_wrong(got, 0, rank, 0, count) == 0);
  memcpy(got, mine, sizeof *got * (size_t)count);
  MPI_Exscan(MPI_IN_PLACE, got, count, type, op, comm);
  if (rank > 0) CHECK(num_wrong(got, 0, rank - 1, 0, count) == 0);
  memcpy(got, mine, sizeof *got * (size_t)count);
  MPI_Allreduce(MPI_IN_PLACE, got, count, type, op, comm);
  CHECK(num_wrong(got, 0, size - 1, 0, count) == 0);
  memcpy(got, mine, sizeof *got * (size_t)count);
  if (rank == size - 1)
    MPI_Reduce(MPI_IN_PLACE, got, count, type, op, size - 1, comm);
  else
    MPI_Reduce(mine, NULL, count, type, op, size - 1, comm);
  if (rank == size - 1) CHECK(num_wrong(got, 0, size - 1, 0, count) == 0);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

/* Of each of these a request; operation and type are freed before the wait. */
static void check_requests(MPI_Comm comm, int count) {
  int rank, size, flag = 0;
  MPI_Request request;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int call = 0; call < 8; call++) {
    MPI_Op op;
    MPI_Datatype type = map_type();
    const int root = (call * 5) % size;
    int first = 0, last = size - 1, has_result = 1;
    const void* sent = call % 2 == 1 ? MPI_IN_PLACE : mine;
    MPI_Op_create(compose, 0, &op);
    fill(mine, rank, count);
    if (call % 2 == 1)
      memcpy(got, mine, sizeof *got * (size_t)count);
    else
      clear(got, count);
    switch (call / 2) {
      case 0:
        MPI_Iscan(sent, got, count, type, op, comm, &request);
        last = rank;
        break;
      case 1:
        MPI_Iexscan(sent, got, count, type, op, comm, &request);
        last = rank - 1;
        has_result = rank > 0;
        break;
      case 2:
        MPI_Iallreduce(sent, got, count, type, op, comm, &request);
        break;
      default:
        if (rank != root) sent = mine;
        MPI_Ireduce(sent, rank == root ? got : NULL, count, type, op, root, comm, &request);
        has_result = rank == root;
    }
    MPI_Op_free(&op);
    MPI_Type_free(&type);
    CHECK(op == MPI_OP_NULL && type == MPI_DATATYPE_NULL);
    if (call % 3 == 0)
      for (flag = 0; !flag;) MPI_Test(&request, &flag, MPI_STATUS_IGNORE);
    else
      MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(request == MPI_REQUEST_NULL);
    if (has_result) CHECK(num_wrong(got, first, last, 0, count) == 0);
  }
}

/* Blocks of different sizes, one of them empty. */
static void check_scatter(MPI_Comm comm) {
  int rank, size, counts[64], sum = 0, begin = 0;
  MPI_Op op;
  MPI_Request request;
  MPI_Datatype type = map_type();
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Op_create(compose, 0, &op);
  for (int r = 0; r < size; r++) {
    if (r == rank) begin = sum;
    counts[r] = (r * 3 + 1) % 5;
    sum += counts[r];
  }
  fill(mine, rank, sum);
  clear(got, sum);
  MPI_Reduce_scatter(mine, got, counts, type, op, comm);
  CHECK(num_wrong(got, 0, size - 1, begin, counts[rank]) == 0);
  clear(got, sum);
  MPI_Ireduce_scatter(mine, got, counts, type, op, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(num_wrong(got, 0, size - 1, begin, counts[rank]) == 0);
  memcpy(got, mine, sizeof *got * (size_t)sum);
  MPI_Ireduce_scatter(MPI_IN_PLACE, got, counts, type, op, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(num_wrong(got, 0, size - 1, begin, counts[rank]) == 0);
  fill(mine, rank, 3 * size);
  clear(got, 3 * size);
  MPI_Reduce_scatter_block(mine, got, 3, type, op, comm);
  CHECK(num_wrong(got, 0, size - 1, 3 * rank, 3) == 0);
  clear(got, 3 * size);
  MPI_Ireduce_scatter_block(mine, got, 3, type, op, comm, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(num_wrong(got, 0, size - 1, 3 * rank, 3) == 0);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

/* Several at once, on two communicators, with messages between them, completed in another order. */
static void check_several(int rank, int size, MPI_Comm other) {
  enum { count = 3 };
  int other_rank, word = -1, index, done = 0, statuses_seen = 0;
  MPI_Op op;
  MPI_Request requests[4];
  MPI_Datatype type = map_type();
  map up[count], all[count], before[count];
  MPI_Comm_rank(other, &other_rank);
  MPI_Op_create(compose, 0, &op);
  fill(mine, rank, count);
  fill(more, other_rank, count);
  clear(up, count), clear(all, count), clear(before, count);
  MPI_Irecv(&word, 1, MPI_INT, (rank + size - 1) % size, 3, MPI_COMM_WORLD, &requests[0]);
  MPI_Iscan(mine, up, count, type, op, MPI_COMM_WORLD, &requests[1]);
  MPI_Iallreduce(mine, all, count, type, op, MPI_COMM_WORLD, &requests[2]);
  MPI_Iexscan(more, before, count, type, op, other, &requests[3]);
  MPI_Send(&rank, 1, MPI_INT, (rank + 1) % size, 3, MPI_COMM_WORLD);
  MPI_Wait(&requests[3], MPI_STATUS_IGNORE);
  if (other_rank > 0) CHECK(num_wrong(before, 0, other_rank - 1, 0, count) == 0);
  while (done < 3) {
    MPI_Status status;
    MPI_Waitany(4, requests, &index, &status);
    CHECK(index >= 0 && index < 3);
    statuses_seen += index == 0 && status.MPI_TAG == 3;
    ++done;
  }
  CHECK(statuses_seen == 1 && word == (rank + size - 1) % size);
  CHECK(num_wrong(up, 0, rank, 0, count) == 0);
  CHECK(num_wrong(all, 0, size - 1, 0, count) == 0);
  clear(up, count), clear(all, count);
  MPI_Iscan(mine, up, count, type, op, MPI_COMM_WORLD, &requests[0]);
  MPI_Iallreduce(mine, all, count, type, op, MPI_COMM_WORLD, &requests[1]);
  MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
  CHECK(num_wrong(up, 0, rank, 0, count) == 0);
  CHECK(num_wrong(all, 0, size - 1, 0, count) == 0);
  MPI_Type_free(&type);
  MPI_Op_free(&op);
}

/* Operations of MPI, whose scans have no neutral element to begin with, and large data in place. */
static void check_own_operations(int rank, int size) {
  enum { large = 100000 };
  static double sum[large];
  double value = -1.5 - rank, result = 0, product = 2;
  struct {
    double value;
    int rank;
  } pair = {rank % 2 == 0 ? 5 : 7, rank}, largest = {0, -1};
  int wrong = 0;
  MPI_Request request;
  MPI_Iexscan(&value, &result, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(rank == 0 || result == -1.5);
  result = 1;
  MPI_Iexscan(&product, &result, 1, MPI_DOUBLE, MPI_PROD, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(result == (double)(1 << rank));
  MPI_Iallreduce(&pair, &largest, 1, MPI_DOUBLE_INT, MPI_MAXLOC, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  CHECK(largest.rank == (size > 1 ? 1 : 0));
  for (int i = 0; i < large; i++) sum[i] = rank + i;
  MPI_Iallreduce(MPI_IN_PLACE, sum, large, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < large; i++) wrong += sum[i] != size * (size - 1) / 2 + (double)size * i;
  CHECK(wrong == 0);
  MPI_Iallreduce(NULL, NULL, 0, MPI_INT, MPI_SUM, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
}

/* An element of a column of a matrix: its data lie outside of its extent. */
static void sum_columns(void* in, void* inout, int* length, MPI_Datatype* type) {
  (void)type;
  for (int column = 0; column < *length; column++)
    for (int row = 0; row < 4; row++)
      ((int*)inout)[4 * row + column] += ((int*)in)[4 * row + column];
}

static void check_columns(int rank, int size) {
  int matrix[16], result[16], wrong = 0;
  const int right = size * (size + 1) / 2;
  MPI_Op op;
  MPI_Request request;
  MPI_Datatype vector, column;
  MPI_Type_vector(4, 1, 4, MPI_INT, &vector);
  MPI_Type_create_resized(vector, 0, sizeof(int), &column);
  MPI_Type_commit(&column);
  MPI_Op_create(sum_columns, 1, &op);
  for (int i = 0; i < 16; i++) matrix[i] = rank + 1, result[i] = -1;
  MPI_Iallreduce(matrix, result, 1, column, op, MPI_COMM_WORLD, &request);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  for (int i = 0; i < 16; i++) wrong += result[i] != (i % 4 == 0 ? right : -1);
  CHECK(wrong == 0);
  MPI_Type_free(&column);
  MPI_Type_free(&vector);
  MPI_Op_free(&op);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Comm reversed, half;
  begin_with_parts(&argc, &argv, &rank, &size, &reversed, &half);
  const MPI_Comm comms[] = {MPI_COMM_WORLD, reversed, half, MPI_COMM_SELF};
  for (int c = 0; c < 4; c++) {
    check_order(comms[c], 1);
    check_order(comms[c], 7);
    check_order(comms[c], 0);
    check_requests(comms[c], 1);
    check_requests(comms[c], 7);
    check_scatter(comms[c]);
  }
  check_order(MPI_COMM_WORLD, max_count);
  check_requests(reversed, max_count);
  check_several(rank, size, reversed);
  check_own_operations(rank, size);
  check_columns(rank, size);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&half);
  return finish_checks();
}
