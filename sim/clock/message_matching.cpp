#include "sim/clock/message_matching.hpp"

#include <unordered_map>
#include <utility>

namespace vtopo::detail {

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

}  // namespace vtopo::detail
