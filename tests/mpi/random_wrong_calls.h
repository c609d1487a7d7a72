/* Wrong calls of random_calls.c, each of one process or of all. */
#ifndef VTOPO_TESTS_MPI_RANDOM_WRONG_CALLS_H
#define VTOPO_TESTS_MPI_RANDOM_WRONG_CALLS_H

#include "check.h"

static int list[8];
#define WORLD MPI_COMM_WORLD
#define GRID      \
  &(MPI_Comm) {   \
    MPI_COMM_NULL \
  }
static int size_of_world;
static int null_comm(void) {
  return MPI_Barrier(MPI_COMM_NULL);
}
static int null_dup(void) {
  return MPI_Comm_dup(MPI_COMM_NULL, GRID);
}
static int send_rank(void) {
  return MPI_Send(list, 1, MPI_INT, size_of_world + 5, 0, WORLD);
}
static int send_count(void) {
  return MPI_Send(list, -1, MPI_INT, 0, 0, WORLD);
}
static int send_tag(void) {
  return MPI_Send(list, 1, MPI_INT, 0, -7, WORLD);
}
static int send_type(void) {
  return MPI_Send(list, 1, MPI_DATATYPE_NULL, 0, 0, WORLD);
}
static int isend_rank(void) {
  return MPI_Isend(list, 1, MPI_INT, -77, 0, WORLD, &(MPI_Request){MPI_REQUEST_NULL});
}
static int irecv_count(void) {
  return MPI_Irecv(list, -2, MPI_INT, 0, 0, WORLD, &(MPI_Request){MPI_REQUEST_NULL});
}
static int recv_rank(void) {
  return MPI_Recv(list, 1, MPI_INT, size_of_world, 0, WORLD, MPI_STATUS_IGNORE);
}
static int recv_tag(void) {
  return MPI_Recv(list, 1, MPI_INT, 0, -9, WORLD, MPI_STATUS_IGNORE);
}
static int sendrecv_rank(void) {
  return MPI_Sendrecv(list, 1, MPI_INT, 999, 0, list, 1, MPI_INT, 999, 0, WORLD, MPI_STATUS_IGNORE);
}
static int probe_rank(void) {
  return MPI_Probe(size_of_world + 1, 0, WORLD, MPI_STATUS_IGNORE);
}
static int truncated(void) {
  MPI_Request request;
  int rank, code;
  MPI_Comm_rank(WORLD, &rank);
  MPI_Isend(list, 6, MPI_INT, rank, 3, WORLD, &request);
  code = MPI_Recv(list, 2, MPI_INT, rank, 3, WORLD, MPI_STATUS_IGNORE);
  MPI_Wait(&request, MPI_STATUS_IGNORE);
  return code;
}
static int reduce_op(void) {
  return MPI_Allreduce(list, list, 1, MPI_INT, MPI_OP_NULL, WORLD);
}
static int bcast_count(void) {
  return MPI_Bcast(list, -1, MPI_INT, 0, WORLD);
}
static int bcast_root(void) {
  return MPI_Bcast(list, 1, MPI_INT, size_of_world, WORLD);
}
static int gather_root(void) {
  return MPI_Gather(list, 1, MPI_INT, list, 1, MPI_INT, -3, WORLD);
}
static int split_color(void) {
  return MPI_Comm_split(WORLD, -5, 0, GRID);
}
static int cart_size(void) {
  return MPI_Cart_create(WORLD, 2, (int[]){size_of_world, 2}, (int[]){0, 0}, 0, GRID);
}
static int cart_negative(void) {
  return MPI_Cart_create(WORLD, 1, (int[]){-1}, (int[]){0}, 0, GRID);
}
static int cart_coords(void) {
  return MPI_Cart_coords(WORLD, 0, 1, list);
}
static int cart_shift(void) {
  return MPI_Cart_shift(WORLD, 0, 1, &list[0], &list[1]);
}
static int dims_create(void) {
  return MPI_Dims_create(7, 2, (int[]){2, 0});
}
static int graph_count(void) {
  return MPI_Dist_graph_create_adjacent(WORLD, -1, list, MPI_UNWEIGHTED, 0, list, MPI_UNWEIGHTED,
                                        MPI_INFO_NULL, 0, GRID);
}
static int graph_rank(void) {
  return MPI_Dist_graph_create_adjacent(WORLD, 1, (int[]){-4}, MPI_UNWEIGHTED, 1, (int[]){999},
                                        MPI_UNWEIGHTED, MPI_INFO_NULL, 0, GRID);
}
static int neighbours(void) {
  return MPI_Neighbor_allgather(list, 1, MPI_INT, list, 1, MPI_INT, WORLD);
}
static int group_rank(void) {
  MPI_Group group, made;
  MPI_Comm_group(WORLD, &group);
  return MPI_Group_incl(group, 1, (int[]){999}, &made);
}

