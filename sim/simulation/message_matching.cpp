#include "sim/simulation/message_matching.hpp"

#include <algorithm>
#include <array>

namespace vtopo {

namespace {

using ChannelKey = std::array<std::int32_t, 4>;

bool is_message(const Operation& operation) {
  return is_send(operation.kind) || is_receive(operation.kind);
}

ChannelKey key_of(Rank rank, const Operation& operation) {
  const bool sends = is_send(operation.kind);
  return {sends ? number(rank) : operation.peer, sends ? operation.peer : number(rank),
          operation.tag, operation.communicator};
}

std::vector<ChannelKey> all_keys(const Program& program) {
  std::vector<ChannelKey> keys;
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}])
      if (is_message(operation)) keys.push_back(key_of(Rank{r}, operation));
  std::sort(keys.begin(), keys.end());
  keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  return keys;
}

}  // namespace

MessageMatching::MessageMatching(const Program& program)
    : program_(program), channel_of_(program.num_ranks()) {
  const std::vector<ChannelKey> keys = all_keys(program);
  channels_.resize(keys.size());
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}]) {
      const auto found = std::lower_bound(keys.begin(), keys.end(), key_of(Rank{r}, operation));
      channel_of_[Rank{r}].push_back(static_cast<std::int32_t>(found - keys.begin()));
    }
}

std::optional<std::int32_t> MessageMatching::post(Rank rank, std::size_t position,
                                                  std::int32_t message) {
  Channel& channel = channels_[static_cast<std::size_t>(channel_of_[rank][position])];
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

}  // namespace vtopo
