#include "topology/patterns/library_rules.hpp"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <iterator>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

// clang-format off
constexpr LibraryRule decision_rules[] = {
    {"openmpi", "allreduce", 4, "ring<8 recursive_doubling<4096 ring<8192 recursive_doubling<16384 ring<65536 segmented_ring<262144 rabenseifner"},
    {"openmpi", "allreduce", 8, "ring<16 recursive_doubling<8192 rabenseifner"},
    {"openmpi", "allreduce", 16, "recursive_doubling<8192 rabenseifner"},
    {"openmpi", "allreduce", 32, "segmented_ring<64 recursive_doubling<4096 rabenseifner"},
    {"openmpi", "allreduce", 64, "segmented_ring<128 rabenseifner"},
    {"openmpi", "allreduce", 128, "recursive_doubling<262144 rabenseifner"},
    {"openmpi", "allreduce", 256, "nonoverlapping<131072 recursive_doubling<262144 rabenseifner"},
    {"openmpi", "allreduce", 512, "nonoverlapping<4096 rabenseifner"},
    {"openmpi", "allreduce", 2048, "nonoverlapping<2048 recursive_doubling<16384 rabenseifner"},
    {"openmpi", "allreduce", 4096, "nonoverlapping<2048 segmented_ring<4096 recursive_doubling<16384 rabenseifner"},
    {"openmpi", "allreduce", 0, "nonoverlapping<2048 segmented_ring<16384 recursive_doubling<32768 rabenseifner"},
    {"openmpi", "alltoall", 3, "pairwise<2 two_proc<4 pairwise<16 two_proc<64 pairwise<256 two_proc<4096 pairwise<32768 linear_sync<262144 two_proc<1048576 pairwise"},
    {"openmpi", "alltoall", 8, "linear_sync<8192 linear<16384 linear_sync<65536 linear<524288 pairwise<1048576 linear"},
    {"openmpi", "alltoall", 16, "linear_sync<262144 linear"},
    {"openmpi", "alltoall", 32, "linear_sync<4 modified_bruck<512 linear_sync<8192 linear<32768 linear_sync<262144 linear<524288 linear_sync"},
    {"openmpi", "alltoall", 64, "modified_bruck<512 linear<524288 linear_sync"},
    {"openmpi", "alltoall", 128, "modified_bruck<1024 linear<2048 linear_sync<4096 linear<262144 pairwise"},
    {"openmpi", "alltoall", 256, "modified_bruck<1024 linear_sync<2048 linear<262144 pairwise"},
    {"openmpi", "alltoall", 512, "modified_bruck<1024 linear_sync<8192 linear<32768 pairwise"},
    {"openmpi", "alltoall", 1024, "modified_bruck<512 linear_sync<8192 linear<16384 linear_sync<131072 linear<262144 pairwise"},
    {"openmpi", "alltoall", 2048, "modified_bruck<512 linear_sync<1024 linear<2048 linear_sync<16384 linear<262144 linear_sync"},
    {"openmpi", "alltoall", 4096, "modified_bruck<1024 linear_sync<4096 linear<8192 linear_sync<131072 linear"},
    {"openmpi", "alltoall", 0, "modified_bruck<2048 linear_sync<8192 linear<16384 linear_sync<32768 linear<65536 linear_sync"},
    {"openmpi", "barrier", 4, "recursive_doubling"},
    {"openmpi", "barrier", 8, "linear"},
    {"openmpi", "barrier", 64, "recursive_doubling"},
    {"openmpi", "barrier", 256, "bruck"},
    {"openmpi", "barrier", 512, "tree"},
    {"openmpi", "barrier", 1024, "bruck"},
    {"openmpi", "barrier", 4096, "tree"},
    {"openmpi", "barrier", 0, "bruck"},
    {"openmpi", "bcast", 4, "pipeline<32 binary_tree<256 pipeline<512 knomial<1024 basic_linear<32768 binary_tree<131072 chain<262144 basic_linear<524288 binomial<1048576 binary_tree"},
    {"openmpi", "bcast", 8, "binary_tree<64 binomial<128 binary_tree<2048 binomial<8192 basic_linear<1048576 chain"},
    {"openmpi", "bcast", 16, "knomial<8 binary_tree<64 knomial<4096 binary_tree<16384 binomial<32768 basic_linear"},
    {"openmpi", "bcast", 32, "knomial<4096 binomial<1048576 scatter_allgather"},
    {"openmpi", "bcast", 64, "binomial<2048 knomial"},
    {"openmpi", "bcast", 128, "knomial"},
    {"openmpi", "bcast", 256, "binomial<2 binary_tree<16384 basic_linear<32768 binary_tree<65536 knomial"},
    {"openmpi", "bcast", 1024, "knomial<16384 split_binary_tree<32768 knomial"},
    {"openmpi", "bcast", 2048, "knomial<524288 scatter_allgather"},
    {"openmpi", "bcast", 4096, "knomial<262144 scatter_allgather"},
    {"openmpi", "bcast", 0, "knomial<8192 binary_tree<16384 knomial<262144 scatter_allgather"},
    {"openmpi", "reduce", 4, "rabenseifner<8 binary<16 pipeline<32 linear<262144 pipeline<524288 chain<1048576 pipeline"},
    {"openmpi", "reduce", 8, "binary<4096 chain<65536 binomial<262144 linear<524288 binomial<1048576 linear"},
    {"openmpi", "reduce", 16, "binary<8192 binomial"},
    {"openmpi", "reduce", 32, "binary<4096 binomial"},
    {"openmpi", "reduce", 256, "binomial"},
    {"openmpi", "reduce", 512, "binomial<8192 in-order_binary<16384 binomial"},
    {"openmpi", "reduce", 2048, "binomial"},
    {"openmpi", "reduce", 4096, "binomial<512 in-order_binary<1024 binomial<8192 in-order_binary<16384 binomial"},
    {"openmpi", "reduce", 0, "binomial<16 in-order_binary<32 binomial<1024 in-order_binary<2048 binomial<8192 in-order_binary<16384 binomial"},
    {"openmpi", "reduce_scatter", 4, "ring<65536 butterfly<131072 ring"},
    {"openmpi", "reduce_scatter", 8, "non-overlapping<8 recursive_halving<262144 ring"},
    {"openmpi", "reduce_scatter", 32, "recursive_halving<262144 ring"},
    {"openmpi", "reduce_scatter", 64, "non-overlapping<64 recursive_halving<2048 butterfly<524288 ring"},
    {"openmpi", "reduce_scatter", 128, "non-overlapping<256 recursive_halving<512 butterfly<2048 recursive_halving<4096 butterfly"},
    {"openmpi", "reduce_scatter", 256, "non-overlapping<256 recursive_halving<512 butterfly"},
    {"openmpi", "reduce_scatter", 512, "non-overlapping<256 recursive_halving<1024 butterfly"},
    {"openmpi", "reduce_scatter", 1024, "non-overlapping<512 recursive_halving<2048 butterfly<8192 recursive_halving<16384 butterfly"},
    {"openmpi", "reduce_scatter", 2048, "non-overlapping<512 recursive_halving<4096 butterfly<16384 recursive_halving<32768 butterfly"},
    {"openmpi", "reduce_scatter", 4096, "non-overlapping<512 recursive_halving<4096 butterfly"},
    {"openmpi", "reduce_scatter", 0, "non-overlapping<1024 recursive_halving<8192 butterfly"},
    {"openmpi", "allgather", 3, "two_proc"},
    {"openmpi", "allgather", 32, "recursive_doubling"},
    {"openmpi", "allgather", 64, "recursive_doubling<1024 neighbor<65536 ring"},
    {"openmpi", "allgather", 128, "recursive_doubling<512 neighbor<65536 ring"},
    {"openmpi", "allgather", 256, "recursive_doubling<512 neighbor<131072 ring<524288 neighbor<1048576 ring"},
    {"openmpi", "allgather", 512, "recursive_doubling<32 bruck<128 recursive_doubling<1024 neighbor<131072 ring<524288 neighbor<1048576 ring"},
    {"openmpi", "allgather", 1024, "recursive_doubling<64 bruck<256 recursive_doubling<2048 neighbor"},
    {"openmpi", "allgather", 2048, "recursive_doubling<4 bruck<8 recursive_doubling<16 bruck<32 recursive_doubling<256 bruck<512 recursive_doubling<4096 neighbor"},
    {"openmpi", "allgather", 4096, "bruck<32 recursive_doubling<128 bruck<512 recursive_doubling<4096 neighbor"},
    {"openmpi", "allgather", 0, "recursive_doubling<2 bruck<8 recursive_doubling<16 bruck<512 recursive_doubling<4096 neighbor"},
    {"openmpi", "gather", 4, "linear_sync<2 basic_linear<4 binomial<32768 basic_linear<65536 binomial<131072 linear_sync"},
    {"openmpi", "gather", 8, "binomial<1024 basic_linear<8192 binomial<32768 basic_linear<262144 linear_sync"},
    {"openmpi", "gather", 256, "binomial"},
    {"openmpi", "gather", 512, "binomial<2048 basic_linear<8192 binomial"},
    {"openmpi", "gather", 0, "binomial"},
    {"openmpi", "scatter", 4, "linear_nb<2 basic_linear<131072 linear_nb<262144 basic_linear"},
    {"openmpi", "scatter", 8, "binomial<2048 basic_linear<4096 binomial<8192 basic_linear<32768 linear_nb<1048576 basic_linear"},
    {"openmpi", "scatter", 16, "binomial<16384 linear_nb<1048576 basic_linear"},
    {"openmpi", "scatter", 32, "binomial<16384 basic_linear<32768 linear_nb"},
    {"openmpi", "scatter", 64, "binomial<512 linear_nb<8192 binomial<16384 linear_nb"},
    {"openmpi", "scatter", 0, "binomial<512 linear_nb"},
    {"mpich", "allreduce", 0, "recursive_doubling<9 recursive_doubling<elements rabenseifner"},
    {"mpich", "reduce", 0, "binomial<2049 binomial<elements rabenseifner"},
    {"mpich", "bcast", 8, "binomial"},
    {"mpich", "bcast", 0, "binomial<12289 scatter_allgather<524289 scatter_allgather_ring", true},
    {"mpich", "bcast", 0, "binomial<12289 scatter_allgather_ring"},
    {"mpich", "allgather", 0, "recursive_doubling<524288 ring", true},
    {"mpich", "allgather", 0, "brucks<81920 ring"},
    {"mpich", "reduce_scatter", 0, "recursive_halving<524288 pairwise"},
    {"mpich", "alltoall", 8, "scattered<32769 pairwise"},
    {"mpich", "alltoall", 0, "brucks<257 scattered<32769 pairwise"},
    {"mpich", "gather", 0, "binomial"},
    {"mpich", "scatter", 0, "binomial"},
    {"mpich", "barrier", 0, "dissemination"},
    {"nccl", "allreduce", 0, "tree"},
    {"nccl", "allgather", 0, "ring"},
    {"nccl", "reduce_scatter", 0, "ring"},
    {"nccl", "bcast", 0, "ring"},
    {"nccl", "reduce", 0, "ring"},
    {"nccl", "alltoall", 0, "sends"},
    {"nccl", "gather", 0, "sends"},
    {"nccl", "scatter", 0, "sends"},
};
// clang-format on

