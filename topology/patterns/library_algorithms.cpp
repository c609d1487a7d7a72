#include <algorithm>
#include <iterator>

#include "topology/patterns/library_rules.hpp"

namespace vtopo::detail {

namespace {

constexpr std::string_view several_interfaces =
    "Fujitsu's own algorithm for several network interfaces of a node";
constexpr std::string_view unpublished_rules = "what Fujitsu MPI takes by itself is not published";
constexpr std::string_view as_fast =
    "not published; most of the measured times are those of this algorithm";
constexpr std::string_view spread =
    "not published; the four that spread messages over time and links take equal times, as if all "
    "messages shared the links ideally";
constexpr std::string_view faster_than_a_link =
    "four times as fast as one interface sends: made of Fujitsu's own broadcast for several of "
    "them";
constexpr std::string_view with_own_broadcast =
    "its second half is Fujitsu's own broadcast for several network interfaces";

// clang-format off
constexpr LibraryAlgorithm known_algorithms[] = {
    {"openmpi", "allreduce", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "allreduce", "basic_linear", "algorithm=linear", {}},
    {"openmpi", "allreduce", "nonoverlapping", "algorithm=reduce_bcast", {}},
    {"openmpi", "allreduce", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "allreduce", "ring", "algorithm=ring", {}},
    {"openmpi", "allreduce", "segmented_ring", "algorithm=segmented_ring", {}},
    {"openmpi", "allreduce", "ring_segmented", "algorithm=segmented_ring", {}},
    {"openmpi", "allreduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"openmpi", "allgather", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "allgather", "linear", "algorithm=linear", {}},
    {"openmpi", "allgather", "bruck", "algorithm=bruck", {}},
    {"openmpi", "allgather", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "allgather", "ring", "algorithm=ring", {}},
    {"openmpi", "allgather", "neighbor", "algorithm=neighbor", {}},
    {"openmpi", "allgather", "two_proc", "algorithm=recursive_doubling", {}},
    {"openmpi", "allgather", "sparbit", "algorithm=sparbit", {}},
    {"openmpi", "reduce_scatter", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "reduce_scatter", "non-overlapping", "algorithm=reduce_then_scatter", {}},
    {"openmpi", "reduce_scatter", "recursive_halving", "algorithm=recursive_halving", {}},
    {"openmpi", "reduce_scatter", "ring", "algorithm=ring", {}},
    {"openmpi", "reduce_scatter", "butterfly", "algorithm=butterfly", {}},
    {"openmpi", "alltoall", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "alltoall", "linear", "algorithm=linear", {}},
    {"openmpi", "alltoall", "pairwise", "algorithm=pairwise,order=shift", {}},
    {"openmpi", "alltoall", "modified_bruck", "algorithm=bruck", {}},
    {"openmpi", "alltoall", "linear_sync", "algorithm=linear", {}},
    {"openmpi", "alltoall", "two_proc", "algorithm=pairwise", {}},
    {"openmpi", "bcast", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "bcast", "basic_linear", "algorithm=linear", {}},
    {"openmpi", "bcast", "chain", "algorithm=chain,radix=4", {}},
    {"openmpi", "bcast", "pipeline", "algorithm=chain", {}},
    {"openmpi", "bcast", "split_binary_tree", "algorithm=split_binary", {}},
    {"openmpi", "bcast", "split_binary", "algorithm=split_binary", {}},
    {"openmpi", "bcast", "binary_tree", "algorithm=binary", {}},
    {"openmpi", "bcast", "binary", "algorithm=binary", {}},
    {"openmpi", "bcast", "binomial", "algorithm=binomial,children=together,order=distance_doubling", {}},
    {"openmpi", "bcast", "knomial", "algorithm=knomial", {}},
    {"openmpi", "bcast", "scatter_allgather", "algorithm=scatter_allgather", {}},
    {"openmpi", "bcast", "scatter_allgather_ring", "algorithm=scatter_allgather_ring", {}},
    {"openmpi", "reduce", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "reduce", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "reduce", "chain", "algorithm=chain,radix=4", {}},
    {"openmpi", "reduce", "pipeline", "algorithm=chain", {}},
    {"openmpi", "reduce", "binary", "algorithm=binary", {}},
    {"openmpi", "reduce", "binomial", "algorithm=binomial", {}},
    {"openmpi", "reduce", "in-order_binary", "algorithm=binary,order=in_order", {}},
    {"openmpi", "reduce", "in_order", "algorithm=binary,order=in_order", {}},
    {"openmpi", "reduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"openmpi", "gather", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "gather", "binomial", "algorithm=binomial", {}},
    {"openmpi", "scatter", "default", "algorithm=auto,library=openmpi", {}},
    {"openmpi", "scatter", "binomial", "algorithm=binomial", {}},
    {"openmpi", "gather", "basic_linear", "algorithm=linear,window=1", {}},
    {"openmpi", "gather", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "gather", "linear_sync", "algorithm=linear,window=1", {}},
    {"openmpi", "gather", "linear_synch", "algorithm=linear,window=1", {}},
    {"openmpi", "scatter", "basic_linear", "algorithm=linear,window=1", {}},
    {"openmpi", "scatter", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "scatter", "linear_nb", "algorithm=linear", {}},
    {"openmpi", "barrier", "linear", "algorithm=linear", {}},
    {"openmpi", "barrier", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "barrier", "bruck", "algorithm=bruck", {}},
    {"openmpi", "barrier", "two_proc", "algorithm=recursive_doubling", {}},
    {"openmpi", "barrier", "tree", "algorithm=binomial", {}},
    {"mpich", "allreduce", "default", "algorithm=auto,library=mpich", {}},
    {"mpich", "allreduce", "non_blocking", "algorithm=auto,library=mpich", {}},
    {"mpich", "allgather", "default", "algorithm=auto,library=mpich", {}},
    {"mpich", "allgather", "non_blocking", "algorithm=auto,library=mpich", {}},
    {"mpich", "reduce_scatter", "default", "algorithm=auto,library=mpich", {}},
    {"mpich", "reduce_scatter", "non_blocking", "algorithm=auto,library=mpich", {}},
    {"mpich", "allreduce", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"mpich", "allreduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"mpich", "allgather", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"mpich", "allgather", "brucks", "algorithm=bruck", {}},
    {"mpich", "allgather", "ring", "algorithm=ring", {}},
    {"mpich", "reduce_scatter", "recursive_halving", "algorithm=recursive_halving", {}},
    {"mpich", "reduce_scatter", "pairwise", "algorithm=pairwise", {}},
    {"mpich", "reduce_scatter", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"mpich", "alltoall", "brucks", "algorithm=bruck", {}},
    {"mpich", "alltoall", "scattered", "algorithm=linear,window=32", {}},
    {"mpich", "alltoall", "pairwise", "algorithm=pairwise", {}},
    {"mpich", "bcast", "binomial", "algorithm=binomial", {}},
    {"mpich", "bcast", "scatter_allgather", "algorithm=scatter_allgather", {}},
    {"mpich", "bcast", "scatter_allgather_ring", "algorithm=scatter_allgather_ring", {}},
    {"mpich", "reduce", "binomial", "algorithm=binomial", {}},
    {"mpich", "reduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"mpich", "gather", "binomial", "algorithm=binomial", {}},
    {"mpich", "scatter", "binomial", "algorithm=binomial", {}},
    {"mpich", "barrier", "dissemination", "algorithm=bruck", {}},
    {"pico", "allreduce", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"pico", "allreduce", "ring", "algorithm=ring", {}},
    {"pico", "allreduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"pico", "allgather", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"pico", "allgather", "ring", "algorithm=ring", {}},
    {"pico", "allgather", "sparbit", "algorithm=sparbit", {}},
    {"pico", "allgather", "k_bruck", "algorithm=bruck,radix=2", {}},
    {"pico", "reduce_scatter", "recursive_halving", "algorithm=recursive_halving", {}},
    {"pico", "reduce_scatter", "ring", "algorithm=ring", {}},
    {"pico", "reduce_scatter", "recursive_distance_doubling", "algorithm=recursive_halving,order=distance_doubling", {}},
    {"fujitsu", "allreduce", "default", "", unpublished_rules},
    {"fujitsu", "allgather", "default", "", unpublished_rules},
    {"fujitsu", "reduce_scatter", "default", "algorithm=recursive_halving", as_fast},
    {"fujitsu", "alltoall", "default", "algorithm=linear", spread},
    {"fujitsu", "bcast", "default", "", unpublished_rules},
    {"fujitsu", "reduce", "default", "algorithm=binary,order=in_order", as_fast},
    {"fujitsu", "gather", "default", "algorithm=linear", "takes the same times as simple"},
    {"fujitsu", "scatter", "default", "algorithm=binomial", as_fast},
    {"fujitsu", "allreduce", "basic_linear", "algorithm=linear", {}},
    {"fujitsu", "allreduce", "nonoverlapping", "", with_own_broadcast},
    {"fujitsu", "allreduce", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"fujitsu", "allreduce", "ring", "algorithm=ring", {}},
    {"fujitsu", "allreduce", "segmented_ring", "algorithm=segmented_ring", {}},
    {"fujitsu", "allreduce", "rdbc", "", with_own_broadcast},
    {"fujitsu", "allreduce", "trix3", "", several_interfaces},
    {"fujitsu", "allreduce", "trix6", "", several_interfaces},
    {"fujitsu", "allgather", "bruck", "algorithm=bruck", {}},
    {"fujitsu", "allgather", "linear", "", with_own_broadcast},
    {"fujitsu", "allgather", "neighbor", "algorithm=neighbor", {}},
    {"fujitsu", "allgather", "recursive-doubling", "algorithm=recursive_doubling", {}},
    {"fujitsu", "allgather", "ring", "algorithm=ring", {}},
    {"fujitsu", "allgather", "gtbc", "", with_own_broadcast},
    {"fujitsu", "allgather", "3dtorus", "", several_interfaces},
    {"fujitsu", "allgather", "3dtorus-sm", "", several_interfaces},
    {"fujitsu", "reduce_scatter", "non-overlapping", "algorithm=reduce_then_scatter", {}},
    {"fujitsu", "reduce_scatter", "recursive-halving", "algorithm=recursive_halving", {}},
    {"fujitsu", "reduce_scatter", "ring", "algorithm=ring", {}},
    {"fujitsu", "alltoall", "linear", "algorithm=linear", {}},
    {"fujitsu", "alltoall", "linear-sync", "algorithm=linear", {}},
    {"fujitsu", "alltoall", "modified-bruck", "algorithm=bruck", {}},
    {"fujitsu", "alltoall", "pairwise", "algorithm=pairwise,order=shift", {}},
    {"fujitsu", "alltoall", "blacc3d", "", several_interfaces},
    {"fujitsu", "alltoall", "blacc6d", "algorithm=linear", spread},
    {"fujitsu", "alltoall", "crp", "algorithm=linear", spread},
    {"fujitsu", "alltoall", "doublespread", "algorithm=linear", spread},
    {"fujitsu", "bcast", "basic-linear", "", "takes the same times as trinaryx6, which it seems to be"},
    {"fujitsu", "bcast", "binary-tree", "algorithm=binary", {}},
    {"fujitsu", "bcast", "binomial", "algorithm=binomial,children=together,order=distance_doubling", {}},
    {"fujitsu", "bcast", "chain", "algorithm=chain,radix=4", {}},
    {"fujitsu", "bcast", "pipeline", "algorithm=chain", {}},
    {"fujitsu", "bcast", "split-binary-tree", "algorithm=split_binary", {}},
    {"fujitsu", "bcast", "bintree3d", "", several_interfaces},
    {"fujitsu", "bcast", "bintree6d", "", several_interfaces},
    {"fujitsu", "bcast", "trinaryx3", "", several_interfaces},
    {"fujitsu", "bcast", "trinaryx6", "", several_interfaces},
    {"fujitsu", "reduce", "binary", "algorithm=binary", {}},
    {"fujitsu", "reduce", "binomial", "algorithm=binomial", {}},
    {"fujitsu", "reduce", "chain", "algorithm=chain,radix=4", {}},
    {"fujitsu", "reduce", "in-order-binary", "algorithm=binary,order=in_order", {}},
    {"fujitsu", "reduce", "linear", "algorithm=linear,window=1", {}},
    {"fujitsu", "reduce", "pipeline", "algorithm=chain", {}},
    {"fujitsu", "reduce", "trinaryx3", "", several_interfaces},
    {"fujitsu", "reduce", "trinaryx6", "", several_interfaces},
    {"fujitsu", "gather", "basic-linear", "algorithm=linear,window=1", {}},
    {"fujitsu", "gather", "binomial", "algorithm=binomial", {}},
    {"fujitsu", "gather", "linear-sync", "algorithm=linear,window=1", {}},
    {"fujitsu", "gather", "simple", "algorithm=linear", "taken for a gather of all messages at once"},
    {"fujitsu", "scatter", "basic-linear", "algorithm=linear,window=1", {}},
    {"fujitsu", "scatter", "binomial", "algorithm=binomial", {}},
    {"fujitsu", "scatter", "use-bcast", "", faster_than_a_link},
};
// clang-format on

}  // namespace

std::span<const LibraryAlgorithm> library_algorithms() {
  return known_algorithms;
}

const LibraryAlgorithm* find_library_algorithm(std::string_view library,
                                               std::string_view collective, std::string_view name) {
  const auto row = std::find_if(
      std::begin(known_algorithms), std::end(known_algorithms), [&](const auto& known) {
        return known.library == library && known.collective == collective && known.name == name;
      });
  return row == std::end(known_algorithms) ? nullptr : row;
}

}  // namespace vtopo::detail