static const struct {
  const char* name;
  int by_all; /* a collective call, wrong on every process */
  int (*call)(void);
} wrong_calls[] = {
    {"null_comm", 1, null_comm},     {"null_dup", 1, null_dup},
    {"send_rank", 0, send_rank},     {"send_count", 0, send_count},
    {"send_tag", 0, send_tag},       {"send_type", 0, send_type},
    {"isend_rank", 0, isend_rank},   {"irecv_count", 0, irecv_count},
    {"recv_rank", 0, recv_rank},     {"recv_tag", 0, recv_tag},
    {"probe_rank", 0, probe_rank},   {"sendrecv_rank", 0, sendrecv_rank},
    {"truncated", 0, truncated},     {"reduce_op", 1, reduce_op},
    {"bcast_count", 1, bcast_count}, {"bcast_root", 1, bcast_root},
    {"gather_root", 1, gather_root}, {"split_color", 1, split_color},
    {"cart_size", 1, cart_size},     {"cart_negative", 1, cart_negative},
    {"cart_coords", 0, cart_coords}, {"cart_shift", 0, cart_shift},
    {"dims_create", 0, dims_create}, {"graph_count", 1, graph_count},
    {"graph_rank", 1, graph_rank},   {"neighbours", 1, neighbours},
    {"group_rank", 0, group_rank},
};
enum { num_wrong_calls = sizeof wrong_calls / sizeof wrong_calls[0] };

#define CLASS(name) \
  { MPI_ERR_##name, "MPI_ERR_" #name }
/* Classes of errors: their numbers are the library's. */
static const struct {
  int value;
  const char* name;
} classes[] = {CLASS(COMM),     CLASS(RANK),     CLASS(COUNT), CLASS(TAG), CLASS(TYPE),
               CLASS(TRUNCATE), CLASS(OP),       CLASS(ROOT),  CLASS(ARG), CLASS(DIMS),
               CLASS(GROUP),    CLASS(TOPOLOGY), CLASS(OTHER)};

static const char* name_of(int error_class) {
  for (size_t i = 0; i < sizeof classes / sizeof classes[0]; ++i)
    if (classes[i].value == error_class) return classes[i].name;
  return error_class == MPI_SUCCESS ? "MPI_SUCCESS" : "another";
}

/* The process `by` writes which call it makes, and the class of the error if it returns. */
static void call_wrongly(int which, int by) {
  int rank;
  int error_class = MPI_SUCCESS;
  MPI_Comm_rank(WORLD, &rank);
  if (!wrong_calls[which].by_all && rank != by) return;
  if (rank == by) {
    printf("wrong %s\n", wrong_calls[which].name);
    fflush(stdout);
  }
  MPI_Error_class(wrong_calls[which].call(), &error_class);
  if (rank == by) {
    printf("class %s %s\n", wrong_calls[which].name, name_of(error_class));
    fflush(stdout);
  }
}

#endif