/// What the limits of a row count: the arguments of all ranks together where the library adds them.
Bytes ruled_volume(const LibraryRule& rule, int ranks, Bytes volume) {
  const bool total = rule.collective == "reduce_scatter" ||
                     (rule.library == "mpich" && rule.collective == "allgather");
  return total ? volume * ranks : volume;
}

bool is_below(std::string_view limit, int ranks, Bytes volume) {
  if (limit == "elements") return volume.value / 4 < std::bit_floor(static_cast<unsigned>(ranks));
  return volume.value < static_cast<double>(parse_integer(limit).value());
}

std::string_view chosen(const LibraryRule& rule, int ranks, Bytes volume) {
  std::string_view name;
  for (const std::string_view word : split(rule.choice, ' ')) {
    const auto less = word.find('<');
    name = word.substr(0, less);
    if (less != std::string_view::npos && is_below(word.substr(less + 1), ranks, volume)) break;
  }
  return name;
}

/// What Open MPI's functions call instead where they cannot do what they are asked.
std::string_view instead(std::string_view collective, std::string_view name, int ranks,
                         Bytes volume) {
  const bool power = std::has_single_bit(static_cast<unsigned>(ranks));
  if (collective == "allgather" && name == "recursive_doubling" && !power) return "bruck";
  if (collective == "allgather" && name == "neighbor" && ranks % 2 != 0) return "ring";
  const bool ring = name == "ring" || name == "segmented_ring";
  if (collective == "allreduce" && ring && volume.value / 4 < ranks) return "recursive_doubling";
  return name;
}

