#pragma once

#include <optional>

#include "topology/base/units.hpp"

namespace vtopo {

/// What a child may use; it is ended beyond. Infinite values limit nothing.
struct ChildLimits {
  std::optional<Seconds> time;  ///< on the wall
  std::optional<Bytes> memory;  ///< addresses, on top of those that its parent has at the fork
  /// Nobody asked for the limit of memory: an end of another kind does not mention it.
  bool memory_is_usual = false;
};

/// Time that SimGrid has for loading a platform, and again for each question about its routes,
/// unless told otherwise.
inline constexpr Seconds usual_loading_time{3600};

/// Time that SimGrid has for a simulation unless told otherwise.
inline constexpr Seconds usual_simulation_time{24.0 * 3600};

/// The limits, and where there is none the usual one: `time`, and as much memory as the machine
/// has.
/// @param stacks addresses that the child takes beside, for ranks, and hardly uses.
ChildLimits or_usual(ChildLimits limits, Seconds time, Bytes stacks = {});

}  // namespace vtopo
