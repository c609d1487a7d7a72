#include "topology/patterns/library_rules.hpp"

#include <algorithm>
#include <bit>
#include <string>

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

}  // namespace

std::span<const LibraryRule> library_rules() {
  return decision_rules;
}

std::span<const std::string_view> ruled_libraries() {
  static constexpr std::string_view names[] = {"openmpi", "mpich"};
  return names;
}

std::string_view library_choice(std::string_view library, std::string_view collective, int ranks,
                                Bytes volume) {
  const bool power = std::has_single_bit(static_cast<unsigned>(ranks));
  const auto rule = std::find_if(
      std::begin(decision_rules), std::end(decision_rules), [&](const LibraryRule& row) {
        return row.library == library && row.collective == collective &&
               (row.ranks_below == 0 || ranks < row.ranks_below) && (power || !row.powers_of_two);
      });
  if (rule == std::end(decision_rules))
    throw UsageError(fmt::format("no rules of \"{}\" for {}", library, collective));
  const auto name = chosen(*rule, ranks, ruled_volume(*rule, ranks, volume));
  return library == "openmpi" ? instead(collective, name, ranks, volume) : name;
}

}  // namespace vtopo::detail