/// What NCCL's cost model needs of a protocol: LL, LL128 and Simple. Microseconds and GB/s.
struct NcclProtocol {
  double ring_base, tree_base;      ///< latency of a call
  double ring_nvlink, tree_nvlink;  ///< latency of a step inside of a node
  double ring_net, tree_net;        ///< of one between nodes
  double least_step;                ///< of a ring between nodes: what posting a message takes
  std::array<double, 24> tree;      ///< share of the bandwidth of trees from 64 B on, by doubling
};

// NCCL 2.30.7, src/graph/tuning.cc: baseLatencies, hwLatencies, getNetOverhead (Intel),
// treeCorrectionFactor.
// clang-format off
constexpr std::array<NcclProtocol, 3> nccl_protocols{{
    {6.6, 6.8, 0.6, 0.6, 2.7, 5.0, 1,
     {1, 1, 1, 1, .9, .8, .7, .7, .7, .7, .6, .5, .4, .4, .5, .6, .7, .8, .9, 1, 1, 1, 1, 1}},
    {14, 14, 1.9, 1.25, 4.0, 8.5, 1,
     {1, 1, 1, 1, 1, .9, .8, .8, .8, .7, .6, .6, .6, .6, .6, .6, .8, .9, .9, .9, .9, 1, 1, 1}},
    {8.4, 8.4, 3.4, 4.0, 14, 14, 3,
     {.9, .9, .9, .9, .9, .9, .9, .8, .7, .6, .6, .5, .5, .5, .5, .6, .7, .8, .7, .7, .8, .9, .9, .9}},
}};
// clang-format on

