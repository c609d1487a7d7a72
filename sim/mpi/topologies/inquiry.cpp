// The inquiry functions of process topologies: arguments to values, one call, values to arguments.
// They are local and short; what they take is charged as the program's own time.

#include "sim/mpi/decision/c_binding.hpp"
#include "sim/mpi/decision/settings.hpp"
#include "sim/mpi/topologies/attached_topology.hpp"
#include "sim/mpi/topologies/construction.hpp"
#include "topology/mpi/communicator.hpp"
#include "topology/mpi/dims_create.hpp"

using namespace vtopo;
using namespace vtopo::detail;
using overlay::is_unweighted;
using overlay::rank_in;
using overlay::settings;
using overlay::topology_function;
using overlay::value_of;

namespace {

c::WeightBuffer weight_buffer(int* weights) {
  return is_unweighted(weights) ? c::WeightBuffer{} : c::WeightBuffer{weights};
}

void check_output(const void* output, const char* name) {
  if (output == nullptr) throw mpi_error<TopologyCondition::null_array>(name, "1");
}

}  // namespace

int MPI_Topo_test(MPI_Comm comm, int* status) {
  return topology_function(comm, [&] {
    check_output(status, "status");
    const auto kind = topo_test(value_of(comm, "topo_test"));
    if (!kind)
      *status = MPI_UNDEFINED;
    else
      *status = *kind == TopologyKind::cart    ? MPI_CART
                : *kind == TopologyKind::graph ? MPI_GRAPH
                                               : MPI_DIST_GRAPH;
  });
}

int MPI_Dims_create(int nnodes, int ndims, int* dims) {
  return topology_function(MPI_COMM_WORLD, [&] {
    if (ndims < 0) throw mpi_error<TopologyCondition::negative_ndims>(ndims);
    if (ndims > 0) check_output(dims, "dims");
    const std::span<int> fixed(dims, static_cast<std::size_t>(ndims));
    const std::vector<int> sizes = dims_create(nnodes, fixed, settings().dims);
    std::copy(sizes.begin(), sizes.end(), fixed.begin());
  });
}

int MPI_Cartdim_get(MPI_Comm comm, int* ndims) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "cartdim_get");
    c::cartdim_get(&value, ndims);
  });
}

int MPI_Cart_get(MPI_Comm comm, int maxdims, int* dims, int* periods, int* coords) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "cart_get");
    c::cart_get(&value, rank_in(comm), maxdims, dims, periods, coords);
  });
}

int MPI_Cart_rank(MPI_Comm comm, const int* coords, int* rank) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "cart_rank");
    c::cart_rank(&value, coords, rank);
  });
}

int MPI_Cart_coords(MPI_Comm comm, int rank, int maxdims, int* coords) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "cart_coords");
    c::cart_coords(&value, rank, maxdims, coords);
  });
}

int MPI_Cart_shift(MPI_Comm comm, int direction, int disp, int* source, int* destination) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "cart_shift");
    c::cart_shift(&value, rank_in(comm), direction, disp, source, destination, MPI_PROC_NULL);
  });
}

int MPI_Graphdims_get(MPI_Comm comm, int* nnodes, int* nedges) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "graphdims_get");
    c::graphdims_get(&value, nnodes, nedges);
  });
}

int MPI_Graph_get(MPI_Comm comm, int maxindex, int maxedges, int* index, int* edges) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "graph_get");
    c::graph_get(&value, maxindex, maxedges, index, edges);
  });
}

int MPI_Graph_neighbors_count(MPI_Comm comm, int rank, int* nneighbors) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "graph_neighbors_count");
    c::graph_neighbors_count(&value, rank, nneighbors);
  });
}

int MPI_Graph_neighbors(MPI_Comm comm, int rank, int maxneighbors, int* neighbors) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "graph_neighbors");
    c::graph_neighbors(&value, rank, maxneighbors, neighbors);
  });
}

int MPI_Dist_graph_neighbors_count(MPI_Comm comm, int* indegree, int* outdegree, int* weighted) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "dist_graph_neighbors_count");
    c::dist_graph_neighbors_count(&value, rank_in(comm), indegree, outdegree, weighted);
  });
}

int MPI_Dist_graph_neighbors(MPI_Comm comm, int maxindegree, int* sources, int* sourceweights,
                             int maxoutdegree, int* destinations, int* destweights) {
  return topology_function(comm, [&] {
    const Communicator& value = value_of(comm, "dist_graph_neighbors");
    c::dist_graph_neighbors(&value, rank_in(comm), maxindegree, sources,
                            weight_buffer(sourceweights), maxoutdegree, destinations,
                            weight_buffer(destweights));
  });
}
