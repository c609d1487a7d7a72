#include "sim/clock/messages.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

namespace {

constexpr std::int32_t none = -1;

}  // namespace

RoutedFlows::RoutedFlows(const Network& network)
    : network_(network), flows_({}), place_(index(network.num_links()), none) {}

RoutedFlows::PassedLink RoutedFlows::passed(LinkId id) {
  std::int32_t& place = place_[index(id)];
  if (place == none) {
    place = static_cast<std::int32_t>(passed_.size());
    const LinkProperties link = network_.link(id);
    const double capacity = link.bandwidth.value;
    const bool is_shared = link.sharing != LinkSharing::fatpipe && std::isfinite(capacity);
    passed_.push_back({link, is_shared ? flows_.add_link(capacity) : none});
  }
  return passed_[index(place)];
}

Seconds RoutedFlows::latency(HostId from, HostId to) {
  Seconds sum = network_.flow_latency(from, to);
  shares_.clear();
  network_.append_shares(from, to, shares_);
  for (const auto& [id, share] : shares_) sum += passed(id).properties.latency * share;
  return sum;
}

RoutedFlows::Started RoutedFlows::start(std::int32_t name, HostId from, HostId to, double volume) {
  Started started{network_.flow_latency(from, to).value, false};
  double own_rate = std::numeric_limits<double>::infinity();  // by fatpipes
  shares_.clear();
  links_.clear();
  network_.append_shares(from, to, shares_);
  for (const auto& [id, share] : shares_) {
    const auto& [link, number] = passed(id);
    started.latency += link.latency.value * share;
    if (link.sharing == LinkSharing::fatpipe)
      own_rate = std::min(own_rate, link.bandwidth.value / share);
    else if (number != none)
      links_.push_back({number, share});
  }
  std::int32_t own_link = none;
  started.is_flow = volume > 0 && (std::isfinite(own_rate) || !links_.empty());
  if (!started.is_flow) return started;
  if (std::isfinite(own_rate)) links_.push_back({own_link = private_link(own_rate), 1});
  const auto flow = index(flows_.start(volume, links_));
  if (flow >= name_.size()) {
    name_.resize(flow + 1);
    private_link_.resize(flow + 1);
  }
  name_[flow] = name;
  private_link_[flow] = own_link;
  return started;
}

std::span<const std::int32_t> RoutedFlows::advance(double time) {
  ended_.clear();
  for (const auto flow : flows_.advance(time)) {
    ended_.push_back(name_[index(flow)]);
    if (private_link_[index(flow)] != none) free_links_.push_back(private_link_[index(flow)]);
  }
  return ended_;
}

/// A link for one flow alone.
std::int32_t RoutedFlows::private_link(double rate) {
  if (free_links_.empty()) return flows_.add_link(rate);
  const std::int32_t link = free_links_.back();
  free_links_.pop_back();
  flows_.set_capacity(link, rate);
  return link;
}

MessageMatching::MessageMatching(const Program& program)
    : program_(program), channel_numbers_(program.num_ranks()) {
  std::unordered_map<MessageChannel, std::int32_t, MessageChannel::Hash> numbers;
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}]) {
      const bool is_message = is_send(operation.kind) || is_receive(operation.kind);
      const auto next = static_cast<std::int32_t>(numbers.size());
      channel_numbers_[Rank{r}].push_back(
          is_message ? numbers.try_emplace(channel_of(Rank{r}, operation), next).first->second
                     : none);
    }
  channels_.resize(numbers.size());
}

std::optional<std::int32_t> MessageMatching::post(Rank rank, std::size_t position,
                                                  std::int32_t message) {
  Channel& channel = channels_[static_cast<std::size_t>(channel_numbers_[rank][position])];
  const bool sends = is_send(program_.ranks[rank][position].kind);
  if (channel.first == none || channel.has_sends == sends) {
    channel.has_sends = sends;
    append(channel, message);
    return std::nullopt;
  }
  return std::exchange(channel.first, next_[static_cast<std::size_t>(channel.first)]);
}

void MessageMatching::append(Channel& channel, std::int32_t message) {
  const auto place = static_cast<std::size_t>(message);
  if (next_.size() <= place) next_.resize(place + 1);
  next_[place] = none;
  (channel.first == none ? channel.first : next_[static_cast<std::size_t>(channel.last)]) = message;
  channel.last = message;
}

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
  if (matched && !message.is_eager) events_.push({now_ + handshake(message).value, number, true});
  return number;
}

/// Over its route, if it costs anything; inside a host without latency.
Seconds Messages::handshake(const Message& message) {
  const HostId from = embedding_.host_of(message.source);
  const HostId to = embedding_.host_of(message.destination);
  if (from == to || costs_.handshake.value == 0) return costs_.handshake;
  return costs_.handshake_over(flows_.latency(from, to));
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
