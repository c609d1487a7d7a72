/* Virtual topologies of communicators: what constructors return, what dup, split and free keep,
 * maps. Valid calls only: any MPI library passes. */

#include "check.h"

static int kind_of(MPI_Comm comm) {
  int kind;
  MPI_Topo_test(comm, &kind);
  return kind;
}

static void world_has_none(void) {
  CHECK(kind_of(MPI_COMM_WORLD) == MPI_UNDEFINED);
  CHECK(kind_of(MPI_COMM_SELF) == MPI_UNDEFINED);
}

static void grid_and_duplicates(void) {
  int size, rank, ndims, dims[2], periods[2], coords[2], back;
  MPI_Comm grid, copy, copy_of_copy, part;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){size, 1}, (int[]){0, 1}, 1, &grid);
  MPI_Comm_rank(grid, &rank);
  CHECK(kind_of(grid) == MPI_CART);
  MPI_Comm_dup(grid, &copy);
  MPI_Comm_free(&grid);
  CHECK(grid == MPI_COMM_NULL);
  MPI_Comm_dup(copy, &copy_of_copy);
  CHECK(kind_of(copy) == MPI_CART);
  MPI_Comm_free(&copy);
  MPI_Cartdim_get(copy_of_copy, &ndims);
  MPI_Cart_get(copy_of_copy, 2, dims, periods, coords);
  CHECK(ndims == 2 && dims[0] == size && dims[1] == 1 && !periods[0] && periods[1]);
  CHECK(coords[0] == rank && coords[1] == 0);
  MPI_Cart_rank(copy_of_copy, coords, &back);
  CHECK(back == rank);
  MPI_Comm_split(copy_of_copy, 0, -rank, &part);
  CHECK(kind_of(part) == MPI_UNDEFINED);
  MPI_Comm_free(&part);
  MPI_Comm_free(&copy_of_copy);
}

/* With reorder=0 a process has the rank that it has in the old communicator, whatever reordered
 * that one. */
static void order_kept(void) {
  int size, rank, same;
  MPI_Comm ring, path, graph, copy;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_create(MPI_COMM_WORLD, 1, &size, (int[]){1}, 1, &ring);
  MPI_Cart_create(ring, 1, &size, (int[]){0}, 0, &path);
  MPI_Comm_compare(ring, path, &same);
  CHECK(same == MPI_CONGRUENT);
  MPI_Comm_rank(path, &rank);
  MPI_Dist_graph_create(path, 1, &rank, (int[]){1}, (int[]){(rank + 1) % size}, MPI_UNWEIGHTED,
                        MPI_INFO_NULL, 0, &graph);
  MPI_Comm_compare(ring, graph, &same);
  CHECK(same == MPI_CONGRUENT);
  /* One number along the ring. */
  int received = -1;
  MPI_Neighbor_alltoall(&rank, 1, MPI_INT, &received, 1, MPI_INT, graph);
  CHECK(received == (rank + size - 1) % size);
  MPI_Comm_dup(graph, &copy);
  MPI_Comm_compare(graph, copy, &same);
  CHECK(same == MPI_CONGRUENT);
  MPI_Comm_free(&ring);
  MPI_Comm_free(&path);
  MPI_Comm_free(&graph);
  MPI_Comm_free(&copy);
}

static void processes_outside(void) {
  int size, rank;
  MPI_Comm grid, graph, none;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (size < 2) return;
  MPI_Cart_create(MPI_COMM_WORLD, 1, (int[]){size - 1}, (int[]){0}, 0, &grid);
  CHECK((grid == MPI_COMM_NULL) == (rank == size - 1));
  if (grid != MPI_COMM_NULL) MPI_Comm_free(&grid);
  MPI_Graph_create(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, 0, &graph);
  CHECK((graph == MPI_COMM_NULL) == (rank != 0));
  if (graph != MPI_COMM_NULL) {
    int nnodes, nedges;
    MPI_Graphdims_get(graph, &nnodes, &nedges);
    CHECK(nnodes == 1 && nedges == 1 && kind_of(graph) == MPI_GRAPH);
    MPI_Comm_free(&graph);
  }
  MPI_Graph_create(MPI_COMM_WORLD, 0, NULL, NULL, 0, &none);
  CHECK(none == MPI_COMM_NULL);
}

/* Rows and columns of a grid of 2 x n; the last process may be outside. */
static void subgrids(void) {
  int size, rank;
  MPI_Comm grid, row, column;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  if (size < 2) return;
  MPI_Cart_create(MPI_COMM_WORLD, 2, (int[]){2, size / 2}, (int[]){1, 0}, 0, &grid);
  if (grid == MPI_COMM_NULL) return;
  MPI_Comm_rank(grid, &rank);
  int coords[2], dims[2], periods[2], place[2], members, row_rank;
  MPI_Cart_coords(grid, rank, 2, coords);
  MPI_Cart_sub(grid, (int[]){0, 1}, &row);
  MPI_Comm_size(row, &members);
  MPI_Comm_rank(row, &row_rank);
  MPI_Cart_get(row, 1, dims, periods, place);
  CHECK(members == size / 2 && row_rank == coords[1] && dims[0] == size / 2);
  CHECK(!periods[0] && place[0] == coords[1]);
  MPI_Cart_sub(grid, (int[]){1, 0}, &column);
  MPI_Cart_get(column, 1, dims, periods, place);
  CHECK(dims[0] == 2 && periods[0] && place[0] == coords[0]);
  MPI_Comm_free(&column);
  MPI_Comm_free(&row);
  MPI_Comm_free(&grid);
}

