#pragma once

#include <atomic>
#include <optional>

#include "netmodels/limits.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// The limits, and where there is none the usual one: `time`, and as much memory as the machine
/// has.
/// @param stacks addresses that the child takes as well, for ranks, and hardly uses.
Limits or_usual(Limits limits, Seconds time, Bytes stacks = {});

/// The limit at which a child has ended itself.
enum class LimitHit : int { none, time, memory };

/// Where a child reports to its parent, and only there, that a limit was its end: exit codes and
/// signals are those of any program.
using SharedLimitHit = std::atomic<LimitHit>;

/// Addresses of this process, in bytes.
Bytes own_addresses();

/// This process and those it starts get no more addresses than that, in all; what is more than
/// rlim_t holds, infinity too, limits nothing. Allocates nothing: fit for what runs after a fork.
void limit_addresses(Bytes max);

/// No more than this process itself may have, which root could exceed; then it is not the usual
/// limit.
Limits within_own(Limits limits);

/// Keeps the limits in this process, a child, which ends at them and reports it by `hit`; so do its
/// own children, of memory. An abort or a crash is one of memory if hardly any is left.
void keep_limits(const Limits& limits, SharedLimitHit& hit);

/// The calling child has that long from now on, instead of what was left; nothing: no limit. For a
/// child that waits for questions, and for its children, which begin without a limit of time.
/// @throws SimulationError if the system has no timer left.
void limit_time_from_now(const std::optional<Seconds>& time);

/// Whether a limit has ended this child's child, or would end this one.
bool limit_was_hit();

}  // namespace vtopo::detail
