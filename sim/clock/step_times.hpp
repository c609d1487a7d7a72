#pragma once

#include <cstddef>
#include <unordered_map>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/placement/embedding.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/rank_clocks.hpp"
#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"
#include "topology/patterns/communication_steps.hpp"
#include "topology/schedule.hpp"

namespace vtopo::detail {

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
  StepClock(const Network& network, const std::vector<HostId>& hosts,
            NetworkSharing sharing = NetworkSharing::max_min);

  /// Seconds from a common start to the end of each rank.
  /// @param steps of a communicator of as many ranks.
  /// @param volume that the caller of the collective names, as `CommunicationSteps::slot_share`.
  /// @throws what `simulate` throws for a network without a route.
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
  static void run(const std::vector<TimedMessage>& messages, const Rounds& rounds,
                  RankClocks& clocks);

  const Network& network_;
  Embedding embedding_;  ///< of the ranks of the communicator
  NetworkSharing sharing_;
  std::unordered_map<std::size_t, std::vector<TimedStep>> known_;  ///< by hash of their messages
  std::size_t num_known_ = 0;                                      ///< messages
};

}  // namespace vtopo::detail
