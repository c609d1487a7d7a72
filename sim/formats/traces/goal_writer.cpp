#include <fmt/format.h>

#include <cmath>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "sim/clock/programs/sent_volumes.hpp"
#include "sim/formats/traces/foreign_traces.hpp"
#include "topology/base/append_format.hpp"
#include "topology/base/error.hpp"

namespace vtopo::detail {

namespace {

using TagPair = std::pair<std::int32_t, std::int32_t>;  ///< communicator, tag

/// Numbers of the pairs of a program: the tag itself where there is one communicator.
class GoalTags {
 public:
  explicit GoalTags(const Program& program) {
    bool has_several = false;
    for (const auto& operations : program.ranks)
      for (const Operation& operation : operations) {
        if (!is_send(operation.kind) && !is_receive(operation.kind)) continue;
        numbers_.emplace(TagPair{operation.communicator, operation.tag}, operation.tag);
        has_several |= operation.communicator != numbers_.begin()->first.first;
      }
    int next = 0;
    for (auto& [pair, number] : numbers_) {
      if (has_several) number = next;
      next = std::max(next, number) + 1;
    }
    barrier_ = next;
  }

  std::int32_t of(const Operation& operation) const {
    return numbers_.at({operation.communicator, operation.tag});
  }
  std::int32_t barrier() const { return barrier_; }

 private:
  std::map<TagPair, std::int32_t> numbers_;
  std::int32_t barrier_ = 0;
};

/// One rank, operation by operation.
class GoalRankWriter {
 public:
  GoalRankWriter(const Program& program, Rank rank, const GoalTags& tags, SentVolumes& sent,
                 std::string& text)
      : program_(program), rank_(rank), tags_(tags), sent_(sent), text_(text) {}

  void write() {
    append_format(text_, "\nrank {} {{\n", number(rank_));
    for_each_unrolled(program_.ranks[rank_],
                      [&](const Operation& operation, std::size_t) { write(operation); });
    text_ += "}\n";
  }

 private:
  void write(const Operation& operation) {
    using Kind = Operation::Kind;
    if (is_send(operation.kind) || is_receive(operation.kind)) {
      add_message(operation);
      return;
    }
    switch (operation.kind) {
      case Kind::wait:
      case Kind::wait_any:  // GOAL depends on the messages that it names
        frontier_.push_back(requests_.at(operation.request));
        requests_.erase(operation.request);
        break;
      case Kind::wait_all:
        for (const auto& [request, label] : requests_) frontier_.push_back(label);
        requests_.clear();
        break;
      case Kind::barrier:
        if (operation.request != 0)
          throw UsageError("GOAL: a barrier of some of the ranks; expected barriers of all ranks");
        add_barrier();
        break;
      case Kind::compute:
        frontier_ = {add(fmt::format("calc {}", std::llround(operation.amount * 1e9)))};
        break;
      default:
        break;  // a reduction
    }
  }

  void add_message(const Operation& operation) {
    const bool sends = is_send(operation.kind);
    const auto label = add(fmt::format("{} {}b {} {} tag {}", sends ? "send" : "recv",
                                       std::llround(volume_of(operation)), sends ? "to" : "from",
                                       operation.peer, tags_.of(operation)));
    if (operation.kind == Operation::Kind::send || operation.kind == Operation::Kind::receive)
      frontier_ = {label};
    else
      requests_[operation.request] = label;
  }

  /// Bytes of its message: recordings do not say how much a receive has room for, and LogGOPSim
  /// asks the receive whether it takes a rendezvous.
  double volume_of(const Operation& operation) {
    if (is_send(operation.kind)) return operation.amount;
    const auto sent = sent_.next(channel_of(rank_, operation));
    return sent ? sent->volume.value : operation.amount;
  }

  /// In round k every rank sends 2^k ranks further.
  void add_barrier() {
    const std::int64_t ranks = program_.num_ranks();
    for (std::int64_t distance = 1; distance < ranks; distance *= 2) {
      const auto to = (number(rank_) + distance) % ranks;
      const auto from = (number(rank_) - distance + ranks) % ranks;
      const auto sent = add(fmt::format("send 1b to {} tag {}", to, tags_.barrier()));
      frontier_.push_back(add(fmt::format("recv 1b from {} tag {}", from, tags_.barrier())));
      frontier_.push_back(sent);
    }
  }

  /// An operation after all that the rank has waited for.
  std::int64_t add(const std::string& what) {
    if (frontier_.size() > 1) {
      const auto joint = add_line("calc 0");
      frontier_ = {joint};
    }
    return add_line(what);
  }

  std::int64_t add_line(const std::string& what) {
    const std::int64_t label = ++num_labels_;
    check_num_operations(static_cast<double>(label));
    append_format(text_, "l{}: {}\n", label, what);
    for (const std::int64_t earlier : frontier_)
      append_format(text_, "l{} requires l{}\n", label, earlier);
    return label;
  }

  const Program& program_;
  Rank rank_;
  const GoalTags& tags_;
  SentVolumes& sent_;
  std::string& text_;
  std::vector<std::int64_t> frontier_;  ///< labels of what was waited for last
  std::map<std::int32_t, std::int64_t> requests_;
  std::int64_t num_labels_ = 0;
};

}  // namespace

std::string to_goal(const Program& program) {
  const GoalTags tags(program);
  SentVolumes sent(program);
  std::string text = fmt::format("num_ranks {}\n", program.num_ranks());
  for (int r = 0; r < program.num_ranks(); ++r)
    GoalRankWriter(program, Rank{r}, tags, sent, text).write();
  return text;
}

}  // namespace vtopo::detail
