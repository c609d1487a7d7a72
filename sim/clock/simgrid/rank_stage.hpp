#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "topology/base/ids.hpp"
#include "topology/base/units.hpp"
#include "topology/mpi/communicator.hpp"

namespace vtopo::detail {

/// A message: its data, or nothing but its volume.
struct Parcel {
  std::vector<std::byte> data;
  Bytes volume;
};

/// Which messages belong together; ranks are those of the job.
struct MessageEnds {
  Rank source{};
  Rank destination{};
  int context = 0;  ///< of the communicator
  int tag = 0;

  friend auto operator<=>(const MessageEnds&, const MessageEnds&) = default;
};

/// A parcel and where it goes.
struct OutgoingParcel {
  MessageEnds ends;
  Parcel parcel;
};

/// What simulated ranks stand on. Ranks are those of the job. Internal.
class RankStage {
 public:
  RankStage() = default;
  RankStage(const RankStage&) = delete;
  RankStage& operator=(const RankStage&) = delete;
  virtual ~RankStage() = default;

  virtual Seconds now() const = 0;
  virtual double flops_per_second() const = 0;

  /// Number of a communicator's context.
  virtual int context_of(const Communicator& communicator) = 0;

  /// Lets time pass for the rank that calls.
  virtual void pause(Seconds time) = 0;

  /// Starts to send; the number is that of `finish`.
  virtual std::size_t start_send(OutgoingParcel send) = 0;

  /// Starts to receive; the number is that of `finish`.
  virtual std::size_t start_receive(const MessageEnds& ends) = 0;

  /// Waits for what `self` has started, once; the parcel of a receive, an empty one of a send.
  virtual Parcel finish(Rank self, std::size_t started) = 0;

  /// Lets `finish_next` wait for what `self` has started, in the order in which it ends.
  virtual void watch(Rank self, const std::vector<std::size_t>& started) = 0;
  virtual void finish_next(Rank self) = 0;

  /// Starts all sends and receives of `self`, waits for all; parcels in the order of `receives`.
  std::vector<Parcel> exchange(Rank self, std::vector<OutgoingParcel> sends,
                               const std::vector<MessageEnds>& receives);

  virtual void barrier(Rank self, int context) = 0;
  virtual void record(Rank self, std::string_view key, std::vector<double> values) = 0;
};

/// What a rank waits for.
struct RankWait {
  enum class Kind { nothing, send, receive, barrier, finished };

  Kind kind = Kind::nothing;
  MessageEnds ends = {};  ///< of a send or receive; of a barrier the context alone
  Bytes volume = {};      ///< of a send
};

/// The sentence of a deadlock: who waits for whom, as a cycle if there is one, else the first few.
/// @param waits one per rank of the job.
/// @param missing ranks that have not come to the barrier of a context, by context.
std::string describe_deadlock(Seconds time, const std::vector<RankWait>& waits,
                              const std::vector<std::vector<Rank>>& missing);

}  // namespace vtopo::detail
