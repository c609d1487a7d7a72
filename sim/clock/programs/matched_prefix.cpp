#include "sim/clock/programs/matched_prefix.hpp"

#include <algorithm>
#include <cmath>
#include <compare>
#include <map>
#include <numeric>
#include <set>

#include "sim/clock/programs/program.hpp"

namespace vtopo::detail {

namespace {

using Kind = Operation::Kind;

/// One end of messages.
struct MessageEnd {
  bool sends;
  MessageChannel channel;

  auto operator<=>(const MessageEnd&) const = default;
};

/// How often each occurs.
using MessageEnds = std::map<MessageEnd, double>;

bool is_message(const Operation& operation) {
  return is_send(operation.kind) || is_receive(operation.kind);
}

MessageEnd end_of(Rank rank, const Operation& operation) {
  return {is_send(operation.kind), channel_of(rank, operation)};
}

/// End of each loop by its begin.
std::map<std::size_t, std::size_t> loop_ends(const std::vector<Operation>& operations) {
  std::map<std::size_t, std::size_t> ends;
  std::vector<std::size_t> open;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].kind == Kind::repeat) open.push_back(i);
    if (operations[i].kind != Kind::end_repeat) continue;
    ends[open.back()] = i;
    open.pop_back();
  }
  return ends;
}

/// Ends of messages of operations from `begin` to `end`, loops counted.
MessageEnds message_ends(Rank rank, const std::vector<Operation>& operations, std::size_t begin,
                         std::size_t end) {
  MessageEnds ends;
  std::vector<double> times{1};
  for (std::size_t i = begin; i < end; ++i) {
    const Operation& operation = operations[i];
    if (operation.kind == Kind::repeat) times.push_back(times.back() * operation.amount);
    if (operation.kind == Kind::end_repeat) times.pop_back();
    if (is_message(operation)) ends[end_of(rank, operation)] += times.back();
  }
  return ends;
}

/// Beginnings that are shortened until every message has both ends.
class Shortening {
 public:
  explicit Shortening(const Program& program) {
    const int num_ranks = program.num_ranks();
    prefixes_.assign(num_ranks, {});
    ends_.assign(num_ranks, {});
    for (int r = 0; r < num_ranks; ++r) {
      RankPrefix& prefix = prefixes_[Rank{r}];
      prefix.operations = program.ranks[Rank{r}];
      prefix.positions.resize(prefix.operations.size());
      std::iota(prefix.positions.begin(), prefix.positions.end(), std::size_t{0});
      ends_[Rank{r}] = message_ends(Rank{r}, prefix.operations, 0, prefix.operations.size());
    }
  }

  IdVector<Rank, RankPrefix> shortened() {
    for (bool is_changed = true; is_changed;) {
      is_changed = false;
      for (int r = 0; r < prefixes_.size(); ++r)
        if (exceeds(Rank{r})) {
          shorten(Rank{r});
          is_changed = true;
        }
    }
    for (RankPrefix& prefix : prefixes_) close_requests(prefix);
    return std::move(prefixes_);
  }

 private:
  /// Operations of a rank that are within what the others do.
  struct Taken {
    Rank rank;
    const RankPrefix& whole;
    std::map<std::size_t, std::size_t> loops;  ///< end by begin
    MessageEnds used = {};
    RankPrefix prefix = {};

    void append(Operation operation, std::size_t i) {
      prefix.operations.push_back(operation);
      prefix.positions.push_back(whole.positions[i]);
    }
  };

  /// How often the other end of messages occurs.
  double limit(const MessageEnd& end) const {
    const auto other = end.sends ? end.channel.destination : end.channel.source;
    if (other < 0 || other >= prefixes_.size()) return 0;
    const auto found = ends_[Rank{other}].find({!end.sends, end.channel});
    return found == ends_[Rank{other}].end() ? 0 : found->second;
  }

  bool exceeds(Rank rank) const {
    return std::any_of(ends_[rank].begin(), ends_[rank].end(),
                       [&](const auto& one) { return one.second > limit(one.first); });
  }

  void shorten(Rank rank) {
    const RankPrefix& whole = prefixes_[rank];
    Taken taken{rank, whole, loop_ends(whole.operations)};
    take(0, whole.operations.size(), taken);
    ends_[rank] = std::move(taken.used);
    prefixes_[rank] = std::move(taken.prefix);
  }

  /// @return whether all operations from `begin` to `end` were taken.
  bool take(std::size_t begin, std::size_t end, Taken& taken) const {
    for (std::size_t i = begin; i < end; ++i) {
      const Operation& operation = taken.whole.operations[i];
      if (operation.kind == Kind::repeat) {
        if (!take_loop(i, taken)) return false;
        i = taken.loops.at(i);
        continue;
      }
      if (is_message(operation)) {
        const MessageEnd one = end_of(taken.rank, operation);
        if (taken.used[one] + 1 > limit(one)) return false;
        ++taken.used[one];
      }
      taken.append(operation, i);
    }
    return true;
  }

  bool take_loop(std::size_t begin, Taken& taken) const {
    const std::size_t end = taken.loops.at(begin);
    const MessageEnds of_round = message_ends(taken.rank, taken.whole.operations, begin + 1, end);
    const double times = taken.whole.operations[begin].amount;
    double rounds = times;
    for (const auto& [one, count] : of_round)
      rounds = std::min(rounds, std::floor((limit(one) - taken.used[one]) / count));
    if (rounds > 0) {
      for (std::size_t i = begin; i <= end; ++i) taken.append(taken.whole.operations[i], i);
      taken.prefix.operations[taken.prefix.operations.size() - 1 - (end - begin)].amount = rounds;
      for (const auto& [one, count] : of_round) taken.used[one] += rounds * count;
    }
    return rounds >= times || take(begin + 1, end, taken);
  }

  static void close_requests(RankPrefix& prefix) {
    std::set<std::int32_t> open;
    for (const Operation& operation : prefix.operations) {
      if (operation.kind == Kind::start_send || operation.kind == Kind::start_receive)
        open.insert(operation.request);
      if (operation.kind == Kind::wait || operation.kind == Kind::wait_any)
        open.erase(operation.request);
      if (operation.kind == Kind::wait_all) open.clear();
    }
    name_waits_outside_groups(prefix.operations);
    for (const std::int32_t request : open) {
      prefix.operations.push_back(wait(request));
      prefix.positions.push_back(prefix.positions.back());
    }
  }

  IdVector<Rank, RankPrefix> prefixes_;
  IdVector<Rank, MessageEnds> ends_;  ///< of the prefixes
};

}  // namespace

IdVector<Rank, RankPrefix> matched_prefix(const Program& program) {
  return Shortening(program).shortened();
}

}  // namespace vtopo::detail
