#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <optional>
#include <queue>
#include <span>
#include <vector>

#include "sim/placement/embedding.hpp"
#include "sim/clock/message_matching.hpp"
#include "sim/clock/program_times.hpp"
#include "sim/clock/sharing/routed_flows.hpp"

namespace vtopo::detail {

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
