#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <vector>

#include "sim/clock/programs/program.hpp"
#include "topology/comm_graph.hpp"

namespace vtopo::detail {

/// Calls `visit(operation, position)` for each operation of a rank as often as it is done, in that
/// order; loops are closed, their begins and ends not visited.
/// @param position among the operations of the rank.
template <class Visitor>
void for_each_unrolled(const std::vector<Operation>& operations, Visitor&& visit) {
  struct Loop {
    std::size_t begin;
    double left;
  };
  std::vector<Loop> loops;
  for (std::size_t i = 0; i < operations.size(); ++i) {
    if (operations[i].kind == Operation::Kind::repeat) {
      loops.push_back({i, operations[i].amount});
    } else if (operations[i].kind == Operation::Kind::end_repeat) {
      if (--loops.back().left > 0)
        i = loops.back().begin;
      else
        loops.pop_back();
    } else {
      visit(operations[i], i);
    }
  }
}

/// What the receives of a program receive: a message has the volume of its sending end, whatever
/// the receiving end says. Memory is proportional to the messages, loops written out.
class SentVolumes {
 public:
  /// A sent message.
  struct Sent {
    Bytes volume{0};
    std::size_t position = 0;  ///< of the send among the operations of its rank
  };

  /// @throws InputError if a rank does more than `max_trace_operations` operations.
  explicit SentVolumes(const Program& program);

  /// The message of the next receive of a channel, in the order in which they are posted; nothing
  /// if no more is sent.
  std::optional<Sent> next(const MessageChannel& channel);

 private:
  /// The same send several times.
  struct Run {
    Sent sent;
    std::int64_t times = 1;
  };
  /// Messages of a channel; `run` is that of the next receive, of which `taken` are received.
  struct Queue {
    std::vector<Run> runs = {};
    std::size_t run = 0;
    std::int64_t taken = 0;
  };

  std::map<MessageChannel, Queue> queues_;
};

/// What a program sends in all: an edge for each pair of ranks with messages, by source, then
/// destination.
CommGraph traffic_of(const Program& program);

}  // namespace vtopo::detail
