#include "sim/simulation/message_matching.hpp"

#include <functional>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace vtopo::detail {

namespace {

constexpr std::int32_t no_channel = -1;

struct ChannelHash {
  std::size_t operator()(const MessageChannel& channel) const {
    static_assert(std::has_unique_object_representations_v<MessageChannel>);
    return std::hash<std::string_view>()({reinterpret_cast<const char*>(&channel), sizeof channel});
  }
};

}  // namespace

MessageMatching::MessageMatching(const Program& program)
    : program_(program), channel_numbers_(program.num_ranks()) {
  std::unordered_map<MessageChannel, std::int32_t, ChannelHash> numbers;
  for (int r = 0; r < program.num_ranks(); ++r)
    for (const Operation& operation : program.ranks[Rank{r}]) {
      const bool is_message = is_send(operation.kind) || is_receive(operation.kind);
      const auto next = static_cast<std::int32_t>(numbers.size());
      channel_numbers_[Rank{r}].push_back(
          is_message ? numbers.try_emplace(channel_of(Rank{r}, operation), next).first->second
                     : no_channel);
    }
  channels_.resize(numbers.size());
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
