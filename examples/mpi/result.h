/* What the examples share: the line that says whether the data are right, and the time of the
 * communication for those who ask by EXAMPLE_TIME=1. */
#ifndef VTOPO_EXAMPLES_MPI_RESULT_H
#define VTOPO_EXAMPLES_MPI_RESULT_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

/* The argument at a place, or what is usual. */
static inline int argument(int argc, char** argv, int place, int usual) {
  const int value = argc > place ? atoi(argv[place]) : usual;
  return value > 0 ? value : usual;
}

/* All processes begin together, always by messages of the same pattern: a barrier of MPI_COMM_WORLD,
 * whose order no constructor changes. */
static inline double start_clock(void) {
  MPI_Barrier(MPI_COMM_WORLD);
  return MPI_Wtime();
}

/* Prints `<what>: data ok` or how many values are wrong, and the time of the slowest process.
 * Returns the exit status. Collective over MPI_COMM_WORLD. */
static inline int tell(const char* what, long wrong, double seconds) {
  long all_wrong = 0;
  double slowest = 0;
  int rank;
  MPI_Allreduce(&wrong, &all_wrong, 1, MPI_LONG, MPI_SUM, MPI_COMM_WORLD);
  MPI_Reduce(&seconds, &slowest, 1, MPI_DOUBLE, MPI_MAX, 0, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && all_wrong == 0) printf("%s: data ok\n", what);
  if (rank == 0 && all_wrong != 0) printf("%s: %ld values are wrong\n", what, all_wrong);
  if (rank == 0 && getenv("EXAMPLE_TIME")) printf("communication %.9f s\n", slowest);
  return all_wrong != 0;
}

#endif