/// What NCCL takes an all-reduce to last, in microseconds, where nodes are those of DGX H100: in
/// one node 12 channels of 30 GB/s through NVLink, between nodes one per rank, of the 48 GB/s that
/// an interface of 400 Gb/s carries (src/graph/search.cc), which few channels are cut in two for.
double nccl_time(bool tree, std::size_t protocol, int ranks, int nodes, double bytes) {
  const NcclProtocol& own = nccl_protocols[protocol];
  const std::size_t column = nodes == 1 ? 0 : nodes == 2 ? 1 : 2;  // of the tables for Hopper
  const int per_node = ranks / nodes;
  const double channels = nodes == 1 ? 12 : per_node > 4 ? per_node : 2 * per_node;
  const double total = nodes == 1 ? 12 * 30 : 48 * per_node;
  constexpr std::array<double, 3> most_ll{141, 39, 20.4}, most_tree{38.7, 41.4, 36},
      most_tree_ll128{36.7, 36.7, 29};
  double bandwidth = total;
  if (tree) bandwidth = std::min(total * 0.92, channels * most_tree[column]);
  if (protocol == 0) bandwidth = std::min(most_ll[column], bandwidth * (tree ? 1 / 3.8 : 0.5));
  if (protocol == 1)
    bandwidth = std::min(bandwidth * (!tree        ? 0.92
                                      : nodes == 1 ? 7.0 / 9
                                                   : 120.0 / 128),
                         channels * (tree ? most_tree_ll128[column] : 36.7));
  const double inside = tree ? own.tree_nvlink : own.ring_nvlink;
  const double between = tree || per_node == 1 ? own.tree_net : own.ring_net;
  if (!tree) {
    const double steps = 2.0 * (ranks - 1), far = 2.0 * (nodes - 1);
    double latency = own.ring_base + far * between +
                     (steps - far) * (nodes == 1 ? inside : std::max(inside, own.least_step));
    if (protocol == 2 && nodes > 1 && bytes / (channels * ranks) >= 64) latency *= 1.4;
    return latency + bytes / (1000 * bandwidth * ranks / steps);
  }
  const auto log2 = [](double value) { return static_cast<std::size_t>(std::ilogb(value)); };
  if (bytes >= 64 && log2(bytes / 64) < 23) bandwidth *= own.tree[log2(bytes / 64)];
  return own.tree_base +
         2 * ((per_node - 1) * inside + static_cast<double>(log2(nodes)) * between) +
         bytes / (1000 * bandwidth / 2);
}

/// The shortest time wins, that of trees where times are equal.
std::string_view nccl_allreduce(int ranks, int nodes, double bytes) {
  const auto least = [&](bool tree) {
    double time = nccl_time(tree, 0, ranks, nodes, bytes);
    for (std::size_t protocol = 1; protocol < nccl_protocols.size(); ++protocol)
      time = std::min(time, nccl_time(tree, protocol, ranks, nodes, bytes));
    return time;
  };
  return least(true) <= least(false) ? "tree" : "ring";
}

bool has_rules(std::string_view library, std::string_view collective) {
  return std::any_of(std::begin(decision_rules), std::end(decision_rules), [&](const auto& rule) {
    return rule.library == library && rule.collective == collective;
  });
}

}  // namespace

