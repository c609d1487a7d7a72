/* Shared windows, locks and atomic operations on windows. */
#include <string.h>

#include "check.h"

/* Parts of different sizes and units, some empty, next to each other. */
static void check_shared(MPI_Comm comm) {
  int rank, size, first_filled = -1;
  char* mine;
  MPI_Win window, other;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const MPI_Aint bytes = 8 * ((rank * 3 + 1) % 4);
  MPI_Win_allocate_shared(bytes, rank % 2 ? 4 : 8, MPI_INFO_NULL, comm, &mine, &window);
  long* second;
  MPI_Win_allocate_shared(sizeof(long), sizeof(long), MPI_INFO_NULL, comm, &second, &other);
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, other);
  memset(mine, 10 + rank, (size_t)bytes);
  *second = 1000 + rank;
  MPI_Win_fence(0, window);
  MPI_Win_fence(0, other);
  char* end = NULL;
  for (int r = 0; r < size; r++) {
    MPI_Aint got = -1;
    int unit = -1, wrong = 0;
    char* part = NULL;
    MPI_Win_shared_query(window, r, &got, &unit, &part);
    CHECK(got == 8 * ((r * 3 + 1) % 4) && unit == (r % 2 ? 4 : 8));
    for (MPI_Aint i = 0; i < got; i++) wrong += part[i] != 10 + r;
    CHECK(wrong == 0);
    if (r == rank && got > 0) CHECK(part == mine);
    if (got > 0 && end != NULL) CHECK(part == end);
    if (got > 0) end = part + got;
    if (got > 0 && first_filled < 0) first_filled = r;
    long* value;
    MPI_Win_shared_query(other, r, &got, &unit, &value);
    CHECK(*value == 1000 + r);
  }
  MPI_Aint got = -1;
  int unit = -1;
  char *part = NULL, *expected = NULL;
  MPI_Win_shared_query(window, MPI_PROC_NULL, &got, &unit, &part);
  MPI_Win_shared_query(window, first_filled, &got, &unit, &expected);
  CHECK(part == expected);
  /* Put into the part of the next process, get from that of the one before. */
  const long sent = 7 * rank;
  long received = -1;
  MPI_Win_fence(0, other);
  MPI_Put(&sent, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, other);
  MPI_Win_fence(0, other);
  CHECK(*second == 7 * ((rank + size - 1) % size));
  MPI_Get(&received, 1, MPI_LONG, (rank + 1) % size, 0, 1, MPI_LONG, other);
  MPI_Win_fence(0, other);
  CHECK(received == sent);
  void* base = NULL;
  int flag = 0;
  MPI_Win_get_attr(other, MPI_WIN_BASE, &base, &flag);
  CHECK(flag && base == second);
  MPI_Win_free(&window);
  MPI_Win_free(&other);
}

/* A counter that each process raises by get, flush and put under an exclusive lock, and one that it
 * reads under a shared one; in a window that is not at the target's own beginning. */
static void check_exclusive(MPI_Comm comm, int shared) {
  enum { times = 4 };
  int rank, size;
  long *base, value = -1, last = -1;
  MPI_Win window;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  if (shared)
    MPI_Win_allocate_shared(3 * sizeof(long), sizeof(long), MPI_INFO_NULL, comm, &base, &window);
  else
    MPI_Win_allocate(3 * sizeof(long), sizeof(long), MPI_INFO_NULL, comm, &base, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  base[0] = base[1] = base[2] = 0;
  MPI_Win_unlock(rank, window);
  MPI_Barrier(comm);
  for (int target = size - 1; target >= 0; target -= 2)
    for (int i = 0; i < times; i++) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, target, 0, window);
      MPI_Get(&value, 1, MPI_LONG, target, 1, 1, MPI_LONG, window);
      MPI_Win_flush(target, window);
      value++;
      MPI_Put(&value, 1, MPI_LONG, target, 1, 1, MPI_LONG, window);
      if (i % 2 == 0) MPI_Put(&value, 1, MPI_LONG, target, 2, 1, MPI_LONG, window);
      MPI_Win_unlock(target, window);
      MPI_Win_lock(MPI_LOCK_SHARED, target, 0, window);
      MPI_Get(&last, 1, MPI_LONG, target, 1, 1, MPI_LONG, window);
      MPI_Win_unlock(target, window);
      CHECK(last >= value);
    }
  MPI_Barrier(comm);
  MPI_Win_lock(MPI_LOCK_SHARED, rank, 0, window);
  CHECK(base[1] == ((size - 1 - rank) % 2 == 0 ? times * size : 0));
  MPI_Win_unlock(rank, window);
  MPI_Win_free(&window);
}

