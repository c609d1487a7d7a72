#include "sim/clock/program_times.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>
#include <queue>
#include <unordered_map>
#include <utility>
#include <vector>

#include "sim/clock/messages.hpp"
#include "sim/clock/rank_state.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

void WaitHistory::posted(std::int32_t message, Rank rank, std::size_t operation, bool starts_it,
                         double now) {
  if (posts_.size() <= index(message)) posts_.resize(index(message) + 1);
  Post& post = posts_[index(message)];
  if (post.ends == 2) post = {};  // the number is used again
  ++post.ends;
  if (!post.is_decided) post.last = {rank, operation, last_[rank].value_or(none), now};
  post.is_decided |= starts_it;
}

void WaitHistory::waited(Rank rank, std::size_t operation, std::int32_t message, double end) {
  last_[rank] = static_cast<std::int64_t>(waits_.size());
  waits_.push_back({PathStep::Kind::message, operation, posts_[index(message)].last, end});
}

void WaitHistory::met(std::span<const Rank> ranks, Rank last, double now) {
  const Point cause{last, 0, last_[last].value_or(none), now};
  for (const Rank rank : ranks) {
    if (rank == last) continue;
    last_[rank] = static_cast<std::int64_t>(waits_.size());
    waits_.push_back({PathStep::Kind::barrier, 0, cause, now});
  }
}

std::vector<PathStep> WaitHistory::path_to(Rank rank, std::size_t num_operations,
                                           double finish) const {
  std::vector<PathStep> steps;
  Point at{rank, num_operations, last_[rank].value_or(none), finish};
  while (true) {
    const Wait* wait = at.wait == none ? nullptr : &waits_[index(at.wait)];
    const double begin = wait == nullptr ? 0 : wait->end;
    if (at.time > begin)
      steps.push_back({PathStep::Kind::local, at.rank, at.operation, {begin}, {at.time}});
    if (wait == nullptr) break;
    steps.push_back({wait->kind, at.rank, wait->operation, {wait->cause.time}, {wait->end}});
    at = wait->cause;
  }
  std::reverse(steps.begin(), steps.end());
  return steps;
}

void MarkTimes::add(Seconds time) {
  first = std::min(first, time);
  last = std::max(last, time);
}

int num_marks(const Program& program) {
  int marks = 0;
  for (const auto& operations : program.ranks)
    for (const Operation& operation : operations)
      if (operation.kind == Operation::Kind::mark) marks = std::max(marks, operation.request + 1);
  return marks;
}

void check_program(const Program& program, const Network& network, const Embedding& embedding) {
  if (const auto reason = why_not_run(program)) throw InputError(*reason);
  if (embedding.num_ranks() != program.num_ranks())
    throw FitError(fmt::format("an embedding of {} ranks for a program of {}",
                               embedding.num_ranks(), program.num_ranks()));
  if (network.routed({}) != nullptr)
    throw UsageError(
        fmt::format("routing \"{}\" follows from a whole traffic, which a program has not at any "
                    "time; expected a rule that chooses the routes of each message",
                    to_string(network.routing())));
}

namespace {

using Kind = Operation::Kind;

struct Barrier {
  int num_ranks = 0;
  std::vector<Rank> waiting;
};

class ProgramSimulation {
 public:
  ProgramSimulation(const Program& program, const Network& network, const Embedding& embedding,
                    const ProgramOptions& options)
      : program_(program),
        embedding_(embedding),
        options_(options),
        costs_(options.endpoint),
        messages_(program, network, embedding, options.endpoint),
        ranks_(program.num_ranks()),
        marks_(index(num_marks(program))),
        num_messages_(num_messages(program)) {
    for (const auto& [group, ranks] : barrier_ranks(program)) barriers_[group].num_ranks = ranks;
    if (options.critical_path) history_.emplace(program.num_ranks());
  }

  ProgramTimes run() {
    for (int r = 0; r < program_.num_ranks(); ++r) resume_at(0, Rank{r});
    while (true) {
      const double next = resumptions_.empty() ? never : resumptions_.top().time;
      now_ = std::min(next, messages_.next());
      if (options_.stop && options_.stop()) throw SimulationError("the simulation was stopped");
      if (now_ == never) break;
      for (const std::int32_t message : messages_.advance(now_)) wake_ranks(message);
      while (!resumptions_.empty() && resumptions_.top().time <= now_) {
        const Resumption resumption = resumptions_.top();
        resumptions_.pop();
        if (resumption.turn == ranks_[Rank{resumption.rank}].turn) resume(Rank{resumption.rank});
      }
    }
    if (num_finished_ < program_.num_ranks())
      throw InputError(describe_deadlock(program_, ranks_, messages_));
    return result();
  }

 private:
  static constexpr double never = std::numeric_limits<double>::infinity();

