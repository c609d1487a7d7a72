#pragma once

#include <cstdint>
#include <string>

#include "topology/base/units.hpp"

namespace vtopo {

/// Least bandwidth that joins any two halves of the hosts (of an odd number one half has one more).
struct Bisection {
  BytesPerSecond bandwidth;  ///< per direction; the smaller one where they differ
  std::int64_t links = 0;    ///< directed links from one half to the other
  bool exact = false;        ///< a closed form; else an upper bound found by search
  std::string method;        ///< the formula with its source, or the search
};

}  // namespace vtopo
