#include "sim/clock/simgrid/rank_stage.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <utility>

#include "topology/base/narrow.hpp"

namespace vtopo::detail {

std::vector<Parcel> RankStage::exchange(Rank self, std::vector<OutgoingParcel> sends,
                                        const std::vector<MessageEnds>& receives) {
  std::vector<std::size_t> started;
  started.reserve(receives.size());
  for (const MessageEnds& receive : receives) started.push_back(start_receive(receive));
  for (OutgoingParcel& send : sends) started.push_back(start_send(std::move(send)));
  std::vector<Parcel> parcels;
  parcels.reserve(started.size());
  for (const std::size_t number : started) parcels.push_back(finish(self, number));
  parcels.resize(receives.size());
  return parcels;
}

namespace {

constexpr std::size_t max_reported = 8;

using Waits = std::vector<RankWait>;
using Missing = std::vector<std::vector<Rank>>;

bool is_blocked(const RankWait& wait) {
  return wait.kind != RankWait::Kind::finished && wait.kind != RankWait::Kind::nothing;
}

/// One rank that `rank` waits for.
std::optional<Rank> partner_of(const RankWait& wait, const Missing& missing) {
  switch (wait.kind) {
    case RankWait::Kind::send:
      return wait.ends.destination;
    case RankWait::Kind::receive:
      return wait.ends.source;
    case RankWait::Kind::barrier: {
      const auto& ranks = missing[static_cast<std::size_t>(wait.ends.context)];
      return ranks.empty() ? std::nullopt : std::optional(ranks.front());
    }
    case RankWait::Kind::nothing:
    case RankWait::Kind::finished:
      break;
  }
  return std::nullopt;
}

std::string partner_in_words(Rank rank, const Waits& waits) {
  const bool finished = waits[index(rank)].kind == RankWait::Kind::finished;
  return fmt::format("rank {}{}", number(rank), finished ? ", which has finished" : "");
}

std::string wait_in_words(Rank rank, const Waits& waits, const Missing& missing) {
  const RankWait& wait = waits[index(rank)];
  const auto partner = partner_of(wait, missing);
  const std::string whom = partner ? partner_in_words(*partner, waits) : std::string("nobody");
  const std::string tag = wait.ends.tag == 0 ? "" : fmt::format(" with tag {}", wait.ends.tag);
  switch (wait.kind) {
    case RankWait::Kind::send:
      return fmt::format("rank {} sends {} bytes{} to {}", number(rank), wait.volume.value, tag,
                         whom);
    case RankWait::Kind::receive:
      return fmt::format("rank {} receives{} from {}", number(rank), tag, whom);
    default:
      return fmt::format("rank {} is in a barrier that waits for {}", number(rank), whom);
  }
}

/// Ranks that wait for each other in a ring, found by walking from one to the next; or nothing.
std::vector<Rank> find_cycle(const Waits& waits, const Missing& missing) {
  std::vector<int> walk_of(waits.size(), -1);
  for (std::size_t start = 0; start < waits.size(); ++start) {
    std::optional<Rank> rank = id_at<Rank>(start);
    while (rank && is_blocked(waits[index(*rank)]) && walk_of[index(*rank)] < 0) {
      walk_of[index(*rank)] = narrow<int>(start);
      rank = partner_of(waits[index(*rank)], missing);
    }
    if (!rank || walk_of[index(*rank)] != narrow<int>(start)) continue;
    std::vector<Rank> cycle{*rank};
    for (Rank next = *partner_of(waits[index(*rank)], missing); next != *rank;
         next = *partner_of(waits[index(next)], missing))
      cycle.push_back(next);
    std::rotate(cycle.begin(), std::min_element(cycle.begin(), cycle.end()), cycle.end());
    return cycle;
  }
  return {};
}

std::vector<Rank> blocked_ranks(const Waits& waits) {
  std::vector<Rank> ranks;
  for (std::size_t r = 0; r < waits.size(); ++r)
    if (is_blocked(waits[r])) ranks.push_back(id_at<Rank>(r));
  return ranks;
}

}  // namespace

std::string describe_deadlock(Seconds time, const std::vector<RankWait>& waits,
                              const std::vector<std::vector<Rank>>& missing) {
  const auto blocked = blocked_ranks(waits);
  const auto cycle = find_cycle(waits, missing);
  const auto& told = cycle.empty() ? blocked : cycle;
  std::string text = fmt::format("deadlock at {} s: {} of {} ranks wait for what never comes",
                                 time.value, blocked.size(), waits.size());
  if (!cycle.empty()) text += fmt::format(", {} of them in a ring", cycle.size());
  for (std::size_t i = 0; i < std::min(told.size(), max_reported); ++i)
    text += (i == 0 ? ": " : "; ") + wait_in_words(told[i], waits, missing);
  if (told.size() > max_reported) text += fmt::format("; and {} more", told.size() - max_reported);
  return text;
}

}  // namespace vtopo::detail