  void resume_at(double time, Rank rank) {
    resumptions_.push({time, number(rank), ranks_[rank].turn});
  }

  void wake_ranks(std::int32_t message) {
    ++num_left_;
    tick();
    for (const Rank rank : messages_.waiting(message)) {
      RankState& state = ranks_[rank];
      if (--state.unknown_ends == 0) resume_at(std::max(now_, end_of_awaited(rank, state)), rank);
    }
    if (num_awaiting_any_ > 0)
      for (const Rank rank : messages_.ranks_of(message)) wake_by_group(rank);
  }

  void wake_by_group(Rank rank) {
    const RankState& state = ranks_[rank];
    const double first = state.awaits_any ? state.first_end_of_group(messages_) : never;
    if (first < never) resume_at(std::max(now_, first), rank);
  }

  void tick() {
    constexpr std::int64_t interval = 1024;
    if (num_left_ % interval != 0) return;
    if (options_.progress)
      options_.progress(static_cast<double>(num_left_) / static_cast<double>(num_messages_));
  }

  void resume(Rank rank) {
    RankState& state = ranks_[rank];
    ++state.turn;
    if (state.awaits_any && !take_first_of_group(rank, state)) return;
    if (state.is_waiting) end_wait(rank, state);
    const auto& operations = program_.ranks[rank];
    while (state.next < operations.size())
      if (!perform(rank, state, operations[state.next])) return;
    state.times.finish = Seconds{now_};
    ++num_finished_;
  }

  void end_wait(Rank rank, RankState& state) {
    state.times.waiting += Seconds{now_ - state.waits_since};
    state.is_waiting = false;
    if (options_.span) report_wait(options_, rank, state, now_);
  }

  void report(Rank rank, RankSpan::Kind kind, double begin, double end) const {
    if (options_.span && end > begin) options_.span({rank, kind, Seconds{begin}, Seconds{end}});
  }

  /// Does an operation at the present time.
  /// @return whether the rank goes on at once; else an event lets it.
  bool perform(Rank rank, RankState& state, const Operation& operation) {
    switch (operation.kind) {
      case Kind::send:
      case Kind::receive:
      case Kind::start_send:
      case Kind::start_receive:
        return begin_message(rank, state, operation);
      case Kind::wait:
        return wait_for_call(rank, state);
      case Kind::wait_any:
        return wait_for_any(rank, state);
      case Kind::wait_all: {
        ++state.next;
        state.awaited.swap(state.requests);
        return await(rank, state);
      }
      case Kind::compute:
        ++state.next;
        return work(rank, state, operation.amount);
      case Kind::reduce:
        ++state.next;
        return work(rank, state, operation.amount / costs_.reduction_bandwidth.value);
      case Kind::copy:
        ++state.next;
        return work(rank, state, operation.amount / costs_.memory_bandwidth.value);
      case Kind::barrier:
        return come_to_barrier(rank, state, operation.request);
      case Kind::mark:
        ++state.next;
        marks_[static_cast<std::size_t>(operation.request)].add(Seconds{now_});
        return true;
      case Kind::repeat:
        state.loops.push_back({++state.next, operation.amount});
        return true;
      case Kind::end_repeat:
        state.end_loop_body();
        return true;
    }
    return true;
  }

  bool work(Rank rank, RankState& state, double seconds) {
    if (seconds <= 0) return true;
    state.times.computing += Seconds{seconds};
    report(rank, RankSpan::Kind::computing, now_, now_ + seconds);
    resume_at(now_ + seconds, rank);
    return false;
  }

  bool come_to_barrier(Rank rank, RankState& state, std::int32_t group) {
    ++state.next;
    state.waits_since = now_;
    state.is_waiting = true;
    Barrier& barrier = barriers_[group];
    barrier.waiting.push_back(rank);
    if (std::ssize(barrier.waiting) == barrier.num_ranks) {
      if (history_) history_->met(barrier.waiting, rank, now_);
      for (const Rank waiting : barrier.waiting) resume_at(now_, waiting);
      barrier.waiting.clear();
    }
    return false;
  }

  bool begin_message(Rank rank, RankState& state, const Operation& operation) {
    const bool sends = is_send(operation.kind);
    if (sends && !state.has_paid && costs_.overhead.value > 0) {
      state.has_paid = true;
      if (!work(rank, state, costs_.overhead_after(state.num_sent++).value)) return false;
    }
    state.has_paid = false;
    const std::size_t position = state.next++;
    const std::int32_t message = messages_.post(rank, position);
    if (history_)
      history_->posted(message, rank, position,
                       sends && operation.amount <= costs_.eager_limit.value, now_);
    if (operation.kind == Kind::start_send || operation.kind == Kind::start_receive) {
      state.requests.push_back({operation.request, message, position, sends});
      return true;
    }
    state.awaited.push_back({0, message, position, sends});
    return await(rank, state);
  }

