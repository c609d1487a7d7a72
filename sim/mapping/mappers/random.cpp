#include "topology/base/random.hpp"

#include <algorithm>
#include <unordered_map>

#include "sim/mapping/api/mapper.hpp"

namespace vtopo::detail::mappers {

namespace {

/// Fisher-Yates shuffle of 0..size-1, one position at a time. Only displaced numbers are kept, so
/// that an allocation with many more slots than ranks takes no memory.
class LazyShuffle {
 public:
  LazyShuffle(std::int64_t size, std::uint64_t seed) : size_(size), random_(seed) {}

  std::int64_t next() {
    const auto left = static_cast<std::uint64_t>(size_ - position_);
    const std::int64_t chosen = position_ + static_cast<std::int64_t>(random_.below(left));
    const std::int64_t number = at(chosen);
    displaced_[chosen] = at(position_);
    displaced_.erase(position_++);
    return number;
  }

 private:
  std::int64_t at(std::int64_t position) const {
    const auto found = displaced_.find(position);
    return found == displaced_.end() ? position : found->second;
  }

  std::int64_t size_;
  std::int64_t position_ = 0;
  Random random_;
  std::unordered_map<std::int64_t, std::int64_t> displaced_;
};

Embedding map_random(const MappingProblem& problem, const SearchControl&) {
  const Allocation& allocation = problem.allocation;
  std::vector<std::int64_t> last_slot;  // per host, one past its last
  std::int64_t slots = 0;
  for (const int count : allocation.slots) last_slot.push_back(slots += count);
  LazyShuffle shuffled(slots, problem.seed);
  std::vector<HostId> hosts;
  for (int r = 0; r < problem.guest.num_ranks(); ++r) {
    const auto place = std::upper_bound(last_slot.begin(), last_slot.end(), shuffled.next());
    hosts.push_back(allocation.hosts[static_cast<std::size_t>(place - last_slot.begin())]);
  }
  return {std::move(hosts), allocation};
}

}  // namespace

/// Ranks sit in slots chosen uniformly at random without replacement: the average embedding,
/// against which heuristics are measured (R. Durstenfeld, "Algorithm 235: Random permutation",
/// CACM 1964).
MapperInfo random() {
  return {.name = "random",
          .summary = "slots chosen uniformly at random from the seed",
          .reference = "Durstenfeld, CACM 1964",
          .map = map_random,
          .uses_seed = true,
          .ignores_traffic = true,
          .work = {.microseconds_per_rank = 0.1, .microseconds_per_edge = 0}};
}

}  // namespace vtopo::detail::mappers
