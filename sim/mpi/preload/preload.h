/* Parts of libvtopo_mpi.so: virtual topologies whose ranks are reordered for the machine, under any
 * MPI library (README.md). */
#ifndef VTOPO_PRELOAD_H
#define VTOPO_PRELOAD_H

#include <mpi.h>

#include "vtopo_reorder.h"

#define VTOPO_HIDDEN __attribute__((visibility("hidden")))

/* Whether the ranks of a call may be reordered: then every process of the communicator asks. */
VTOPO_HIDDEN int vtopo_may_reorder(MPI_Comm comm, int reorder);

/* What one process knows of a question. */
struct vtopo_part {
  const char* call; /* "cart_create" */
  MPI_Comm comm;    /* the old communicator */
  int ndims;        /* of a grid, which every process knows; 0: a graph */
  const int* dims;
  const int* periods;
  int vertices;       /* of a graph */
  int edges;          /* that this process gives; -1: wrong arguments */
  int weighted;       /* 0 no, 1 yes, 2: has no edges, as the others */
  const int* triples; /* three for each of them: source, destination, weight */
  MPI_Info info;      /* hints of the call */
};

/* What this process is to do. */
struct vtopo_turn {
  int reordered; /* 0: the old communicator is the right one */
  int new_rank;  /* -1: outside of the topology */
  int weighted;  /* of a graph: whether any process gives weights */
};

/* Collective: the part of each process goes to rank 0, which answers all. Returns a code of MPI. */
VTOPO_HIDDEN int vtopo_ask(const struct vtopo_part* part, struct vtopo_turn* turn);

/* The communicator in the new order, with the error handler of the old one; MPI_COMM_NULL outside
 * of the topology. Returns a code of MPI. */
VTOPO_HIDDEN int vtopo_reordered_comm(MPI_Comm old, const struct vtopo_turn* turn, MPI_Comm* made);

/* Ends what `vtopo_reordered_comm` began: frees it, and the topology's communicator gets the error
 * handler of the old one. Returns `code`. */
VTOPO_HIDDEN int vtopo_made(MPI_Comm old, MPI_Comm* between, MPI_Comm topology, int code);

#endif