std::span<const LibraryRule> library_rules() {
  return decision_rules;
}

std::span<const std::string_view> ruled_libraries() {
  static constexpr std::string_view names[] = {"openmpi", "mpich", "nccl"};
  return names;
}

std::string_view library_choice(std::string_view library, std::string_view collective, int ranks,
                                Bytes volume, int ranks_per_node) {
  const bool power = std::has_single_bit(static_cast<unsigned>(ranks));
  const auto rule = std::find_if(
      std::begin(decision_rules), std::end(decision_rules), [&](const LibraryRule& row) {
        return row.library == library && row.collective == collective &&
               (row.ranks_below == 0 || ranks < row.ranks_below) && (power || !row.powers_of_two);
      });
  if (rule == std::end(decision_rules))
    throw UsageError(fmt::format("no rules of \"{}\" for {}", library, collective));
  if (library == "nccl" && ranks % ranks_per_node != 0)
    throw UsageError(
        fmt::format("{} ranks are not full nodes of ranks_per_node={}", ranks, ranks_per_node));
  if (library == "nccl" && collective == "allreduce")
    return nccl_allreduce(ranks, ranks / ranks_per_node, volume.value);
  const auto name = chosen(*rule, ranks, ruled_volume(*rule, ranks, volume));
  return library == "openmpi" ? instead(collective, name, ranks, volume) : name;
}

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

constexpr std::string_view in_turn =
    "takes the time of messages to one child after the other, as if the interface sent in order";
constexpr std::string_view three_chains = "takes the time of three chains, where Open MPI has four";
constexpr std::string_view long_segments =
    "from 64 MiB on faster than without segments, as with four there";
constexpr std::string_view short_segments =
    "takes less than a message per level of the tree: the segments of Open MPI's own rule";
constexpr std::string_view no_choice =
    "Cray MPICH takes its own choice where it has an optimised one: in two runs of three the times "
    "of its default to four digits";

