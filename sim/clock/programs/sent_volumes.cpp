#include "sim/clock/programs/sent_volumes.hpp"

#include "sim/clock/programs/traces/trace_limits.hpp"

namespace vtopo::detail {

SentVolumes::SentVolumes(const Program& program) {
  for (int r = 0; r < program.num_ranks(); ++r) {
    double num_done = 0;
    for_each_unrolled(program.ranks[Rank{r}],
                      [&](const Operation& operation, std::size_t position) {
                        check_num_operations(++num_done);
                        if (!is_send(operation.kind)) return;
                        auto& runs = queues_[channel_of(Rank{r}, operation)].runs;
                        if (!runs.empty() && runs.back().sent.position == position)
                          ++runs.back().times;
                        else
                          runs.push_back({{{operation.amount}, position}});
                      });
  }
}

std::optional<SentVolumes::Sent> SentVolumes::next(const MessageChannel& channel) {
  const auto found = queues_.find(channel);
  if (found == queues_.end()) return std::nullopt;
  Queue& queue = found->second;
  if (queue.run == queue.runs.size()) return std::nullopt;
  const Run& run = queue.runs[queue.run];
  if (++queue.taken == run.times) {
    queue.taken = 0;
    ++queue.run;
  }
  return run.sent;
}

}  // namespace vtopo::detail
