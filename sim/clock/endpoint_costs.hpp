#pragma once

#include <algorithm>
#include <limits>

#include "netmodels/endpoint_properties.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// What a message costs at its ends, beside the network (after the LogGPS model of F. Ino, N.
/// Fujimoto, K. Hagihara, PPoPP 2001). The defaults cost nothing.
struct EndpointCosts {
  Seconds overhead{0};  ///< of the processor for each message, at its sender and at its receiver
  /// Instead of the overhead, of each further message that a rank sends before it waits, and of
  /// each further one that it takes in one wait: what the processor is busy with, while the rest of
  /// the overhead passes for several messages at once. Above the overhead: as that.
  Seconds gap{std::numeric_limits<double>::infinity()};
  /// Up to this volume a message leaves without waiting for its receiver; larger ones start when
  /// both sides have posted them. Negative: none leaves before.
  Bytes eager_limit{-1};
  Seconds handshake{0};  ///< before a message above the eager limit starts, from the later post on
  /// Of messages between ranks of one host, > 0.
  BytesPerSecond memory_bandwidth{std::numeric_limits<double>::infinity()};
  /// Bytes reduced in a second by a rank, > 0.
  BytesPerSecond reduction_bandwidth{std::numeric_limits<double>::infinity()};

  /// What the next message costs after so many that the rank has sent, or taken, right before it.
  Seconds overhead_after(int messages) const {
    return messages == 0 ? overhead : std::min(gap, overhead);
  }
  /// Of so many messages, one right after the other.
  Seconds overhead_of(int messages) const;
};

/// Costs of a scenario: what the user says, else what the machine's description says, else none.
/// @throws UsageError for a user's gap above the overhead.
EndpointCosts endpoint_costs(const EndpointProperties& user, const EndpointProperties& machine);

/// Whether messages between hosts start when both sides have posted them, and nothing but the
/// network takes time.
bool is_free(const EndpointCosts& costs);

}  // namespace vtopo
