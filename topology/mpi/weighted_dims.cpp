#include "topology/mpi/dims_create.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>

#include "topology/base/error.hpp"
#include "topology/mpi/divisors.hpp"
#include "topology/mpi/fixed_dims.hpp"

namespace vtopo {

using namespace detail;

namespace {

/// What is minimised over the dimensions from one on; compares in the order of the members.
struct Objective {
  double between_hosts = 0;
  double halo = 0;
  std::int64_t squares = 0;  // -1: there is no grid

  bool possible() const { return squares >= 0; }
  bool better_than(const Objective& other) const {
    if (!other.possible()) return true;
    if (between_hosts != other.between_hosts) return between_hosts < other.between_hosts;
    if (halo != other.halo) return halo < other.halo;
    return squares < other.squares;
  }
  friend bool operator==(const Objective&, const Objective&) = default;
};

/// One divisor of a number, and the position of what is left among the divisors.
struct Part {
  int factor = 1;
  std::size_t rest = 0;
};

/// Parts of every divisor of `number`, in increasing order of divisors and of factors.
std::vector<std::vector<Part>> parts_of_divisors(int number) {
  const auto all = divisors(number);
  std::vector<std::vector<Part>> parts(all.size());
  for (std::size_t whole = 0; whole < all.size(); ++whole)
    for (std::size_t i = 0, rest = whole; i <= whole; ++i) {
      if (all[whole] % all[i] != 0) continue;
      while (all[rest] != all[whole] / all[i]) --rest;
      parts[whole].push_back({all[i], rest});
    }
  return parts;
}

/// Sizes of one dimension, and what they leave to the next ones.
struct Choice {
  int hosts = 1;
  int tile = 1;
  std::size_t rest = 0;  // state

  std::int64_t size() const { return static_cast<std::int64_t>(hosts) * tile; }
};

[[noreturn]] void fail_without_grid(const WeightedGrid& grid) {
  const bool any =
      std::any_of(grid.fixed.begin(), grid.fixed.end(), [](int size) { return size > 0; });
  const std::string fixed =
      any ? fmt::format(", with {} fixed (0: free)", fmt::join(grid.fixed, ",")) : "";
  throw UsageError(fmt::format("no grid of {} ranks, {} per host, has sizes of at most {}{}",
                               grid.num_ranks, grid.slots, fmt::join(grid.extents, "x"), fixed));
}

/// Dynamic programme over the dimensions, from the last to the first. Its states are pairs of a
/// divisor of the number of hosts and a divisor of the number of slots.
class GridSearch {
 public:
  explicit GridSearch(const WeightedGrid& grid)
      : grid_(grid),
        host_parts_(parts_of_divisors(grid.num_ranks / grid.slots)),
        slot_parts_(parts_of_divisors(grid.slots)),
        num_states_(host_parts_.size() * slot_parts_.size()),
        best_(grid.volumes.size() + 1, std::vector<Objective>(num_states_, {0, 0, -1})) {
    best_.back().front() = {};
    for (std::size_t i = grid.volumes.size(); i-- > 0;)
      for (std::size_t state = 0; state < num_states_; ++state) fill(i, state);
  }

  /// @throws UsageError if there is no grid.
  WeightedDims result() const;

 private:
  /// Calls `visit` with every choice for dimension `i` and its objective from there on.
  template <class Visit>
  void for_each_choice(std::size_t i, std::size_t state, Visit visit) const {
    const std::size_t num_slot_states = slot_parts_.size();
    for (const Part& hosts : host_parts_[state / num_slot_states])
      for (const Part& tile : slot_parts_[state % num_slot_states]) {
        const Choice choice{hosts.factor, tile.factor, hosts.rest * num_slot_states + tile.rest};
        const Objective& rest = best_[i + 1][choice.rest];
        if (rest.possible() && accepts(i, choice.size())) visit(choice, sum(i, choice, rest));
      }
  }

  bool accepts(std::size_t i, std::int64_t size) const {
    if (!grid_.fixed.empty() && grid_.fixed[i] > 0 && size != grid_.fixed[i]) return false;
    return grid_.extents.empty() || size <= grid_.extents[i];
  }

