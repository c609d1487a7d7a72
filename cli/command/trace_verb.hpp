#pragma once

#include <optional>

#include "cli/command/what_if.hpp"

namespace vtopo::detail {

/// Replays the trace of a scenario and writes where its time went; returns the exit code.
/// @param critical_path listed steps; absent: not asked for.
int run_trace_verb(const WhatIfOptions& options, std::optional<int> critical_path);

}  // namespace vtopo::detail
