#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "netmodels/network.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/programs/program.hpp"
#include "sim/clock/sharing/changing_flows.hpp"
#include "sim/placement/embedding.hpp"
#include "topology/base/id_vector.hpp"

namespace vtopo::detail {

/// Messages between hosts as flows on the links of a network, from their starts to their ends.
class RoutedFlows {
 public:
  /// How a message has started.
  struct Started {
    double latency = 0;    ///< seconds, of its route
    bool is_flow = false;  ///< false: it has no bytes, or no link limits it
  };

  /// The network must outlive it.
  explicit RoutedFlows(const Network& network);

  /// Of a route, as `Started::latency`.
  Seconds latency(HostId from, HostId to);

  /// Starts a message at the present time.
  /// @param name returned when its last byte leaves.
  Started start(std::int32_t name, HostId from, HostId to, double volume);

  /// When the next message ends; infinity if there is none.
  double next_end() { return flows_.next_end(); }

  /// Lets the time pass, as `ChangingFlows::advance`.
  /// @return names of the messages that end. Valid until the next call.
  std::span<const std::int32_t> advance(double time);

  std::uint64_t num_updates() const { return flows_.num_updates(); }

 private:
  /// A link of the network that messages have passed.
  struct PassedLink {
    LinkProperties properties;
    std::int32_t number;  ///< among the links that flows share; -1: they do not share it
  };

  PassedLink passed(LinkId id);
  std::int32_t private_link(double rate);

  const Network& network_;
  ChangingFlows flows_;
  std::vector<std::int32_t> place_;  ///< of each link of the network in `passed_`; -1: none yet
  std::vector<PassedLink> passed_;   ///< a job on a part of a large machine knows few of its links
  std::vector<LinkShare> shares_;
  std::vector<FlowLink> links_;
  std::vector<std::int32_t> name_;          ///< of each flow
  std::vector<std::int32_t> private_link_;  ///< of each flow; -1: none
  std::vector<std::int32_t> free_links_;    ///< private links that no flow has
  std::vector<std::int32_t> ended_;
};

/// Which send meets which receive: messages of one source, destination, tag and communicator match
/// in the order in which their ends are posted, as in MPI.
class MessageMatching {
 public:
  /// @param program must outlive it; its peers are ranks of it.
  explicit MessageMatching(const Program& program);

  /// Posts one end of a message.
  /// @param position of the operation among those of the rank.
  /// @param message number to remember if this end is the first of the two; no message that waits
  /// for its other end has it.
  /// @return number of the message whose other end has been posted; nothing if this is the first.
  std::optional<std::int32_t> post(Rank rank, std::size_t position, std::int32_t message);

 private:
  static constexpr std::int32_t none = -1;

  /// Messages with one end, in the order of their posts.
  struct Channel {
    std::int32_t first = none, last = none;
    bool has_sends = false;  ///< which end it is
  };

  void append(Channel& channel, std::int32_t message);

  const Program& program_;
  IdVector<Rank, std::vector<std::int32_t>> channel_numbers_;  ///< of each operation
  std::vector<Channel> channels_;
  std::vector<std::int32_t> next_;  ///< the message behind each, in the queue of its channel
};

/// Messages of a program that is simulated, from the post of their first end until both ranks have
/// gone on. A message has two ends; each is over at a time of its own.
class Messages {
 public:
  /// All of them must outlive it.
  Messages(const Program& program, const Network& network, const Embedding& embedding,
           const EndpointCosts& costs);

  /// Posts one end of a message at the present time.
  /// @param position of the operation among those of the rank.
  /// @return number of the message.
  std::int32_t post(Rank rank, std::size_t position);

  /// When the next message starts or leaves; infinity if none does.
  double next();

  /// Lets the time pass, not beyond `next()`.
  /// @return messages whose last byte has left: their ends have times now. Valid until the next
  /// call.
  std::span<const std::int32_t> advance(double time);

  /// When a rank may go on for this end of a message; nothing while that is not known.
  std::optional<double> end_of(std::int32_t message, bool sends) const;

  /// When a message that has a time has entered the network.
  double start_of(std::int32_t message) const { return at(message).started; }

  /// The ranks at both ends.
  std::array<Rank, 2> ranks_of(std::int32_t message) const {
    return {at(message).source, at(message).destination};
  }

  /// The rank wants to know when the last byte has left.
  void add_waiting(std::int32_t message, Rank rank);
  /// These ranks; each message has at most two ends.
  std::span<const Rank> waiting(std::int32_t message) const;

  /// One rank has gone on; after both the number is used again.
  void release(std::int32_t message);

  std::uint64_t num_updates() const { return flows_.num_updates(); }

 private:
  struct Message {
    Rank source{}, destination{};
    double volume = 0;
    double latency = 0;
    double started = 0;
    std::optional<double> left, arrived;
    std::array<Rank, 2> waiting{};
    int num_waiting = 0;
    int open_ends = 2;
    bool is_eager = false;
  };

  struct Event {
    double time;
    std::int32_t message;
    bool starts;  ///< else it leaves
    bool operator>(const Event& other) const {
      return time > other.time || (time == other.time && message > other.message);
    }
  };

  Message& at(std::int32_t message) { return messages_[static_cast<std::size_t>(message)]; }
  const Message& at(std::int32_t message) const {
    return messages_[static_cast<std::size_t>(message)];
  }

  std::int32_t new_message();
  Seconds handshake(const Message& message);
  void start(std::int32_t number);
  void leave(std::int32_t number);

  const Program& program_;
  const Embedding& embedding_;
  const EndpointCosts& costs_;
  RoutedFlows flows_;
  MessageMatching matching_;
  std::vector<Message> messages_;
  std::vector<std::int32_t> free_;
  std::priority_queue<Event, std::vector<Event>, std::greater<Event>> events_;
  std::vector<std::int32_t> left_;
  double now_ = 0;
};

}  // namespace vtopo::detail
