#include "sim/clock/programs/program.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <set>
#include <string_view>
#include <type_traits>
#include <unordered_map>

namespace vtopo::detail {

namespace {

using Kind = Operation::Kind;

Operation message(Kind kind, Rank peer, Bytes volume, std::int32_t request, MessageTag tag) {
  return {kind, number(peer), tag.tag, tag.communicator, request, volume.value};
}

bool is_wait(Kind kind) {
  return kind == Kind::wait || kind == Kind::wait_any;
}

/// Where messages of a channel are sent and received, loops counted.
struct Ends {
  double sent = 0, received = 0;
};

/// Calls `visit(operation, position, times)` for each operation of a rank, in their order.
/// @return what is wrong with the loops.
template <class Visitor>
std::optional<std::string> for_each_operation(const std::vector<Operation>& operations,
                                              Visitor&& visit) {
  std::vector<double> times{1};
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.kind == Kind::repeat) {
      if (!(operation.amount >= 1) || operation.amount != std::floor(operation.amount))
        return fmt::format("operation {}: repeat {} times; expected a whole number >= 1", i,
                           operation.amount);
      times.push_back(times.back() * operation.amount);
    } else if (operation.kind == Kind::end_repeat) {
      if (times.size() == 1) return fmt::format("operation {}: end_repeat without repeat", i);
      times.pop_back();
    }
    if (auto wrong = visit(operation, i, times.back())) return wrong;
  }
  if (times.size() > 1) return "a repeat has no end_repeat";
  return std::nullopt;
}

/// Requests that a rank has started and not waited for.
class OpenRequests {
 public:
  std::optional<std::string> take(const Operation& operation, std::size_t position) {
    if (operation.kind == Kind::start_send || operation.kind == Kind::start_receive) {
      if (!open_.insert(operation.request).second)
        return fmt::format("operation {}: request {} is started again before a wait", position,
                           operation.request);
    } else if (is_wait(operation.kind) && open_.erase(operation.request) == 0) {
      return fmt::format("operation {}: wait for request {}, which is not started", position,
                         operation.request);
    } else if (operation.kind == Kind::wait_all) {
      open_.clear();
    } else if (operation.kind == Kind::repeat) {
      open_before_loops_.push_back(open_);
    } else if (operation.kind == Kind::end_repeat) {
      if (open_ != open_before_loops_.back())
        return fmt::format(
            "operation {}: a loop that does not leave the requests open that it "
            "found open",
            position);
      open_before_loops_.pop_back();
    }
    return std::nullopt;
  }

  std::optional<std::string> open() const {
    if (open_.empty()) return std::nullopt;
    return fmt::format("request {} is never waited for", *open_.begin());
  }

 private:
  std::set<std::int32_t> open_;
  std::vector<std::set<std::int32_t>> open_before_loops_;
};

class Checker {
 public:
  explicit Checker(const Program& program) : program_(program) {}

  std::optional<std::string> check() {
    for (int r = 0; r < program_.num_ranks(); ++r)
      if (const auto wrong = check_rank(Rank{r})) return fmt::format("rank {}: {}", r, *wrong);
    if (const auto wrong = check_channels()) return wrong;
    return check_barriers();
  }

 private:
  /// Names the least channel whose sends and receives differ in number.
  std::optional<std::string> check_channels() const {
    std::optional<MessageChannel> first;
    for (const auto& [channel, ends] : channels_)
      if (ends.sent != ends.received && (!first || channel < *first)) first = channel;
    if (!first) return std::nullopt;
    const Ends& ends = channels_.at(*first);
    return fmt::format(
        "rank {} sends {} messages to rank {} (tag {}, communicator {}), which receives {}",
        first->source, ends.sent, first->destination, first->tag, first->communicator,
        ends.received);
  }

  std::optional<std::string> check_barriers() const {
    for (const auto& [group, times] : barriers_) {
      const bool all_came = group != 0 || std::ssize(times) == program_.num_ranks();
      const double most = *std::max_element(times.begin(), times.end());
      const double least = all_came ? *std::min_element(times.begin(), times.end()) : 0;
      if (most != least)
        return fmt::format("one rank comes to {} barriers, another one to {}", most, least);
    }
    return std::nullopt;
  }

