/* Programs whose traces are replayed: each kernel is one, named by the first argument. Local work
   is sleep, which SMPI simulates; it differs from rank to rank. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { kib = 1024, longest = 1024 * kib };
static char out[4 * longest], in[4 * longest];
static int rank, ranks;

static void work(int microseconds) { usleep((unsigned)(microseconds + 3 * rank % 17)); }

static void grid_of(int dims[2], int period, MPI_Comm *grid) {
  const int periods[2] = {period, period};
  dims[0] = dims[1] = 0;
  MPI_Dims_create(ranks, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, grid);
}

/* A halo exchange in two dimensions with a sum every few steps. */
static void stencil(void) {
  int dims[2], around[4];
  MPI_Comm grid;
  grid_of(dims, 1, &grid);
  MPI_Cart_shift(grid, 0, 1, &around[0], &around[1]);
  MPI_Cart_shift(grid, 1, 1, &around[2], &around[3]);
  for (int step = 0; step < 20; ++step) {
    MPI_Request requests[8];
    for (int k = 0; k < 4; ++k)
      MPI_Irecv(in + k * longest, 64 * kib, MPI_BYTE, around[k], k ^ 1, grid, &requests[k]);
    for (int k = 0; k < 4; ++k)
      MPI_Isend(out + k * longest, 64 * kib, MPI_BYTE, around[k], k, grid, &requests[4 + k]);
    work(30);
    MPI_Waitall(8, requests, MPI_STATUSES_IGNORE);
    if (step % 5 == 4) MPI_Allreduce(out, in, 4 * kib, MPI_BYTE, MPI_BXOR, grid);
  }
  MPI_Comm_free(&grid);
}

/* A sweep through a grid from one corner to the other, many times. */
static void wavefront(void) {
  int dims[2], west, east, north, south;
  MPI_Comm grid;
  grid_of(dims, 0, &grid);
  MPI_Cart_shift(grid, 0, 1, &north, &south);
  MPI_Cart_shift(grid, 1, 1, &west, &east);
  for (int step = 0; step < 10; ++step) {
    MPI_Recv(in, 100 * kib, MPI_BYTE, north, 0, grid, MPI_STATUS_IGNORE);
    MPI_Recv(in, 100 * kib, MPI_BYTE, west, 0, grid, MPI_STATUS_IGNORE);
    work(20);
    MPI_Send(out, 100 * kib, MPI_BYTE, south, 0, grid);
    MPI_Send(out, 100 * kib, MPI_BYTE, east, 0, grid);
  }
  MPI_Comm_free(&grid);
}

/* A transposition in the rows and columns of a grid, as in a Fourier transform. */
static void transpose(void) {
  int dims[2];
  MPI_Comm grid, rows, columns;
  grid_of(dims, 1, &grid);
  MPI_Cart_sub(grid, (int[]){0, 1}, &rows);
  MPI_Cart_sub(grid, (int[]){1, 0}, &columns);
  for (int step = 0; step < 5; ++step) {
    work(50);
    MPI_Alltoall(out, 16 * kib, MPI_BYTE, in, 16 * kib, MPI_BYTE, rows);
    work(50);
    MPI_Alltoall(out, 16 * kib, MPI_BYTE, in, 16 * kib, MPI_BYTE, columns);
  }
  MPI_Comm_free(&rows);
  MPI_Comm_free(&columns);
  MPI_Comm_free(&grid);
}