  /// Waits for what one call of the program names.
  bool wait_for_call(Rank rank, RankState& state) {
    state.await_call(program_.ranks[rank]);
    return await(rank, state);
  }

  bool wait_for_any(Rank rank, RankState& state) {
    if (state.group.empty()) state.begin_group(program_.ranks[rank]);
    ++state.next;
    state.waits_since = now_;
    return take_first_of_group(rank, state);
  }

  /// @return whether the rank goes on at once.
  bool take_first_of_group(Rank rank, RankState& state) {
    const double first = state.first_end_of_group(messages_);
    num_awaiting_any_ -= state.awaits_any ? 1 : 0;
    state.awaits_any = first > now_;
    if (state.awaits_any) {
      ++num_awaiting_any_;
      state.is_waiting = true;
      if (first < never) resume_at(first, rank);
      return false;
    }
    state.await_first_of_group(messages_);
    const double end = end_of_awaited(rank, state);
    if (end <= now_) return true;
    state.is_waiting = true;
    resume_at(end, rank);
    return false;
  }

  /// Waits for what is awaited.
  /// @return whether the rank goes on at once.
  bool await(Rank rank, RankState& state) {
    state.waits_since = now_;
    state.num_sent = 0;
    state.unknown_ends = 0;
    for (const RankState::Request& request : state.awaited) {
      if (messages_.end_of(request.message, request.sends)) continue;
      messages_.add_waiting(request.message, rank);
      ++state.unknown_ends;
    }
    if (state.unknown_ends == 0) {
      const double end = end_of_awaited(rank, state);
      if (end <= now_) return true;
      resume_at(end, rank);
    }
    state.is_waiting = true;
    return false;
  }

  /// When the rank goes on: all that it awaits has a time, and it takes what has arrived, one after
  /// the other.
  double end_of_awaited(Rank rank, RankState& state) {
    std::sort(state.awaited.begin(), state.awaited.end(), [&](const auto& a, const auto& b) {
      return messages_.end_of(a.message, a.sends) < messages_.end_of(b.message, b.sends);
    });
    double time = state.waits_since;
    state.num_taken = 0;
    if (!state.awaited.empty()) note_wait(rank, state);
    for (const RankState::Request& request : state.awaited) {
      const double end = *messages_.end_of(request.message, request.sends);
      time = std::max(time, request.sends ? end : state.take(end, costs_));
      messages_.release(request.message);
    }
    state.awaited.clear();
    return time;
  }

  /// What is awaited is sorted by its end: the last one has let the rank go on, if it waited.
  void note_wait(Rank rank, RankState& state) {
    const RankState::Request& last = state.awaited.back();
    const double end = *messages_.end_of(last.message, last.sends);
    if (end <= state.waits_since) return;
    const double begin = std::max(messages_.start_of(last.message), state.waits_since);
    state.times.transferring += Seconds{end - begin};
    state.transfers_since = begin;
    state.transfers_until = end;
    if (history_) history_->waited(rank, last.operation, last.message, end);
  }

  ProgramTimes result() const {
    ProgramTimes times;
    for (const RankState& state : ranks_) {
      times.makespan = std::max(times.makespan, state.times.finish);
      times.ranks.push_back(state.times);
    }
    times.marks = marks_;
    times.num_updates = messages_.num_updates();
    if (history_) times.critical_path = critical_path(times);
    return times;
  }

  std::vector<PathStep> critical_path(const ProgramTimes& times) const {
    for (int r = 0; r < program_.num_ranks(); ++r)
      if (times.ranks[Rank{r}].finish.value == times.makespan.value)
        return history_->path_to(Rank{r}, program_.ranks[Rank{r}].size(), times.makespan.value);
    return {};
  }

  const Program& program_;
  const Embedding& embedding_;
  const ProgramOptions& options_;
  const EndpointCosts& costs_;
  Messages messages_;
  IdVector<Rank, RankState> ranks_;
  std::priority_queue<Resumption, std::vector<Resumption>, std::greater<Resumption>> resumptions_;
  std::unordered_map<std::int32_t, Barrier> barriers_;  ///< by group
  std::vector<MarkTimes> marks_;
  std::optional<WaitHistory> history_;  ///< absent: nobody asked for the critical path
  double now_ = 0;
  int num_finished_ = 0;
  int num_awaiting_any_ = 0;   ///< ranks
  std::int64_t num_left_ = 0;  ///< messages
  std::int64_t num_messages_;
};

}  // namespace

ProgramTimes simulate_program(const Program& program, const Network& network,
                              const Embedding& embedding, const ProgramOptions& options) {
  check_program(program, network, embedding);
  return ProgramSimulation(program, network, embedding, options).run();
}

}  // namespace vtopo::detail