/* The writer excludes readers: both words change together. */
static void check_readers(int rank, int size) {
  long *base, words[2];
  MPI_Win window;
  MPI_Win_allocate(2 * sizeof(long), sizeof(long), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_lock(MPI_LOCK_EXCLUSIVE, rank, 0, window);
  base[0] = base[1] = 0;
  MPI_Win_unlock(rank, window);
  MPI_Barrier(MPI_COMM_WORLD);
  for (long i = 1; i <= 10; i++) {
    if (rank == size - 1) {
      MPI_Win_lock(MPI_LOCK_EXCLUSIVE, 0, 0, window);
      MPI_Put(&i, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
      MPI_Win_flush(0, window);
      MPI_Put(&i, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window);
      MPI_Win_unlock(0, window);
    } else {
      MPI_Win_lock(MPI_LOCK_SHARED, 0, 0, window);
      MPI_Get(words, 1, MPI_LONG, 0, 0, 1, MPI_LONG, window);
      MPI_Win_flush(0, window);
      MPI_Get(words + 1, 1, MPI_LONG, 0, 1, 1, MPI_LONG, window);
      MPI_Win_unlock(0, window);
      CHECK(words[0] == words[1]);
    }
  }
  MPI_Win_free(&window);
}

/* Tickets: each number is given once, whatever other operations come between. */
static void check_atomics(MPI_Comm comm) {
  enum { times = 6 };
  int rank, size;
  long *base, tickets[64][times], own[times], one = 1, seven = 7, zero = 0;
  MPI_Win window;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  const int target = size / 2;
  MPI_Win_allocate(8 * sizeof(long), sizeof(long), MPI_INFO_NULL, comm, &base, &window);
  MPI_Win_lock_all(0, window);
  memset(base, 0, 8 * sizeof(long));
  MPI_Win_sync(window);
  MPI_Barrier(comm);
  for (int i = 0; i < times; i++) {
    MPI_Fetch_and_op(&one, &own[i], MPI_LONG, target, 0, MPI_SUM, window);
    MPI_Accumulate(&seven, 1, MPI_LONG, target, 1, 1, MPI_LONG, MPI_SUM, window);
    MPI_Win_flush(target, window);
    /* A sum by compare and swap, against accumulations of others. */
    long old = 0, seen = -1;
    for (;;) {
      const long next = old + 1000;
      MPI_Compare_and_swap(&next, &old, &seen, MPI_LONG, target, 1, window);
      MPI_Win_flush(target, window);
      if (seen == old) break;
      old = seen;
    }
    long before[2] = {-1, -1}, both[2] = {2, 3};
    MPI_Get_accumulate(both, 2, MPI_LONG, before, 2, MPI_LONG, target, 2, 2, MPI_LONG, MPI_SUM, window);
    MPI_Win_flush(target, window);
    CHECK(before[0] * 3 == before[1] * 2);
    MPI_Request request;
    long fetched = -1;
    MPI_Rget_accumulate(&one, 1, MPI_LONG, &fetched, 1, MPI_LONG, target, 4, 1, MPI_LONG, MPI_SUM, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(fetched >= 0 && fetched < times * size);
    MPI_Raccumulate(&one, 1, MPI_LONG, target, 5, 1, MPI_LONG, MPI_SUM, window, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
  }
  MPI_Win_flush_all(window);
  MPI_Barrier(comm);
  long values[6];
  for (int i = 0; i < 6; i++) MPI_Fetch_and_op(i % 2 ? &zero : NULL, &values[i], MPI_LONG, target, i, MPI_NO_OP, window);
  MPI_Win_unlock_all(window);
  const long calls = (long)times * size;
  CHECK(values[0] == calls && values[1] == 1007 * calls);
  CHECK(values[2] == 2 * calls && values[3] == 3 * calls);
  CHECK(values[4] == calls && values[5] == calls);
  MPI_Allgather(own, times, MPI_LONG, tickets, times, MPI_LONG, comm);
  int seen[64 * times] = {0}, twice = 0;
  for (int r = 0; r < size; r++)
    for (int i = 0; i < times; i++)
      if (tickets[r][i] < 0 || tickets[r][i] >= calls || seen[tickets[r][i]]++) twice++;
  CHECK(twice == 0);
  MPI_Win_free(&window);
}

/* Strided elements of the target, and operations of processes that do not follow each other. */
static void check_derived(MPI_Comm comm) {
  int rank, size, wrong = 0;
  int *base, own[3];
  MPI_Win window;
  MPI_Datatype strided;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  MPI_Type_vector(3, 1, 2, MPI_INT, &strided);
  MPI_Type_commit(&strided);
  for (int i = 0; i < 3; i++) own[i] = rank + i;
  MPI_Win_allocate(6 * sizeof(int), sizeof(int), MPI_INFO_NULL, comm, &base, &window);
  MPI_Win_lock_all(0, window);
  for (int i = 0; i < 6; i++) base[i] = -5;
  MPI_Win_sync(window);
  MPI_Barrier(comm);
  for (int target = 0; target < size; target++) {
    MPI_Accumulate(own, 3, MPI_INT, target, 0, 1, strided, MPI_SUM, window);
    MPI_Win_flush(target, window);
  }
  MPI_Barrier(comm);
  MPI_Win_unlock_all(window);
  for (int i = 0; i < 6; i++) wrong += base[i] != (i % 2 ? -5 : -5 + size * (size - 1) / 2 + size * (i / 2));
  CHECK(wrong == 0);
  MPI_Type_free(&strided);
  MPI_Win_free(&window);
}

/* A process waits for a word in its own memory that another one writes after a while. */
static void check_waits(int rank, int size) {
  int *base, go = 1, value = 0;
  MPI_Win window;
  if (size < 2) return;
  MPI_Win_allocate(2 * sizeof(int), sizeof(int), MPI_INFO_NULL, MPI_COMM_WORLD, &base, &window);
  MPI_Win_lock_all(0, window);
  base[0] = base[1] = 0;
  MPI_Win_sync(window);
  MPI_Barrier(MPI_COMM_WORLD);
  if (rank == 0)
    for (int r = 1; r < size; r++) {
      const double end = MPI_Wtime() + 1e-4;
      while (MPI_Wtime() < end) continue;
      MPI_Accumulate(&go, 1, MPI_INT, r, 0, 1, MPI_INT, MPI_REPLACE, window);
      MPI_Win_flush(r, window);
    }
  else
    while (value == 0) {
      MPI_Fetch_and_op(NULL, &value, MPI_INT, rank, 0, MPI_NO_OP, window);
      MPI_Win_flush(rank, window);
    }
  CHECK(rank == 0 || value == 1);
  MPI_Win_unlock_all(window);
  MPI_Win_free(&window);
}

/* The new ranks are in the order of the keys, ties in that of the old ones. */
static void check_split_type(MPI_Comm comm) {
  int rank, size, new_rank, new_size, previous[2], own[2];
  MPI_Comm node;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &size);
  for (int rule = 0; rule < 3; rule++) {
    own[0] = rule == 0 ? -rank : rule == 1 ? 0 : (rank * 5) % 3;
    own[1] = rank;
    MPI_Comm_split_type(comm, MPI_COMM_TYPE_SHARED, own[0], MPI_INFO_NULL, &node);
    MPI_Comm_rank(node, &new_rank);
    MPI_Comm_size(node, &new_size);
    MPI_Sendrecv(own, 2, MPI_INT, new_rank + 1 < new_size ? new_rank + 1 : MPI_PROC_NULL, 0, previous, 2, MPI_INT,
                 new_rank > 0 ? new_rank - 1 : MPI_PROC_NULL, 0, node, MPI_STATUS_IGNORE);
    if (new_rank > 0) CHECK(previous[0] < own[0] || (previous[0] == own[0] && previous[1] < own[1]));
    check_shared(node);
    check_exclusive(node, 1);
    MPI_Comm_free(&node);
  }
  MPI_Comm_split_type(comm, rank % 2 ? MPI_UNDEFINED : MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &node);
  CHECK((node == MPI_COMM_NULL) == (rank % 2 == 1));
  if (node != MPI_COMM_NULL) MPI_Comm_free(&node);
}

int main(int argc, char** argv) {
  int rank, size;
  MPI_Comm reversed, half;
  begin_with_parts(&argc, &argv, &rank, &size, &reversed, &half);
  check_split_type(MPI_COMM_WORLD);
  check_split_type(reversed);
  check_exclusive(MPI_COMM_WORLD, 0);
  check_exclusive(half, 0);
  check_readers(rank, size);
  check_atomics(MPI_COMM_WORLD);
  check_atomics(reversed);
  check_derived(half);
  check_waits(rank, size);
  MPI_Comm_free(&reversed);
  MPI_Comm_free(&half);
  return finish_checks();
}
