/* Erroneous calls under the overlay: classes as MPI-5.0 names them, and who hears of them; and what
 * MPI libraries differ in. */

#include "check.h"

static int heard = MPI_SUCCESS;

static void hear(MPI_Comm* comm, int* code, ...) {
  (void)comm;
  heard = *code;
}

static void wrong_arguments(void) {
  int size, number, list[4];
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int larger[] = {size + 1}, negative[] = {-1}, open[] = {0};
  CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, larger, open, 0, &made), MPI_ERR_DIMS);
  CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, negative, open, 1, &made), MPI_ERR_DIMS);
  CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, -1, open, open, 0, &made), MPI_ERR_DIMS);
  CHECK_CLASS(MPI_Cart_create(MPI_COMM_WORLD, 1, NULL, open, 0, &made), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Cart_create(MPI_COMM_NULL, 1, larger, open, 0, &made), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){9}, 0, &made), MPI_ERR_RANK);
  CHECK_CLASS(MPI_Graph_create(MPI_COMM_WORLD, 2, (int[]){1, 0}, (int[]){0}, 0, &made),
              MPI_ERR_ARG);
  CHECK_CLASS(MPI_Dims_create(12, 2, (int[]){3, 3}), MPI_ERR_DIMS);
  CHECK_CLASS(MPI_Dims_create(0, 1, list), MPI_ERR_ARG);
  CHECK_CLASS(MPI_Cartdim_get(MPI_COMM_WORLD, &number), MPI_ERR_TOPOLOGY);
  CHECK_CLASS(MPI_Graphdims_get(MPI_COMM_NULL, &number, &number), MPI_ERR_COMM);
  CHECK_CLASS(MPI_Neighbor_alltoall(&number, 1, MPI_INT, list, 1, MPI_INT, MPI_COMM_WORLD),
              MPI_ERR_TOPOLOGY);
  CHECK_CLASS(MPI_Neighbor_alltoall(&number, 1, MPI_INT, list, 1, MPI_INT, MPI_COMM_NULL),
              MPI_ERR_COMM);
  CHECK(made == MPI_COMM_NULL);
}

/* One process gives a wrong edge: all hear of it, and nobody waits. */
static void one_wrong_process(void) {
  int rank, size;
  MPI_Comm made = MPI_COMM_NULL;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const int source[] = {0}, degree[] = {1}, outside[] = {size}, inside[] = {0};
  CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 1, source, degree, rank == 0 ? outside : inside,
                                    MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
              MPI_ERR_RANK);
  CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? -1 : 0, source, degree, inside,
                                    MPI_UNWEIGHTED, MPI_INFO_NULL, 0, &made),
              MPI_ERR_ARG);
  CHECK_CLASS(MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, inside, MPI_WEIGHTS_EMPTY, 0, NULL,
                                             MPI_WEIGHTS_EMPTY, MPI_INFO_NULL, 0, &made),
              MPI_ERR_ARG);
  MPI_Info info;
  MPI_Info_create(&info);
  MPI_Info_set(info, "key", rank == 0 ? "zero" : "other");
  if (size > 1)
    CHECK_CLASS(MPI_Dist_graph_create(MPI_COMM_WORLD, 0, NULL, NULL, NULL, MPI_UNWEIGHTED, info, 0,
                                      &made),
                MPI_ERR_INFO);
  MPI_Info_free(&info);
}

/* New communicators have the handler of the old one, and the program's own is called. */
static void handlers(void) {
  int rank, coords[1];
  MPI_Comm world, grid;
  MPI_Errhandler handler;
  MPI_Comm_dup(MPI_COMM_WORLD, &world);
  MPI_Comm_create_errhandler(hear, &handler);
  MPI_Comm_set_errhandler(world, handler);
  const int one[] = {1}, open[] = {0};
  MPI_Cart_create(world, 1, one, open, 0, &grid);
  MPI_Comm_rank(world, &rank);
  CHECK((grid == MPI_COMM_NULL) == (rank != 0));
  if (rank == 0) {
    heard = MPI_SUCCESS;
    CHECK_CLASS(MPI_Cart_coords(grid, 1, 1, coords), MPI_ERR_RANK);
    CHECK(class_of(heard) == MPI_ERR_RANK);
    heard = MPI_SUCCESS;
    CHECK_CLASS(MPI_Neighbor_alltoall(coords, -1, MPI_INT, coords, 1, MPI_INT, grid),
                MPI_ERR_COUNT);
    CHECK(class_of(heard) == MPI_ERR_COUNT);
    MPI_Comm_free(&grid);
  }
  MPI_Errhandler_free(&handler);
  MPI_Comm_free(&world);
}

/* Grids of zero dimensions, where libraries differ: one process each, with coordinates of none. */
static void zero_dimensions(void) {
  int members, ndims = -1, rank = -1, source, destination;
  const int size[] = {1}, open[] = {0}, drop[] = {0};
  MPI_Comm grid, point;
  MPI_Cart_create(MPI_COMM_WORLD, 1, size, open, 0, &grid);
  if (grid == MPI_COMM_NULL) return;
  MPI_Cart_sub(grid, drop, &point);
  MPI_Comm_size(point, &members);
  CHECK_CLASS(MPI_Cartdim_get(point, &ndims), MPI_SUCCESS);
  CHECK(members == 1 && ndims == 0);
  CHECK_CLASS(MPI_Cart_rank(point, NULL, &rank), MPI_SUCCESS);
  CHECK(rank == 0);
  CHECK_CLASS(MPI_Cart_shift(point, 0, 1, &source, &destination), MPI_ERR_TOPOLOGY);
  MPI_Comm_free(&point);
  MPI_Comm_free(&grid);
}

/* Requests that are used as they must not be. */
static void wrong_requests(void) {
  int number = 0, received[2];
  const int size[] = {1}, periodic[] = {1};
  MPI_Comm grid;
  MPI_Cart_create(MPI_COMM_WORLD, 1, size, periodic, 0, &grid);
  if (grid == MPI_COMM_NULL) return;
  const int sent[] = {3, 4};
  MPI_Request request;
  MPI_Ineighbor_alltoall(sent, 1, MPI_INT, received, 1, MPI_INT, grid, &request);
  CHECK_CLASS(MPI_Start(&request), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Request_free(&request), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Cancel(&request), MPI_ERR_REQUEST);
  CHECK_CLASS(MPI_Wait(&request, MPI_STATUS_IGNORE), MPI_SUCCESS);
  CHECK(received[0] == 4 && received[1] == 3);
  CHECK_CLASS(MPI_Neighbor_allgather(sent, 2, MPI_INT, received, 1, MPI_INT, grid),
              MPI_ERR_TRUNCATE);
  CHECK_CLASS(MPI_Neighbor_allgather(MPI_IN_PLACE, 1, MPI_INT, received, 1, MPI_INT, grid),
              MPI_ERR_BUFFER);
  CHECK_CLASS(MPI_Neighbor_allgather(&number, 1, MPI_DATATYPE_NULL, received, 1, MPI_INT, grid),
              MPI_ERR_TYPE);
  CHECK_CLASS(MPI_Neighbor_alltoallv(sent, NULL, NULL, MPI_INT, received, NULL, NULL, MPI_INT, grid),
              MPI_ERR_ARG);
  MPI_Comm_free(&grid);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
  wrong_arguments();
  one_wrong_process();
  handlers();
  zero_dimensions();
  wrong_requests();
  return finish_checks();
}
