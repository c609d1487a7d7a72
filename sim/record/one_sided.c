/* One-sided communication, which is not recorded: that is said, in the trace and on stderr. */
#include <stdatomic.h>
#include <stdio.h>

#include "trace.h"

static atomic_flag used = ATOMIC_FLAG_INIT; /* clear until this process uses it */

void record_tell_one_sided(void) {
  const int here = atomic_flag_test_and_set(&used);
  int anywhere = 0, rank = 0;
  PMPI_Reduce(&here, &anywhere, 1, MPI_INT, MPI_MAX, 0, MPI_COMM_WORLD);
  PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0 && anywhere)
    fprintf(stderr, "vtopo_record: one-sided communication of the program is not recorded\n");
}

static void note(void) {
  if (record_is_on() && !atomic_flag_test_and_set(&used))
    trace_add_unsupported("one-sided communication");
}

#define ONE_SIDED(name, parameters, arguments) \
  int MPI_##name parameters {                  \
    note();                                    \
    return PMPI_##name arguments;              \
  }
#define TARGET int target, MPI_Aint place, int target_count, MPI_Datatype target_type
#define TARGET_NAMES target, place, target_count, target_type

ONE_SIDED(Put, (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window),
          (origin, count, type, TARGET_NAMES, window))
ONE_SIDED(Get, (void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window),
          (origin, count, type, TARGET_NAMES, window))
ONE_SIDED(Accumulate,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window),
          (origin, count, type, TARGET_NAMES, op, window))
ONE_SIDED(Get_accumulate,
          (const void* origin, int count, MPI_Datatype type, void* result, int result_count,
           MPI_Datatype result_type, TARGET, MPI_Op op, MPI_Win window),
          (origin, count, type, result, result_count, result_type, TARGET_NAMES, op, window))
ONE_SIDED(Fetch_and_op,
          (const void* origin, void* result, MPI_Datatype type, int target, MPI_Aint place,
           MPI_Op op, MPI_Win window),
          (origin, result, type, target, place, op, window))
#if !defined(SMPI_H) /* which declares it otherwise than MPI */
ONE_SIDED(Compare_and_swap,
          (const void* origin, const void* compared, void* result, MPI_Datatype type, int target,
           MPI_Aint place, MPI_Win window),
          (origin, compared, result, type, target, place, window))
#endif
ONE_SIDED(Rput,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, window, request))
ONE_SIDED(Rget,
          (void* origin, int count, MPI_Datatype type, TARGET, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, window, request))
ONE_SIDED(Raccumulate,
          (const void* origin, int count, MPI_Datatype type, TARGET, MPI_Op op, MPI_Win window,
           MPI_Request* request),
          (origin, count, type, TARGET_NAMES, op, window, request))
ONE_SIDED(Rget_accumulate,
          (const void* origin, int count, MPI_Datatype type, void* result, int result_count,
           MPI_Datatype result_type, TARGET, MPI_Op op, MPI_Win window, MPI_Request* request),
          (origin, count, type, result, result_count, result_type, TARGET_NAMES, op, window,
           request))
