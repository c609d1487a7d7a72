#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "sim/clock/programs/traces/collective_calls.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

/// How a trace becomes a program.
struct TraceOptions {
  std::string format = {};            ///< name of a row of `trace_formats`; empty: by the content
  double compute_scale = 1;           ///< of recorded local work; >= 0
  double flops_per_second = 1e9;      ///< of SMPI's traces, which count operations; > 0
  CollectiveChoice collectives = {};  ///< algorithms of what the trace names by its call
  bool prefix = false;  ///< whether of a trace that is cut off is taken what all ranks have reached
};

/// A recorded program.
struct Trace {
  Program program;
  std::string format;                               ///< name of a row of `trace_formats`
  std::vector<std::string> files;                   ///< one per rank, or one for all
  IdVector<Rank, std::vector<std::int32_t>> lines;  ///< of each operation in the file of its rank
  /// Of ranks whose recording ends before their program: a sentence each; readers fill it.
  std::vector<std::string> cuts = {};

  /// `FILE:LINE` of an operation of a rank.
  std::string position(Rank rank, std::size_t operation) const;
  /// Text of that line without blanks around it.
  std::string call(Rank rank, std::size_t operation) const;
};

/// A format of traces.
struct TraceFormat {
  std::string_view name;     ///< as options spell it
  std::string_view summary;  ///< what writes it
  bool (*recognizes)(const std::string& path) = nullptr;
  Trace (*read)(const std::string& path, const TraceOptions& options) = nullptr;
};

/// All of them.
std::span<const TraceFormat> trace_formats();

/// Reads a trace: a folder or a file.
/// A trace that is cut off, as of a program that was killed, becomes the longest beginning in which
/// every message has both ends, if the options ask for that; `cuts` is one sentence then.
/// @throws InputError with file, line and the rank: for what its format does not have, for a trace
/// that ends too early, and for messages without their other end; UsageError for an unknown format
/// and for algorithms of collectives that do not exist.
Trace read_trace(const std::string& path, const TraceOptions& options = {});

/// What is wrong with messages, requests and loops of a trace: a sentence with file, line, rank and
/// call; nothing if `why_not_run` finds nothing.
std::optional<std::string> why_not_run(const Trace& trace);

}  // namespace vtopo::detail