/* Rank 0 gives work to whoever asks. */
static void workers(void) {
  enum { tasks = 200, size = 32 * kib };
  MPI_Status status;
  if (rank > 0) {
    while (1) {
      MPI_Send(out, 1, MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      MPI_Recv(in, size, MPI_BYTE, 0, MPI_ANY_TAG, MPI_COMM_WORLD, &status);
      if (status.MPI_TAG == 3) return;
      work(200);
    }
  }
  for (int task = 0; task < tasks + ranks - 1; ++task) {
    MPI_Recv(in, 1, MPI_BYTE, MPI_ANY_SOURCE, 1, MPI_COMM_WORLD, &status);
    MPI_Send(out, task < tasks ? size : 1, MPI_BYTE, status.MPI_SOURCE, task < tasks ? 2 : 3,
             MPI_COMM_WORLD);
  }
}

/* Results of unequal size and work, which one rank takes as they come and works on. */
static void taken(void) {
  enum { size = 256 * kib };
  MPI_Request *const requests = malloc((size_t)ranks * sizeof *requests);
  char *const results = rank == 0 ? malloc((size_t)ranks * 5 * size) : NULL;
  for (int round = 0; round < 3; ++round) {
    if (rank > 0) {
      work(rank * 37 % 11 * 100);
      MPI_Send(out, size * (1 + rank * 29 % 5), MPI_BYTE, 0, 1, MPI_COMM_WORLD);
      continue;
    }
    for (int r = 1; r < ranks; ++r)
      MPI_Irecv(results + (size_t)r * 5 * size, 5 * size, MPI_BYTE, r, 1, MPI_COMM_WORLD, &requests[r - 1]);
    for (int left = ranks - 1; left > 0; --left) {
      int which;
      MPI_Waitany(ranks - 1, requests, &which, MPI_STATUS_IGNORE);
      work(50);
    }
  }
  free(results);
  free(requests);
}

/* Vectors and matrix products: a ring of blocks and two sums for each. */
static void conjugate(void) {
  const int next = (rank + 1) % ranks, before = (rank + ranks - 1) % ranks;
  for (int step = 0; step < 6; ++step) {
    MPI_Sendrecv(out, 256 * kib, MPI_BYTE, next, 0, in, 256 * kib, MPI_BYTE, before, 0,
                 MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    work(40);
    for (int sum = 0; sum < 2; ++sum)
      MPI_Allreduce(out, in, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD);
  }
}

/* Blocks go through all ranks one after the other; a rank receives the next one while it works. */
static void pipeline(void) {
  enum { blocks = 12, size = 200 * kib };
  MPI_Request receive = MPI_REQUEST_NULL, sent = MPI_REQUEST_NULL;
  if (rank > 0) MPI_Irecv(in, size, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, &receive);
  for (int block = 0; block < blocks; ++block) {
    MPI_Wait(&receive, MPI_STATUS_IGNORE);
    if (rank > 0 && block + 1 < blocks)
      MPI_Irecv(in, size, MPI_BYTE, rank - 1, 0, MPI_COMM_WORLD, &receive);
    work(15);
    MPI_Wait(&sent, MPI_STATUS_IGNORE);
    if (rank + 1 < ranks) MPI_Isend(out, size, MPI_BYTE, rank + 1, 0, MPI_COMM_WORLD, &sent);
  }
  MPI_Wait(&sent, MPI_STATUS_IGNORE);
}

/* Partners at distances 1, 2, 4, ... by persistent requests. */
static void butterfly(void) {
  for (int distance = 1; distance < ranks; distance *= 2) {
    MPI_Request requests[2];
    MPI_Recv_init(in, 128 * kib, MPI_BYTE, rank ^ distance, 0, MPI_COMM_WORLD, &requests[0]);
    MPI_Send_init(out, 128 * kib, MPI_BYTE, rank ^ distance, 0, MPI_COMM_WORLD, &requests[1]);
    for (int step = 0; step < 4; ++step) {
      MPI_Startall(2, requests);
      work(10);
      MPI_Waitall(2, requests, MPI_STATUSES_IGNORE);
    }
    MPI_Request_free(&requests[0]);
    MPI_Request_free(&requests[1]);
  }
}

/* Everyone's share changes: sizes are gathered, then data are sent to a few others. */
static void particles(void) {
  static int sizes[4096];
  for (int step = 0; step < 5; ++step) {
    int own = 0;
    MPI_Allgather(&own, 1, MPI_INT, sizes, 1, MPI_INT, MPI_COMM_WORLD);
    MPI_Request requests[6];
    for (int k = 0; k < 3; ++k) {
      const int shift = 1 + (7 * step + 11 * k) % (ranks - 1);
      MPI_Irecv(in + k * longest, longest, MPI_BYTE, (rank + ranks - shift) % ranks, k,
                MPI_COMM_WORLD, &requests[k]);
      MPI_Isend(out, (20 + rank % 5 * 30) * kib, MPI_BYTE, (rank + shift) % ranks, k,
                MPI_COMM_WORLD, &requests[3 + k]);
    }
    for (int k = 0; k < 6; ++k) {
      int place;
      MPI_Waitany(6, requests, &place, MPI_STATUS_IGNORE);
      work(5);
    }
  }
}

/* A table is read and distributed, results are collected: rooted collectives of all kinds. */
static void rooted(void) {
  for (int step = 0; step < 4; ++step) {
    MPI_Bcast(out, 300 * kib, MPI_BYTE, 0, MPI_COMM_WORLD);
    work(60);
    MPI_Scatter(out, 4 * kib, MPI_BYTE, in, 4 * kib, MPI_BYTE, 0, MPI_COMM_WORLD);
    work(60);
    MPI_Gather(out, 4 * kib, MPI_BYTE, in, 4 * kib, MPI_BYTE, 0, MPI_COMM_WORLD);
    MPI_Reduce(out, in, 100 * kib, MPI_BYTE, MPI_BXOR, 0, MPI_COMM_WORLD);
    MPI_Barrier(MPI_COMM_WORLD);
  }
}

/* Groups of different sizes, each with collectives of its own, and an exchange among the first. */
static void groups(void) {
  MPI_Comm group, first;
  MPI_Comm_split(MPI_COMM_WORLD, rank * rank % 5, -rank, &group);
  int group_rank, group_size;
  MPI_Comm_rank(group, &group_rank);
  MPI_Comm_size(group, &group_size);
  MPI_Comm_split(MPI_COMM_WORLD, group_rank == 0 ? 0 : MPI_UNDEFINED, rank, &first);
  for (int step = 0; step < 4; ++step) {
    work(25);
    MPI_Allreduce(out, in, 50 * kib, MPI_BYTE, MPI_BXOR, group);
    if (first != MPI_COMM_NULL) MPI_Allgather(out, 40 * kib, MPI_BYTE, in, 40 * kib, MPI_BYTE, first);
    MPI_Bcast(out, 100 * kib, MPI_BYTE, 0, group);
  }
  if (first != MPI_COMM_NULL) MPI_Comm_free(&first);
  MPI_Comm_free(&group);
}

static const struct {
  const char *name;
  void (*run)(void);
} kernels[] = {{"stencil", stencil},     {"wavefront", wavefront}, {"transpose", transpose},
               {"workers", workers},     {"conjugate", conjugate}, {"pipeline", pipeline},
               {"butterfly", butterfly}, {"particles", particles}, {"rooted", rooted},
               {"groups", groups},       {"taken", taken}};

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  int found = 0;
  for (size_t k = 0; k < sizeof kernels / sizeof *kernels; ++k)
    if (argc > 1 && strcmp(argv[1], kernels[k].name) == 0) kernels[k].run(), found = 1;
  if (!found && rank == 0) fprintf(stderr, "unknown kernel\n");
  MPI_Finalize();
  return !found;
}
