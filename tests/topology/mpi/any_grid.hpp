#pragma once

// Random input of properties. ctest fixes the seed; the programs by themselves take a new one each
// time, and RC_PARAMS="seed=..." repeats a run.
#include <rapidcheck.h>

#include <algorithm>
#include <cstdint>
#include <limits>
#include <vector>

#include "topology/mpi/virtual_topology.hpp"

/// Integer in [low, high), over the whole range from the first case on.
template <class Integer>
Integer any_in(Integer low, Integer high) {
  return *rc::gen::resize(rc::kNominalSize, rc::gen::inRange(low, high));
}

/// Grid of up to 5 dimensions of any periodicity with up to 5^5 ranks.
inline vtopo::Cartesian any_grid() {
  std::vector<vtopo::Dimension> dimensions(any_in<std::size_t>(0, 6));
  for (vtopo::Dimension& dimension : dimensions)
    dimension = {any_in(1, 6), vtopo::Periodicity{*rc::gen::arbitrary<bool>()}};
  return vtopo::Cartesian(dimensions);
}

/// Grid of 1 to 4 dimensions, all periodic or all of any periodicity, with up to 2^31-1 ranks.
inline vtopo::Cartesian any_large_grid(bool all_periodic) {
  std::vector<vtopo::Dimension> dimensions;
  std::int64_t left = std::numeric_limits<int>::max();
  const int count = any_in(1, 5);
  for (int d = 0; d < count; ++d) {
    const auto most = std::min<std::int64_t>(left, any_in(0, 4) == 0 ? left : 2000);
    const auto size = any_in<std::int64_t>(1, most + 1);
    const bool wraps = all_periodic || *rc::gen::arbitrary<bool>();
    dimensions.push_back({static_cast<int>(size), vtopo::Periodicity{wraps}});
    left /= size;
  }
  return vtopo::Cartesian(dimensions);
}

inline vtopo::Rank any_rank(int num_ranks) {
  return vtopo::Rank{any_in(0, num_ranks)};
}

inline int any_dimension(const vtopo::Cartesian& grid) {
  return any_in(0, static_cast<int>(grid.dimensions().size()));
}

/// Displacement of any size, far beyond every dimension.
inline int any_displacement() {
  return *rc::gen::oneOf(rc::gen::inRange(-10, 11),
                         rc::gen::resize(1000, rc::gen::arbitrary<int>()));
}
