#include "sim/simulation/message_matching.hpp"

#include <algorithm>

namespace vtopo::detail {

namespace {

bool is_message(const Operation& operation) {
  return is_send(operation.kind) || is_receive(operation.kind);
}

std::vector<MessageChannel> all_channels(const Program& program) {
  std::vector<MessageChannel> channels;
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}])
      if (is_message(operation)) channels.push_back(channel_of(Rank{r}, operation));
  std::sort(channels.begin(), channels.end());
  channels.erase(std::unique(channels.begin(), channels.end()), channels.end());
  return channels;
}

}  // namespace

MessageMatching::MessageMatching(const Program& program)
    : program_(program), channel_numbers_(program.num_ranks()) {
  const std::vector<MessageChannel> channels = all_channels(program);
  channels_.resize(channels.size());
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}]) {
      const auto found =
          std::lower_bound(channels.begin(), channels.end(), channel_of(Rank{r}, operation));
      channel_numbers_[Rank{r}].push_back(static_cast<std::int32_t>(found - channels.begin()));
    }
}

std::optional<std::int32_t> MessageMatching::post(Rank rank, std::size_t position,
                                                  std::int32_t message) {
  Channel& channel = channels_[static_cast<std::size_t>(channel_numbers_[rank][position])];
  const bool sends = is_send(program_.ranks[rank][position].kind);
  const bool is_empty = channel.first == channel.waiting.size();
  if (is_empty || channel.has_sends == sends) {
    channel.has_sends = sends;
    channel.waiting.push_back(message);
    return std::nullopt;
  }
  const std::int32_t matched = channel.waiting[channel.first++];
  if (channel.first == channel.waiting.size()) {
    channel.waiting.clear();
    channel.first = 0;
  }
  return matched;
}

}  // namespace vtopo::detail