  Objective sum(std::size_t i, const Choice& choice, const Objective& rest) const {
    const double volume = grid_.volumes[i].value;
    const std::int64_t size = choice.size();
    return {volume * choice.hosts + rest.between_hosts,
            volume * static_cast<double>(size) + rest.halo, size * size + rest.squares};
  }

  void fill(std::size_t i, std::size_t state) {
    Objective& best = best_[i][state];
    for_each_choice(i, state, [&](const Choice&, const Objective& candidate) {
      if (candidate.better_than(best)) best = candidate;
    });
  }

  const WeightedGrid& grid_;
  std::vector<std::vector<Part>> host_parts_;
  std::vector<std::vector<Part>> slot_parts_;
  std::size_t num_states_;
  std::vector<std::vector<Objective>> best_;  // per dimension and state
};

WeightedDims GridSearch::result() const {
  std::size_t state = num_states_ - 1;
  if (!best_.front()[state].possible()) fail_without_grid(grid_);
  WeightedDims result;
  result.inter_host_volume = {best_.front()[state].between_hosts};
  result.halo_volume = {best_.front()[state].halo};
  for (std::size_t i = 0; i < grid_.volumes.size(); ++i) {
    Choice chosen{0, 1, 0};
    for_each_choice(i, state, [&](const Choice& choice, const Objective& candidate) {
      if (candidate == best_[i][state] && choice.size() >= chosen.size()) chosen = choice;
    });
    state = chosen.rest;
    result.hosts.push_back(chosen.hosts);
    result.tile.push_back(chosen.tile);
    result.dims.push_back(static_cast<int>(chosen.size()));
  }
  return result;
}

void check_length(std::string_view what, std::span<const int> list, std::size_t num_dimensions) {
  if (!list.empty() && list.size() != num_dimensions)
    throw UsageError(fmt::format("{} {} for {} volumes: accepted is one per dimension", list.size(),
                                 what, num_dimensions));
}

/// Divisor of `number` closest to `wanted`, the smaller of two.
int nearest_divisor(int number, int wanted) {
  const auto all = divisors(number);
  return *std::min_element(all.begin(), all.end(), [&](int a, int b) {
    return std::abs(std::int64_t{a} - wanted) < std::abs(std::int64_t{b} - wanted);
  });
}

void check(const WeightedGrid& grid) {
  for (std::size_t i = 0; i < grid.volumes.size(); ++i)
    if (!std::isfinite(grid.volumes[i].value) || grid.volumes[i].value < 0)
      throw UsageError(fmt::format("volume {} of dimension {}: accepted are finite numbers >= 0",
                                   grid.volumes[i].value, i));
  check_length("fixed sizes", grid.fixed, grid.volumes.size());
  check_length("extents", grid.extents, grid.volumes.size());
  const std::vector<int> all_free(grid.volumes.size());
  free_dims(grid.num_ranks, grid.fixed.empty() ? std::span(all_free) : grid.fixed);
  if (grid.slots < 1 || grid.num_ranks % grid.slots != 0)
    throw UsageError(
        fmt::format("{} slots per host for {} ranks: accepted are divisors of the number of ranks, "
                    "the nearest is {}",
                    grid.slots, grid.num_ranks, nearest_divisor(grid.num_ranks, grid.slots)));
}

}  // namespace

WeightedDims weighted_dims_create(const WeightedGrid& grid) {
  check(grid);
  return GridSearch(grid).result();
}

std::vector<Bytes> cut_volumes(std::span<const int> extents, Bytes per_point) {
  std::vector<Bytes> volumes(extents.size(), per_point);
  for (std::size_t i = 0; i < extents.size(); ++i) {
    if (extents[i] < 1)
      throw UsageError(
          fmt::format("extent {} of dimension {}: accepted are 1 or more", extents[i], i));
    for (std::size_t j = 0; j < extents.size(); ++j)
      if (j != i) volumes[i].value *= extents[j];
  }
  return volumes;
}

}  // namespace vtopo
