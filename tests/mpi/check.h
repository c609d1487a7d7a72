/* Checks for MPI programs: each failure is one line with its place; the last line of the program
 * counts them over all processes. */
#ifndef VTOPO_TESTS_MPI_CHECK_H
#define VTOPO_TESTS_MPI_CHECK_H

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

static int num_checks = 0, num_failures = 0;

#define CHECK(condition)                                                                      \
  do {                                                                                        \
    ++num_checks;                                                                             \
    if (!(condition)) {                                                                       \
      int check_rank;                                                                         \
      MPI_Comm_rank(MPI_COMM_WORLD, &check_rank);                                             \
      ++num_failures;                                                                         \
      printf("%s:%d: process %d: %s\n", __FILE__, __LINE__, check_rank, #condition);          \
      fflush(stdout);                                                                         \
    }                                                                                         \
  } while (0)

#ifdef MPICH_VERSION
#include <sched.h>
#include <signal.h>
#include <sys/time.h>

/* The timer is set again behind the call: one that goes on meanwhile would come due before the
 * process has done anything, again and again, where others keep the processor for longer. */
static void yield_after(int signal) {
  const struct itimerval once = {{0, 0}, {0, 200}};
  if (signal) sched_yield();
  setitimer(ITIMER_REAL, &once, NULL);
}

/* MPICH polls without end: with more processes than processors, each would use up its time. */
static inline void share_processors(void) {
  signal(SIGALRM, yield_after);
  yield_after(0);
}
#else
static inline void share_processors(void) {}
#endif

/* Begins MPI; besides MPI_COMM_WORLD its ranks in reverse, and the even or odd ones in another order. */
static inline void begin_with_parts(int* argc, char*** argv, int* rank, int* size,
                                    MPI_Comm* reversed, MPI_Comm* half) {
  MPI_Init(argc, argv);
  share_processors();
  MPI_Comm_rank(MPI_COMM_WORLD, rank);
  MPI_Comm_size(MPI_COMM_WORLD, size);
  MPI_Comm_split(MPI_COMM_WORLD, 0, -*rank, reversed);
  MPI_Comm_split(MPI_COMM_WORLD, *rank % 2, (*rank * 7) % 5, half);
}

/* The class of an error code. */
static inline int class_of(int code) {
  int error_class = MPI_SUCCESS;
  MPI_Error_class(code, &error_class);
  return error_class;
}

#define CHECK_CLASS(call, class) CHECK(class_of(call) == (class))

/* Adds up over all processes; process 0 reports. Returns the exit code. */
static int finish_checks(void) {
  int own[2] = {num_checks, num_failures}, all[2], rank;
  MPI_Allreduce(own, all, 2, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) printf("%d checks, %d failed\n", all[0], all[1]);
  MPI_Finalize();
  return all[1] != 0;
}

#endif
