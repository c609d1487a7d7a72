#include "topology/patterns/collectives.hpp"

#include <array>

#include "topology/patterns/algorithms.hpp"

namespace vtopo {

namespace collectives {

int modulo(std::int64_t value, int ranks) {
  const std::int64_t rest = value % ranks;
  return static_cast<int>(rest < 0 ? rest + ranks : rest);
}

std::vector<int> slots_from(std::int64_t first, std::int64_t count, int num_slots) {
  std::vector<int> slots;
  for (std::int64_t i = 0; i < count; ++i) slots.push_back(modulo(first + i, num_slots));
  return slots;
}

CommunicationStep ring_step(int ranks, int start) {
  CommunicationStep step;
  step.rounds = ranks - 1;
  for (int r = 0; r < ranks; ++r) step.messages.push_back({r, modulo(r + std::int64_t{1}, ranks)});
  step.slots = [ranks, start](std::int64_t round, const StepMessage& message) {
    return slots_from(message.source + start - round, 1, ranks);
  };
  return step;
}

}  // namespace collectives

std::span<const CollectiveAlgorithm> collective_algorithms() {
  using namespace collectives;
  static constexpr std::array<CollectiveAlgorithm, 12> algorithms{{
      {"allreduce", "rabenseifner", false, allreduce_rabenseifner},
      {"allreduce", "recursive_doubling", false, allreduce_recursive_doubling},
      {"allreduce", "ring", false, allreduce_ring},
      {"allgather", "ring", false, allgather_ring},
      {"allgather", "bruck", false, allgather_bruck},
      {"allgather", "recursive_doubling", true, allgather_recursive_doubling},
      {"alltoall", "pairwise", false, alltoall_pairwise},
      {"alltoall", "bruck", false, alltoall_bruck},
      {"alltoall", "linear", false, alltoall_linear},
      {"broadcast", "binomial", false, broadcast_binomial},
      {"broadcast", "scatter_allgather", false, broadcast_scatter_allgather},
      {"reduce", "binomial", false, reduce_binomial},
  }};
  return algorithms;
}

}  // namespace vtopo