  std::optional<std::string> check_rank(Rank rank) {
    OpenRequests requests;
    std::map<std::int32_t, double> barriers;
    const auto& operations = program_.ranks[rank];
    auto wrong = for_each_operation(
        operations, [&](const Operation& operation, std::size_t position, double times) {
          if (operation.kind == Kind::barrier) barriers[operation.request] += times;
          if (auto bad = check_amount(operation, position)) return bad;
          if (auto bad = count(rank, operation, position, times)) return bad;
          return requests.take(operation, position);
        });
    for (const auto& [group, times] : barriers) barriers_[group].push_back(times);
    if (wrong) return wrong;
    if (const auto outside = waits_outside_groups(operations); !outside.empty())
      return fmt::format(
          "operation {}: a wait for any of several requests that are not all waited for so",
          outside.front());
    return requests.open();
  }

  static std::optional<std::string> check_amount(const Operation& operation, std::size_t position) {
    const bool is_numbered = operation.kind == Kind::mark || operation.kind == Kind::barrier;
    if (is_numbered && operation.request < 0)
      return fmt::format("operation {}: {} of number {}; expected a number >= 0", position,
                         operation.kind == Kind::mark ? "a mark" : "a barrier", operation.request);
    if (std::isfinite(operation.amount) && operation.amount >= 0) return std::nullopt;
    return fmt::format("operation {}: {} bytes or seconds; expected a finite number >= 0", position,
                       operation.amount);
  }

  std::optional<std::string> count(Rank rank, const Operation& operation, std::size_t position,
                                   double times) {
    const bool sends = is_send(operation.kind);
    if (!sends && !is_receive(operation.kind)) return std::nullopt;
    if (operation.peer < 0 || operation.peer >= program_.num_ranks())
      return fmt::format("operation {}: a message with rank {}; expected 0 to {}", position,
                         operation.peer, program_.num_ranks() - 1);
    Ends& ends = channels_[channel_of(rank, operation)];
    (sends ? ends.sent : ends.received) += times;
    return std::nullopt;
  }

  const Program& program_;
  std::unordered_map<MessageChannel, Ends, MessageChannel::Hash> channels_;
  std::map<std::int32_t, std::vector<double>> barriers_;  ///< of each group, to which ranks come
};

}  // namespace

bool is_send(Operation::Kind kind) {
  return kind == Kind::send || kind == Kind::start_send;
}
bool is_receive(Operation::Kind kind) {
  return kind == Kind::receive || kind == Kind::start_receive;
}

std::size_t MessageChannel::Hash::operator()(const MessageChannel& channel) const {
  static_assert(std::has_unique_object_representations_v<MessageChannel>);
  return std::hash<std::string_view>()({reinterpret_cast<const char*>(&channel), sizeof channel});
}

MessageChannel channel_of(Rank rank, const Operation& operation) {
  const bool sends = is_send(operation.kind);
  return {sends ? number(rank) : operation.peer, sends ? operation.peer : number(rank),
          operation.tag, operation.communicator};
}

