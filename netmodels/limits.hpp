#pragma once

#include <optional>

#include "topology/base/units.hpp"

namespace vtopo {

/// What a process may use; it is ended beyond. Infinite values limit nothing.
struct Limits {
  std::optional<Seconds> time;  ///< on the wall
  /// Addresses: of a forked child on top of those that its parent has at the fork, of a program all
  /// that each of its processes has.
  std::optional<Bytes> memory;
  /// Nobody asked for the limit of memory: an end of another kind does not mention it.
  bool memory_is_usual = false;
};

/// Time that SimGrid has for loading a platform, and again for each question about its routes,
/// unless another limit is given.
inline constexpr Seconds usual_loading_time{3600};

/// Time that SimGrid has for a simulation unless another limit is given.
inline constexpr Seconds usual_simulation_time{24.0 * 3600};

}  // namespace vtopo