static void graph_inquiries(void) {
  int size, rank, nnodes, nedges, count, neighbour;
  int index[64], edges[64], index_back[64], edges_back[64];
  MPI_Comm graph;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  for (int r = 0; r < size; ++r) {
    index[r] = r + 1;
    edges[r] = (r + 1) % size;
  }
  MPI_Graph_create(MPI_COMM_WORLD, size, index, edges, 1, &graph);
  MPI_Comm_rank(graph, &rank);
  MPI_Graphdims_get(graph, &nnodes, &nedges);
  MPI_Graph_get(graph, size, size, index_back, edges_back);
  CHECK(nnodes == size && nedges == size);
  for (int r = 0; r < size; ++r) CHECK(index_back[r] == r + 1 && edges_back[r] == (r + 1) % size);
  MPI_Graph_neighbors_count(graph, rank, &count);
  MPI_Graph_neighbors(graph, rank, 1, &neighbour);
  CHECK(count == 1 && neighbour == (rank + 1) % size);
  MPI_Comm_free(&graph);
}

/* Process 0 gives all edges of a ring, with weights, and a hint. */
static void dist_graph_inquiries(void) {
  int size, rank, indegree, outdegree, weighted, source, destination, weight_in, weight_out;
  int sources[64], degrees[64], destinations[64], weights[64];
  MPI_Comm graph;
  MPI_Info info;
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  for (int r = 0; r < size; ++r) {
    sources[r] = r;
    degrees[r] = 1;
    destinations[r] = (r + 1) % size;
    weights[r] = r + 5;
  }
  MPI_Info_create(&info);
  MPI_Info_set(info, "vtopo_mapper", "greedy");
  MPI_Dist_graph_create(MPI_COMM_WORLD, rank == 0 ? size : 0, sources, degrees, destinations,
                        rank == 0 ? weights : MPI_WEIGHTS_EMPTY, info, 1, &graph);
  MPI_Info_free(&info);
  MPI_Comm_rank(graph, &rank);
  CHECK(kind_of(graph) == MPI_DIST_GRAPH);
  MPI_Dist_graph_neighbors_count(graph, &indegree, &outdegree, &weighted);
  CHECK(indegree == 1 && outdegree == 1 && weighted);
  MPI_Dist_graph_neighbors(graph, 1, &source, &weight_in, 1, &destination, &weight_out);
  CHECK(source == (rank + size - 1) % size && destination == (rank + 1) % size);
  CHECK(weight_in == source + 5 && weight_out == rank + 5);
  MPI_Comm_free(&graph);
}

/* Ranks of a map are a permutation of those of the grid. */
/* A grid without dimensions is one process, also with reorder=1. */
static void no_dimensions(void) {
  MPI_Comm point, part;
  int members, rank = -1, ndims = -1;
  MPI_Cart_create(MPI_COMM_WORLD, 0, NULL, NULL, 1, &point);
  int mine = point != MPI_COMM_NULL;
  MPI_Allreduce(&mine, &members, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
  CHECK(members == 1);
  if (!mine) return;
  MPI_Cartdim_get(point, &ndims);
  MPI_Cart_rank(point, NULL, &rank);
  CHECK(ndims == 0 && rank == 0);
  MPI_Cart_sub(point, NULL, &part);
  MPI_Cartdim_get(part, &ndims);
  CHECK(ndims == 0);
  MPI_Comm_free(&part);
  MPI_Comm_free(&point);
}

static void maps(void) {
  int size, rank, mine, all[64], seen[64] = {0};
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  MPI_Cart_map(MPI_COMM_WORLD, 1, &size, (int[]){1}, &mine);
  MPI_Allgather(&mine, 1, MPI_INT, all, 1, MPI_INT, MPI_COMM_WORLD);
  for (int r = 0; r < size; ++r)
    if (all[r] >= 0 && all[r] < size) ++seen[all[r]];
  for (int r = 0; r < size; ++r) CHECK(seen[r] == 1);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Graph_map(MPI_COMM_WORLD, 1, (int[]){1}, (int[]){0}, &mine);
  CHECK(mine == MPI_UNDEFINED || mine == 0 || rank > 0);
}

static void dims(void) {
  int sizes[3] = {0, 3, 0};
  MPI_Dims_create(24, 3, sizes);
  CHECK(sizes[0] == 4 && sizes[1] == 3 && sizes[2] == 2);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  share_processors();
  world_has_none();
  grid_and_duplicates();
  order_kept();
  processes_outside();
  subgrids();
  graph_inquiries();
  dist_graph_inquiries();
  no_dimensions();
  maps();
  dims();
  return finish_checks();
}
