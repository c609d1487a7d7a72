/* A shuffled 4x2x2 halo as graph, distributed graph and grid; reorder must keep the data right and
 * shorten the ways. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
static int perm(int i) {
  return (i * 7 + 3) % 16;
} /* label of grid cell i */
static int hops_of(MPI_Comm comm, const int* index, const int* edges) {
  int size, len, me, sum = 0;
  char name[MPI_MAX_PROCESSOR_NAME] = {0}, *all;
  MPI_Comm_size(comm, &size);
  MPI_Get_processor_name(name, &len);
  all = malloc((size_t)size * MPI_MAX_PROCESSOR_NAME);
  MPI_Allgather(name, MPI_MAX_PROCESSOR_NAME, MPI_CHAR, all, MPI_MAX_PROCESSOR_NAME, MPI_CHAR,
                comm);
  int host[16];
  for (int r = 0; r < size; r++) {
    char* p = all + (size_t)r * MPI_MAX_PROCESSOR_NAME;
    char* d = p + strlen(p);
    while (d > p && d[-1] >= '0' && d[-1] <= '9') d--;
    host[r] = atoi(d);
  }
  for (int r = 0; r < size; r++)
    for (int e = r ? index[r - 1] : 0; e < index[r]; e++) {
      int a = host[r], b = host[edges[e]], x = abs(a % 4 - b % 4);
      sum += (x > 2 ? 4 - x : x) + abs(a / 4 % 2 - b / 4 % 2) + abs(a / 8 - b / 8);
    }
  (void)me;
  free(all);
  return sum;
}
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank, size, bad = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  int index[16], edges[64], lists[16][4], n = 0;
  for (int i = 0; i < 16; i++) { /* cell i = x + 4*(y + 2*z) */
    int x = i % 4, y = i / 4 % 2, z = i / 8;
    int* l = lists[perm(i)];
    l[0] = perm((x + 1) % 4 + 4 * (y + 2 * z));
    l[1] = perm((x + 3) % 4 + 4 * (y + 2 * z));
    l[2] = perm(x + 4 * (1 - y + 2 * z));
    l[3] = perm(x + 4 * (y + 2 * (1 - z)));
  }
  for (int r = 0; r < 16; r++) {
    for (int k = 0; k < 4; k++) edges[n++] = lists[r][k];
    index[r] = n;
  }
  MPI_Comm g0, g, d, c, s;
  MPI_Graph_create(MPI_COMM_WORLD, 16, index, edges, 0, &g0);
  MPI_Graph_create(MPI_COMM_WORLD, 16, index, edges, 1, &g);
  int before = hops_of(g0, index, edges), after = hops_of(g, index, edges);
  int gr, nn, nb[4], st, in[4], out[4];
  MPI_Comm_rank(g, &gr);
  MPI_Topo_test(g, &st);
  MPI_Graph_neighbors_count(g, gr, &nn);
  MPI_Graph_neighbors(g, gr, 4, nb);
  if (st != MPI_GRAPH || nn != 4 || memcmp(nb, lists[gr], sizeof nb)) bad |= 1;
  for (int k = 0; k < 4; k++) out[k] = 100 * gr + k, in[k] = -1;
  MPI_Neighbor_alltoall(out, 1, MPI_INT, in, 1, MPI_INT, g);
  for (int k = 0; k < 4; k++)
    if (in[k] / 100 != nb[k]) bad |= 2;
  int src[1] = {rank}, deg[1] = {1}, dst[1] = {(rank + 5) % size}, w[1] = {3};
  MPI_Dist_graph_create(MPI_COMM_WORLD, 1, src, deg, dst, w, MPI_INFO_NULL, 1, &d);
  int dr, id, od, wt, ds[1], dw[1], dd[1], dx[1], got = -1;
  MPI_Comm_rank(d, &dr);
  MPI_Dist_graph_neighbors_count(d, &id, &od, &wt);
  MPI_Dist_graph_neighbors(d, 1, ds, dw, 1, dd, dx);
  if (id != 1 || od != 1 || !wt || dw[0] != 3 || dx[0] != 3 || dd[0] != (dr + 5) % size ||
      ds[0] != (dr + size - 5) % size)
    bad |= 4;
  MPI_Neighbor_alltoall(&dr, 1, MPI_INT, &got, 1, MPI_INT, d);
  if (got != ds[0]) bad |= 8;
  /* The halo again, by its neighbours. */
  MPI_Comm halo;
  MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 4, lists[rank], MPI_UNWEIGHTED, 4, lists[rank],
                                 MPI_UNWEIGHTED, MPI_INFO_NULL, 1, &halo);
  int halo_after = hops_of(halo, index, edges);
  int dims[2] = {0, 0}, per[2] = {1, 0}, keep[2] = {1, 0}, cd[2], cp[2], cc[2], cr, a, b, sd[1],
      sp[1], sc[1], from = -1;
  MPI_Dims_create(size, 2, dims);
  MPI_Cart_create(MPI_COMM_WORLD, 2, dims, per, 1, &c);
  MPI_Comm_rank(c, &cr);
  MPI_Cart_get(c, 2, cd, cp, cc);
  MPI_Cart_shift(c, 1, 1, &a, &b);
  MPI_Sendrecv(&cr, 1, MPI_INT, b, 0, &from, 1, MPI_INT, a, 0, c, MPI_STATUS_IGNORE);
  if (cc[0] * dims[1] + cc[1] != cr || (a != MPI_PROC_NULL && from != a) ||
      (cc[1] == 0) != (a == MPI_PROC_NULL))
    bad |= 16;
  MPI_Cart_sub(c, keep, &s);
  MPI_Cart_get(s, 1, sd, sp, sc);
  if (sd[0] != dims[0] || sc[0] != cc[0] || !sp[0]) bad |= 32;
  int all;
  MPI_Allreduce(&bad, &all, 1, MPI_INT, MPI_BOR, MPI_COMM_WORLD);
  if (4 * after > 3 * before || 4 * halo_after > 3 * before) all |= 64;
  if (rank == 0)
    printf("%s flags %d hops before %d after %d\n", all ? "GRAPH-REORDER BAD" : "GRAPH-REORDER OK",
           all, before, after);
  MPI_Finalize();
  return all != 0;
}
