#pragma once

#include <optional>
#include <string>

#include "cli/options/verb.hpp"
#include "cli/what_if/what_if.hpp"

namespace vtopo {

/// Options of a recorded program instead of a topology with a pattern.
struct TraceVerbOptions {
  std::string path;  ///< empty: none
  std::string format;
  std::string compute_scale = "1";
  std::string collectives;
  std::string library = "openmpi";
  std::optional<int> critical_path;  ///< listed steps; absent: not asked for
};

/// Adds `--trace` and what belongs to it.
void add_trace_options(Verb& verb, TraceVerbOptions& options);

/// Replays the trace and writes the report; returns the exit code.
int run_trace_verb(const WhatIfOptions& options, const TraceVerbOptions& trace);

}  // namespace vtopo
