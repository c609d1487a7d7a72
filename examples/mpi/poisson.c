/* Poisson's equation on a periodic square, by Jacobi's relaxation on a 2-D grid of processes.
 *
 * -(u_xx + u_yy) = f with f = 2 w^2 sin(w x) sin(w y) has the solution u = sin(w x) sin(w y). A wave
 * is 16 grid points long. The 5-point stencil turns it into u times 2 w^2 h^2 / (4 - 4 cos(w h)):
 * that is what the relaxation must find, to rounding, and each sweep brings it closer by cos(w h).
 *
 * Argument: grid points of a process in each direction, a multiple of 16 (32). */
#include <math.h>
#include <string.h>

#include "result.h"

enum { wave = 16, sweeps_per_check = 20, max_sweeps = 2000 };

/* A process's part of the square with a frame of its neighbours' points, row by row. */
typedef struct {
  int points, stride;
  double *now, *next;
  MPI_Datatype column;
  int up, down, left, right;
  MPI_Comm grid;
} Part;

static double* at(const Part* part, double* field, int row, int column) {
  return field + row * part->stride + column;
}

static void make_part(Part* part, int points, MPI_Comm grid) {
  part->points = points;
  part->stride = points + 2;
  part->now = calloc((size_t)part->stride * part->stride, sizeof(double));
  part->next = calloc((size_t)part->stride * part->stride, sizeof(double));
  part->grid = grid;
  MPI_Type_vector(points, 1, part->stride, MPI_DOUBLE, &part->column);
  MPI_Type_commit(&part->column);
  MPI_Cart_shift(grid, 0, 1, &part->up, &part->down);
  MPI_Cart_shift(grid, 1, 1, &part->left, &part->right);
}

static void free_part(Part* part) {
  MPI_Type_free(&part->column);
  free(part->now);
  free(part->next);
}

/* Brings the outermost points of the four neighbours into the frame. */
static void exchange(Part* part) {
  const int n = part->points;
  double* u = part->now;
  MPI_Request r[8];
  MPI_Irecv(at(part, u, 0, 1), n, MPI_DOUBLE, part->up, 0, part->grid, r + 0);
  MPI_Irecv(at(part, u, n + 1, 1), n, MPI_DOUBLE, part->down, 1, part->grid, r + 1);
  MPI_Irecv(at(part, u, 1, 0), 1, part->column, part->left, 2, part->grid, r + 2);
  MPI_Irecv(at(part, u, 1, n + 1), 1, part->column, part->right, 3, part->grid, r + 3);
  MPI_Isend(at(part, u, n, 1), n, MPI_DOUBLE, part->down, 0, part->grid, r + 4);
  MPI_Isend(at(part, u, 1, 1), n, MPI_DOUBLE, part->up, 1, part->grid, r + 5);
  MPI_Isend(at(part, u, 1, n), 1, part->column, part->right, 2, part->grid, r + 6);
  MPI_Isend(at(part, u, 1, 1), 1, part->column, part->left, 3, part->grid, r + 7);
  MPI_Waitall(8, r, MPI_STATUSES_IGNORE);
}

/* The wave at a point of the process: its part begins where a wave does. */
static double wave_at(int row, int column) {
  const double step = 2 * acos(-1.0) / wave;
  return sin(step * (row - 1)) * sin(step * (column - 1));
}

/* One sweep with h = 1; returns the largest change. */
static double relax(Part* part) {
  const double w = 2 * acos(-1.0) / wave;
  double change = 0;
  for (int i = 1; i <= part->points; ++i) {
    for (int j = 1; j <= part->points; ++j) {
      const double* u = at(part, part->now, i, j);
      const double sum = u[-1] + u[1] + u[-part->stride] + u[part->stride];
      const double value = (sum + 2 * w * w * wave_at(i, j)) / 4;
      change = fmax(change, fabs(value - *u));
      *at(part, part->next, i, j) = value;
    }
  }
  double* previous = part->now;
  part->now = part->next;
  part->next = previous;
  return change;
}

/* Relaxes until nothing changes by more than 1e-9; returns the sweeps, and the time of exchanges. */
static int solve(Part* part, double* seconds) {
  for (int sweep = 1; sweep <= max_sweeps; ++sweep) {
    const double start = MPI_Wtime();
    exchange(part);
    *seconds += MPI_Wtime() - start;
    double change = relax(part), largest;
    if (sweep % sweeps_per_check != 0) continue;
    MPI_Allreduce(&change, &largest, 1, MPI_DOUBLE, MPI_MAX, part->grid);
    if (largest < 1e-9) return sweep;
  }
  return max_sweeps;
}

static long count_wrong(const Part* part) {
  const double w = 2 * acos(-1.0) / wave;
  const double amplitude = 2 * w * w / (4 - 4 * cos(w));
  long wrong = 0;
  for (int i = 1; i <= part->points; ++i)
    for (int j = 1; j <= part->points; ++j)
      wrong += fabs(*at(part, part->now, i, j) - amplitude * wave_at(i, j)) > 1e-7;
  return wrong;
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  const int points = argument(argc, argv, 1, 32) / wave * wave;
  int size, dims[2] = {0, 0};
  MPI_Comm grid;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, (int[]){1, 1}, 1, &grid);
  Part part;
  make_part(&part, points, grid);
  double seconds = 0;
  start_clock();
  const int sweeps = solve(&part, &seconds);
  char what[128];
  snprintf(what, sizeof what, "poisson on %dx%d processes, %d sweeps", dims[0], dims[1], sweeps);
  const int status = tell(what, count_wrong(&part), seconds);
  free_part(&part);
  MPI_Comm_free(&grid);
  MPI_Finalize();
  return status;
}
