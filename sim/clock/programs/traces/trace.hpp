#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// By which algorithms the collectives of a trace are done.
struct CollectiveChoice {
  std::string library = "openmpi";           ///< one of `ruled_libraries`: its rules choose
  std::vector<PatternSpec> algorithms = {};  ///< instead, for the collectives that they name
};

/// One call of a collective that `collective_algorithms` has.
struct CollectiveCall {
  std::string_view name;  ///< of the collective
  Bytes volume;           ///< as in `collective_algorithms`
  int root = 0;           ///< rank of the communicator
};

/// Who takes part in a collective.
struct CallMembers {
  std::span<const Rank> ranks;  ///< rank of the program for each rank of the communicator
  int self = 0;                 ///< rank of the communicator whose operations are asked for
  std::int32_t communicator = 0;
};

/// Appends what one rank does in collectives. A rank waits for the messages of a step before it
/// starts the next one; requests that it has open are left alone.
class CollectiveCalls {
 public:
  /// @throws UsageError for a library without rules or that chooses by nodes, for patterns that are
  /// not collectives, and for those of nodes without `ranks_per_node`: a trace has no nodes.
  explicit CollectiveCalls(CollectiveChoice choice);

  /// @param has_open_requests whether the rank has started what it has not waited for.
  /// @throws UsageError if the chosen algorithm does not exist for so many ranks.
  void append(const CollectiveCall& call, const CallMembers& members, bool has_open_requests,
              std::vector<Operation>& operations);

  /// Messages to and from each member at once, in one step; those without bytes are not sent.
  /// @param sent, received bytes, one entry per member.
  static void append_exchange(std::span<const double> sent, std::span<const double> received,
                              const CallMembers& members, std::vector<Operation>& operations);

  /// Every member gets the blocks of all, around a ring.
  /// @param volumes one entry per member.
  static void append_ring(std::span<const double> volumes, const CallMembers& members,
                          std::vector<Operation>& operations);

  /// From rank to rank: a prefix reduction.
  static void append_chain(Bytes volume, const CallMembers& members,
                           std::vector<Operation>& operations);

 private:
  using Key = std::tuple<std::string_view, double, int, std::size_t>;

  /// What each rank of a communicator does, with its ranks as those of the program.
  const Program& template_of(const CollectiveCall& call, int ranks);
  PatternSpec spec_of(const CollectiveCall& call, int ranks) const;

  CollectiveChoice choice_;
  std::map<Key, Program> templates_;
};

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