// clang-format off
constexpr LibraryAlgorithm known_algorithms[] = {
    {"openmpi", "", "default", "algorithm=auto,library=openmpi", {}},
    {"mpich", "", "default", "algorithm=auto,library=mpich", {}},
    {"mpich", "", "non_blocking", "algorithm=auto,library=mpich", {}},
    {"openmpi", "allreduce", "basic_linear", "algorithm=linear", {}},
    {"openmpi", "allreduce", "nonoverlapping", "algorithm=reduce_bcast", {}},
    {"openmpi", "allreduce", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "allreduce", "ring", "algorithm=ring", {}},
    {"openmpi", "allreduce", "segmented_ring", "algorithm=segmented_ring", {}},
    {"openmpi", "allreduce", "ring_segmented", "algorithm=segmented_ring", {}},
    {"openmpi", "allreduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"openmpi", "allgather", "linear", "algorithm=linear", {}},
    {"openmpi", "allgather", "bruck", "algorithm=bruck", {}},
    {"openmpi", "allgather", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "allgather", "ring", "algorithm=ring", {}},
    {"openmpi", "allgather", "neighbor", "algorithm=neighbor", {}},
    {"openmpi", "allgather", "two_proc", "algorithm=recursive_doubling", {}},
    {"openmpi", "allgather", "sparbit", "algorithm=sparbit", {}},
    {"openmpi", "reduce_scatter", "non-overlapping", "algorithm=reduce_then_scatter", {}},
    {"openmpi", "reduce_scatter", "recursive_halving", "algorithm=recursive_halving", {}},
    {"openmpi", "reduce_scatter", "ring", "algorithm=ring", {}},
    {"openmpi", "reduce_scatter", "butterfly", "algorithm=butterfly", {}},
    {"openmpi", "alltoall", "linear", "algorithm=linear", {}},
    {"openmpi", "alltoall", "pairwise", "algorithm=pairwise,order=shift", {}},
    {"openmpi", "alltoall", "modified_bruck", "algorithm=bruck", {}},
    {"openmpi", "alltoall", "linear_sync", "algorithm=linear", {}},
    {"openmpi", "alltoall", "two_proc", "algorithm=pairwise", {}},
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
    {"openmpi", "reduce", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "reduce", "chain", "algorithm=chain,radix=4", {}},
    {"openmpi", "reduce", "pipeline", "algorithm=chain", {}},
    {"openmpi", "reduce", "binary", "algorithm=binary", {}},
    {"openmpi", "reduce", "binomial", "algorithm=binomial", {}},
    {"openmpi", "reduce", "in-order_binary", "algorithm=binary,order=in_order", {}},
    {"openmpi", "reduce", "in_order", "algorithm=binary,order=in_order", {}},
    {"openmpi", "reduce", "rabenseifner", "algorithm=rabenseifner", {}},
    {"openmpi", "gather", "binomial", "algorithm=binomial", {}},
    {"openmpi", "scatter", "binomial", "algorithm=binomial", {}},
    {"openmpi", "gather", "basic_linear", "algorithm=linear,window=1", {}},
    {"openmpi", "gather", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "gather", "linear_sync", "algorithm=linear_sync", {}},
    {"openmpi", "gather", "linear_synch", "algorithm=linear_sync", {}},
    {"openmpi", "scatter", "basic_linear", "algorithm=linear,window=1", {}},
    {"openmpi", "scatter", "linear", "algorithm=linear,window=1", {}},
    {"openmpi", "scatter", "linear_nb", "algorithm=linear", {}},
    {"openmpi", "barrier", "linear", "algorithm=linear", {}},
    {"openmpi", "barrier", "recursive_doubling", "algorithm=recursive_doubling", {}},
    {"openmpi", "barrier", "bruck", "algorithm=bruck", {}},
    {"openmpi", "barrier", "two_proc", "algorithm=recursive_doubling", {}},
    {"openmpi", "barrier", "tree", "algorithm=binomial", {}},
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
    {"nccl", "allreduce", "ring", "algorithm=ring", {}},
    {"nccl", "allreduce", "tree", "algorithm=double_tree,segment=128KiB", {}},
    {"nccl", "allgather", "ring", "algorithm=ring", {}},
    {"nccl", "reduce_scatter", "ring", "algorithm=ring", {}},
    {"nccl", "bcast", "ring", "algorithm=chain,segment=512KiB", {}},
    {"nccl", "reduce", "ring", "algorithm=chain,segment=512KiB", {}},
    {"nccl", "alltoall", "sends", "algorithm=linear", {}},
    {"nccl", "gather", "sends", "algorithm=linear", {}},
    {"nccl", "scatter", "sends", "algorithm=linear", {}},
    {"cray", "allreduce", "recursive_doubling", "algorithm=auto,library=mpich", no_choice},
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
    {"fujitsu", "reduce", "default", "algorithm=binary,order=in_order,segment=32KiB", as_fast},
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
    {"fujitsu", "bcast", "binomial", "algorithm=binomial,children=in_turn,order=distance_doubling", in_turn},
    {"fujitsu", "bcast", "chain", "algorithm=chain,radix=3", three_chains},
    {"fujitsu", "bcast", "pipeline", "algorithm=chain", {}},
    {"fujitsu", "bcast", "split-binary-tree", "algorithm=split_binary", {}},
    {"fujitsu", "bcast", "bintree3d", "", several_interfaces},
    {"fujitsu", "bcast", "bintree6d", "", several_interfaces},
    {"fujitsu", "bcast", "trinaryx3", "", several_interfaces},
    {"fujitsu", "bcast", "trinaryx6", "", several_interfaces},
    {"fujitsu", "reduce", "binary", "algorithm=binary,segment=32KiB", short_segments},
    {"fujitsu", "reduce", "binomial", "algorithm=binomial", {}},
    {"fujitsu", "reduce", "chain", "algorithm=chain,radix=3,segment=16MiB", three_chains},
    {"fujitsu", "reduce", "in-order-binary", "algorithm=binary,order=in_order,segment=32KiB", short_segments},
    {"fujitsu", "reduce", "linear", "algorithm=linear,window=1", {}},
    {"fujitsu", "reduce", "pipeline", "algorithm=chain,segment=16MiB", long_segments},
    {"fujitsu", "reduce", "trinaryx3", "", several_interfaces},
    {"fujitsu", "reduce", "trinaryx6", "", several_interfaces},
    {"fujitsu", "gather", "basic-linear", "algorithm=linear,window=1", {}},
    {"fujitsu", "gather", "binomial", "algorithm=binomial", {}},
    {"fujitsu", "gather", "linear-sync", "algorithm=linear_sync", {}},
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
        return known.library == library && known.name == name &&
               (known.collective.empty() ? has_rules(library, collective)
                                         : known.collective == collective);
      });
  if (row != std::end(known_algorithms)) return row;
  return library == "cray" ? find_library_algorithm("mpich", collective, name) : nullptr;
}

}  // namespace vtopo::detail
