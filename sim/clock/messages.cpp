#include "sim/clock/messages.hpp"

#include <algorithm>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

Messages::Messages(const Program& program, const Network& network, const Embedding& embedding,
                   const EndpointCosts& costs)
    : program_(program),
      embedding_(embedding),
      costs_(costs),
      flows_(network),
      matching_(program) {}

std::int32_t Messages::post(Rank rank, std::size_t position) {
  const Operation& operation = program_.ranks[rank][position];
  const std::int32_t fresh = new_message();
  const auto matched = matching_.post(rank, position, fresh);
  if (matched) free_.push_back(fresh);
  const std::int32_t number = matched.value_or(fresh);
  Message& message = at(number);
  if (is_send(operation.kind)) {
    message.source = rank;
    message.destination = Rank{operation.peer};
    message.volume = operation.amount;
    message.is_eager = operation.amount <= costs_.eager_limit.value;
    if (message.is_eager) {
      message.left = now_;
      start(number);
    }
  }
  if (matched && !message.is_eager) events_.push({now_ + costs_.handshake.value, number, true});
  return number;
}

std::int32_t Messages::new_message() {
  if (free_.empty()) {
    free_.push_back(narrow<std::int32_t>(messages_.size()));
    messages_.emplace_back();
  }
  const std::int32_t number = free_.back();
  free_.pop_back();
  at(number) = {};
  return number;
}

/// The message enters the network.
void Messages::start(std::int32_t number) {
  Message& message = at(number);
  message.started = now_;
  const HostId from = embedding_.host_of(message.source);
  const HostId to = embedding_.host_of(message.destination);
  if (from == to) {
    events_.push({now_ + message.volume / costs_.memory_bandwidth.value, number, false});
    return;
  }
  const auto started = flows_.start(number, from, to, message.volume);
  message.latency = started.latency;
  if (!started.is_flow) events_.push({now_, number, false});
}

/// The last byte leaves.
void Messages::leave(std::int32_t number) {
  Message& message = at(number);
  if (!message.is_eager) message.left = now_;
  message.arrived = now_ + message.latency;
  left_.push_back(number);
}

double Messages::next() {
  // What is due now comes before the flows: then their rates are found once for all that starts.
  if (!events_.empty() && events_.top().time <= now_) return now_;
  const double end = flows_.next_end();
  return events_.empty() ? end : std::min(end, events_.top().time);
}

std::span<const std::int32_t> Messages::advance(double time) {
  left_.clear();
  const bool is_due = !events_.empty() && events_.top().time <= now_;
  now_ = time;
  if (!is_due)
    for (const std::int32_t message : flows_.advance(time)) leave(message);
  while (!events_.empty() && events_.top().time <= time) {
    const Event event = events_.top();
    events_.pop();
    if (event.starts)
      start(event.message);
    else
      leave(event.message);
  }
  return left_;
}

std::optional<double> Messages::end_of(std::int32_t number, bool sends) const {
  return sends ? at(number).left : at(number).arrived;
}

void Messages::add_waiting(std::int32_t number, Rank rank) {
  Message& message = at(number);
  message.waiting[index(message.num_waiting++)] = rank;
}

std::span<const Rank> Messages::waiting(std::int32_t number) const {
  return {at(number).waiting.data(), index(at(number).num_waiting)};
}

void Messages::release(std::int32_t number) {
  if (--at(number).open_ends == 0) free_.push_back(number);
}

}  // namespace vtopo::detail
