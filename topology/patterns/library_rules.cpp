#include "topology/patterns/library_rules.hpp"

#include <algorithm>
#include <bit>
#include <string>

#include "topology/base/error.hpp"
#include "topology/base/text.hpp"

namespace vtopo {

namespace {

// clang-format off
constexpr LibraryRule decision_rules[] = {

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

}  // namespace vtopo
