/* SUMMA matrix product: the process grid is cut by MPI_Cart_sub into communicators of its rows and of
 * its columns; in each step a column of blocks of A goes out along the rows and a row of blocks of B
 * along the columns, by broadcasts.
 *
 * Whole numbers, compared with the product worked out without messages. Argument: rows of a block (48). */
#include <string.h>

#include "result.h"

typedef struct {
  int n, steps, row, column;
  MPI_Comm grid, along_row, along_column;
} Grid;

static int element(int which, int row, int column) {
  return (row * (which + 2) + column * (which + 5)) % 19 - 9;
}

/* The part of A (0) or B (1) whose rows and columns begin there. */
static void fill(int* block, int which, int n, int row, int column) {
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) block[i * n + j] = element(which, row + i, column + j);
}

static void multiply_add(int n, const int* a, const int* b, int* c) {
  for (int i = 0; i < n; ++i)
    for (int k = 0; k < n; ++k)
      for (int j = 0; j < n; ++j) c[i * n + j] += a[i * n + k] * b[k * n + j];
}

static void make_grid(Grid* g, int n) {
  int size, rank, dims[2] = {0, 0}, coords[2];
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  if (dims[0] != dims[1]) {
    fprintf(stderr, "summa: accepted is a square number of processes, not %d\n", size);
    MPI_Abort(MPI_COMM_WORLD, 1);
  }
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){1, 1}, 1, &g->grid);
  MPI_Comm_rank(g->grid, &rank);
  MPI_Cart_coords(g->grid, rank, 2, coords);
  MPI_Cart_sub(g->grid, (int[]){0, 1}, &g->along_row);
  MPI_Cart_sub(g->grid, (int[]){1, 0}, &g->along_column);
  g->n = n;
  g->steps = dims[0];
  g->row = coords[0];
  g->column = coords[1];
}

/* C = A B; returns the time of the broadcasts. */
static double product(const Grid* g, const int* a, const int* b, int* c) {
  const int count = g->n * g->n;
  int* from_row = malloc(sizeof(int) * count);
  int* from_column = malloc(sizeof(int) * count);
  double seconds = 0;
  start_clock();
  for (int k = 0; k < g->steps; ++k) {
    const double start = MPI_Wtime();
    if (g->column == k) memcpy(from_row, a, sizeof(int) * count);
    if (g->row == k) memcpy(from_column, b, sizeof(int) * count);
    MPI_Bcast(from_row, count, MPI_INT, k, g->along_row);
    MPI_Bcast(from_column, count, MPI_INT, k, g->along_column);
    seconds += MPI_Wtime() - start;
    multiply_add(g->n, from_row, from_column, c);
  }
  free(from_row);
  free(from_column);
  return seconds;
}

static long count_wrong(const Grid* g, const int* c) {
  const int n = g->n;
  long wrong = 0;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      int sum = 0;
      for (int k = 0; k < g->steps * n; ++k)
        sum += element(0, g->row * n + i, k) * element(1, k, g->column * n + j);
      wrong += c[i * n + j] != sum;
    }
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  Grid g;
  make_grid(&g, argument(argc, argv, 1, 48));
  const size_t count = (size_t)g.n * g.n;
  int* a = malloc(sizeof(int) * count);
  int* b = malloc(sizeof(int) * count);
  int* c = calloc(count, sizeof(int));
  fill(a, 0, g.n, g.row * g.n, g.column * g.n);
  fill(b, 1, g.n, g.row * g.n, g.column * g.n);
  const double seconds = product(&g, a, b, c);
  char what[64];
  snprintf(what, sizeof what, "summa on %dx%d processes", g.steps, g.steps);
  const int status = tell(what, count_wrong(&g, c), seconds);
  free(a);
  free(b);
  free(c);
  MPI_Comm_free(&g.along_row);
  MPI_Comm_free(&g.along_column);
  MPI_Comm_free(&g.grid);
  MPI_Finalize();
  return status;
}
