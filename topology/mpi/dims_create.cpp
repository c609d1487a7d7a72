#include "topology/mpi/dims_create.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <functional>
#include <string>
#include <utility>

#include "topology/base/error.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/named_entries.hpp"
#include "topology/base/text.hpp"
#include "topology/mpi/divisors.hpp"
#include "topology/mpi/mpi_error.hpp"

namespace vtopo {

using namespace detail;

namespace {

using enum TopologyCondition;

/// What the fixed sizes of a grid leave to its free dimensions.
struct FreeDims {
  int count = 0;      ///< number of free dimensions
  int num_ranks = 1;  ///< product of their sizes
};

void check_entries(int num_ranks, std::span<const int> fixed) {
  if (num_ranks < 1) throw mpi_error<dims_ranks_below_one>(num_ranks);
  for (std::size_t i = 0; i < fixed.size(); ++i)
    if (fixed[i] < 0) throw mpi_error<dims_negative>(fixed[i], i);
}

/// Product of the sizes that are not 0.
/// @throws MpiError (MPI_ERR_DIMS) if it does not divide `num_ranks`.
int fixed_product(int num_ranks, std::span<const int> fixed) {
  std::int64_t product = 1;
  for (const int size : fixed) {
    if (size > 0) product *= size;
    if (product > max_id) throw mpi_error<dims_product_above_int>(num_ranks);
  }
  if (num_ranks % product != 0) throw mpi_error<dims_not_divisible>(num_ranks, product);
  return static_cast<int>(product);
}

/// Free dimensions of a grid of `num_ranks` ranks.
/// @param fixed one entry per dimension: its size, or 0 if it is free.
/// @throws MpiError (MPI_ERR_ARG) if num_ranks is < 1, (MPI_ERR_DIMS) if an entry is negative,
/// num_ranks is not a multiple of the product of fixed sizes, or all are fixed and the product is
/// another number; a grid of zero dimensions has 1 rank.
FreeDims free_dims(int num_ranks, std::span<const int> fixed) {
  check_entries(num_ranks, fixed);
  FreeDims result{0, num_ranks / fixed_product(num_ranks, fixed)};
  for (const int size : fixed) result.count += size == 0 ? 1 : 0;
  if (result.count > 0 || result.num_ranks == 1) return result;
  if (fixed.empty()) throw mpi_error<dims_none>(num_ranks);
  throw mpi_error<dims_all_fixed>(num_ranks, num_ranks / result.num_ranks);
}

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

namespace {

constexpr int max_dims_of_mpich = 20;

/// Whether MPICH gives a dimension to `prime` alone: if its square is above `number`. The square
/// has 32 bits there, so it may wrap around from 46341 on.
bool stands_alone_in_mpich(int prime, int number) {
  const auto square = static_cast<std::uint32_t>(prime) * static_cast<std::uint32_t>(prime);
  return static_cast<std::int32_t>(square) > number;
}

/// Factors of which those of 3 and more are sought while they are below the root of what is left.
std::vector<int> factors_below_root(int number) {
  std::vector<int> factors;
  for (; number % 2 == 0; number /= 2) factors.push_back(2);
  for (int prime = 3; static_cast<std::int64_t>(prime) * prime < number; prime += 2)
    for (; number % prime == 0; number /= prime) factors.push_back(prime);
  if (number > 1) factors.push_back(number);
  return factors;
}

/// Each factor, the largest first, to the first of the smallest products.
/// @param factors in increasing order.
std::vector<int> greedy_products(std::span<const int> factors, int count) {
  std::vector<int> products(index(count), 1);
  for (std::size_t i = factors.size(); i-- > 0;)
    *std::min_element(products.begin(), products.end()) *= factors[i];
  std::sort(products.begin(), products.end(), std::greater<>());
  return products;
}

/// Sizes that MPI_Dims_create of MPICH 4.0.2 gives to `count` >= 1 free dimensions of `number` >= 1
/// ranks, in non-increasing order: smallest spread, ties by the sequence that is the
/// lexicographically largest when read from its end; but a prime factor above the square root of
/// the number has a dimension of its own. Inferred from its answers, see the tests.
/// Not reproduced: 2147483647 in two and more dimensions, where MPICH divides by zero.
/// @throws UsageError for more than 20 dimensions, as MPICH.
std::vector<int> mpich_factors(int number, int count) {
  if (count > max_dims_of_mpich)
    throw UsageError(
        fmt::format("{} free dimensions: MPICH accepts at most {}", count, max_dims_of_mpich));
  std::vector<int> alone;
  for (; number > 1 && count > 1; --count) {
    const int prime = prime_factors(number).back();
    if (!stands_alone_in_mpich(prime, number)) break;
    alone.push_back(prime);
    number /= prime;
  }
  auto factors = balanced_factors(number, count, SpreadTie::largest_minimum);
  factors.insert(factors.end(), alone.begin(), alone.end());
  std::sort(factors.begin(), factors.end(), std::greater<>());
  return factors;
}

/// The same for Open MPI 4.1.4: each prime factor, the largest first, goes to the dimension that is
/// the smallest so far (Open MPI issue 7186).
std::vector<int> openmpi_factors(int number, int count) {
  return greedy_products(prime_factors(number), count);
}

/// The same for SMPI of SimGrid 3.32: as Open MPI before the correction of issue 7186, where the
/// search for prime factors stops one short of the square root and takes the rest for a prime.
std::vector<int> smpi_factors(int number, int count) {
  auto factors = factors_below_root(number);
  std::sort(factors.begin(), factors.end());
  return greedy_products(factors, count);
}

constexpr std::array<std::pair<std::string_view, DimsRule>, 4> rules{{
    {"optimal", DimsRule::optimal},
    {"mpich", DimsRule::mpich},
    {"openmpi", DimsRule::openmpi},
    {"smpi", DimsRule::smpi},
}};

/// Sizes of the free dimensions, non-increasing.
std::vector<int> free_sizes(const FreeDims& free, DimsRule rule) {
  switch (rule) {
    case DimsRule::mpich:
      return mpich_factors(free.num_ranks, free.count);
    case DimsRule::openmpi:
      return openmpi_factors(free.num_ranks, free.count);
    case DimsRule::smpi:
      return smpi_factors(free.num_ranks, free.count);
    case DimsRule::optimal:
      break;
  }
  return balanced_factors(free.num_ranks, free.count, SpreadTie::smallest_maximum);
}

}  // namespace

DimsRule parse_dims_rule(std::string_view name) {
  return entry_named("unknown rule", name, rules).second;
}

std::string_view to_string(DimsRule rule) {
  return rules[static_cast<std::size_t>(rule)].first;
}

std::vector<int> dims_create(int num_ranks, std::span<const int> fixed, DimsRule rule) {
  const FreeDims free = free_dims(num_ranks, fixed);
  std::vector<int> dims(fixed.begin(), fixed.end());
  if (free.count == 0) return dims;
  const auto sizes = free_sizes(free, rule);
  auto next = sizes.begin();
  for (int& size : dims)
    if (size == 0) size = *next++;
  return dims;
}

}  // namespace vtopo
