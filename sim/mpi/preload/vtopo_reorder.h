/* What a constructor of a virtual topology asks vtopo, in plain C: between libvtopo_mpi.so, which
 * is compiled with the MPI library of a cluster, and libvtopo_reorder.so, which knows no MPI. */
#ifndef VTOPO_REORDER_H
#define VTOPO_REORDER_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

#define VTOPO_REORDER_VERSION 2

struct vtopo_reorder_question {
  int version;               /* VTOPO_REORDER_VERSION */
  const char* call;          /* "cart_create" */
  int processes;             /* of the old communicator */
  const char* const* nodes;  /* by rank: name of the node that the process runs on */
  const char* const* places; /* another name of it (xname), or "" */
  const int* processors;     /* two by rank: first and last processor of its node, as the operating
                              * system counts, that the process may run on; -1: unknown. Or NULL */
  const int* world_ranks;    /* by rank: rank in MPI_COMM_WORLD */
  int world_size;            /* of MPI_COMM_WORLD */
  int ndims;                 /* of a grid; 0: a graph */
  const int* dims;           /* of a grid */
  const int* periods;        /* of a grid: true if not 0 */
  int vertices;              /* of a graph: 0 to vertices - 1 */
  int edges;                 /* of a graph */
  const int* triples;        /* three for each edge: source, destination, weight */
  const char* mapper;        /* chosen for this call; NULL: by the environment */
  const char* objective;     /* the same */
  const char* time_limit;    /* the same */
};

enum vtopo_reorder_answer {
  VTOPO_ORDER_KEPT = 0,
  VTOPO_REORDERED = 1,
  VTOPO_NOT_DONE = 2 /* a setting is wrong or a host unknown: the order is kept */
};

/* Answers on the process that knows the whole question.
 * new_ranks: by rank of the old communicator, the new rank, or -1 outside of the topology; written
 * if VTOPO_REORDERED is returned.
 * sentence: says what was decided, or why nothing was; may be empty; cut to `length`. */
int vtopo_reorder(const struct vtopo_reorder_question* question, int* new_ranks, char* sentence,
                  size_t length);

#ifdef __cplusplus
}
#endif

#endif
