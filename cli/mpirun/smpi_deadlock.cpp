#include "cli/mpirun/smpi_deadlock.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "cli/mpirun/whole_numbers.hpp"
#include "topology/base/text.hpp"

namespace vtopo::detail {

namespace {

using PlainJson = nlohmann::json;

constexpr std::size_t max_ranks = 16;
constexpr std::size_t max_reported = 8;

struct AwaitedMessage {
  bool sent = false;
  std::optional<int> partner;  ///< absent: any
  std::optional<int> tag;      ///< absent: any
};

/// What one rank waits for.
struct RankInCall {
  std::string call;  ///< empty: not known
  bool collective = false;
  std::vector<AwaitedMessage> messages;
  std::vector<int> missing;  ///< who has not come to the collective call, or not done its part
};

using Waits = std::map<int, RankInCall>;

std::optional<int> number_or_any(const PlainJson& value) {
  return value.is_number() ? std::optional(whole(value)) : std::nullopt;
}

Waits waits_of(const PlainJson& ending) {
  Waits waits;
  for (const PlainJson& line : ending.value("waits", PlainJson::array())) {
    RankInCall& wait = waits[whole(line.at("rank"))];
    wait.call = line.at("call").get<std::string>();
    wait.collective = line.at("collective").get<bool>();
    wait.missing = whole_numbers(line.at("missing"));
    for (const PlainJson& message : line.at("messages"))
      wait.messages.push_back({message.at("sent").get<bool>(), number_or_any(message.at("rank")),
                               number_or_any(message.at("tag"))});
  }
  return waits;
}

/// Ranks for which a rank waits; those of a wait for any of several are among them.
std::vector<int> partners_of(const RankInCall& wait) {
  std::vector<int> partners = wait.missing;
  for (const AwaitedMessage& message : wait.messages)
    if (message.partner) partners.push_back(*message.partner);
  return partners;
}

/// Depth-first search for ranks that wait for each other in a ring.
class RingSearch {
 public:
  explicit RingSearch(const Waits& waits) : waits_(waits) {}

  /// The first ring found, from its lowest rank on; empty: there is none.
  std::vector<int> run() {
    for (const auto& [rank, wait] : waits_) {
      if (!visited_.insert(rank).second) continue;
      path_.push_back({rank, partners_of(wait), 0});
      while (!path_.empty())
        if (auto ring = step(); !ring.empty()) return ring;
    }
    return {};
  }

 private:
  struct Visit {
    int rank;
    std::vector<int> partners;
    std::size_t next;
  };

  std::vector<int> step() {
    Visit& visit = path_.back();
    if (visit.next == visit.partners.size()) {
      path_.pop_back();
      return {};
    }
    const int partner = visit.partners[visit.next++];
    const auto at =
        std::find_if(path_.begin(), path_.end(), [&](const Visit& v) { return v.rank == partner; });
    if (at != path_.end()) return ring_from(static_cast<std::size_t>(at - path_.begin()));
    const auto found = waits_.find(partner);
    if (found != waits_.end() && visited_.insert(partner).second)
      path_.push_back({partner, partners_of(found->second), 0});
    return {};
  }

  std::vector<int> ring_from(std::size_t place) const {
    std::vector<int> ring;
    for (std::size_t i = place; i < path_.size(); ++i) ring.push_back(path_[i].rank);
    std::rotate(ring.begin(), std::min_element(ring.begin(), ring.end()), ring.end());
    return ring;
  }

  const Waits& waits_;
  std::set<int> visited_;
  std::vector<Visit> path_;
};

/// Ranks, and which of them have ended.
std::string ranks_and_their_state(const std::vector<int>& ranks, const Waits& waits) {
  std::vector<int> ended;
  for (const int rank : ranks)
    if (!waits.contains(rank)) ended.push_back(rank);
  std::string text = ranks_in_words(ranks);
  if (ended.empty()) return text;
  if (ended.size() == ranks.size()) return text + ", which ended before";
  return fmt::format("{} ({} ended before)", text, ranks_in_words(ended));
}

std::string message_in_words(const AwaitedMessage& message, const Waits& waits) {
  const std::string whom =
      message.partner ? ranks_and_their_state({*message.partner}, waits) : std::string("any rank");
  const std::string tag = message.tag ? fmt::format("tag {}", *message.tag) : "any tag";
  return fmt::format("a message with {} {} {}", tag, message.sent ? "to" : "from", whom);
}

std::string wait_in_words(int rank, const RankInCall& wait, const Waits& waits) {
  std::string text =
      fmt::format("rank {} is in {}", rank, wait.call.empty() ? "a function of MPI" : wait.call);
  if (wait.collective && wait.missing.empty())
    return text + ", as are all others of its communicator";
  if (!wait.missing.empty())
    return fmt::format("{}, which waits for {}", text, ranks_and_their_state(wait.missing, waits));
  std::vector<std::string> messages;
  for (const AwaitedMessage& message : wait.messages)
    messages.push_back(message_in_words(message, waits));
  return messages.empty() ? text : fmt::format("{} for {}", text, join(messages, " and "));
}

}  // namespace

std::string ranks_in_words(const std::vector<int>& ranks) {
  std::string text = ranks.size() == 1 ? "rank " : "ranks ";
  for (std::size_t i = 0; i < ranks.size() && i < max_ranks; ++i)
    text += fmt::format("{}{}", i == 0 ? "" : ", ", ranks[i]);
  if (ranks.size() > max_ranks) text += fmt::format(" and {} more", ranks.size() - max_ranks);
  return text;
}

std::string deadlock_in_words(const PlainJson& ending) {
  const auto ranks = whole_numbers(ending.at("ranks"));
  std::string text = fmt::format("deadlock: {} of the program wait{} for what never comes",
                                 ranks_in_words(ranks), ranks.size() == 1 ? "s" : "");
  const Waits waits = waits_of(ending);
  std::vector<int> told = RingSearch(waits).run();
  if (!told.empty()) {
    text += ", in a ring ";
    for (std::size_t i = 0; i < std::min(told.size(), max_ranks); ++i)
      text += fmt::format("{} -> ", told[i]);
    text += told.size() > max_ranks ? fmt::format("... -> {}", told.front())
                                    : std::to_string(told.front());
  } else {
    for (const auto& [rank, wait] : waits) told.push_back(rank);
  }
  for (std::size_t i = 0; i < std::min(told.size(), max_reported); ++i)
    text +=
        fmt::format("{} {}", i == 0 ? ":" : ";", wait_in_words(told[i], waits.at(told[i]), waits));
  if (told.size() > max_reported) text += fmt::format("; and {} more", told.size() - max_reported);
  return text;
}

}  // namespace vtopo::detail
