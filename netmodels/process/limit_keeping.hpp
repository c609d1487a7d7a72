#pragma once

#include <atomic>
#include <memory>
#include <optional>

#include "netmodels/process/child_limits.hpp"
#include "topology/base/units.hpp"

namespace vtopo {

/// The limit at which a child has ended itself.
enum class LimitHit : int { none, time, memory };

/// Where a child tells its parent, and only by that, that a limit was its end: exit codes and
/// signals are those of any program.
using SharedLimitHit = std::atomic<LimitHit>;

/// In memory that processes forked from now on share with this one.
/// @throws SimulationError if the system has no memory left.
std::shared_ptr<SharedLimitHit> share_limit_hit();

/// Addresses of this process, in bytes.
Bytes own_addresses();

/// This process and those it starts get no more addresses than that, in all; what is more than
/// rlim_t holds, infinity too, limits nothing. Allocates nothing: fit for what runs after a fork.
void limit_addresses(Bytes most);

/// No more than this process itself may have, which root could exceed; then it is not the usual
/// limit.
ChildLimits within_own(ChildLimits limits);

/// Keeps the limits in this process, a child, which ends at them and tells by `hit`; so do its own
/// children, of memory. An abort or a crash is one of memory if hardly any is left.
void keep_limits(const ChildLimits& limits, SharedLimitHit& hit);

/// The calling child has that long from now on, instead of what was left; nothing: no limit. For a
/// child that waits for questions, and for its children, which begin without a limit of time.
/// @throws SimulationError if the system has no timer left.
void limit_time_from_now(const std::optional<Seconds>& time);

/// Whether a limit has ended this child's child, or would end this one.
bool limit_was_hit();

}  // namespace vtopo
