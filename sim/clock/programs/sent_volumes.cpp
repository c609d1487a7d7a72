#include "sim/clock/programs/sent_volumes.hpp"

#include <algorithm>
#include <limits>
#include <map>
#include <vector>

#include "sim/clock/programs/program.hpp"

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

namespace {

struct PairTraffic {
  double bytes = 0, messages = 0;
};

}  // namespace

CommGraph traffic_of(const Program& program) {
  constexpr double max_messages = std::numeric_limits<int>::max();
  std::vector<DirectedEdge> edges;
  for (int r = 0; r < program.num_ranks(); ++r) {
    std::map<std::int32_t, PairTraffic> sent;
    std::vector<double> times{1};
    for (const Operation& operation : program.ranks[Rank{r}]) {
      if (operation.kind == Operation::Kind::repeat)
        times.push_back(times.back() * operation.amount);
      if (operation.kind == Operation::Kind::end_repeat) times.pop_back();
      if (!is_send(operation.kind)) continue;
      PairTraffic& pair = sent[operation.peer];
      pair.bytes += operation.amount * times.back();
      pair.messages += times.back();
    }
    for (const auto& [peer, pair] : sent)
      edges.push_back({Rank{r},
                       Rank{peer},
                       {pair.bytes},
                       static_cast<int>(std::min(pair.messages, max_messages))});
  }
  return {program.num_ranks(), edges};
}

}  // namespace vtopo::detail
