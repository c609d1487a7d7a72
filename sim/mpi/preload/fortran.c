/* Fortran bindings that call PMPI directly: all of Open MPI (`mpif.h`, `use mpi`, `use mpi_f08`),
 * and `use mpi_f08` of MPICH, whose other ones call the C functions. Handles are integers, logical
 * values true if not 0; `use mpi_f08` may leave out the error. Names are those of gfortran. */
#include <stdlib.h>

#include "preload.h"

/* The variables whose addresses stand for MPI_UNWEIGHTED and MPI_WEIGHTS_EMPTY. */
#if defined(OPEN_MPI)
#define UNWEIGHTED mpi_fortran_unweighted_
#define WEIGHTS_EMPTY mpi_fortran_weights_empty_
#else
#define UNWEIGHTED __mpi_f08_link_constants_MOD_mpi_unweighted
#define WEIGHTS_EMPTY __mpi_f08_link_constants_MOD_mpi_weights_empty
#endif
extern int UNWEIGHTED __attribute__((weak));
extern int WEIGHTS_EMPTY __attribute__((weak));

static const int* weights_of(const MPI_Fint* weights) {
  if (weights == &UNWEIGHTED) return MPI_UNWEIGHTED;
  if (weights == &WEIGHTS_EMPTY) return MPI_WEIGHTS_EMPTY;
  return weights;
}

static void give(const MPI_Comm* made, MPI_Fint* handle, int code, MPI_Fint* error) {
  if (code == MPI_SUCCESS) *handle = PMPI_Comm_c2f(*made);
  if (error != NULL) *error = code;
}

/* The names of a subroutine that are to be seen here. */
#define F08_NAME(name, parameters, arguments) \
  void mpi_##name##_f08_ parameters;          \
  void mpi_##name##_f08_ parameters {         \
    name arguments;                           \
  }
#if defined(OPEN_MPI)
#define NAMES(name, parameters, arguments) \
  F08_NAME(name, parameters, arguments)    \
  void mpi_##name##_ parameters;           \
  void mpi_##name##_ parameters {          \
    name arguments;                        \
  }
#else
#define NAMES F08_NAME
#endif
#define FORTRAN(name, parameters, arguments) \
  static void name parameters;               \
  NAMES(name, parameters, arguments)         \
  static void name parameters

FORTRAN(cart_create,
        (MPI_Fint * comm, MPI_Fint* ndims, MPI_Fint* dims, MPI_Fint* periods, MPI_Fint* reorder,
         MPI_Fint* made, MPI_Fint* error),
        (comm, ndims, dims, periods, reorder, made, error)) {
  MPI_Comm result = MPI_COMM_NULL;
  const int code =
      MPI_Cart_create(PMPI_Comm_f2c(*comm), *ndims, dims, periods, *reorder != 0, &result);
  give(&result, made, code, error);
}

FORTRAN(graph_create,
        (MPI_Fint * comm, MPI_Fint* nnodes, MPI_Fint* index, MPI_Fint* edges, MPI_Fint* reorder,
         MPI_Fint* made, MPI_Fint* error),
        (comm, nnodes, index, edges, reorder, made, error)) {
  MPI_Comm result = MPI_COMM_NULL;
  const int code =
      MPI_Graph_create(PMPI_Comm_f2c(*comm), *nnodes, index, edges, *reorder != 0, &result);
  give(&result, made, code, error);
}

FORTRAN(dist_graph_create,
        (MPI_Fint * comm, MPI_Fint* n, MPI_Fint* sources, MPI_Fint* degrees, MPI_Fint* destinations,
         MPI_Fint* weights, MPI_Fint* info, MPI_Fint* reorder, MPI_Fint* made, MPI_Fint* error),
        (comm, n, sources, degrees, destinations, weights, info, reorder, made, error)) {
  MPI_Comm result = MPI_COMM_NULL;
  const int code =
      MPI_Dist_graph_create(PMPI_Comm_f2c(*comm), *n, sources, degrees, destinations,
                            weights_of(weights), PMPI_Info_f2c(*info), *reorder != 0, &result);
  give(&result, made, code, error);
}

FORTRAN(dist_graph_create_adjacent,
        (MPI_Fint * comm, MPI_Fint* indegree, MPI_Fint* sources, MPI_Fint* source_weights,
         MPI_Fint* outdegree, MPI_Fint* destinations, MPI_Fint* weights, MPI_Fint* info,
         MPI_Fint* reorder, MPI_Fint* made, MPI_Fint* error),
        (comm, indegree, sources, source_weights, outdegree, destinations, weights, info, reorder,
         made, error)) {
  MPI_Comm result = MPI_COMM_NULL;
  const int code = MPI_Dist_graph_create_adjacent(
      PMPI_Comm_f2c(*comm), *indegree, sources, weights_of(source_weights), *outdegree,
      destinations, weights_of(weights), PMPI_Info_f2c(*info), *reorder != 0, &result);
  give(&result, made, code, error);
}
