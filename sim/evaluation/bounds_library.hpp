#pragma once

#include <functional>

#include "sim/evaluation/bounds.hpp"

namespace vtopo::detail {

/// `lower_bounds` of one of several guests of a job; network and allocation must outlive it.
using JobBounds = std::function<Bounds(const CommGraph& guest, const Progress& progress)>;

/// How bounds are found, which only the library vtopo::bounds knows. The core works without it:
/// then every bound is 0, which holds and says nothing.
struct BoundsLibrary {
  /// What no traffic changes, such as the cuts between the hosts, is found once.
  JobBounds (*of_job)(const Network& network, const Allocation& allocation) = nullptr;
  /// About how long bounds of a job take.
  double (*seconds)(const CommGraph& guest, const Network& network,
                    const Allocation& allocation) = nullptr;
};

/// Defined by that library alone, before any code runs; without it there is no such object.
extern "C" [[gnu::weak]] const BoundsLibrary vtopo_lower_bounds;

JobBounds bounds_of_job(const Network& network, const Allocation& allocation);

}  // namespace vtopo::detail