Operation send(Rank to, Bytes volume, MessageTag tag) {
  return message(Kind::send, to, volume, 0, tag);
}
Operation receive(Rank from, Bytes volume, MessageTag tag) {
  return message(Kind::receive, from, volume, 0, tag);
}
Operation start_send(Rank to, Bytes volume, std::int32_t request, MessageTag tag) {
  return message(Kind::start_send, to, volume, request, tag);
}
Operation start_receive(Rank from, Bytes volume, std::int32_t request, MessageTag tag) {
  return message(Kind::start_receive, from, volume, request, tag);
}
Operation wait(std::int32_t request) {
  return {.kind = Kind::wait, .request = request};
}
void append_waits(std::span<const std::int32_t> requests, std::vector<Operation>& operations) {
  for (std::size_t i = 0; i < requests.size(); ++i) {
    operations.push_back(wait(requests[i]));
    operations.back().amount = static_cast<double>(requests.size() - 1 - i);
  }
}
void append_with_waits(std::span<const Operation> starts, std::vector<Operation>& operations) {
  std::vector<std::int32_t> requests;
  for (const Operation& operation : starts) {
    operations.push_back(operation);
    requests.push_back(operation.request);
  }
  append_waits(requests, operations);
}
Operation wait_any(std::int32_t request, int left) {
  return {.kind = Kind::wait_any, .request = request, .amount = static_cast<double>(left)};
}
Operation wait_all() {
  return {.kind = Kind::wait_all};
}
Operation compute(Seconds time) {
  return {.kind = Kind::compute, .amount = time.value};
}
Operation reduce(Bytes volume) {
  return {.kind = Kind::reduce, .amount = volume.value};
}
Operation copy(Bytes volume) {
  return {.kind = Kind::copy, .amount = volume.value};
}
Operation barrier() {
  return {.kind = Kind::barrier};
}
Operation barrier(std::int32_t group) {
  return {.kind = Kind::barrier, .request = group};
}
Operation mark(std::int32_t number) {
  return {.kind = Kind::mark, .request = number};
}
Operation repeat(std::int64_t times) {
  return {.kind = Kind::repeat, .amount = static_cast<double>(times)};
}
Operation end_repeat() {
  return {.kind = Kind::end_repeat};
}

std::optional<std::string> why_not_run(const Program& program) {
  return Checker(program).check();
}

std::map<std::int32_t, int> barrier_ranks(const Program& program) {
  std::map<std::int32_t, int> ranks;
  for (const auto& operations : program.ranks) {
    std::set<std::int32_t> groups;
    for (const Operation& operation : operations)
      if (operation.kind == Kind::barrier && operation.request > 0)
        groups.insert(operation.request);
    for (const std::int32_t group : groups) ++ranks[group];
  }
  ranks[0] = program.num_ranks();
  return ranks;
}

std::int64_t num_messages(const Program& program) {
  double count = 0;
  for (const auto& operations : program.ranks)
    for_each_operation(
        operations,
        [&](const Operation& operation, std::size_t, double times) -> std::optional<std::string> {
          if (is_send(operation.kind)) count += times;
          return std::nullopt;
        });
  constexpr double most = 9e18;
  return static_cast<std::int64_t>(std::min(count, most));
}

namespace {

using Kind = Operation::Kind;

}  // namespace

std::vector<std::int32_t> requests_of_group(const std::vector<Operation>& operations,
                                            std::size_t position) {
  std::vector<std::int32_t> requests;
  for (bool ends = false; !ends; ++position) {
    if (operations[position].kind != Kind::wait_any) continue;
    requests.push_back(operations[position].request);
    ends = operations[position].amount == 0;
  }
  return requests;
}

std::vector<std::size_t> waits_outside_groups(const std::vector<Operation>& operations) {
  std::vector<std::size_t> outside, group;  // group: so far
  std::unordered_map<std::int32_t, std::size_t> started;
  const auto leave = [&](std::size_t count) {
    const auto end = group.begin() + static_cast<std::ptrdiff_t>(count);
    outside.insert(outside.end(), group.begin(), end);
    group.erase(group.begin(), end);
  };
  for (std::size_t i = 0; i < operations.size(); ++i) {
    const Operation& operation = operations[i];
    if (operation.kind == Kind::start_send || operation.kind == Kind::start_receive) {
      started[operation.request] = i;
    } else if (operation.kind == Kind::repeat || operation.kind == Kind::end_repeat ||
               operation.kind == Kind::wait_all) {
      leave(group.size());
    } else if (operation.kind == Kind::wait_any) {
      if (!group.empty() && operation.amount != operations[group.back()].amount - 1)
        leave(group.size());
      // What was started later was not among those that earlier waits could have been for.
      if (const auto found = started.find(operation.request); found != started.end()) {
        const auto later = std::upper_bound(group.begin(), group.end(), found->second);
        leave(static_cast<std::size_t>(later - group.begin()));
      }
      group.push_back(i);
      if (operation.amount == 0) group.clear();
    }
  }
  leave(group.size());
  return outside;
}

void name_waits_outside_groups(std::vector<Operation>& operations) {
  for (const std::size_t i : waits_outside_groups(operations))
    operations[i] = wait(operations[i].request);
}

}  // namespace vtopo::detail
