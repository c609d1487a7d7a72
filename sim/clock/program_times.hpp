#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/id_vector.hpp"
#include "topology/base/progress.hpp"
#include "topology/base/units.hpp"

namespace vtopo::detail {

/// A part of the chain of events that decided when a program ended.
struct PathStep {
  /// What time went into.
  enum class Kind : std::uint8_t {
    local,    ///< work of a rank, between the operation that let it go on and `operation`
    message,  ///< from its start until a rank goes on
    barrier   ///< a rank goes on, since another one has come; takes no time
  };

  Kind kind = Kind::local;
  Rank rank{};                ///< that works, or that waited and goes on
  std::size_t operation = 0;  ///< of this rank: what it did next, or what it waited for
  Seconds begin, end;         ///< on the clock of the program
};

/// Who waited for what, while a program is simulated: one small entry for each wait that took time.
class WaitHistory {
 public:
  explicit WaitHistory(int num_ranks) : last_(num_ranks) {}

  /// A rank posts one end of a message.
  /// @param starts_it whether the message leaves without its other end.
  void posted(std::int32_t message, Rank rank, std::size_t operation, bool starts_it, double now);
  /// A rank that waited for a message goes on at `end`.
  /// @param operation that posted its end of the message.
  void waited(Rank rank, std::size_t operation, std::int32_t message, double end);
  /// All but `last` waited at a barrier for it.
  void met(std::span<const Rank> ranks, Rank last, double now);

  /// The chain that ends with `rank` at `finish`, from time 0 on, without gaps.
  /// @param num_operations of this rank.
  std::vector<PathStep> path_to(Rank rank, std::size_t num_operations, double finish) const;

 private:
  static constexpr std::int64_t none = -1;

  /// What a rank has done last.
  struct Point {
    Rank rank{};
    std::size_t operation = 0;
    std::int64_t wait = none;  ///< before it, among `waits_`
    double time = 0;
  };
  struct Wait {
    PathStep::Kind kind = PathStep::Kind::message;
    std::size_t operation = 0;  ///< of the rank that waits
    Point cause;                ///< whoever came last
    double end = 0;
  };
  struct Post {
    Point last;
    int ends = 0;
    bool is_decided = false;  ///< a message that has left does not care for its receiver
  };

  std::vector<Wait> waits_;
  std::vector<Post> posts_;                           ///< of each message that is under way
  IdVector<Rank, std::optional<std::int64_t>> last_;  ///< wait of each rank
};

/// What a rank does for a while.
struct RankSpan {
  /// Where its time goes.
  enum class Kind : std::uint8_t {
    computing,     ///< local work and overheads of messages
    transferring,  ///< it waits for a message that is on its way
    waiting        ///< it waits for other ranks to come
  };

  Rank rank{};                  ///< who
  Kind kind = Kind::computing;  ///< what
  Seconds begin, end;           ///< on the clock of the program
};

/// How a program is simulated.
struct ProgramOptions {
  EndpointCosts endpoint = {};      ///< what messages cost beside the network
  Progress progress = {};           ///< share of messages that have arrived
  std::function<bool()> stop = {};  ///< asked now and then; empty: never
  bool critical_path = false;       ///< whether it is asked for; takes memory for each wait
  /// Receives what ranks do, those of one rank in the order of time; empty: nobody.
  std::function<void(const RankSpan&)> span = {};
};

/// Where the time of a rank went.
struct RankTimes {
  Seconds finish;     ///< of its last operation
  Seconds computing;  ///< in `compute`, `reduce` and overheads of messages
  Seconds waiting;    ///< for messages and barriers
  /// Part of `waiting` in which the message that it waited for was on its way; the rest is for
  /// other ranks to come. Of vtopo's engine only.
  Seconds transferring{0};
};

/// When ranks came to a mark: each of them as often as its program says.
struct MarkTimes {
  Seconds first{std::numeric_limits<double>::infinity()};  ///< infinity: none came
  Seconds last{0};                                         ///< 0 if none came

  /// One more rank came.
  void add(Seconds time);
};

/// What the clock said of a program.
struct ProgramTimes {
  Seconds makespan;                   ///< the last finish
  IdVector<Rank, RankTimes> ranks;    ///< one entry per rank
  std::vector<MarkTimes> marks = {};  ///< one entry per number up to the largest of the program
  /// What decided the makespan, from time 0 to it without gaps; empty unless it was asked for.
  std::vector<PathStep> critical_path = {};
  /// `ChangingFlows::num_updates`, or messages of rounds that `StepClock` looked at; of vtopo's
  /// engine only.
  std::uint64_t num_updates = 0;
};

/// 1 + the largest number of a mark.
int num_marks(const Program& program);

/// @throws InputError for a program that `why_not_run` refuses, with its sentence; FitError if the
/// embedding has not as many ranks; UsageError for a routing that follows from a whole traffic.
void check_program(const Program& program, const Network& network, const Embedding& embedding);

/// Simulates a program under an embedding: messages are flows that share links max-min fairly from
/// the moment when they start until their last byte has left; it arrives the latency of its route
/// later. A sender waits for the last byte to leave, but not within the eager limit. Flows that the
/// routing splits load links by their shares, as in `simulate`. A message without bytes takes its
/// latency.
/// @throws what `check_program` throws; InputError for a deadlock, with the ranks that wait for
/// each other; SimulationError if it is told to stop.
ProgramTimes simulate_program(const Program& program, const Network& network,
                              const Embedding& embedding, const ProgramOptions& options = {});

}  // namespace vtopo::detail
