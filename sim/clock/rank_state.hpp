#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "sim/clock/messages.hpp"
#include "sim/clock/program_times.hpp"

namespace vtopo::detail {

/// Of a time: the rank has not waited for a message.
constexpr double never_waits = -1;

/// How far a rank is.
struct RankState {
  /// One end of a message that a rank has started.
  struct Request {
    std::int32_t number;  ///< of the rank, unless the operation blocks
    std::int32_t message;
    std::size_t operation;  ///< that has started it
    bool sends;
  };

  /// A loop that a rank is in.
  struct Loop {
    std::size_t begin;  ///< its first operation
    double left;        ///< rounds, with the present one
  };

  std::size_t next = 0;  ///< operation
  std::vector<Loop> loops;
  std::vector<Request> requests;  ///< started and not waited for
  std::vector<Request> awaited;   ///< what the rank waits for
  std::vector<Request> group;     ///< of a closed group of waits, those not taken yet
  int unknown_ends = 0;           ///< among them, those whose time is not known yet
  double waits_since = 0;
  double transfers_since = never_waits;  ///< in the present wait: the message is on its way
  double transfers_until = never_waits;
  RankTimes times;
  bool has_paid = false;   ///< the overhead of the next operation
  int num_sent = 0;        ///< messages since the rank has waited
  int num_taken = 0;       ///< messages in the present wait
  double taken_until = 0;  ///< the last of them is taken over
  bool is_waiting = false;
  bool awaits_any = false;  ///< of the group
  std::int32_t turn = 0;    ///< times that the rank was resumed

  /// Goes back to the first operation of the innermost loop, or on behind its last one.
  void end_loop_body();
  /// Awaits what was started under that number.
  void await_request(std::int32_t number);
  /// Takes one more message in the present wait: an overhead after its end, and a gap after the one
  /// before, which has ended before it.
  /// @return when it is taken over.
  double take(double end, const EndpointCosts& costs);
  /// Awaits what the waits of the call name whose first is the next operation, and passes them.
  void await_call(const std::vector<Operation>& operations);
  /// Begins the group of waits whose first is the next operation.
  void begin_group(const std::vector<Operation>& operations);
  /// When the first of the group ends, as far as that is known; else infinity.
  double first_end_of_group(const Messages& messages) const;
  /// Awaits the first of the group, which has a time.
  void await_first_of_group(const Messages& messages);
};

/// A rank goes on: earlier ones first, at one time those of lower ranks.
struct Resumption {
  double time;
  std::int32_t rank;
  std::int32_t turn;  ///< of the rank; it has gone on before if it has another one now
  bool operator>(const Resumption& other) const {
    return time > other.time || (time == other.time && rank > other.rank);
  }
};

/// Says how a rank has passed its wait: for others to come, for the message, and with what it
/// costs to take it.
void report_wait(const ProgramOptions& options, Rank rank, RankState& state, double now);

/// Who waits for whom, a few ranks of them: nothing happens any more, and not all have finished.
std::string describe_deadlock(const Program& program, const IdVector<Rank, RankState>& ranks,
                              const Messages& messages);

}  // namespace vtopo::detail
