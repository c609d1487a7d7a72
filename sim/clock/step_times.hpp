#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <unordered_map>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/simulate.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"
#include "topology/comm_graph.hpp"
#include "topology/patterns/pattern.hpp"

namespace vtopo::detail {

/// A message and its time in the network, from its start to the end of its last byte.
struct TimedMessage {
  /// A link at an end of its route, and how long it carries a unit of the volume.
  struct Port {
    std::int32_t link = -1;  ///< none: one that messages do not share, or that carries a part
    double seconds = 0;
  };

  int source = 0, destination = 0;  ///< ranks
  double units = 0;                 ///< of its volume
  double seconds = 0;               ///< by unit, if all messages of the step start together
  double alone = 0;                 ///< by unit, if it has its route to itself
  double latency = 0;
  bool is_local = false;  ///< inside a host, where memory takes the time
  std::array<Port, 2> ports = {};
};

/// How often a step is done, how many bytes a unit of volume is, and whether what arrives is
/// reduced, and comes as a message for each unit.
struct Rounds {
  std::int64_t count = 1;
  double unit = 1;
  bool combine = false, apart = false;
};

/// When the links at the ends of routes have finished eager messages, whose senders go on
/// before: those of later rounds queue up behind them.
class PortClocks {
 public:
  /// Messages of a round over a link.
  struct Round {
    double first = 0, end = 0, busy = 0;

    void add(double start, double seconds);
    double through() const { return std::max(end, first + busy); }
  };

  explicit PortClocks(int num_links);

  /// When they have finished the rounds before.
  double through(const TimedMessage& message) const;
  std::size_t num_links() const { return through_.size(); }
  double& through(std::size_t link) { return through_[link]; }
  /// They have one more message in this round.
  void pass(const TimedMessage& message, double start, double unit);
  void end_round();

 private:
  std::vector<double> through_;
  std::vector<Round> round_;
  std::vector<std::size_t> used_;  ///< in this round
};

/// Messages that come to a rank in a round.
class Arrivals {
 public:
  /// So many, one after the other.
  void add(double first, double last, int count, double reduction);
  /// When the processor has taken all of them over, one after the other, each when it is there and
  /// all that the rank sends has been posted.
  double taken(double posted, const EndpointCosts& costs);
  void clear();

  bool empty() const { return pieces_.empty(); }
  int count() const { return count_; }
  double reduction() const { return reduction_; }

 private:
  struct Pieces {
    double first, last;
    int count;
  };

  std::vector<Pieces> pieces_;
  int count_ = 0;
  double reduction_ = 0;
};

/// When the ranks of a communicator go on, round after round.
class RankClocks {
 public:
  RankClocks(std::size_t ranks, int num_links, const EndpointCosts& costs);

  /// Every rank copies so much in its memory.
  void copy(Bytes volume);
  /// Rounds of the same messages, one after the other.
  /// @param stop asked before each; empty: never.
  /// @throws SimulationError when it says so.
  void run(const std::vector<TimedMessage>& messages, const Rounds& rounds,
           const std::function<bool()>& stop);

  const std::vector<double>& now() const { return now_; }
  const std::vector<double>& computing() const { return computing_; }
  std::uint64_t num_looks() const { return num_looks_; }  ///< messages of rounds that were looked at

 private:
  friend class Repetition;

  /// A message on its way.
  struct Passage {
    double start;        ///< in the network
    double next;         ///< when its sender goes on
    double first, last;  ///< arrivals of its pieces
    int pieces;
    bool is_eager;
  };

  Passage passage(const TimedMessage& message, const Rounds& rounds, int sends_before) const;
  void send(const TimedMessage& message, const Passage& passage);
  void arrive(const TimedMessage& message, const Passage& passage, const Rounds& rounds);
  void run(const std::vector<TimedMessage>& messages, const Rounds& rounds);
  double end_round(std::size_t rank);

  const EndpointCosts& costs_;
  PortClocks ports_;
  std::vector<double> now_, next_;
  std::vector<double> computing_, in_round_;  ///< of all rounds, and of the last one
  std::vector<int> sends_;                    ///< in this round
  std::vector<Arrivals> arrivals_;
  std::uint64_t num_looks_ = 0;
};

/// Whether messages share links, or each has its route to itself.
enum class NetworkSharing { max_min, alone };

/// Clock of collective operations: thousands of steps among thousands of ranks in seconds, where
/// `simulate_program` follows each message.
///
/// Two parts of the time are kept apart. *In the network*, a message of a step lasts as long as if
/// all messages of that step started together (max-min fair sharing, `finish_times`); found once
/// for each kind of step, per byte, since equal volumes share alike at any size. *At the ranks*,
/// each goes on when its own messages are over: a recurrence of maxima and sums over the rounds,
/// exact for these durations, that ends early where all ranks advance by the same time, as rings do
/// on symmetric networks: every further round then takes as long. Buffers of more than 32 MiB,
/// which neither allocators nor caches keep from call to call, are copied at the memory's bandwidth
/// (`CommunicationSteps::copies`) before the first step; slots that are packed or put in order
/// (`packings`) cost as much in a buffer of any size. Slots sent apart have the overhead of a
/// message each, in one flow; programs send them as one message. Eager messages, whose senders go
/// on at once, leave and arrive on the links of their hosts behind those of earlier rounds.
///
/// It is the result of `simulate_program` where the ranks of a step start it together. Where they
/// drift apart, messages of one step may in truth meet fewer others of it, or those of other steps.
/// Routing rules that follow from a whole traffic see the traffic of a step.
class StepClock {
 public:
  /// @param network must outlive it.
  /// @param hosts of each rank of the communicator.
  /// @param stop asked now and then, by a round at the latest; empty: never.
  StepClock(const Network& network, const std::vector<HostId>& hosts,
            NetworkSharing sharing = NetworkSharing::max_min, std::function<bool()> stop = {});

  /// Seconds from a common start to the end of each rank.
  /// @param steps of a communicator of as many ranks.
  /// @param volume that the caller of the collective names, as `CommunicationSteps::slot_share`.
  /// @throws what `simulate` throws for a network without a route; SimulationError when
  /// `stop` says so.
  std::vector<double> finish_times(const CommunicationSteps& steps, Bytes volume,
                                   const EndpointCosts& costs = {});

  /// The same of a schedule without lanes; what `simulate_program` says of its program, marks too.
  /// @param schedule of as many ranks, without barriers.
  ProgramTimes finish_times(const Schedule& schedule, const EndpointCosts& costs = {});

 private:
  /// All messages of a step, in the order of their sources.
  struct TimedStep {
    std::vector<StepMessage> messages;
    std::vector<TimedMessage> timed;
  };

  const TimedStep& timed(CommunicationStep step);
  std::vector<TimedMessage> time_messages(const std::vector<DirectedEdge>& edges) const;

  const Network& network_;
  Embedding embedding_;  ///< of the ranks of the communicator
  NetworkSharing sharing_;
  std::function<bool()> stop_;
  std::unordered_map<std::size_t, std::vector<TimedStep>> known_;  ///< by hash of their messages
  std::size_t num_known_ = 0;                                      ///< messages
};

}  // namespace vtopo::detail
